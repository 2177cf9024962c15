/* Wrappers of the queue ops, made by tools/gen_ops.py from src/ops/queue.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_QUEUE_OPS_H
#define SLUICE_GEN_QUEUE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AccumulatorApplyGradient: handle: Ref(string), local_step: int64, gradient: dtype -> () */
static inline TF_Operation *sl_accumulator_apply_gradient(struct sl_scope *scope, TF_Output handle, TF_Output local_step, TF_Output gradient) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&local_step, -1}, {&gradient, -1}};
    return sl_op(scope, "AccumulatorApplyGradient", inputs_, 3, NULL, 0);
}

/* AccumulatorNumAccumulated: handle: Ref(string) -> num_accumulated: int32 */
static inline TF_Output sl_accumulator_num_accumulated(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "AccumulatorNumAccumulated", inputs_, 1, NULL, 0));
}

/* AccumulatorSetGlobalStep: handle: Ref(string), new_global_step: int64 -> () */
static inline TF_Operation *sl_accumulator_set_global_step(struct sl_scope *scope, TF_Output handle, TF_Output new_global_step) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&new_global_step, -1}};
    return sl_op(scope, "AccumulatorSetGlobalStep", inputs_, 2, NULL, 0);
}

struct sl_accumulator_take_gradient_attrs {
    TF_DataType dtype; /* must be given */
};
/* AccumulatorTakeGradient: handle: Ref(string), num_required: int32 -> average: dtype */
static inline TF_Output sl_accumulator_take_gradient(struct sl_scope *scope, TF_Output handle, TF_Output num_required, struct sl_accumulator_take_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&num_required, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "AccumulatorTakeGradient", inputs_, 2, attrs_, 1));
}

struct sl_barrier_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* Barrier: () -> handle: Ref(string) */
static inline TF_Output sl_barrier(struct sl_scope *scope, struct sl_barrier_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "Barrier", NULL, 0, attrs_, 5));
}

struct sl_barrier_close_attrs {
    bool cancel_pending_enqueues; /* false */
};
/* BarrierClose: handle: Ref(string) -> () */
static inline TF_Operation *sl_barrier_close_with(struct sl_scope *scope, TF_Output handle, struct sl_barrier_close_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"cancel_pending_enqueues", SL_GIVEN_BOOL, &attrs.cancel_pending_enqueues}};
    return sl_op(scope, "BarrierClose", inputs_, 1, attrs_, 1);
}
static inline TF_Operation *sl_barrier_close(struct sl_scope *scope, TF_Output handle) {
    const struct sl_barrier_close_attrs attrs = SL_DEFAULTS;
    return sl_barrier_close_with(scope, handle, attrs);
}

/* BarrierIncompleteSize: handle: Ref(string) -> size: int32 */
static inline TF_Output sl_barrier_incomplete_size(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "BarrierIncompleteSize", inputs_, 1, NULL, 0));
}

struct sl_barrier_insert_many_attrs {
    int64_t component_index; /* must be given */
};
/* BarrierInsertMany: handle: Ref(string), keys: string, values: T -> () */
static inline TF_Operation *sl_barrier_insert_many(struct sl_scope *scope, TF_Output handle, TF_Output keys, TF_Output values, struct sl_barrier_insert_many_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&keys, -1}, {&values, -1}};
    const struct sl_attr_given attrs_[] = {{"component_index", SL_GIVEN_INT_NEEDED, &attrs.component_index}};
    return sl_op(scope, "BarrierInsertMany", inputs_, 3, attrs_, 1);
}

/* BarrierReadySize: handle: Ref(string) -> size: int32 */
static inline TF_Output sl_barrier_ready_size(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "BarrierReadySize", inputs_, 1, NULL, 0));
}

