/* Convolution of images and its transpose to the filter: the kernels of ops/convolution.py.

The places of a row of a window lie side by side in the image, and so do its channels. So a row of windows is a matrix whose
rows overlap in memory, and a convolution a sum of products, one for each row of the window, without copies. The filter has
its filters in tiles: (tiles, window rows, across * channels, 16), with zeros at the end. */

#include "kernels.h"
#include "tiles.h"
#include "windows.h"

/* Space for an image with its margins; no floats if it has none. */
INSIDE long size_with_margins(const Windows *at, long rows) {
    int none = at->padded_width == at->width && at->padded_rows == rows;
    return none ? 0 : at->padded_rows * at->padded_width * at->channels;
}

/* x (batch, rows, width * channels), the filter in tiles, the four arrays of the windows, and the result (batch, out rows, out
width, filters). */
int FOR_PROCESSOR(convolution)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *w = arrays + 1, *out = arrays + 6;
    long filters = out->shape[3];
    Windows at = windows_of(arrays + 2, out->shape[2], w->shape[2]);
    long margins = size_with_margins(&at, x->shape[1]);
    float *y = space_for(WIDTH * at.out_width), *space = margins ? space_for(margins) : NULL;
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

/* sum += what image and the cotangents of its windows give the filter: (window rows, across * channels, 16) of each tile. */
INSIDE void add_image(float *sum, const float *image, const Array *g, long b, const Windows *at, float *given) {
    long filters = g->shape[3], together = at->dilation == 1 ? at->across : 1, run = together * at->channels;
    long all = at->window_rows * at->across * at->channels, row = at->padded_width * at->channels;
    for (long o = 0; o < at->out_rows; o++)
        for (long tile = 0; tile * WIDTH < filters; tile++) {
            float *y = sum + tile * all * WIDTH;
            read_tile(given, at2(g, b, o) + tile * WIDTH, at->out_width, filters, 1, columns_of(tile, filters));
            for (long k = 0; k < at->window_rows; k++) {
                const float *places = image + (at->start[o] + at->offset[k]) * row;
                for (long j = 0; j < at->across; j += together, places += at->dilation * at->channels, y += run * WIDTH)
                    add_product(y, places, 1, at->stride * at->channels, given, run, at->out_width);
            }
        }
}

/* x as above, the cotangents g (batch, out rows, out width, filters), the four arrays of the windows, and the result: the filter's
cotangent from each part of the batch (parts, window rows, across * channels, filters). Parts are what is shared out, so that the
order of a sum does not depend on who makes it. */
int FOR_PROCESSOR(filter_cotangent)(const Array *arrays, long first, long last) {
    const Array *x = arrays, *g = arrays + 1, *out = arrays + 6;
    long filters = g->shape[3], tiles = (filters + WIDTH - 1) / WIDTH, parts = out->shape[0], batch = x->shape[0];
    Windows at = windows_of(arrays + 2, g->shape[2], out->shape[2]);
    long margins = size_with_margins(&at, x->shape[1]), all = at.window_rows * at.across * at.channels;
    float *y = space_for(tiles * all * WIDTH), *given = space_for(WIDTH * at.out_width);
    float *space = margins ? space_for(margins) : NULL;
    if (!y || !given || (margins && !space)) return free(y), free(given), free(space), -1;
    for (long part = first; part < last; part++) {
        memset(y, 0, 4 * tiles * all * WIDTH);
        for (long b = part * batch / parts; b < (part + 1) * batch / parts; b++)
            add_image(y, with_margins(space, at1(x, b), &at), g, b, &at, given);
        for (long tile = 0; tile < tiles; tile++)
            write_tile(y + tile * all * WIDTH, at1(out, part) + tile * WIDTH, all, filters, columns_of(tile, filters));
    }
    free(y), free(given), free(space);
    return 0;
}
