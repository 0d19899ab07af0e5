/* What the library offers: each kernel works on the columns (examples) from `first` up to `last`, which may be all or a portion,
and gives 0 or what went wrong. The arrays are described where each is defined; one that may be missing has no data.

All of them are compiled for every processor and, on x86, also for processors with AVX2: whoever includes them says
FOR_PROCESSOR, which makes their names. */

#ifndef GRADTAPE_KERNELS_H
#define GRADTAPE_KERNELS_H

#include "arrays.h"

#if defined(__x86_64__) || defined(__i386__)
#define HAS_AVX2_KERNELS 1
#endif

enum { NO_MEMORY = -1, NO_SUCH_CLASS = -2 };

typedef int Kernel(const Array *arrays, long first, long last);

#define EVERY_KERNEL(do) \
    do(simple_rnn) do(lstm) do(gru) do(gru_before) do(gru_cotangents) \
    do(convolution) do(filter_cotangent) do(max_pool) do(max_pool_scatter) \
    do(products) do(products_to_matrix) \
    do(linear_recurrence) do(transposed_recurrence) do(driven_recurrence) \
    do(relu) do(relu_gate) do(softmax) do(log_softmax) do(class_entropy) do(class_slope)

#define DECLARE(name) Kernel name##_for_any, name##_for_avx2;
EVERY_KERNEL(DECLARE)

#endif
