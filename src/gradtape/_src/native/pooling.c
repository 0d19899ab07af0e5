/* The maximum of each window, and the way of its cotangent back: the kernels of ops/pooling.py.

x is (batch, rows, width, channels); row k of the windows of row o of the result is row from[o, k] of x, or -1: in the margin. */

#include "kernels.h"
#include "tiles.h"

/* Along a row: how many places a window has, where the first one begins, and how far the next ones are. */
typedef struct {
    long across, left, stride, dilation;
} Places;

INSIDE Places places_of(const Array *numbers) {
    const int *n = integers(numbers);
    return (Places){n[3], n[1], n[4], n[5]};
}

/* Channels are taken eight at a time; the last eight may be some that were done before. */
INSIDE long eight(long c, long channels) { return c + LANES <= channels ? c : channels - LANES; }

/* x, from (out rows, window rows), the numbers of a row, and the result (batch, out rows, out width, channels). NaN is largest. */
int FOR_PROCESSOR(max_pool)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *from = arrays + 1, *out = arrays + 3;
    Places at = places_of(arrays + 2);
    long width = x->shape[2], channels = x->shape[3], window_rows = from->shape[1];
    for (long b = first; b < last; b++)
        for (long o = 0; o < out->shape[1]; o++)
            for (long i = 0; i < out->shape[2]; i++)
                for (long c = 0; c < channels; c += LANES) {
                    long begin = eight(c, channels);
                    vec most = splat(-__builtin_inff());
                    for (long k = 0; k < window_rows; k++) {
                        long row = integers(from)[o * window_rows + k], place = i * at.stride - at.left;
                        for (long j = 0; j < at.across && row >= 0; j++, place += at.dilation) {
                            if (place < 0 || place >= width) continue;
                            vec v = load(at3(x, b, row, place) + begin);
                            most = choose((v <= most) | (most != most), most, v);
                        }
                    }
                    store(at3(out, b, o, i) + begin, most);
                }
    return 0;
}

/* The cotangents g, x, the maxima y (both as the result above), from, the numbers of a row, and the result, which is zero: each
g is added to where its window has its first maximum. */
int FOR_PROCESSOR(max_pool_scatter)(const Array *arrays, long first, long last) {
    const Array *g = arrays, *x = arrays + 1, *y = arrays + 2, *from = arrays + 3, *out = arrays + 5;
    Places at = places_of(arrays + 4);
    long width = x->shape[2], channels = x->shape[3], window_rows = from->shape[1];
    const ints lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    for (long b = first; b < last; b++)
        for (long o = 0; o < y->shape[1]; o++)
            for (long i = 0; i < y->shape[2]; i++)
                for (long c = 0; c < channels; c += LANES) {
                    long begin = eight(c, channels);
                    vec most = load(at3(y, b, o, i) + begin), given = load(at3(g, b, o, i) + begin);
                    ints waits = lanes >= (int)(c - begin);
                    for (long k = 0; k < window_rows; k++) {
                        long row = integers(from)[o * window_rows + k], place = i * at.stride - at.left;
                        for (long j = 0; j < at.across && row >= 0; j++, place += at.dilation) {
                            if (place < 0 || place >= width) continue;
                            vec v = load(at3(x, b, row, place) + begin);
                            float *to = at3(out, b, row, place) + begin;
                            ints hit = waits & ((v == most) | ((v != v) & (most != most)));
                            store(to, load(to) + choose(hit, given, splat(0)));
                            waits &= ~hit;
                        }
                    }
                }
    return 0;
}
