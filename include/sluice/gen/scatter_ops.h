/* Wrappers of the scatter ops, made by tools/gen_ops.py from src/ops/scatter.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_SCATTER_OPS_H
#define SLUICE_GEN_SCATTER_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_dynamic_partition_attrs {
    int64_t num_partitions; /* must be given */
};
/* DynamicPartition: data: T, partitions: int32 -> outputs: num_partitions * T */
static inline TF_Operation *sl_dynamic_partition(struct sl_scope *scope, TF_Output data, TF_Output partitions, struct sl_dynamic_partition_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&partitions, -1}};
    const struct sl_attr_given attrs_[] = {{"num_partitions", SL_GIVEN_INT_NEEDED, &attrs.num_partitions}};
    return sl_op(scope, "DynamicPartition", inputs_, 2, attrs_, 1);
}

/* DynamicStitch: indices: N * int32, data: N * T -> merged: T */
static inline TF_Output sl_dynamic_stitch(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *data, int num_data) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {data, num_data}};
    return sl_op_first(sl_op(scope, "DynamicStitch", inputs_, 2, NULL, 0));
}

struct sl_gather_attrs {
    enum sl_choice validate_indices; /* true */
};
/* Gather: params: Tparams, indices: Tindices -> output: Tparams */
static inline TF_Output sl_gather_with(struct sl_scope *scope, TF_Output params, TF_Output indices, struct sl_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&params, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    return sl_op_first(sl_op(scope, "Gather", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_gather(struct sl_scope *scope, TF_Output params, TF_Output indices) {
    const struct sl_gather_attrs attrs = SL_DEFAULTS;
    return sl_gather_with(scope, params, indices, attrs);
}

struct sl_gather_nd_attrs {
    const char *bad_indices_policy; /* '' */
};
/* GatherNd: params: Tparams, indices: Tindices -> output: Tparams */
static inline TF_Output sl_gather_nd_with(struct sl_scope *scope, TF_Output params, TF_Output indices, struct sl_gather_nd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&params, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "GatherNd", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_gather_nd(struct sl_scope *scope, TF_Output params, TF_Output indices) {
    const struct sl_gather_nd_attrs attrs = SL_DEFAULTS;
    return sl_gather_nd_with(scope, params, indices, attrs);
}

struct sl_gather_v2_attrs {
    int64_t batch_dims; /* 0 */
};
/* GatherV2: params: Tparams, indices: Tindices, axis: Taxis -> output: Tparams */
static inline TF_Output sl_gather_v2_with(struct sl_scope *scope, TF_Output params, TF_Output indices, TF_Output axis, struct sl_gather_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&params, -1}, {&indices, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"batch_dims", SL_GIVEN_INT, &attrs.batch_dims}};
    return sl_op_first(sl_op(scope, "GatherV2", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_gather_v2(struct sl_scope *scope, TF_Output params, TF_Output indices, TF_Output axis) {
    const struct sl_gather_v2_attrs attrs = SL_DEFAULTS;
    return sl_gather_v2_with(scope, params, indices, axis, attrs);
}

/* ParallelDynamicStitch: indices: N * int32, data: N * T -> merged: T */
static inline TF_Output sl_parallel_dynamic_stitch(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *data, int num_data) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {data, num_data}};
    return sl_op_first(sl_op(scope, "ParallelDynamicStitch", inputs_, 2, NULL, 0));
}

struct sl_resource_gather_attrs {
    int64_t batch_dims; /* 0 */
    enum sl_choice validate_indices; /* true */
    TF_DataType dtype; /* must be given */
};
/* ResourceGather: resource: resource, indices: Tindices -> output: dtype */
static inline TF_Output sl_resource_gather(struct sl_scope *scope, TF_Output resource, TF_Output indices, struct sl_resource_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"batch_dims", SL_GIVEN_INT, &attrs.batch_dims}, {"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "ResourceGather", inputs_, 2, attrs_, 3));
}

struct sl_resource_gather_nd_attrs {
    TF_DataType dtype; /* must be given */
};
/* ResourceGatherNd: resource: resource, indices: Tindices -> output: dtype */
static inline TF_Output sl_resource_gather_nd(struct sl_scope *scope, TF_Output resource, TF_Output indices, struct sl_resource_gather_nd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "ResourceGatherNd", inputs_, 2, attrs_, 1));
}

/* ResourceScatterAdd: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_add(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterAdd", inputs_, 3, NULL, 0);
}

/* ResourceScatterDiv: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_div(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterDiv", inputs_, 3, NULL, 0);
}

/* ResourceScatterMax: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_max(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterMax", inputs_, 3, NULL, 0);
}

/* ResourceScatterMin: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_min(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterMin", inputs_, 3, NULL, 0);
}

/* ResourceScatterMul: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_mul(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterMul", inputs_, 3, NULL, 0);
}

struct sl_resource_scatter_nd_add_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ResourceScatterNdAdd: ref: resource, indices: Tindices, updates: T -> () */
static inline TF_Operation *sl_resource_scatter_nd_add_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_resource_scatter_nd_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op(scope, "ResourceScatterNdAdd", inputs_, 3, attrs_, 2);
}
static inline TF_Operation *sl_resource_scatter_nd_add(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_resource_scatter_nd_add_attrs attrs = SL_DEFAULTS;
    return sl_resource_scatter_nd_add_with(scope, ref, indices, updates, attrs);
}

