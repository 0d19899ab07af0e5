/* All steps of a recurrent layer, tile by tile: the forward kernels of ops/recurrent.py, ops/gru.py, ops/gru_before.py,
where the formulas and the order of the blocks are explained.

The arrays, in this order, are the sequence (time, inputs, batch), its kernel (blocks, units, inputs), the matrices
(blocks, units, units), the biases (blocks, units), the mask (time, 1, batch) or nothing, the first states (states, units,
batch), the states of all steps (states, time, units, batch) and, unless there is nothing, what the units did (time, blocks,
units, batch). All but the first, the mask and the first states are contiguous. */

#include "kernels.h"
#include "tiles.h"

/* What one step makes of the sums of its units and of the states before it: `sums` becomes what the units did, `new` the
states. `size` is that of one block, or of one state, of a tile; `u` are the matrices of the units. */
typedef void Cell(float *sums, const float *old, float *new, const float *u, long size);

INSIDE void simple_cell(float *sums, const float *old, float *new, const float *u, long size) {
    (void)old, (void)u;
    for (long i = 0; i < size; i += LANES) store(new + i, hyperbolic_tangent(load(sums + i)));
}

INSIDE void lstm_cell(float *sums, const float *old, float *new, const float *u, long size) {
    (void)u;
    float *i_ = sums, *f_ = sums + size, *g_ = sums + 2 * size, *o_ = sums + 3 * size;
    for (long i = 0; i < size; i += LANES) {
        vec in = sigmoid(load(i_ + i)), forget = sigmoid(load(f_ + i)), out = sigmoid(load(o_ + i));
        vec g = hyperbolic_tangent(load(g_ + i));
        vec s = forget * load(old + size + i) + in * g;
        store(i_ + i, in);
        store(f_ + i, forget);
        store(g_ + i, g);
        store(o_ + i, out);
        store(new + size + i, s);
        store(new + i, out * hyperbolic_tangent(s));
    }
}

INSIDE void gru_cell(float *sums, const float *old, float *new, const float *u, long size) {
    (void)u;
    float *q_ = sums, *z_ = sums + size, *r_ = sums + 2 * size, *c_ = sums + 3 * size;
    for (long i = 0; i < size; i += LANES) {
        vec z = sigmoid(load(z_ + i)), r = sigmoid(load(r_ + i));
        vec c = hyperbolic_tangent(load(c_ + i) + r * load(q_ + i));
        store(z_ + i, z);
        store(r_ + i, r);
        store(c_ + i, c);
        store(new + i, z * (load(old + i) - c) + c);
    }
}

INSIDE void gru_before_cell(float *sums, const float *old, float *new, const float *u, long size) {
    float *z_ = sums, *r_ = sums + size, *c_ = sums + 2 * size;
    long units = size / WIDTH;
    for (long i = 0; i < size; i += LANES) {
        vec z = sigmoid(load(z_ + i)), r = sigmoid(load(r_ + i));
        store(z_ + i, z);
        store(r_ + i, r);
        store(new + i, r * load(old + i));
    }
    add_product(c_, u + 2 * units * units, units, 1, new, units, units);
    for (long i = 0; i < size; i += LANES) {
        vec c = hyperbolic_tangent(load(c_ + i));
        store(c_ + i, c);
        store(new + i, load(z_ + i) * (load(old + i) - c) + c);
    }
}

/* The sums of the first `linked` blocks have a product with h, those of the last `given` blocks one with the sequence. */
INSIDE int layer(const Array *arrays, long first, long last, int states, int linked, int given, Cell cell) {
    const Array *x = arrays, *w = arrays + 1, *u = arrays + 2, *b = arrays + 3, *mask = arrays + 4;
    const Array *start = arrays + 5, *out = arrays + 6, *acts = arrays + 7;
    long steps = out->shape[1], units = out->shape[2], inputs = x->shape[1], blocks = b->shape[0];
    long size = units * WIDTH, all = blocks * units;
    float *space = space_for(WIDTH * (2 * states * units + all + inputs));
    if (!space) return NO_MEMORY;
    float *old = space, *new = old + states * size, *sums = new + states * size, *entering = sums + blocks * size;
    for (long tile = first; tile < last; tile += WIDTH) {
        long columns = columns_of(0, last - tile);
        for (int s = 0; s < states; s++) read_matrix(old + s * size, start, at1(start, s), tile, columns);
        for (long t = 0; t < steps; t++) {
            for (long i = 0; i < all; i++) {
                store(sums + i * WIDTH, splat(b->data[i]));
                store(sums + i * WIDTH + LANES, splat(b->data[i]));
            }
            read_matrix(entering, x, at1(x, t), tile, columns);
            add_product(sums, u->data, units, 1, old, linked * units, units);
            add_product(sums + (blocks - given) * size, w->data, inputs, 1, entering, given * units, inputs);
            cell(sums, old, new, u->data, size);
            if (mask->data) keep(new, old, at3(mask, t, 0, tile), last_step(mask), states * units, columns);
            for (int s = 0; s < states; s++) write_matrix(new + s * size, out, at2(out, s, t), tile, columns);
            if (acts->data) write_tile(sums, at1(acts, t) + tile, all, row_step(acts), columns);
            swap(&old, &new);
        }
    }
    free(space);
    return 0;
}