struct sl_barrier_take_many_attrs {
    struct sl_types component_types; /* must be given */
    bool allow_small_batch; /* false */
    bool wait_for_incomplete; /* false */
    int64_t timeout_ms; /* -1 */
};
/* BarrierTakeMany: handle: Ref(string), num_elements: int32 -> indices: int64, keys: string, values: component_types */
static inline TF_Operation *sl_barrier_take_many(struct sl_scope *scope, TF_Output handle, TF_Output num_elements, struct sl_barrier_take_many_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&num_elements, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"allow_small_batch", SL_GIVEN_BOOL, &attrs.allow_small_batch}, {"wait_for_incomplete", SL_GIVEN_BOOL, &attrs.wait_for_incomplete}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "BarrierTakeMany", inputs_, 2, attrs_, 4);
}

struct sl_conditional_accumulator_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *reduction_type; /* 'MEAN' */
};
/* ConditionalAccumulator: () -> handle: Ref(string) */
static inline TF_Output sl_conditional_accumulator(struct sl_scope *scope, struct sl_conditional_accumulator_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"reduction_type", SL_GIVEN_STRING, &attrs.reduction_type}};
    return sl_op_first(sl_op(scope, "ConditionalAccumulator", NULL, 0, attrs_, 5));
}

struct sl_fifo_queue_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* FIFOQueue: () -> handle: Ref(string) */
static inline TF_Output sl_fifo_queue(struct sl_scope *scope, struct sl_fifo_queue_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "FIFOQueue", NULL, 0, attrs_, 5));
}

struct sl_fifo_queue_v2_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* FIFOQueueV2: () -> handle: resource */
static inline TF_Output sl_fifo_queue_v2(struct sl_scope *scope, struct sl_fifo_queue_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "FIFOQueueV2", NULL, 0, attrs_, 5));
}

/* FakeQueue: resource: resource -> handle: Ref(string) */
static inline TF_Output sl_fake_queue(struct sl_scope *scope, TF_Output resource) {
    const struct sl_op_input inputs_[] = {{&resource, -1}};
    return sl_op_first(sl_op(scope, "FakeQueue", inputs_, 1, NULL, 0));
}

struct sl_map_clear_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapClear: () -> () */
static inline TF_Operation *sl_map_clear(struct sl_scope *scope, struct sl_map_clear_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "MapClear", NULL, 0, attrs_, 5);
}

struct sl_map_incomplete_size_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapIncompleteSize: () -> size: int32 */
static inline TF_Output sl_map_incomplete_size(struct sl_scope *scope, struct sl_map_incomplete_size_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "MapIncompleteSize", NULL, 0, attrs_, 5));
}

struct sl_map_peek_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapPeek: key: int64, indices: int32 -> values: dtypes */
static inline TF_Operation *sl_map_peek(struct sl_scope *scope, TF_Output key, TF_Output indices, struct sl_map_peek_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "MapPeek", inputs_, 2, attrs_, 5);
}

struct sl_map_size_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapSize: () -> size: int32 */
static inline TF_Output sl_map_size(struct sl_scope *scope, struct sl_map_size_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "MapSize", NULL, 0, attrs_, 5));
}

struct sl_map_stage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapStage: key: int64, indices: int32, values: fake_dtypes -> () */
static inline TF_Operation *sl_map_stage(struct sl_scope *scope, TF_Output key, TF_Output indices, const TF_Output *values, int num_values, struct sl_map_stage_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}, {values, num_values}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "MapStage", inputs_, 3, attrs_, 5);
}

struct sl_map_unstage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapUnstage: key: int64, indices: int32 -> values: dtypes */
static inline TF_Operation *sl_map_unstage(struct sl_scope *scope, TF_Output key, TF_Output indices, struct sl_map_unstage_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "MapUnstage", inputs_, 2, attrs_, 5);
}

struct sl_map_unstage_no_key_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* MapUnstageNoKey: indices: int32 -> key: int64, values: dtypes */
static inline TF_Operation *sl_map_unstage_no_key(struct sl_scope *scope, TF_Output indices, struct sl_map_unstage_no_key_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "MapUnstageNoKey", inputs_, 1, attrs_, 5);
}

