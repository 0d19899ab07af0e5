/* The linear recurrences of ops/recurrences.py and ops/driven_recurrence.py, where the formulas and the order of the blocks
are explained. What is not a tangent or a cotangent is shared by all of them. */

#include "kernels.h"
#include "tiles.h"

/* y += a b, one by one, for n elements, which are whole vectors. */
INSIDE void add_products(float *y, const float *a, const float *b, long n) {
    for (long i = 0; i < n; i += LANES) store(y + i, load(y + i) + load(a + i) * load(b + i));
}

/* Whether there is anything but zeros, by the bits: NaN and -0 are something. */
INSIDE int moves(const float *x, long n) {
    ints all = {0};
    for (long i = 0; i < n; i += LANES) all |= (ints)load(x + i);
    for (int i = 0; i < LANES; i++)
        if (all[i]) return 1;
    return 0;
}

/* g (time, states, units, batch), c (time, states, states + sums, units, batch), u (linked, units, units), contiguous, and the
results: the cotangents of the sums (time, sums, units, batch), those of the first states (states, units, batch). */
int FOR_PROCESSOR(transposed_recurrence)(const Array *arrays, long first, long last) {
    const Array *g = arrays, *c = arrays + 1, *u = arrays + 2, *out = arrays + 3, *at_start = arrays + 4;
    long steps = out->shape[0], sums = out->shape[1], units = out->shape[2], states = at_start->shape[0];
    long blocks = states + sums, linked = u->shape[0], size = units * WIDTH;
    float *space = space_for(size * (2 * states + sums + 2));
    if (!space) return NO_MEMORY;
    float *ct = space, *next = ct + states * size, *w = next + states * size;
    float *given = w + sums * size, *slopes = given + size;
    for (long tile = first; tile < last; tile += WIDTH) {
        long columns = columns_of(0, last - tile);
        memset(ct, 0, 4 * states * size);
        for (long t = steps - 1; t >= 0; t--) {
            memset(next, 0, 4 * states * size);
            memset(w, 0, 4 * sums * size);
            for (long s = 0; s < states; s++) {
                float *of_state = ct + s * size;
                read_matrix(given, g, at2(g, t, s), tile, columns);
                add(of_state, given, size);
                for (long k = 0; k < blocks; k++) {
                    read_matrix(slopes, c, at3(c, t, s, k), tile, columns);
                    add_products(k < states ? next + k * size : w + (k - states) * size, slopes, of_state, size);
                }
            }
            add_product(next + (states - 1) * size, u->data, 1, units, w, units, linked * units);
            for (long k = 0; k < sums; k++) write_matrix(w + k * size, out, at2(out, t, k), tile, columns);
            swap(&ct, &next);
        }
        for (long s = 0; s < states; s++) write_matrix(ct + s * size, at_start, at1(at_start, s), tile, columns);
    }
    free(space);
    return 0;
}

/* e (tangents, time, given, units, batch), the first states (tangents, states, units, batch), c and u as above, and the
result (time, tangents, states, units, batch). A tangent costs nothing until it begins to move. */
int FOR_PROCESSOR(linear_recurrence)(const Array *arrays, long first, long last) {
    const Array *e = arrays, *start = arrays + 1, *c = arrays + 2, *u = arrays + 3, *out = arrays + 4;
    long steps = out->shape[0], tangents = out->shape[1], states = out->shape[2], units = out->shape[3];
    long blocks = c->shape[2], sums = blocks - states, given = e->shape[2], linked = u->shape[0];
    long size = units * WIDTH;
    float *space = space_for(size * (states * blocks + tangents * states + blocks + given));
    char *moving = malloc(tangents + 1);
    if (!space || !moving) return free(space), free(moving), -1;
    float *slopes = space, *all = slopes + states * blocks * size, *v = all + tangents * states * size;
    float *entering = v + blocks * size;
    for (long tile = first; tile < last; tile += WIDTH) {
        long columns = columns_of(0, last - tile);
        for (long n = 0; n < tangents; n++) {
            float *old = all + n * states * size;
            for (long s = 0; s < states; s++) read_matrix(old + s * size, start, at2(start, n, s), tile, columns);
            moving[n] = moves(old, states * size);
        }
        for (long t = 0; t < steps; t++) {
            for (long k = 0; k < states * blocks; k++)
                read_matrix(slopes + k * size, c, at3(c, t, k / blocks, k % blocks), tile, columns);
            for (long n = 0; n < tangents; n++) {
                float *old = all + n * states * size, *w = v + states * size;
                for (long k = 0; k < given; k++) read_matrix(entering + k * size, e, at3(e, n, t, k), tile, columns);
                if (moving[n] || moves(entering, given * size)) {
                    moving[n] = 1;
                    memcpy(v, old, 4 * states * size);
                    memset(w, 0, 4 * sums * size);
                    add_product(w, u->data, units, 1, old + (states - 1) * size, linked * units, units);
                    add(w + (sums - given) * size, entering, given * size);
                    memset(old, 0, 4 * states * size);
                    for (long s = 0; s < states; s++)
                        for (long k = 0; k < blocks; k++)
                            add_products(old + s * size, slopes + (s * blocks + k) * size, v + k * size, size);
                }
                for (long s = 0; s < states; s++)
                    write_matrix(old + s * size, out, at3(out, t, n, s), tile, columns);
            }
        }
    }
    free(space);
    free(moving);
    return 0;
}

