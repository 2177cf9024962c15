/* Updates that fall on rows of a tensor, named by indices: what Scatter, ScatterNd, TensorScatter and their kin have
 * in common, whether the tensor is an output or a variable. Updates are applied in the order of their indices, so
 * that results do not depend on the number of threads.
 * Threads: the caller owns `to`. */
#ifndef SL_BACKENDS_CPU_SCATTER_SCATTER_H
#define SL_BACKENDS_CPU_SCATTER_SCATTER_H

#include "backends/cpu/scatter/rows.h"

/* What an update does: an enum sl_combine_op, or */
enum { SL_SCATTER_ASSIGN = SL_COMBINE_OPS };

/* True when there is a way to do this with elements of that type. */
bool sl_scatter_has(int op, int dtype);

/* `indices` name rows of `to` (its dim 0). `updates` has the shape of the indices followed by that of a row, or is a
 * scalar for all. INVALID_ARGUMENT "indices[1,0] = 7 is not in [0, 5)", with what comes before that index done, and
 * "Integer division by zero" where DIV would, with nothing done. */
sl_code sl_scatter_rows(struct sl_kernel_context *k, struct sl_view to, struct sl_view indices, struct sl_view updates,
                        int op);

/* The last dim of `indices` names the first dims of `to`; what it leaves is a slice. `updates` has the other dims of
 * the indices followed by those of a slice. With `ignores_bad`, indices out of range are passed over; else
 * INVALID_ARGUMENT "indices[1] = [7, 0] does not index into shape [5,2]", with all that can be done. The shapes must
 * fit: see sl_scatter_nd_check. */
sl_code sl_scatter_nd_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view indices,
                             struct sl_view updates, int op, bool ignores_bad);
/* INVALID_ARGUMENT when the shapes of indices, updates and target do not fit. */
sl_code sl_scatter_nd_check(struct sl_kernel_context *k, struct sl_shape to, struct sl_view indices,
                            struct sl_view updates);

/* to[i] = from[rows that the last dim of indices names], for all; IGNOREd bad ones give zeros. */
sl_code sl_gather_nd_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view from, struct sl_view indices,
                            bool ignores_bad);
/* to[b, o, i, :] = from[b, o, indices[b, i], :]: `to` is as large as that makes it. INVALID_ARGUMENT as
 * sl_scatter_rows. */
sl_code sl_gather_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view from, struct sl_view indices,
                         int axis, int batch_dims);

/* Make output 0 of a Gather of `from` (rank and batch_dims as given by the node, negative ones count from the end),
 * or of a GatherNd; INVALID_ARGUMENT when the shapes do not allow it. */
sl_code sl_gather_output(struct sl_kernel_context *k, struct sl_view from, struct sl_view indices, int64_t axis,
                         int64_t batch_dims);
sl_code sl_gather_nd_output(struct sl_kernel_context *k, struct sl_view from, struct sl_view indices, bool ignores_bad);

/* The attr bad_indices_policy of a node: true for IGNORE. INVALID_ARGUMENT for a word that is none. */
sl_code sl_bad_indices_policy(bool *ignores, struct sl_kernel_setup *setup);

#endif
