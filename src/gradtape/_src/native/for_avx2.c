/* The kernels for processors with AVX2 and fused multiplication and addition: all x86 since 2013, or nearly. */

#if defined(__x86_64__) || defined(__i386__)
#pragma GCC target("avx2,fma")
#define FOR_PROCESSOR(name) name##_for_avx2
#include "cells.c"
#include "convolution.c"
#include "pooling.c"
#include "products.c"
#include "recurrences.c"
#endif