struct sl_ordered_map_clear_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapClear: () -> () */
static inline TF_Operation *sl_ordered_map_clear(struct sl_scope *scope, struct sl_ordered_map_clear_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "OrderedMapClear", NULL, 0, attrs_, 5);
}

struct sl_ordered_map_incomplete_size_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapIncompleteSize: () -> size: int32 */
static inline TF_Output sl_ordered_map_incomplete_size(struct sl_scope *scope, struct sl_ordered_map_incomplete_size_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "OrderedMapIncompleteSize", NULL, 0, attrs_, 5));
}

struct sl_ordered_map_peek_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapPeek: key: int64, indices: int32 -> values: dtypes */
static inline TF_Operation *sl_ordered_map_peek(struct sl_scope *scope, TF_Output key, TF_Output indices, struct sl_ordered_map_peek_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "OrderedMapPeek", inputs_, 2, attrs_, 5);
}

struct sl_ordered_map_size_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapSize: () -> size: int32 */
static inline TF_Output sl_ordered_map_size(struct sl_scope *scope, struct sl_ordered_map_size_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "OrderedMapSize", NULL, 0, attrs_, 5));
}

struct sl_ordered_map_stage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapStage: key: int64, indices: int32, values: fake_dtypes -> () */
static inline TF_Operation *sl_ordered_map_stage(struct sl_scope *scope, TF_Output key, TF_Output indices, const TF_Output *values, int num_values, struct sl_ordered_map_stage_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}, {values, num_values}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "OrderedMapStage", inputs_, 3, attrs_, 5);
}

struct sl_ordered_map_unstage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapUnstage: key: int64, indices: int32 -> values: dtypes */
static inline TF_Operation *sl_ordered_map_unstage(struct sl_scope *scope, TF_Output key, TF_Output indices, struct sl_ordered_map_unstage_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&key, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "OrderedMapUnstage", inputs_, 2, attrs_, 5);
}

struct sl_ordered_map_unstage_no_key_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* OrderedMapUnstageNoKey: indices: int32 -> key: int64, values: dtypes */
static inline TF_Operation *sl_ordered_map_unstage_no_key(struct sl_scope *scope, TF_Output indices, struct sl_ordered_map_unstage_no_key_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "OrderedMapUnstageNoKey", inputs_, 1, attrs_, 5);
}

struct sl_padding_fifo_queue_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* PaddingFIFOQueue: () -> handle: Ref(string) */
static inline TF_Output sl_padding_fifo_queue(struct sl_scope *scope, struct sl_padding_fifo_queue_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "PaddingFIFOQueue", NULL, 0, attrs_, 5));
}

struct sl_padding_fifo_queue_v2_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* PaddingFIFOQueueV2: () -> handle: resource */
static inline TF_Output sl_padding_fifo_queue_v2(struct sl_scope *scope, struct sl_padding_fifo_queue_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "PaddingFIFOQueueV2", NULL, 0, attrs_, 5));
}

struct sl_priority_queue_attrs {
    struct sl_types component_types; /* [] */
    struct sl_shapes shapes; /* must be given */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* PriorityQueue: () -> handle: Ref(string) */
static inline TF_Output sl_priority_queue(struct sl_scope *scope, struct sl_priority_queue_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "PriorityQueue", NULL, 0, attrs_, 5));
}

struct sl_priority_queue_v2_attrs {
    struct sl_types component_types; /* [] */
    struct sl_shapes shapes; /* must be given */
    int64_t capacity; /* -1 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* PriorityQueueV2: () -> handle: resource */
static inline TF_Output sl_priority_queue_v2(struct sl_scope *scope, struct sl_priority_queue_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES_NEEDED, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "PriorityQueueV2", NULL, 0, attrs_, 5));
}

