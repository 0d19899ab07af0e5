/* Tiles: some rows of sixteen columns, contiguous, so that two vectors hold a row.

The columns are examples of a batch (or tangents), which do not meet in a recurrence: a tile goes through all steps by
itself, and its state stays in the nearest cache.
*/

#ifndef GRADTAPE_TILES_H
#define GRADTAPE_TILES_H

#include <stdlib.h>

#include "arrays.h"
#include "vectors.h"

enum { WIDTH = 2 * LANES, PART = 1024 };

/* Space for so many floats, or none: NULL. It begins where a cache line does, and is never empty, which could be NULL too. */
INSIDE float *space_for(long n) { return aligned_alloc(64, 4 * (size_t)(n / 16 * 16 + 16)); }

/* How many of so many columns are in the n-th tile. */
INSIDE long columns_of(long n, long columns) {
    return columns - n * WIDTH < WIDTH ? columns - n * WIDTH : WIDTH;
}

/* A tile from rows of an array: `columns` of them are there, the others are zero. */
INSIDE void read_tile(float *tile, const float *x, long rows, long row_step, long column_step, long columns) {
    if (column_step == 1 && columns == WIDTH) {
        for (long i = 0; i < rows; i++) memcpy(tile + i * WIDTH, x + i * row_step, 4 * WIDTH);
        return;
    }
    if (column_step == 0 && columns == WIDTH) {
        for (long i = 0; i < rows; i++) {
            store(tile + i * WIDTH, splat(x[i * row_step]));
            store(tile + i * WIDTH + LANES, splat(x[i * row_step]));
        }
        return;
    }
    memset(tile, 0, 4 * WIDTH * rows);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) tile[i * WIDTH + j] = x[i * row_step + j * column_step];
}

/* A tile into rows of an array, whose elements lie side by side. */
INSIDE void write_tile(const float *tile, float *x, long rows, long row_step, long columns) {
    if (columns == WIDTH)
        for (long i = 0; i < rows; i++) memcpy(x + i * row_step, tile + i * WIDTH, 4 * WIDTH);
    else
        for (long i = 0; i < rows; i++)
            for (long j = 0; j < columns; j++) x[i * row_step + j] = tile[i * WIDTH + j];
}

/* A tile from, or into, a matrix of an array: its last two axes, from `x` on. It begins at a column. */
INSIDE void read_matrix(float *tile, const Array *of, const float *x, long column, long columns) {
    read_tile(tile, x + column * last_step(of), of->shape[of->rank - 2], row_step(of), last_step(of), columns);
}

INSIDE void write_matrix(const float *tile, const Array *of, float *x, long column, long columns) {
    write_tile(tile, x + column, of->shape[of->rank - 2], row_step(of), columns);
}

INSIDE void swap(float **x, float **y) {
    float *z = *x;
    *x = *y;
    *y = z;
}

/* y += x, for n elements, which are whole vectors. */
INSIDE void add(float *y, const float *x, long n) {
    for (long i = 0; i < n; i += LANES) store(y + i, load(y + i) + load(x + i));
}

/* Puts the old rows back in the columns whose step does not count: where the mask is zero. */
INSIDE void keep(float *new, const float *old, const float *mask, long column_step, long rows, long columns) {
    float counts[WIDTH];
    read_tile(counts, mask, 1, 0, column_step, columns);
    for (long i = 0; i < rows * WIDTH; i += LANES) {
        ints where = load(counts + i % WIDTH) != splat(0);
        store(new + i, choose(where, load(new + i), load(old + i)));
    }
}

/* The rows of y get those of a x, for at most six rows, whose sums stay in registers. */
INSIDE void add_rows(int rows, float *y, const float *a, long row_step, long column_step, const float *x, long n) {
    vec sums[6][2];
#pragma GCC unroll 6
    for (int i = 0; i < rows; i++) {
        sums[i][0] = load(y + i * WIDTH);
        sums[i][1] = load(y + i * WIDTH + LANES);
    }
    for (long k = 0; k < n; k++, a += column_step, x += WIDTH) {
        vec left = load(x), right = load(x + LANES);
#pragma GCC unroll 6
        for (int i = 0; i < rows; i++) {
            vec factor = splat(a[i * row_step]);
            sums[i][0] += factor * left;
            sums[i][1] += factor * right;
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < rows; i++) {
        store(y + i * WIDTH, sums[i][0]);
        store(y + i * WIDTH + LANES, sums[i][1]);
    }
}

/* y += a x: a is (rows, n), with any steps, x is a tile of n rows. It takes PART of these at a time: a near cache holds them, and
if the rows of a lie side by side, a line of memory serves several of them before it is gone. */
static __attribute__((noinline)) void add_product(float *y, const float *a, long row_step, long column_step, const float *x,
                                                  long rows, long n) {
    for (long part; n > 0; n -= part, a += part * column_step, x += part * WIDTH) {
        part = n < PART ? n : PART;
        long i = 0;
        for (; i + 6 <= rows; i += 6)
            add_rows(6, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part);
        switch (rows - i) {
        case 5: add_rows(5, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part); break;
        case 4: add_rows(4, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part); break;
        case 3: add_rows(3, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part); break;
        case 2: add_rows(2, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part); break;
        case 1: add_rows(1, y + i * WIDTH, a + i * row_step, row_step, column_step, x, part); break;
        }
    }
}

#endif
