/* Where windows lie in the rows of an image: all but the last of its spatial dimensions, as one.

An image is (rows, width * channels). A window has rows, too, of `across` places each: row k of the windows of row o of the result
is row start[o] + offset[k] of the image with its margins, and row from[...] of the image itself, or -1: in the margin.
*/

#ifndef GRADTAPE_WINDOWS_H
#define GRADTAPE_WINDOWS_H

#include <string.h>

#include "arrays.h"

typedef struct {
    const int *from, *start, *offset;
    long padded_rows, out_rows, window_rows;
    /* along a row: of the image, of its left margin, with margins, of a window, between windows, between places of one */
    long width, left, padded_width, across, stride, dilation, out_width, channels;
} Windows;

/* The arrays: from, start, offset, and the numbers of a row. `taps` are those of a row of a window: across * channels. */
static inline Windows windows_of(const Array *arrays, long out_width, long taps) {
    const int *n = integers(arrays + 3);
    Windows at = {.from = integers(arrays), .start = integers(arrays + 1), .offset = integers(arrays + 2)};
    at.padded_rows = arrays[0].shape[0], at.out_rows = arrays[1].shape[0], at.window_rows = arrays[2].shape[0];
    at.width = n[0], at.left = n[1], at.padded_width = n[2], at.across = n[3], at.stride = n[4], at.dilation = n[5];
    at.out_width = out_width, at.channels = taps / at.across;
    return at;
}

/* The image with its margins, which are zero: in `space`, or where it is if it has none. */
static inline const float *with_margins(float *space, const float *image, const Windows *at) {
    long row = at->width * at->channels, left = at->left * at->channels, padded = at->padded_width * at->channels;
    if (!space) return image;
    for (long i = 0; i < at->padded_rows; i++, space += padded) {
        if (at->from[i] < 0) {
            memset(space, 0, 4 * padded);
            continue;
        }
        memset(space, 0, 4 * left);
        memcpy(space + left, image + at->from[i] * row, 4 * row);
        memset(space + left + row, 0, 4 * (padded - left - row));
    }
    return space - at->padded_rows * padded;
}

#endif