struct sl_queue_close_attrs {
    bool cancel_pending_enqueues; /* false */
};
/* QueueClose: handle: Ref(string) -> () */
static inline TF_Operation *sl_queue_close_with(struct sl_scope *scope, TF_Output handle, struct sl_queue_close_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"cancel_pending_enqueues", SL_GIVEN_BOOL, &attrs.cancel_pending_enqueues}};
    return sl_op(scope, "QueueClose", inputs_, 1, attrs_, 1);
}
static inline TF_Operation *sl_queue_close(struct sl_scope *scope, TF_Output handle) {
    const struct sl_queue_close_attrs attrs = SL_DEFAULTS;
    return sl_queue_close_with(scope, handle, attrs);
}

struct sl_queue_close_v2_attrs {
    bool cancel_pending_enqueues; /* false */
};
/* QueueCloseV2: handle: resource -> () */
static inline TF_Operation *sl_queue_close_v2_with(struct sl_scope *scope, TF_Output handle, struct sl_queue_close_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"cancel_pending_enqueues", SL_GIVEN_BOOL, &attrs.cancel_pending_enqueues}};
    return sl_op(scope, "QueueCloseV2", inputs_, 1, attrs_, 1);
}
static inline TF_Operation *sl_queue_close_v2(struct sl_scope *scope, TF_Output handle) {
    const struct sl_queue_close_v2_attrs attrs = SL_DEFAULTS;
    return sl_queue_close_v2_with(scope, handle, attrs);
}

struct sl_queue_dequeue_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeue: handle: Ref(string) -> components: component_types */
static inline TF_Operation *sl_queue_dequeue(struct sl_scope *scope, TF_Output handle, struct sl_queue_dequeue_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeue", inputs_, 1, attrs_, 2);
}

struct sl_queue_dequeue_many_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeueMany: handle: Ref(string), n: int32 -> components: component_types */
static inline TF_Operation *sl_queue_dequeue_many(struct sl_scope *scope, TF_Output handle, TF_Output n, struct sl_queue_dequeue_many_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&n, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeueMany", inputs_, 2, attrs_, 2);
}

struct sl_queue_dequeue_many_v2_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeueManyV2: handle: resource, n: int32 -> components: component_types */
static inline TF_Operation *sl_queue_dequeue_many_v2(struct sl_scope *scope, TF_Output handle, TF_Output n, struct sl_queue_dequeue_many_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&n, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeueManyV2", inputs_, 2, attrs_, 2);
}

struct sl_queue_dequeue_up_to_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeueUpTo: handle: Ref(string), n: int32 -> components: component_types */
static inline TF_Operation *sl_queue_dequeue_up_to(struct sl_scope *scope, TF_Output handle, TF_Output n, struct sl_queue_dequeue_up_to_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&n, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeueUpTo", inputs_, 2, attrs_, 2);
}

struct sl_queue_dequeue_up_to_v2_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeueUpToV2: handle: resource, n: int32 -> components: component_types */
static inline TF_Operation *sl_queue_dequeue_up_to_v2(struct sl_scope *scope, TF_Output handle, TF_Output n, struct sl_queue_dequeue_up_to_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&n, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeueUpToV2", inputs_, 2, attrs_, 2);
}

struct sl_queue_dequeue_v2_attrs {
    struct sl_types component_types; /* must be given */
    int64_t timeout_ms; /* -1 */
};
/* QueueDequeueV2: handle: resource -> components: component_types */
static inline TF_Operation *sl_queue_dequeue_v2(struct sl_scope *scope, TF_Output handle, struct sl_queue_dequeue_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueDequeueV2", inputs_, 1, attrs_, 2);
}

