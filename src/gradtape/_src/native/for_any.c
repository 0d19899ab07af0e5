/* The kernels for every processor. */

#define FOR_PROCESSOR(name) name##_for_any
#include "cells.c"
#include "products.c"
#include "recurrences.c"
