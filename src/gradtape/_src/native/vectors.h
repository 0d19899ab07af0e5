/* Eight floats at a time, and the functions of units on them.

The vectors are those of GCC and Clang, which every processor has in some form. */

#ifndef GRADTAPE_VECTORS_H
#define GRADTAPE_VECTORS_H

#include <stdint.h>
#include <string.h>

#define INSIDE static inline __attribute__((always_inline))

enum { LANES = 8 };
typedef float vec __attribute__((vector_size(4 * LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));

INSIDE vec load(const float *x) {
    vec y;
    memcpy(&y, x, sizeof y);
    return y;
}

INSIDE void store(float *x, vec y) { memcpy(x, &y, sizeof y); }

INSIDE vec splat(float x) { return (vec){x, x, x, x, x, x, x, x}; }

INSIDE vec choose(ints where, vec x, vec y) { return (vec)((where & (ints)x) | (~where & (ints)y)); }

/* exp(x) = 2^n q + 2^n: x = n log 2 + r, and q = exp(r) - 1 by its series. NaN stays NaN. x is at most 88 from zero; otherwise
these are anything. */
typedef struct {
    vec q, two_to_n;
} Power;

INSIDE Power power_of_e(vec x) {
    const vec magic = splat(12582912.0f); /* 1.5 * 2^23: adding it rounds to an integer, in the last bits */
    vec shifted = x * splat(1.44269504f) + magic;
    vec n = shifted - magic;
    vec r = x - n * splat(0.693359375f) + n * splat(2.12194440e-4f); /* log 2 in two parts */
    vec q = splat(1.0f / 720) + r * splat(1.0f / 5040);
    q = splat(1.0f / 120) + r * q;
    q = splat(1.0f / 24) + r * q;
    q = splat(1.0f / 6) + r * q;
    q = splat(0.5f) + r * q;
    q = r + r * r * q;
    return (Power){q, (vec)(((ints)shifted << 23) + ((ints)splat(1.0f)))};
}

/* exp(x) - 1, also of x near zero. What is made of it is wrong by at most 3 units in the last place. */
INSIDE vec exp_minus_1(vec x) {
    Power p = power_of_e(x);
    return p.two_to_n * p.q + (p.two_to_n - splat(1.0f));
}

/* exp(x) of x that is not positive, also of x far from zero, where it is not to be had of exp(x) - 1; 0 where it is not a
normal number. */
INSIDE vec decay(vec x) {
    ints gone = x < splat(-87.0f);
    Power p = power_of_e(choose(gone, splat(0.0f), x));
    return choose(gone, splat(0.0f), p.two_to_n * p.q + p.two_to_n);
}

/* 1 / (1 + exp(-x)), and 0 where that is not a normal number */
INSIDE vec sigmoid(vec x) {
    vec y = splat(1.0f) / (splat(2.0f) + exp_minus_1(choose(x > splat(87.0f), splat(-87.0f), -x)));
    return choose(x < splat(-87.0f), splat(0.0f), y);
}

/* (exp(2 x) - 1) / (exp(2 x) + 1) of x without its sign, which is 1 in float32 from 9.02 on */
INSIDE vec hyperbolic_tangent(vec x) {
    ints sign = (ints)x & (ints)splat(-0.0f);
    vec y = (vec)((ints)x ^ sign);
    vec e = exp_minus_1(choose(y > splat(10.0f), splat(20.0f), y + y));
    return (vec)((ints)(e / (e + splat(2.0f))) | sign);
}

#endif
