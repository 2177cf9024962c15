/* Convolutions and products by oneDNN (libdnnl 2.x) in place of our own loops, where that was measured to pay:
 * onednn_choice.inc has a bit for each class of shapes. The library is looked for at the first of them, and only
 * when SLUICE_ONEDNN asks for it: what an installed library does to the last bits of results is not to come unasked.
 * Work is cut in pieces that depend on shapes alone, each done by one thread, so results are the same bits for every
 * number of threads. Thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_ONEDNN_H
#define SL_BACKENDS_CPU_PRODUCT_ONEDNN_H

#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/gemm.h"

enum sl_onednn_work { SL_ONEDNN_FORWARD, SL_ONEDNN_INPUT_GRAD, SL_ONEDNN_FILTER_GRAD, SL_ONEDNN_PRODUCT };

/* Part of a convolution's state: what was prepared for its last few shapes, with the filter in oneDNN's order when
 * it is constant. */
enum { SL_ONEDNN_PLANS = 4 };
struct sl_onednn_plans {
    struct sl_mutex mutex;
    struct sl_onednn_plan *plans[SL_ONEDNN_PLANS]; /* the latest first */
};
void sl_onednn_plans_init(struct sl_onednn_plans *plans);
void sl_onednn_plans_clear(struct sl_onednn_plans *plans);

/* Whether SLUICE_ONEDNN asks for the library, it is there, and the processor is one that was measured (AVX-512). */
bool sl_onednn_is_there(void);
/* Both do all of the work or, when they give false, none. `in`, `filter` and `out` are images and filter of the
 * forward convolution or their gradients; which of them is written `work` says. `c->packing` says that the filter is
 * constant; `c->epilogue` is done, too. */
bool sl_onednn_conv(struct sl_onednn_plans *plans, struct sl_kernel_context *k, enum sl_onednn_work work,
                    const struct sl_conv_spec *c, void *in, void *filter, void *out);
bool sl_onednn_product(struct sl_kernel_context *k, const struct sl_gemm *g);

#endif
