/* A picture of how training went: the loss (red) and the share of digits read right (blue) over the steps, smoothed,
 * and below the digits that were misread at the end. Zero-initialise it. */
#ifndef CHART_H
#define CHART_H

#include "sluice/scope.h"

enum {
    CHART_WIDTH = 640,
    CHART_HEIGHT = 320,
    CHART_STEPS = 16384,
    CHART_COLUMNS = 20,
    CHART_ROWS = 3,
    CHART_TILE = 32
};

struct chart {
    float loss[CHART_STEPS], accuracy[CHART_STEPS]; /* smoothed */
    int n, n_misread;
    unsigned char pixels[CHART_HEIGHT + CHART_ROWS * CHART_TILE][CHART_WIDTH][3];
};

void chart_add(struct chart *chart, float loss, float accuracy);
/* The last ones, smoothed. */
double chart_loss(const struct chart *chart);
double chart_accuracy(const struct chart *chart);
/* A square grey picture, 255 is ink; as many as there is room for. */
void chart_add_misread(struct chart *chart, const unsigned char *picture, int side);
/* An operation that writes it all as a PNG. */
TF_Operation *chart_draw(struct chart *chart, struct sl_scope *scope, const char *path);

#endif
