/* Kernels of plug-ins: a TF_KernelBuilder becomes a row of the kernel table, whose functions call the plug-in's. */
#ifndef SL_PLUGIN_PLUGIN_KERNEL_H
#define SL_PLUGIN_PLUGIN_KERNEL_H

#include "capi/attr_reader.h"
#include "capi/handles.h"
#include "kernel/kernel.h"
#include "tensorflow/c/kernels.h"

/* The builder; once registered it is kept for ever, because the row is. */
struct TF_KernelBuilder {
    struct sl_kernel_def def;
    struct sl_arena arena; /* of the strings */
    void *(*create)(TF_OpKernelConstruction *context);
    void (*compute)(void *kernel, TF_OpKernelContext *context);
    void (*compute_async)(void *kernel, TF_OpKernelContext *context, TF_AsyncOpKernelDoneCallback *done);
    void (*free)(void *kernel);
    SL_VEC(struct sl_str) host_args; /* arguments in host memory */
    int n_rules;
    bool is_out_of_memory;
};

/* Which tensors an argument stands for. */
struct sl_arg_range {
    int first, n;
    bool is_on_host;
};

/* The state of one node's kernel. */
struct sl_plugin_kernel {
    const struct TF_KernelBuilder *builder;
    void *kernel;                          /* the plug-in's */
    struct sl_arg_range *inputs, *outputs; /* by argument of the op; in one block with this */
    int graph_version;
};

struct TF_OpKernelConstruction {
    struct sl_kernel_setup *setup;
    sl_code failed; /* SL_OK, or what TF_OpKernelConstruction_Failure said */
};

enum { SL_PLUGIN_FEW_OUTPUTS = 8 };

/* One execution. Outputs are handed over when the plug-in's function is done, because it may write to them until
 * then. */
struct TF_OpKernelContext {
    struct sl_kernel_context *k;
    const struct sl_plugin_kernel *state;
    sl_code failed;
    struct sl_tensor **outputs; /* one reference each, NULL where not set */
    struct sl_tensor *few[SL_PLUGIN_FEW_OUTPUTS];
};
/* The memory of the kernel's device; NULL: the host's. */
static inline struct sl_memory *sl_plugin_memory(const TF_OpKernelContext *context) {
    const struct sl_device *device = context->k->node->device;
    return device ? device->memory : NULL;
}

/* Input `i` as a tensor, what is behind it when it is a reference: a new reference. */
sl_code sl_plugin_input(struct sl_tensor **out, TF_OpKernelContext *context, int i, struct sl_error *err);
/* The tensor becomes output `i`; takes over the reference. */
sl_code sl_plugin_put(TF_OpKernelContext *context, int i, struct sl_tensor *tensor, struct sl_error *err);

#endif
