/* Arrays of the caller's. */

#ifndef GRADTAPE_ARRAYS_H
#define GRADTAPE_ARRAYS_H

enum { MAX_RANK = 6 };

_Static_assert(sizeof(long) == sizeof(void *), "sizes are of type long, which is too short on Windows");

/* Numbers of four bytes: floats, or integers where a kernel says so. The steps from one element to the next of each axis are
counted in elements; whoever makes an Array sees to it that they are whole. */
typedef struct {
    float *data;
    long rank, shape[MAX_RANK], step[MAX_RANK];
} Array;

/* The element with the given first indices. */
static inline float *at1(const Array *x, long i) { return x->data + i * x->step[0]; }
static inline float *at2(const Array *x, long i, long j) { return at1(x, i) + j * x->step[1]; }
static inline float *at3(const Array *x, long i, long j, long k) { return at2(x, i, j) + k * x->step[2]; }
static inline const int *integers(const Array *x) { return (const int *)(const void *)x->data; }
static inline long last_step(const Array *x) { return x->step[x->rank - 1]; }
static inline long row_step(const Array *x) { return x->step[x->rank - 2]; }

#endif
