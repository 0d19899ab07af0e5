/* The kernels for every processor. */

#define FOR_PROCESSOR(name) name##_for_any
#include "cells.c"
#include "convolution.c"
#include "elementwise.c"
#include "pooling.c"
#include "products.c"
#include "recurrences.c"
#include "softmax.c"