struct sl_resource_scatter_nd_max_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ResourceScatterNdMax: ref: resource, indices: Tindices, updates: T -> () */
static inline TF_Operation *sl_resource_scatter_nd_max_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_resource_scatter_nd_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op(scope, "ResourceScatterNdMax", inputs_, 3, attrs_, 2);
}
static inline TF_Operation *sl_resource_scatter_nd_max(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_resource_scatter_nd_max_attrs attrs = SL_DEFAULTS;
    return sl_resource_scatter_nd_max_with(scope, ref, indices, updates, attrs);
}

struct sl_resource_scatter_nd_min_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ResourceScatterNdMin: ref: resource, indices: Tindices, updates: T -> () */
static inline TF_Operation *sl_resource_scatter_nd_min_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_resource_scatter_nd_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op(scope, "ResourceScatterNdMin", inputs_, 3, attrs_, 2);
}
static inline TF_Operation *sl_resource_scatter_nd_min(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_resource_scatter_nd_min_attrs attrs = SL_DEFAULTS;
    return sl_resource_scatter_nd_min_with(scope, ref, indices, updates, attrs);
}

struct sl_resource_scatter_nd_sub_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ResourceScatterNdSub: ref: resource, indices: Tindices, updates: T -> () */
static inline TF_Operation *sl_resource_scatter_nd_sub_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_resource_scatter_nd_sub_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op(scope, "ResourceScatterNdSub", inputs_, 3, attrs_, 2);
}
static inline TF_Operation *sl_resource_scatter_nd_sub(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_resource_scatter_nd_sub_attrs attrs = SL_DEFAULTS;
    return sl_resource_scatter_nd_sub_with(scope, ref, indices, updates, attrs);
}

struct sl_resource_scatter_nd_update_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ResourceScatterNdUpdate: ref: resource, indices: Tindices, updates: T -> () */
static inline TF_Operation *sl_resource_scatter_nd_update_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_resource_scatter_nd_update_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op(scope, "ResourceScatterNdUpdate", inputs_, 3, attrs_, 2);
}
static inline TF_Operation *sl_resource_scatter_nd_update(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_resource_scatter_nd_update_attrs attrs = SL_DEFAULTS;
    return sl_resource_scatter_nd_update_with(scope, ref, indices, updates, attrs);
}

/* ResourceScatterSub: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_sub(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterSub", inputs_, 3, NULL, 0);
}

/* ResourceScatterUpdate: resource: resource, indices: Tindices, updates: dtype -> () */
static inline TF_Operation *sl_resource_scatter_update(struct sl_scope *scope, TF_Output resource, TF_Output indices, TF_Output updates) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&indices, -1}, {&updates, -1}};
    return sl_op(scope, "ResourceScatterUpdate", inputs_, 3, NULL, 0);
}

struct sl_scatter_add_attrs {
    bool use_locking; /* false */
};
/* ScatterAdd: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_add_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterAdd", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_add(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_add_attrs attrs = SL_DEFAULTS;
    return sl_scatter_add_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_div_attrs {
    bool use_locking; /* false */
};
/* ScatterDiv: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_div_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_div_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterDiv", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_div(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_div_attrs attrs = SL_DEFAULTS;
    return sl_scatter_div_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_max_attrs {
    bool use_locking; /* false */
};
/* ScatterMax: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_max_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterMax", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_max(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_max_attrs attrs = SL_DEFAULTS;
    return sl_scatter_max_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_min_attrs {
    bool use_locking; /* false */
};
/* ScatterMin: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_min_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterMin", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_min(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_min_attrs attrs = SL_DEFAULTS;
    return sl_scatter_min_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_mul_attrs {
    bool use_locking; /* false */
};
/* ScatterMul: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_mul_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_mul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterMul", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_mul(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_mul_attrs attrs = SL_DEFAULTS;
    return sl_scatter_mul_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_nd_attrs {
    const char *bad_indices_policy; /* '' */
};
/* ScatterNd: indices: Tindices, updates: T, shape: Tindices -> output: T */
static inline TF_Output sl_scatter_nd_with(struct sl_scope *scope, TF_Output indices, TF_Output updates, TF_Output shape, struct sl_scatter_nd_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&updates, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNd", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_nd(struct sl_scope *scope, TF_Output indices, TF_Output updates, TF_Output shape) {
    const struct sl_scatter_nd_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_with(scope, indices, updates, shape, attrs);
}