struct sl_queue_enqueue_attrs {
    int64_t timeout_ms; /* -1 */
};
/* QueueEnqueue: handle: Ref(string), components: Tcomponents -> () */
static inline TF_Operation *sl_queue_enqueue_with(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components, struct sl_queue_enqueue_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {components, num_components}};
    const struct sl_attr_given attrs_[] = {{"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueEnqueue", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_queue_enqueue(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components) {
    const struct sl_queue_enqueue_attrs attrs = SL_DEFAULTS;
    return sl_queue_enqueue_with(scope, handle, components, num_components, attrs);
}

struct sl_queue_enqueue_many_attrs {
    int64_t timeout_ms; /* -1 */
};
/* QueueEnqueueMany: handle: Ref(string), components: Tcomponents -> () */
static inline TF_Operation *sl_queue_enqueue_many_with(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components, struct sl_queue_enqueue_many_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {components, num_components}};
    const struct sl_attr_given attrs_[] = {{"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueEnqueueMany", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_queue_enqueue_many(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components) {
    const struct sl_queue_enqueue_many_attrs attrs = SL_DEFAULTS;
    return sl_queue_enqueue_many_with(scope, handle, components, num_components, attrs);
}

struct sl_queue_enqueue_many_v2_attrs {
    int64_t timeout_ms; /* -1 */
};
/* QueueEnqueueManyV2: handle: resource, components: Tcomponents -> () */
static inline TF_Operation *sl_queue_enqueue_many_v2_with(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components, struct sl_queue_enqueue_many_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {components, num_components}};
    const struct sl_attr_given attrs_[] = {{"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueEnqueueManyV2", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_queue_enqueue_many_v2(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components) {
    const struct sl_queue_enqueue_many_v2_attrs attrs = SL_DEFAULTS;
    return sl_queue_enqueue_many_v2_with(scope, handle, components, num_components, attrs);
}

struct sl_queue_enqueue_v2_attrs {
    int64_t timeout_ms; /* -1 */
};
/* QueueEnqueueV2: handle: resource, components: Tcomponents -> () */
static inline TF_Operation *sl_queue_enqueue_v2_with(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components, struct sl_queue_enqueue_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {components, num_components}};
    const struct sl_attr_given attrs_[] = {{"timeout_ms", SL_GIVEN_INT, &attrs.timeout_ms}};
    return sl_op(scope, "QueueEnqueueV2", inputs_, 2, attrs_, 1);
}
static inline TF_Operation *sl_queue_enqueue_v2(struct sl_scope *scope, TF_Output handle, const TF_Output *components, int num_components) {
    const struct sl_queue_enqueue_v2_attrs attrs = SL_DEFAULTS;
    return sl_queue_enqueue_v2_with(scope, handle, components, num_components, attrs);
}

/* QueueIsClosed: handle: Ref(string) -> is_closed: bool */
static inline TF_Output sl_queue_is_closed(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "QueueIsClosed", inputs_, 1, NULL, 0));
}

/* QueueIsClosedV2: handle: resource -> is_closed: bool */
static inline TF_Output sl_queue_is_closed_v2(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "QueueIsClosedV2", inputs_, 1, NULL, 0));
}

/* QueueSize: handle: Ref(string) -> size: int32 */
static inline TF_Output sl_queue_size(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "QueueSize", inputs_, 1, NULL, 0));
}

/* QueueSizeV2: handle: resource -> size: int32 */
static inline TF_Output sl_queue_size_v2(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "QueueSizeV2", inputs_, 1, NULL, 0));
}

struct sl_random_shuffle_queue_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    int64_t min_after_dequeue; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* RandomShuffleQueue: () -> handle: Ref(string) */
static inline TF_Output sl_random_shuffle_queue(struct sl_scope *scope, struct sl_random_shuffle_queue_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"min_after_dequeue", SL_GIVEN_INT, &attrs.min_after_dequeue}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "RandomShuffleQueue", NULL, 0, attrs_, 8));
}

struct sl_random_shuffle_queue_v2_attrs {
    struct sl_types component_types; /* must be given */
    struct sl_shapes shapes; /* [] */
    int64_t capacity; /* -1 */
    int64_t min_after_dequeue; /* 0 */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* RandomShuffleQueueV2: () -> handle: resource */
static inline TF_Output sl_random_shuffle_queue_v2(struct sl_scope *scope, struct sl_random_shuffle_queue_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"component_types", SL_GIVEN_TYPES_NEEDED, &attrs.component_types}, {"shapes", SL_GIVEN_SHAPES, &attrs.shapes}, {"capacity", SL_GIVEN_INT, &attrs.capacity}, {"min_after_dequeue", SL_GIVEN_INT, &attrs.min_after_dequeue}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "RandomShuffleQueueV2", NULL, 0, attrs_, 8));
}

