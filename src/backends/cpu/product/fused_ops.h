/* The attr `fused_ops` of _FusedConv2D, _FusedMatMul and their like: what else a node does with its results. At most
 * one of each, in this order:
 *
 *     BiasAdd (bias)  or  FusedBatchNorm (scale, offset, mean, variance)  or, as of our own passes,
 *     Mul (scale), BiasAdd (bias)  or  BiasAdd (bias), Mul (scale), BiasAdd (bias)
 *     Add (a tensor of the result's shape; of float and double also one of another shape: NumPy's rule)
 *     Relu, Relu6, Elu, LeakyRelu, Tanh, Sigmoid, GeluExact, GeluApproximate  or, as of our own passes,
 *     Swish, HardSwish
 *
 * In brackets the inputs each takes, after those that the op has without them. */
#ifndef SL_BACKENDS_CPU_PRODUCT_FUSED_OPS_H
#define SL_BACKENDS_CPU_PRODUCT_FUSED_OPS_H

#include "backends/cpu/product/channels_last.h"
#include "backends/cpu/product/epilogue.h"
#include "backends/cpu/product/packing.h"

/* What the attrs say. Immutable after sl_fused_ops_read; all zero: there is nothing else to do. `shifts`: a bias
 * before the scale. */
struct sl_fused_ops {
    bool shifts, scales, adds_bias, normalises, adds_side;
    bool side_is_first; /* what is added is named first in errors: the internal attr "_side_is_first" */
    enum sl_epilogue_activation activation;
    float epsilon, slope;
};
/* `what` names the op in errors: "Conv2D". `args` inputs follow the plain op's. INVALID_ARGUMENT; UNIMPLEMENTED. */
sl_code sl_fused_ops_read(struct sl_fused_ops *f, struct sl_kernel_setup *setup, const char *what, int args);
static inline bool sl_fused_ops_are_any(const struct sl_fused_ops *f) {
    return f->adds_bias || f->normalises || f->adds_side || f->activation != SL_ACTIVATION_NONE;
}

/* The vectors of a normalisation whose inputs are constants, made once. Part of a kernel's state. */
struct sl_fused_kept {
    bool is_on;
    struct sl_packing packing;
};
/* `first`: input after those that the op has without `f`. */
void sl_fused_kept_init(struct sl_fused_kept *kept, const struct sl_fused_ops *f, const struct sl_kernel_setup *setup,
                        int first);
static inline void sl_fused_kept_clear(struct sl_fused_kept *kept) { sl_packing_clear(&kept->packing); }

/* The inputs of one run as an epilogue. One owner; zeroed ones may be freed. */
struct sl_fused_args {
    struct sl_epilogue epilogue;
    void *vectors;
    size_t bytes;            /* of these; 0: they are not its own */
    struct sl_packing *kept; /* goes there; NULL: nowhere */
    struct sl_channels_last side;
};
/* Inputs from `first` on, for results `out` (sl_fused_out.plain) of `channels` channels; `w` is the format of
 * images, NULL for matrices; `kept` may be NULL. The caller sets epilogue.results. INVALID_ARGUMENT, RESOURCE_EXHAUSTED. */
sl_code sl_fused_args_read(struct sl_fused_args *a, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                           int first, int64_t channels, struct sl_view out, const struct sl_window *w,
                           struct sl_fused_kept *kept);
void sl_fused_args_free(struct sl_fused_args *a);

/* Where the results of one run go. What is added seldom has another shape than they: passes fuse an addition where
 * shapes are not known before. Then it comes behind, with the activation, and all is as if nothing were fused. One
 * owner; sl_fused_out_end ends it. */
struct sl_fused_out {
    struct sl_view plain; /* what the product or convolution writes, with its epilogue */
    struct sl_view out;   /* output 0; the same, unless the sum is larger */
    bool adds_behind;
    int side; /* input */
    size_t bytes;
};
/* `shape` is that of `plain`, its dims outlive the call; other arguments as for sl_fused_args_read.
 * INVALID_ARGUMENT, RESOURCE_EXHAUSTED. */
sl_code sl_fused_out_new(struct sl_fused_out *o, struct sl_kernel_context *k, const struct sl_fused_ops *f, int first,
                         struct sl_shape shape, const struct sl_window *w);
/* Does what comes behind, when `code` says that `plain` is there; gives `code` back. */
sl_code sl_fused_out_end(struct sl_fused_out *o, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                         sl_code code);

#endif