struct sl_scatter_nd_add_attrs {
    bool use_locking; /* false */
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdAdd: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_nd_add_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_nd_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdAdd", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_scatter_nd_add(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_add_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_add_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_nd_max_attrs {
    bool use_locking; /* false */
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdMax: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_nd_max_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_nd_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdMax", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_scatter_nd_max(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_max_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_max_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_nd_min_attrs {
    bool use_locking; /* false */
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdMin: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_nd_min_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_nd_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdMin", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_scatter_nd_min(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_min_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_min_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_nd_non_aliasing_add_attrs {
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdNonAliasingAdd: input: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_scatter_nd_non_aliasing_add_with(struct sl_scope *scope, TF_Output input, TF_Output indices, TF_Output updates, struct sl_scatter_nd_non_aliasing_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdNonAliasingAdd", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_nd_non_aliasing_add(struct sl_scope *scope, TF_Output input, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_non_aliasing_add_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_non_aliasing_add_with(scope, input, indices, updates, attrs);
}

struct sl_scatter_nd_sub_attrs {
    bool use_locking; /* false */
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdSub: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_nd_sub_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_nd_sub_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdSub", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_scatter_nd_sub(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_sub_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_sub_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_nd_update_attrs {
    enum sl_choice use_locking; /* true */
    const char *bad_indices_policy; /* '' */
};
/* ScatterNdUpdate: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_nd_update_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_nd_update_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}, {"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "ScatterNdUpdate", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_scatter_nd_update(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_nd_update_attrs attrs = SL_DEFAULTS;
    return sl_scatter_nd_update_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_sub_attrs {
    bool use_locking; /* false */
};
/* ScatterSub: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_sub_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_sub_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterSub", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_sub(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_sub_attrs attrs = SL_DEFAULTS;
    return sl_scatter_sub_with(scope, ref, indices, updates, attrs);
}

struct sl_scatter_update_attrs {
    enum sl_choice use_locking; /* true */
};
/* ScatterUpdate: ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T) */
static inline TF_Output sl_scatter_update_with(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates, struct sl_scatter_update_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&ref, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_CHOICE, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ScatterUpdate", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_scatter_update(struct sl_scope *scope, TF_Output ref, TF_Output indices, TF_Output updates) {
    const struct sl_scatter_update_attrs attrs = SL_DEFAULTS;
    return sl_scatter_update_with(scope, ref, indices, updates, attrs);
}

struct sl_tensor_scatter_add_attrs {
    const char *bad_indices_policy; /* '' */
};
/* TensorScatterAdd: tensor: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_tensor_scatter_add_with(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates, struct sl_tensor_scatter_add_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "TensorScatterAdd", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_scatter_add(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates) {
    const struct sl_tensor_scatter_add_attrs attrs = SL_DEFAULTS;
    return sl_tensor_scatter_add_with(scope, tensor, indices, updates, attrs);
}

struct sl_tensor_scatter_max_attrs {
    const char *bad_indices_policy; /* '' */
};
/* TensorScatterMax: tensor: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_tensor_scatter_max_with(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates, struct sl_tensor_scatter_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "TensorScatterMax", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_scatter_max(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates) {
    const struct sl_tensor_scatter_max_attrs attrs = SL_DEFAULTS;
    return sl_tensor_scatter_max_with(scope, tensor, indices, updates, attrs);
}

struct sl_tensor_scatter_min_attrs {
    const char *bad_indices_policy; /* '' */
};
/* TensorScatterMin: tensor: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_tensor_scatter_min_with(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates, struct sl_tensor_scatter_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "TensorScatterMin", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_scatter_min(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates) {
    const struct sl_tensor_scatter_min_attrs attrs = SL_DEFAULTS;
    return sl_tensor_scatter_min_with(scope, tensor, indices, updates, attrs);
}

struct sl_tensor_scatter_sub_attrs {
    const char *bad_indices_policy; /* '' */
};
/* TensorScatterSub: tensor: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_tensor_scatter_sub_with(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates, struct sl_tensor_scatter_sub_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "TensorScatterSub", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_scatter_sub(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates) {
    const struct sl_tensor_scatter_sub_attrs attrs = SL_DEFAULTS;
    return sl_tensor_scatter_sub_with(scope, tensor, indices, updates, attrs);
}

struct sl_tensor_scatter_update_attrs {
    const char *bad_indices_policy; /* '' */
};
/* TensorScatterUpdate: tensor: T, indices: Tindices, updates: T -> output: T */
static inline TF_Output sl_tensor_scatter_update_with(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates, struct sl_tensor_scatter_update_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&updates, -1}};
    const struct sl_attr_given attrs_[] = {{"bad_indices_policy", SL_GIVEN_STRING, &attrs.bad_indices_policy}};
    return sl_op_first(sl_op(scope, "TensorScatterUpdate", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_scatter_update(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output updates) {
    const struct sl_tensor_scatter_update_attrs attrs = SL_DEFAULTS;
    return sl_tensor_scatter_update_with(scope, tensor, indices, updates, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
