/* The attr `fused_ops` of _FusedConv2D, _FusedMatMul and their like: what else a node does with its results. At most one of each, in
 * this order:
 *
 *     BiasAdd (bias)  or  FusedBatchNorm (scale, offset, mean, variance)
 *     Add (a tensor of the result's shape)
 *     Relu, Relu6, Elu, LeakyRelu, Tanh, Sigmoid, GeluExact, GeluApproximate
 *
 * In brackets the inputs each takes, after those that the op has without them. */
#ifndef SL_BACKENDS_CPU_FUSED_OPS_H
#define SL_BACKENDS_CPU_FUSED_OPS_H

#include "backends/cpu/channels_last.h"
#include "backends/cpu/epilogue.h"

/* What the attrs say. Immutable after sl_fused_ops_read; all zero: there is nothing else to do. */
struct sl_fused_ops {
    bool adds_bias, normalises, adds_side;
    enum sl_activation activation;
    float epsilon, slope;
};
/* `what` names the op in errors: "Conv2D". `args` inputs follow the plain op's. INVALID_ARGUMENT; UNIMPLEMENTED. */
sl_code sl_fused_ops_read(struct sl_fused_ops *f, struct sl_kernel_setup *setup, const char *what, int args);
static inline bool sl_fused_ops_are_any(const struct sl_fused_ops *f) {
    return f->adds_bias || f->normalises || f->adds_side || f->activation != SL_ACTIVATION_NONE;
}

/* The inputs of one run as an epilogue. One owner; zeroed ones may be freed. */
struct sl_fused_args {
    struct sl_epilogue epilogue;
    void *vectors;
    size_t bytes;
    struct sl_channels_last side;
};
/* Inputs from `first` on, for results `out` of `channels` channels; `w` is the format of images, NULL for matrices. The caller sets
 * epilogue.results. INVALID_ARGUMENT, RESOURCE_EXHAUSTED. */
sl_code sl_fused_args_read(struct sl_fused_args *a, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                           int first, int64_t channels, struct sl_view out, const struct sl_window *w);
void sl_fused_args_free(struct sl_fused_args *a);

#endif
