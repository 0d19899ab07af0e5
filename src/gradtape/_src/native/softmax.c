/* Softmax along rows, and the cross entropy with a class: the kernels of ops/softmax.py, which has the formulas.

x is (rows, classes), each row without gaps, and so is a result of that shape. */

#include "kernels.h"
#include "vectors.h"

enum { NEAR = 32 }; /* vectors that are added up in float32; the sums of so many are added up in double precision */

/* Eight numbers of a row from i on; -infinity where it ends before. */
INSIDE vec eight_from(const float *x, long i, long n) {
    if (i + LANES <= n) return load(x + i);
    const ints lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    if (n >= LANES) { /* the last eight, without those before i; in the order of the memory */
        int before = (int)(i - (n - LANES));
        return choose(lanes < before, splat(-__builtin_inff()), load(x + n - LANES));
    }
    float y[LANES];
    for (long j = 0; j < LANES; j++) y[j] = i + j < n ? x[i + j] : -__builtin_inff();
    return load(y);
}

/* The largest of a row, and the sum of exp(x - largest). A NaN need not be the largest, but the sum is NaN then. */
typedef struct {
    float most, total;
} Scale;

INSIDE Scale scale_of(const float *x, long n) {
    vec most = eight_from(x, 0, n);
    for (long i = LANES; i < n; i += LANES) {
        vec v = eight_from(x, i, n);
        most = choose(v > most, v, most);
    }
    Scale s = {most[0], 0};
    for (int i = 1; i < LANES; i++) s.most = most[i] > s.most || s.most != s.most ? most[i] : s.most;
    double total = 0;
    for (long begin = 0; begin < n; begin += NEAR * LANES) {
        vec sum = splat(0);
        for (long i = begin; i < n && i < begin + NEAR * LANES; i += LANES)
            sum += decay(eight_from(x, i, n) - splat(s.most));
        for (int i = 0; i < LANES; i++) total += sum[i];
    }
    s.total = (float)total;
    return s;
}

/* exp(x) over its sum: what is left of a row of x after its scale is known. */
INSIDE void shares(const float *x, float *y, long n, Scale s) {
    vec most = splat(s.most), part = splat(1.0f / s.total);
    for (long i = 0; i < n; i += LANES) {
        long from = i + LANES <= n || n < LANES ? i : n - LANES; /* the last eight may be some that were done before */
        vec v = decay(eight_from(x, from, n) - most) * part;
        memcpy(y + from, &v, (n < LANES ? n : LANES) * sizeof *y);
    }
}

/* x and the result of its shape. */
int FOR_PROCESSOR(softmax)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *y = arrays + 1;
    long n = x->shape[1];
    for (long i = first; i < last; i++) shares(at1(x, i), at1(y, i), n, scale_of(at1(x, i), n));
    return 0;
}

/* The logarithm of that. */
int FOR_PROCESSOR(log_softmax)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *y = arrays + 1;
    long n = x->shape[1];
    for (long i = first; i < last; i++) {
        Scale s = scale_of(at1(x, i), n);
        float log_total = __builtin_logf(s.total);
        for (long j = 0; j < n; j++) *at2(y, i, j) = *at2(x, i, j) - s.most - log_total;
    }
    return 0;
}

/* The class of row i, or -1 if there is no such. Each is one number of four bytes, or of eight: two of four. */
INSIDE long class_of(const Array *classes, long i, long n) {
    const int *at = integers(classes) + i * classes->shape[1];
    int64_t class = *at;
    if (classes->shape[1] == 2) memcpy(&class, at, sizeof class);
    return class >= 0 && class < n ? (long)class : -1;
}

/* What is made of a row of x, of its class, and of its scale. */
typedef void Use(const float *x, long n, long class, Scale s, float *y);

INSIDE int with_classes(const Array *arrays, long first, long last, Use *use) {
    const Array *x = arrays, *classes = arrays + 1, *y = arrays + 2;
    long n = x->shape[1];
    for (long i = first; i < last; i++) {
        long class = class_of(classes, i, n);
        if (class < 0) return NO_SUCH_CLASS;
        use(at1(x, i), n, class, scale_of(at1(x, i), n), at1(y, i));
    }
    return 0;
}

INSIDE void entropy(const float *x, long n, long class, Scale s, float *y) {
    (void)n;
    *y = __builtin_logf(s.total) - (x[class] - s.most);
}

INSIDE void slope(const float *x, long n, long class, Scale s, float *y) {
    shares(x, y, n, s);
    y[class] -= 1.0f;
}

/* x, the class of each row, and minus the logarithm of its share (rows). */
int FOR_PROCESSOR(class_entropy)(const Array *arrays, long first, long last) {
    return with_classes(arrays, first, last, entropy);
}

/* The same by x: the shares of a row, less one at its class. */
int FOR_PROCESSOR(class_slope)(const Array *arrays, long first, long last) {
    return with_classes(arrays, first, last, slope);
}
