/* What is done to the results of a product or convolution while they are still in the cache, instead of in passes of
 * their own:
 *
 *     y = activation((x - mean) * scale + offset + side)          each part as far as it is there
 *
 * mean, scale and offset have one value for each column (channel). An epilogue is read by all threads and changed by
 * none. */
#ifndef SL_BACKENDS_CPU_PRODUCT_EPILOGUE_H
#define SL_BACKENDS_CPU_PRODUCT_EPILOGUE_H

#include <stdbool.h>
#include <stdint.h>

enum sl_epilogue_activation {
    SL_ACTIVATION_NONE,
    SL_ACTIVATION_RELU,
    SL_ACTIVATION_RELU6,
    SL_ACTIVATION_LEAKY_RELU,
    SL_ACTIVATION_ELU,
    SL_ACTIVATION_TANH,
    SL_ACTIVATION_SIGMOID,
    SL_ACTIVATION_GELU_EXACT,
    SL_ACTIVATION_GELU_APPROXIMATE,
    SL_ACTIVATION_SWISH,      /* x sigmoid(x) */
    SL_ACTIVATION_HARD_SWISH, /* x (relu6(x + 3) / 6), by a product with 1 / 6 */
    SL_ACTIVATIONS
};

struct sl_epilogue {
    bool is_double;
    enum sl_epilogue_activation activation;
    double slope; /* of LEAKY_RELU below 0 */
    /* Borrowed; NULL: without it. Mean and scale come together, and with an offset. */
    const void *mean, *scale, *offset;
    const void *side; /* laid out as the results that begin at `results` */
    const char *results;
};

/* Does it to `rows` rows of `n` elements from `c` on, `row` elements apart; the first is of column `column`. */
void sl_epilogue_run(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t column, int64_t n);
/* Whether tiles may do it all but for the activations that are functions, as struct sl_tile_end says of columns from
 * `column` on, `n` at most SL_TILE_END_COLUMNS of them. */
enum { SL_TILE_END_COLUMNS = 32 };
struct sl_tile_end;
bool sl_epilogue_of_tile(struct sl_tile_end *end, const struct sl_epilogue *e, int64_t column);
/* The two parts of that, where the second one is done to more columns at a time: the longer its rows, the better.
 * All but the activations that are functions; those. */
void sl_epilogue_finish(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t column, int64_t n);
void sl_epilogue_activate(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t n);

#endif
