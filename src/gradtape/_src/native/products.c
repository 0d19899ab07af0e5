/* Products of a matrix with all steps of a sequence, and what they give the matrix: the kernels of ops/block_products.py. */

#include "kernels.h"
#include "tiles.h"

/* a (m, k), x (time, k, batch), and the result (time, m, batch): a x[t]. */
int FOR_PROCESSOR(products)(const Array *arrays, long first, long last) {
    const Array *a = arrays, *x = arrays + 1, *out = arrays + 2;
    long steps = x->shape[0], m = a->shape[0], k = a->shape[1];
    float *space = space_for(WIDTH * (m + k));
    if (!space) return NO_MEMORY;
    float *y = space, *entering = y + m * WIDTH;
    for (long t = 0; t < steps; t++)
        for (long tile = first; tile < last; tile += WIDTH) {
            long columns = columns_of(0, last - tile);
            read_matrix(entering, x, at1(x, t), tile, columns);
            memset(y, 0, 4 * WIDTH * m);
            add_product(y, a->data, a->step[0], a->step[1], entering, m, k);
            write_matrix(y, out, at1(out, t), tile, columns);
        }
    free(space);
    return 0;
}

/* g (time, m, batch), x (time, k, batch), and the result (m, k): the sum of g[t] x[t]^T. Its columns are divided. */
int FOR_PROCESSOR(products_to_matrix)(const Array *arrays, long first, long last) {
    const Array *g = arrays, *x = arrays + 1, *out = arrays + 2;
    long steps = g->shape[0], m = g->shape[1], batch = g->shape[2];
    float *space = space_for(WIDTH * (m + batch));
    if (!space) return NO_MEMORY;
    float *y = space, *turned = y + m * WIDTH;
    for (long tile = first; tile < last; tile += WIDTH) {
        long columns = columns_of(0, last - tile);
        memset(y, 0, 4 * WIDTH * m);
        for (long t = 0; t < steps; t++) {
            read_tile(turned, at2(x, t, tile), batch, last_step(x), row_step(x), columns);
            add_product(y, at1(g, t), row_step(g), last_step(g), turned, m, batch);
        }
        write_matrix(y, out, out->data, tile, columns);
    }
    free(space);
    return 0;
}
