/* Quantised numbers: integers that stand for the real numbers of a range, lowest for its minimum, highest for its
 * maximum. Pure; thread-safe. */
#ifndef SL_BACKENDS_CPU_QUANT_QUANT_H
#define SL_BACKENDS_CPU_QUANT_QUANT_H

#include "backends/cpu/product/narrow_product.h"
#include "kernel/kernel.h"

struct sl_quant_range {
    float min, max;
};

/* The lowest and highest integer of a quantised type, as whole numbers. */
int64_t sl_quant_lowest(int dtype);
int64_t sl_quant_highest(int dtype);

/* Element i of a tensor of quantised or plain integers of up to 32 bits, and the way back: `q` must fit. */
int64_t sl_quant_get(struct sl_view v, int64_t i);
void sl_quant_put(struct sl_view v, int64_t i, int64_t q);

/* What q stands for. The minimum is moved so that zero is one of the numbers. */
float sl_quant_value(int64_t q, struct sl_quant_range range, int dtype);
/* The number nearest to x, as far outside of the type as x is outside of the range; and inside of it. */
int64_t sl_quant_outside(float x, struct sl_quant_range range, int dtype);
int64_t sl_quant_inside(float x, struct sl_quant_range range, int dtype);
/* How far one number is from the next. */
float sl_quant_step(struct sl_quant_range range, int dtype);
/* The range of qint32 products of numbers of two ranges, measured from their zeros. */
struct sl_quant_range sl_quant_product(struct sl_quant_range a, int a_type, struct sl_quant_range b, int b_type);
/* A range that sums of numbers of both fit into, with much room. */
struct sl_quant_range sl_quant_sum(struct sl_quant_range a, struct sl_quant_range b);

/* qint32 numbers of one range as numbers of another type (8 bits) and range. */
void sl_quant_shrink(struct sl_kernel_context *k, struct sl_view to, struct sl_quant_range to_range,
                     struct sl_view from, struct sl_quant_range from_range);
/* The range that the elements of a tensor of qint32 really take, with zero in it. */
struct sl_quant_range sl_quant_actual(struct sl_view v, struct sl_quant_range range);

/* The elements as int32, the one that stands for zero (or the nearest, outside of the type) taken off: scratch
 * memory, NULL when there is none left. */
int32_t *sl_quant_centred(struct sl_view v, struct sl_quant_range range);
void sl_quant_centred_free(int32_t *p, struct sl_view v);
/* The same for products of bytes, not copied. */
static inline bool sl_quant_is_byte(int dtype) { return dtype == SL_QINT8 || dtype == SL_QUINT8; }
static inline struct sl_bytes sl_quant_bytes(struct sl_view v, struct sl_quant_range range, bool is_transposed) {
    return (struct sl_bytes){.data = v.data,
                             .is_signed = v.dtype == SL_QINT8,
                             .is_transposed = is_transposed,
                             .zero = sl_quant_outside(0, range, v.dtype)};
}

/* Inputs `first` and `first + 1`, scalars. INVALID_ARGUMENT with their names. */
sl_code sl_quant_in(struct sl_quant_range *range, struct sl_kernel_context *k, int first, const char *min,
                    const char *max);
/* Outputs `first` and `first + 1`, scalars. */
sl_code sl_quant_out(struct sl_kernel_context *k, int first, struct sl_quant_range range);

#endif
