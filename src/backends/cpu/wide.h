/* Tensors of half and bfloat16 as float, for kernels that are written for float and double: inputs are copied to
 * float, results are made in float and converted at the end. Other types are what they are, and cost nothing. One
 * owner. */
#ifndef SL_BACKENDS_CPU_WIDE_H
#define SL_BACKENDS_CPU_WIDE_H

#include "kernel/kernel.h"

struct sl_wide {
    void *data; /* elements of type `dtype` */
    int dtype;
    size_t scratch; /* bytes of scratch memory at `data`; 0: the tensor's own */
};

/* SL_FLOAT for half and bfloat16, else the type itself. */
static inline int sl_wide_type(int dtype) { return dtype == SL_HALF || dtype == SL_BFLOAT16 ? SL_FLOAT : dtype; }

/* The elements of `v`. On failure (RESOURCE_EXHAUSTED) there is nothing to free. */
sl_code sl_wide_in(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v);
/* The same, converted to any other type that there is a loop for. */
sl_code sl_wide_as(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v, int dtype);
/* Room for the elements of `v`, uninitialised: its own, unless they must be converted. */
sl_code sl_wide_out(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v);
sl_code sl_wide_out_as(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v, int dtype);
/* Brings what is in `w` to `v`. */
void sl_wide_store(const struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v);
/* Zeroed and freed ones are fine. */
void sl_wide_free(struct sl_wide *w);

#endif
