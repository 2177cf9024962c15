/* Several devices: sessions with several CPU devices, and collectives between devices.
 *
 *     const char *cpus[] = {"/cpu:0", "/cpu:1"};
 *     for (int d = 0; d < 2; d++) {
 *         sl_push_device(s, cpus[d]);
 *         loss[d] = ...;                              -- a tower: the same model, on another part of the data
 *         sl_compute_gradients(s, loss[d], variables, n, gradients[d]);
 *         sl_pop(s);
 *     }
 *     sl_average_gradients(s, average, gradients, 2, n, cpus[0]);
 *     train = sl_apply_gradients(s, &sgd, variables, n, average, NULL);
 *     ...
 *     sl_options_set_cpus(options, 2, status);        -- before TF_NewSession
 *
 * Errors and threads: see sluice/scope.h. */
#ifndef SLUICE_DEVICES_H
#define SLUICE_DEVICES_H

#include "sluice/gradient.h"
#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sessions */
/* Sessions made with these options have n CPU devices, CPU:0 to CPU:n-1, which share memory and threads; n from 1 to
 * 1024, else INVALID_ARGUMENT. The rest of the configuration stays. */
SL_API void sl_options_set_cpus(TF_SessionOptions *options, int n, TF_Status *status);
/* True: a node that asks for no device is placed on the device where a simulation of the step finishes it first. False,
 * the default: it is placed on CPU:0, or with its neighbours. */
SL_API void sl_options_place_by_cost(TF_SessionOptions *options, bool by_cost);

/* ---- n tensors on n different devices, all of one type and shape; `out` has room for n */
enum sl_reduction { SL_REDUCE_SUM, SL_REDUCE_PROD, SL_REDUCE_MIN, SL_REDUCE_MAX };

/* out[i], on devices[i], is the element-wise reduction of all n tensors; in[i] should be on devices[i]. Adds a
 * CollectiveReduceV2 on each device. A step must run all n of them or none: one waits for the others. They have no
 * gradient. */
SL_API void sl_all_reduce(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                          int n, enum sl_reduction reduction);
/* out[i], on devices[i], is the concatenation of all n tensors along the first dimension. The rest as sl_all_reduce. */
SL_API void sl_all_gather(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                          int n);
/* The element-wise reduction of all n tensors, on `device`. It has a gradient. */
SL_API TF_Output sl_reduce_to(struct sl_scope *scope, const char *device, const TF_Output *in, int n,
                              enum sl_reduction reduction);
/* out[i], on devices[i], is `in`. It has a gradient. */
SL_API void sl_send_to_all(struct sl_scope *scope, TF_Output *out, TF_Output in, const char *const *devices, int n);

static inline void sl_all_sum(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                              int n) {
    sl_all_reduce(scope, out, in, devices, n, SL_REDUCE_SUM);
}
static inline void sl_all_prod(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                               int n) {
    sl_all_reduce(scope, out, in, devices, n, SL_REDUCE_PROD);
}
static inline void sl_all_min(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                              int n) {
    sl_all_reduce(scope, out, in, devices, n, SL_REDUCE_MIN);
}
static inline void sl_all_max(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                              int n) {
    sl_all_reduce(scope, out, in, devices, n, SL_REDUCE_MAX);
}

/* ---- towers */
/* averages[v], on `device`, is the mean of towers[t][v] over all towers t, for each of n variables. A tower without a
 * gradient counts as zeros; when no tower has one, there is none. The mean is IndexedSlices when all gradients are.
 * `averages` has room for n. */
SL_API void sl_average_gradients(struct sl_scope *scope, struct sl_slices *averages,
                                 const struct sl_slices *const *towers, int num_towers, int n, const char *device);

#ifdef __cplusplus
}
#endif

#endif