struct sl_record_input_attrs {
    const char *file_pattern; /* must be given */
    int64_t file_random_seed; /* 301 */
    float file_shuffle_shift_ratio; /* 0 */
    int64_t file_buffer_size; /* 10000 */
    int64_t file_parallelism; /* 16 */
    int64_t batch_size; /* 32 */
    const char *compression_type; /* '' */
};
/* RecordInput: () -> records: string */
static inline TF_Output sl_record_input(struct sl_scope *scope, struct sl_record_input_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"file_pattern", SL_GIVEN_STRING, &attrs.file_pattern}, {"file_random_seed", SL_GIVEN_INT, &attrs.file_random_seed}, {"file_shuffle_shift_ratio", SL_GIVEN_FLOAT, &attrs.file_shuffle_shift_ratio}, {"file_buffer_size", SL_GIVEN_INT, &attrs.file_buffer_size}, {"file_parallelism", SL_GIVEN_INT, &attrs.file_parallelism}, {"batch_size", SL_GIVEN_INT, &attrs.batch_size}, {"compression_type", SL_GIVEN_STRING, &attrs.compression_type}};
    return sl_op_first(sl_op(scope, "RecordInput", NULL, 0, attrs_, 7));
}

/* ResourceAccumulatorApplyGradient: handle: resource, local_step: int64, gradient: dtype -> () */
static inline TF_Operation *sl_resource_accumulator_apply_gradient(struct sl_scope *scope, TF_Output handle, TF_Output local_step, TF_Output gradient) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&local_step, -1}, {&gradient, -1}};
    return sl_op(scope, "ResourceAccumulatorApplyGradient", inputs_, 3, NULL, 0);
}

/* ResourceAccumulatorNumAccumulated: handle: resource -> num_accumulated: int32 */
static inline TF_Output sl_resource_accumulator_num_accumulated(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op_first(sl_op(scope, "ResourceAccumulatorNumAccumulated", inputs_, 1, NULL, 0));
}

/* ResourceAccumulatorSetGlobalStep: handle: resource, new_global_step: int64 -> () */
static inline TF_Operation *sl_resource_accumulator_set_global_step(struct sl_scope *scope, TF_Output handle, TF_Output new_global_step) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&new_global_step, -1}};
    return sl_op(scope, "ResourceAccumulatorSetGlobalStep", inputs_, 2, NULL, 0);
}

struct sl_resource_accumulator_take_gradient_attrs {
    TF_DataType dtype; /* must be given */
};
/* ResourceAccumulatorTakeGradient: handle: resource, num_required: int32 -> average: dtype */
static inline TF_Output sl_resource_accumulator_take_gradient(struct sl_scope *scope, TF_Output handle, TF_Output num_required, struct sl_resource_accumulator_take_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&num_required, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "ResourceAccumulatorTakeGradient", inputs_, 2, attrs_, 1));
}

struct sl_resource_conditional_accumulator_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *reduction_type; /* 'MEAN' */
};
/* ResourceConditionalAccumulator: () -> handle: resource */
static inline TF_Output sl_resource_conditional_accumulator(struct sl_scope *scope, struct sl_resource_conditional_accumulator_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"reduction_type", SL_GIVEN_STRING, &attrs.reduction_type}};
    return sl_op_first(sl_op(scope, "ResourceConditionalAccumulator", NULL, 0, attrs_, 5));
}

