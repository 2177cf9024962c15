/* Dots on white; the PNG is made by the graph. */
#include "chart.h"

#include "sluice/ops.h"

static void put(struct chart *chart, int x, int y, int red, int green, int blue) {
    if (x < 0 || y < 0 || x >= CHART_WIDTH || y >= CHART_HEIGHT + CHART_ROWS * CHART_TILE) return;
    unsigned char *p = chart->pixels[y][x];
    p[0] = (unsigned char)red;
    p[1] = (unsigned char)green;
    p[2] = (unsigned char)blue;
}

void chart_add(struct chart *chart, float loss, float accuracy) {
    int i = chart->n;
    if (i == CHART_STEPS) return;
    float old = i ? .95f : 0;
    chart->loss[i] = old * (i ? chart->loss[i - 1] : 0) + (1 - old) * loss;
    chart->accuracy[i] = old * (i ? chart->accuracy[i - 1] : 0) + (1 - old) * accuracy;
    chart->n++;
}

double chart_loss(const struct chart *chart) { return chart->n ? (double)chart->loss[chart->n - 1] : 0; }
double chart_accuracy(const struct chart *chart) { return chart->n ? (double)chart->accuracy[chart->n - 1] : 0; }

/* Ink is what makes the tile darker, so that an untouched tile is white once chart_draw has turned everything over. */
void chart_add_misread(struct chart *chart, const unsigned char *picture, int side) {
    int at = chart->n_misread++;
    if (at >= CHART_COLUMNS * CHART_ROWS) return;
    int left = at % CHART_COLUMNS * CHART_TILE + 2, top = CHART_HEIGHT + at / CHART_COLUMNS * CHART_TILE + 2;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int ink = picture[y * side + x];
            put(chart, left + x, top + y, ink, ink, ink);
        }
}

/* `values` from 0 (bottom) to `most` (top) over all steps, two pixels thick; colours are turned over. */
static void draw_line(struct chart *chart, const float *values, float most, int red, int green, int blue) {
    int before = -1;
    for (int x = 0; x < CHART_WIDTH; x++) {
        float value = values[(long)x * chart->n / CHART_WIDTH] / most;
        int y = (int)((float)(CHART_HEIGHT - 12) * (1 - (value > 1 ? 1 : value))) + 6;
        int step = before < y ? 1 : -1;
        for (int at = before < 0 ? y : before; at != y + step; at += step) {
            put(chart, x, at, red, green, blue);
            put(chart, x, at + 1, red, green, blue);
        }
        before = y;
    }
}

TF_Operation *chart_draw(struct chart *chart, struct sl_scope *scope, const char *path) {
    for (int y = 6; y < CHART_HEIGHT; y += (CHART_HEIGHT - 12) / 10)
        for (int x = 0; x < CHART_WIDTH; x++) put(chart, x, y, 25, 25, 25);
    if (chart->n) draw_line(chart, chart->loss, chart->loss[0], 30, 210, 210);
    if (chart->n) draw_line(chart, chart->accuracy, 1, 210, 150, 20);
    unsigned char *bytes = &chart->pixels[0][0][0];
    for (size_t i = 0; i < sizeof chart->pixels; i++) bytes[i] = (unsigned char)(255 - bytes[i]);
    TF_Output pixels = sl_constant_of(scope, TF_UINT8, SL_SHAPE(CHART_HEIGHT + CHART_ROWS * CHART_TILE, CHART_WIDTH, 3),
                                      chart->pixels);
    return sl_write_file(scope, sl_string_scalar(scope, path), sl_encode_png(scope, pixels));
}
