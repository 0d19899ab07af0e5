/* Executes a kernel on all columns, on several cores. */

#ifndef GRADTAPE_THREADS_H
#define GRADTAPE_THREADS_H

#include "kernels.h"

/* The columns are taken in portions, by this thread and up to `helpers` others, which are there for the whole process and
sleep in between. Gives 0, or something that went wrong. */
int on_all_cores(Kernel kernel, const Array *arrays, long columns, long portion, int helpers);

#endif
