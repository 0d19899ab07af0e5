/* What is done to each number of arrays: max(x, 0) and its derivative. Each array is one row without gaps. */

#include "kernels.h"
#include "vectors.h"

/* x and the result. NaN stays NaN. */
int FOR_PROCESSOR(relu)(const Array *arrays, long first, long last) {
    const float *x = arrays[0].data;
    float *y = arrays[1].data;
    long i = first;
    for (; i + LANES <= last; i += LANES) {
        vec v = load(x + i);
        store(y + i, choose(v <= splat(0), splat(0), v));
    }
    for (; i < last; i++) y[i] = x[i] <= 0 ? 0 : x[i];
    return 0;
}

/* The cotangent g, y, and the result: g where y is positive, and zero elsewhere. */
int FOR_PROCESSOR(relu_gate)(const Array *arrays, long first, long last) {
    const float *g = arrays[0].data, *y = arrays[1].data;
    float *out = arrays[2].data;
    long i = first;
    for (; i + LANES <= last; i += LANES) store(out + i, choose(load(y + i) > splat(0), load(g + i), splat(0)));
    for (; i < last; i++) out[i] = y[i] > 0 ? g[i] : 0;
    return 0;
}
