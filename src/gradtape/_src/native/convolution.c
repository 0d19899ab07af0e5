/* Convolution of images and its transpose to the filter: the kernels of ops/convolution.py.

The places of a row of a window lie side by side in the image, and so do its channels. So a row of windows is a matrix whose
rows overlap in memory, and a convolution a sum of products, one for each row of the window, without copies. The filter has
its filters in tiles: (tiles, window rows, across * channels, 16), with zeros at the end. */

#include <stdlib.h>

#include "kernels.h"
#include "tiles.h"
#include "windows.h"

INSIDE long images_space(const Windows *at, long rows) {
    int none = at->padded_width == at->width && at->padded_rows == rows;
    return none ? 0 : at->padded_rows * at->padded_width * at->channels;
}

/* x (batch, rows, width * channels), the filter in tiles, the four arrays of the windows, and the result (batch, out rows, out
width, filters). */
int FOR_PROCESSOR(convolution)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *w = arrays + 1, *out = arrays + 6;
    long filters = out->shape[3];
    Windows at = windows_of(arrays + 2, out->shape[2], x->shape[2] / integers(arrays + 5)[0]);
    long margins = images_space(&at, x->shape[1]);
    float *y = malloc(4 * WIDTH * at.out_width), *space = margins ? malloc(4 * margins) : NULL;
    if (!y || (margins && !space)) return free(y), free(space), -1;
    /* places that do not lie side by side are taken one by one */
    long together = at.dilation == 1 ? at.across : 1, run = together * at.channels;
    for (long b = first; b < last; b++) {
        const float *image = with_margins(space, at1(x, b), &at);
        for (long o = 0; o < at.out_rows; o++)
            for (long tile = 0; tile < w->shape[0]; tile++) {
                memset(y, 0, 4 * WIDTH * at.out_width);
                for (long k = 0; k < at.window_rows; k++) {
                    const float *row = image + (at.start[o] + at.offset[k]) * at.padded_width * at.channels;
                    const float *taps = at2(w, tile, k);
                    for (long j = 0; j < at.across; j += together, row += at.dilation * at.channels, taps += run * WIDTH)
                        add_product(y, row, at.stride * at.channels, 1, taps, at.out_width, run);
                }
                write_tile(y, at2(out, b, o) + tile * WIDTH, at.out_width, filters, columns_of(tile, filters));
            }
    }
    free(y), free(space);
    return 0;
}

/* x as above, the cotangents g (batch, out rows, out width, filters), the four arrays of the windows, and the result: that of the
filter, of each portion of the images apart (portions, window rows, across * channels, filters). */
int FOR_PROCESSOR(filter_cotangent)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *g = arrays + 1, *out = arrays + 6;
    long filters = g->shape[3], tiles = (filters + WIDTH - 1) / WIDTH;
    Windows at = windows_of(arrays + 2, g->shape[2], x->shape[2] / integers(arrays + 5)[0]);
    long margins = images_space(&at, x->shape[1]), across = at.across * at.channels, all = at.window_rows * across;
    float *y = calloc(tiles * all * WIDTH, 4), *given = malloc(4 * WIDTH * at.out_width);
    float *space = margins ? malloc(4 * margins) : NULL;
    if (!y || !given || (margins && !space)) return free(y), free(given), free(space), -1;
    long together = at.dilation == 1 ? at.across : 1, run = together * at.channels;
    for (long b = first; b < last; b++) {
        const float *image = with_margins(space, at1(x, b), &at);
        for (long o = 0; o < at.out_rows; o++)
            for (long tile = 0; tile < tiles; tile++) {
                float *sum = y + tile * all * WIDTH;
                read_tile(given, at2(g, b, o) + tile * WIDTH, at.out_width, filters, 1, columns_of(tile, filters));
                for (long k = 0; k < at.window_rows; k++) {
                    const float *row = image + (at.start[o] + at.offset[k]) * at.padded_width * at.channels;
                    for (long j = 0; j < at.across; j += together, row += at.dilation * at.channels, sum += run * WIDTH)
                        add_product(sum, row, 1, at.stride * at.channels, given, run, at.out_width);
                }
            }
    }
    long portion = first * out->shape[0] / x->shape[0];
    for (long tile = 0; tile < tiles; tile++)
        write_tile(y + tile * all * WIDTH, at1(out, portion) + tile * WIDTH, all, filters, columns_of(tile, filters));
    free(y), free(given), free(space);
    return 0;
}