struct sl_sparse_accumulator_apply_gradient_attrs {
    bool has_known_shape; /* must be given */
};
/* SparseAccumulatorApplyGradient: handle: Ref(string), local_step: int64, gradient_indices: int64, gradient_values: dtype, gradient_shape: int64 -> () */
static inline TF_Operation *sl_sparse_accumulator_apply_gradient(struct sl_scope *scope, TF_Output handle, TF_Output local_step, TF_Output gradient_indices, TF_Output gradient_values, TF_Output gradient_shape, struct sl_sparse_accumulator_apply_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&local_step, -1}, {&gradient_indices, -1}, {&gradient_values, -1}, {&gradient_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"has_known_shape", SL_GIVEN_BOOL_NEEDED, &attrs.has_known_shape}};
    return sl_op(scope, "SparseAccumulatorApplyGradient", inputs_, 5, attrs_, 1);
}

struct sl_sparse_accumulator_take_gradient_outputs {
    TF_Output indices, values, shape;
};
struct sl_sparse_accumulator_take_gradient_attrs {
    TF_DataType dtype; /* must be given */
};
/* SparseAccumulatorTakeGradient: handle: Ref(string), num_required: int32 -> indices: int64, values: dtype, shape: int64 */
static inline struct sl_sparse_accumulator_take_gradient_outputs sl_sparse_accumulator_take_gradient(struct sl_scope *scope, TF_Output handle, TF_Output num_required, struct sl_sparse_accumulator_take_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&num_required, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    TF_Operation *const op_ = sl_op(scope, "SparseAccumulatorTakeGradient", inputs_, 2, attrs_, 1);
    const struct sl_sparse_accumulator_take_gradient_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_conditional_accumulator_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
    const char *reduction_type; /* 'MEAN' */
};
/* SparseConditionalAccumulator: () -> handle: Ref(string) */
static inline TF_Output sl_sparse_conditional_accumulator(struct sl_scope *scope, struct sl_sparse_conditional_accumulator_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}, {"reduction_type", SL_GIVEN_STRING, &attrs.reduction_type}};
    return sl_op_first(sl_op(scope, "SparseConditionalAccumulator", NULL, 0, attrs_, 5));
}

struct sl_stage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* Stage: values: dtypes -> () */
static inline TF_Operation *sl_stage_with(struct sl_scope *scope, const TF_Output *values, int num_values, struct sl_stage_attrs attrs) {
    const struct sl_op_input inputs_[] = {{values, num_values}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "Stage", inputs_, 1, attrs_, 4);
}
static inline TF_Operation *sl_stage(struct sl_scope *scope, const TF_Output *values, int num_values) {
    const struct sl_stage_attrs attrs = SL_DEFAULTS;
    return sl_stage_with(scope, values, num_values, attrs);
}

struct sl_stage_clear_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* StageClear: () -> () */
static inline TF_Operation *sl_stage_clear(struct sl_scope *scope, struct sl_stage_clear_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "StageClear", NULL, 0, attrs_, 5);
}

struct sl_stage_peek_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* StagePeek: index: int32 -> values: dtypes */
static inline TF_Operation *sl_stage_peek(struct sl_scope *scope, TF_Output index, struct sl_stage_peek_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&index, -1}};
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "StagePeek", inputs_, 1, attrs_, 5);
}

struct sl_stage_size_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* StageSize: () -> size: int32 */
static inline TF_Output sl_stage_size(struct sl_scope *scope, struct sl_stage_size_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "StageSize", NULL, 0, attrs_, 5));
}

struct sl_unstage_attrs {
    int64_t capacity; /* 0 */
    int64_t memory_limit; /* 0 */
    struct sl_types dtypes; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* Unstage: () -> values: dtypes */
static inline TF_Operation *sl_unstage(struct sl_scope *scope, struct sl_unstage_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"capacity", SL_GIVEN_INT, &attrs.capacity}, {"memory_limit", SL_GIVEN_INT, &attrs.memory_limit}, {"dtypes", SL_GIVEN_TYPES_NEEDED, &attrs.dtypes}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op(scope, "Unstage", NULL, 0, attrs_, 5);
}

#ifdef __cplusplus
}
#endif

#endif
