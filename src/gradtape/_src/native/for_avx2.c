/* The kernels for processors with AVX2 and fused multiplication and addition: all x86 since 2013, or nearly. */

#if defined(__x86_64__) || defined(__i386__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define FOR_PROCESSOR(name) name##_for_avx2
#include "cells.c"
#include "convolution.c"
#include "elementwise.c"
#include "pooling.c"
#include "products.c"
#include "recurrences.c"
#include "softmax.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