int FOR_PROCESSOR(simple_rnn)(const Array *arrays, long first, long last) {
    return layer(arrays, first, last, 1, 1, 1, simple_cell);
}

int FOR_PROCESSOR(lstm)(const Array *arrays, long first, long last) {
    return layer(arrays, first, last, 2, 4, 4, lstm_cell);
}

int FOR_PROCESSOR(gru)(const Array *arrays, long first, long last) {
    return layer(arrays, first, last, 1, 3, 3, gru_cell);
}

int FOR_PROCESSOR(gru_before)(const Array *arrays, long first, long last) {
    return layer(arrays, first, last, 1, 2, 3, gru_before_cell);
}

/* What a step of a GRU makes of the cotangents of its states: `w` those of the sums, `next` those of the states before it, but
for what comes through the sums. A step that does not count hands them on. */
INSIDE void gru_cell_back(const float *ct, const float *old, const float *acts, const float *counts, float *w, float *next, long size) {
    const float *q_ = acts, *z_ = acts + size, *r_ = acts + 2 * size, *c_ = acts + 3 * size;
    for (long i = 0; i < size; i += LANES) {
        vec g = load(ct + i), q = load(q_ + i), z = load(z_ + i), r = load(r_ + i), c = load(c_ + i);
        vec one = splat(1), rest = one - z;
        ints where = load(counts + i % WIDTH) != splat(0);
        vec bent = choose(where, g, splat(0));
        vec of_c = (one - c * c) * rest * bent, of_q = of_c * r;
        store(w + i, of_q);
        store(w + size + i, rest * z * (load(old + i) - c) * bent);
        store(w + 2 * size + i, (one - r) * q * of_q);
        store(w + 3 * size + i, of_c);
        store(next + i, choose(where, z * g, g));
    }
}

/* The cotangents of the states g (time, 1, units, batch), the first states (units, batch), those of all steps (time, units,
batch), what the units did (time, 4, units, batch), the matrices (3, units, units), the mask (time, 1, batch) or nothing, and the
results: the cotangents of the sums (time, 4, units, batch) and of the first states (1, units, batch). */
int FOR_PROCESSOR(gru_cotangents)(const Array *arrays, long first, long last) {
    const Array *g = arrays, *h = arrays + 1, *hs = arrays + 2, *acts = arrays + 3, *u = arrays + 4, *mask = arrays + 5;
    const Array *out = arrays + 6, *at_start = arrays + 7;
    long steps = hs->shape[0], units = hs->shape[1], size = units * WIDTH;
    float *space = space_for(12 * size);
    if (!space) return NO_MEMORY;
    float *ct = space, *next = ct + size, *given = next + size, *old = given + size, *did = old + size, *w = did + 4 * size;
    float counts[WIDTH];
    for (long j = 0; j < WIDTH; j++) counts[j] = 1;
    for (long tile = first; tile < last; tile += WIDTH) {
        long columns = columns_of(0, last - tile);
        memset(ct, 0, 4 * size);
        for (long t = steps - 1; t >= 0; t--) {
            const Array *before = t ? hs : h;
            read_matrix(given, g, at1(g, t), tile, columns);
            read_matrix(old, before, t ? at1(hs, t - 1) : h->data, tile, columns);
            for (long k = 0; k < 4; k++) read_matrix(did + k * size, acts, at2(acts, t, k), tile, columns);
            if (mask->data) read_matrix(counts, mask, at1(mask, t), tile, columns);
            add(ct, given, size);
            gru_cell_back(ct, old, did, counts, w, next, size);
            add_product(next, u->data, 1, units, w, units, 3 * units);
            for (long k = 0; k < 4; k++) write_matrix(w + k * size, out, at2(out, t, k), tile, columns);
            swap(&ct, &next);
        }
        write_matrix(ct, at_start, at_start->data, tile, columns);
    }
    free(space);
    return 0;
}