/* Matrices (blocks, rows, n) below each other, each row filled up to whole vectors. */
static void pack(float *y, const Array *x, long width) {
    long rows = x->shape[0] * x->shape[1], n = x->shape[2];
    for (long i = 0; i < rows; i++, y += width) {
        memcpy(y, x->data + i * n, 4 * n);
        memset(y + n, 0, 4 * (width - n));
    }
}

/* The matrix of one example and step, or half of it: the sum of the blocks, whose rows are weighted by the slopes. */
INSIDE void weighted(float *y, long row_step, const float *blocks, const float *slopes, long count, long units, long n) {
    for (long i = 0; i < units; i++, y += row_step, blocks += n)
        for (long j = 0; j < n; j += LANES) {
            vec sum = splat(0);
            for (long k = 0; k < count; k++)
                sum += splat(slopes[k * units + i]) * load(blocks + k * units * n + j);
            store(y + j, sum);
        }
}

/* The slopes (time, states * blocks, units) of one example. */
INSIDE void slopes_of(float *y, const Array *c, long example) {
    for (long t = 0; t < c->shape[0]; t++)
        for (long k = 0; k < c->shape[1] * c->shape[2]; k++) {
            const float *x = at3(c, t, k / c->shape[2], k % c->shape[2]) + example * last_step(c);
            for (long i = 0; i < c->shape[3]; i++) *y++ = x[i * row_step(c)];
        }
}

/* y += the rows of x, each with its factor. */
INSIDE void add_scaled(float *y, const float *factors, const float *x, long rows) {
    for (long i = 0; i < rows * WIDTH; i += LANES)
        store(y + i, load(y + i) + splat(factors[i / WIDTH]) * load(x + i));
}

INSIDE long whole_vectors(long n) { return (n + LANES - 1) / LANES * LANES; }

/* The sequence (tangents, time, inputs, batch), its kernel w (given, units, inputs), the first states (tangents, states, units,
batch), c (time, states, states + sums, units, batch) and u (linked, units, units), and the result (time, states, batch, units,
tangents). Each example makes, for each step, the matrix that takes what enters the step to a state: all tangents share it,
and a tile is some of them. One that has not begun to move costs nothing. */
int FOR_PROCESSOR(driven_recurrence)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *w = arrays + 1, *start = arrays + 2, *c = arrays + 3, *u = arrays + 4, *out = arrays + 5;
    long steps = out->shape[0], states = out->shape[1], units = out->shape[3], tangents = out->shape[4];
    long inputs = x->shape[2], given = w->shape[0], linked = u->shape[0], blocks = c->shape[2];
    long size = units * WIDTH, tiles = (tangents + WIDTH - 1) / WIDTH;
    long of_h = whole_vectors(units), of_x = whole_vectors(inputs), width = of_h + of_x;
    float *us = space_for(linked * units * of_h), *ws = space_for(given * units * of_x);
    float *slopes = space_for(steps * states * blocks * units);
    float *matrices = space_for(states * units * width);
    float *space = space_for(WIDTH * ((tiles + 1) * states * units + tiles * inputs));
    char *moving = malloc(tiles + 1);
    int failed = !us || !ws || !slopes || !matrices || !space || !moving;
    float *new = space + tiles * states * size, *entering = new + states * size;
    if (!failed) {
        pack(us, u, of_h);
        pack(ws, w, of_x);
    }
    for (long b = first; b < last && !failed; b++) {
        slopes_of(slopes, c, b);
        for (long n = 0; n < tiles; n++) {
            float *old = space + n * states * size;
            for (long s = 0; s < states; s++) {
                const float *rows = at2(start, n * WIDTH, s) + b * last_step(start);
                read_tile(old + s * size, rows, units, row_step(start), start->step[0], columns_of(n, tangents));
            }
            moving[n] = moves(old, states * size);
        }
        for (long t = 0; t < steps; t++) {
            int any = 0;
            for (long n = 0; n < tiles; n++) {
                float *enters = entering + n * inputs * WIDTH;
                const float *rows = at2(x, n * WIDTH, t) + b * last_step(x);
                read_tile(enters, rows, inputs, row_step(x), x->step[0], columns_of(n, tangents));
                moving[n] |= moves(enters, inputs * WIDTH);
                any |= moving[n];
            }
            for (long s = 0; s < states && any; s++) {
                const float *of_states = slopes + (t * states + s) * blocks * units;
                float *matrix = matrices + s * units * width;
                weighted(matrix, width, us, of_states + states * units, linked, units, of_h);
                weighted(matrix + of_h, width, ws, of_states + (blocks - given) * units, given, units, of_x);
                for (long i = 0; i < units; i++) matrix[i * width + i] += of_states[(states - 1) * units + i];
            }
            for (long n = 0; n < tiles; n++) {
                float *old = space + n * states * size;
                for (long s = 0; s < states && moving[n]; s++) {
                    const float *of_states = slopes + (t * states + s) * blocks * units;
                    float *matrix = matrices + s * units * width, *y = new + s * size;
                    memset(y, 0, 4 * size);
                    for (long k = 0; k < states - 1; k++) add_scaled(y, of_states + k * units, old + k * size, units);
                    add_product(y, matrix, width, 1, old + (states - 1) * size, units, units);
                    add_product(y, matrix + of_h, width, 1, entering + n * inputs * WIDTH, units, inputs);
                }
                if (moving[n]) memcpy(old, new, 4 * states * size);
                for (long s = 0; s < states; s++) {
                    float *rows = at3(out, t, s, b) + n * WIDTH;
                    write_tile(old + s * size, rows, units, row_step(out), columns_of(n, tangents));
                }
            }
        }
    }
    free(us), free(ws), free(slopes), free(matrices), free(space), free(moving);
    return -failed;
}
