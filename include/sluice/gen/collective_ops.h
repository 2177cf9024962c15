/* Wrappers of the collective ops, made by tools/gen_ops.py from src/ops/collective.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_COLLECTIVE_OPS_H
#define SLUICE_GEN_COLLECTIVE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_collective_all_to_all_v2_attrs {
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
    bool is_stateless; /* false */
};
/* CollectiveAllToAllV2: input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource -> data: T */
static inline TF_Output sl_collective_all_to_all_v2_with(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token, struct sl_collective_all_to_all_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&group_size, -1}, {&group_key, -1}, {&instance_key, -1}, {ordering_token, num_ordering_token}};
    const struct sl_attr_given attrs_[] = {{"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}, {"is_stateless", SL_GIVEN_BOOL, &attrs.is_stateless}};
    return sl_op_first(sl_op(scope, "CollectiveAllToAllV2", inputs_, 5, attrs_, 3));
}
static inline TF_Output sl_collective_all_to_all_v2(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token) {
    const struct sl_collective_all_to_all_v2_attrs attrs = SL_DEFAULTS;
    return sl_collective_all_to_all_v2_with(scope, input, group_size, group_key, instance_key, ordering_token, num_ordering_token, attrs);
}

struct sl_collective_all_to_all_v3_attrs {
    float timeout_seconds; /* 0 */
};
/* CollectiveAllToAllV3: input: T, communicator: resource, group_assignment: int32 -> data: T */
static inline TF_Output sl_collective_all_to_all_v3_with(struct sl_scope *scope, TF_Output input, TF_Output communicator, TF_Output group_assignment, struct sl_collective_all_to_all_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&communicator, -1}, {&group_assignment, -1}};
    const struct sl_attr_given attrs_[] = {{"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveAllToAllV3", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_collective_all_to_all_v3(struct sl_scope *scope, TF_Output input, TF_Output communicator, TF_Output group_assignment) {
    const struct sl_collective_all_to_all_v3_attrs attrs = SL_DEFAULTS;
    return sl_collective_all_to_all_v3_with(scope, input, communicator, group_assignment, attrs);
}

struct sl_collective_assign_group_v2_outputs {
    TF_Output group_size, group_key;
};
/* CollectiveAssignGroupV2: group_assignment: int32, device_index: int32, base_key: int32 -> group_size: int32, group_key: int32 */
static inline struct sl_collective_assign_group_v2_outputs sl_collective_assign_group_v2(struct sl_scope *scope, TF_Output group_assignment, TF_Output device_index, TF_Output base_key) {
    const struct sl_op_input inputs_[] = {{&group_assignment, -1}, {&device_index, -1}, {&base_key, -1}};
    TF_Operation *const op_ = sl_op(scope, "CollectiveAssignGroupV2", inputs_, 3, NULL, 0);
    const struct sl_collective_assign_group_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_collective_bcast_recv_attrs {
    TF_DataType T; /* must be given */
    int64_t group_size; /* must be given */
    int64_t group_key; /* must be given */
    int64_t instance_key; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveBcastRecv: () -> data: T */
static inline TF_Output sl_collective_bcast_recv(struct sl_scope *scope, struct sl_collective_bcast_recv_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"T", SL_GIVEN_TYPE, &attrs.T}, {"group_size", SL_GIVEN_INT_NEEDED, &attrs.group_size}, {"group_key", SL_GIVEN_INT_NEEDED, &attrs.group_key}, {"instance_key", SL_GIVEN_INT_NEEDED, &attrs.instance_key}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveBcastRecv", NULL, 0, attrs_, 7));
}

struct sl_collective_bcast_recv_v2_attrs {
    TF_DataType T; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveBcastRecvV2: group_size: int32, group_key: int32, instance_key: int32, shape: Tshape -> data: T */
static inline TF_Output sl_collective_bcast_recv_v2(struct sl_scope *scope, TF_Output group_size, TF_Output group_key, TF_Output instance_key, TF_Output shape, struct sl_collective_bcast_recv_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&group_size, -1}, {&group_key, -1}, {&instance_key, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"T", SL_GIVEN_TYPE, &attrs.T}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveBcastRecvV2", inputs_, 4, attrs_, 3));
}

struct sl_collective_bcast_send_attrs {
    int64_t group_size; /* must be given */
    int64_t group_key; /* must be given */
    int64_t instance_key; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveBcastSend: input: T -> data: T */
static inline TF_Output sl_collective_bcast_send(struct sl_scope *scope, TF_Output input, struct sl_collective_bcast_send_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"group_size", SL_GIVEN_INT_NEEDED, &attrs.group_size}, {"group_key", SL_GIVEN_INT_NEEDED, &attrs.group_key}, {"instance_key", SL_GIVEN_INT_NEEDED, &attrs.instance_key}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveBcastSend", inputs_, 1, attrs_, 6));
}

struct sl_collective_bcast_send_v2_attrs {
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveBcastSendV2: input: T, group_size: int32, group_key: int32, instance_key: int32 -> data: T */
static inline TF_Output sl_collective_bcast_send_v2_with(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, struct sl_collective_bcast_send_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&group_size, -1}, {&group_key, -1}, {&instance_key, -1}};
    const struct sl_attr_given attrs_[] = {{"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveBcastSendV2", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_collective_bcast_send_v2(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key) {
    const struct sl_collective_bcast_send_v2_attrs attrs = SL_DEFAULTS;
    return sl_collective_bcast_send_v2_with(scope, input, group_size, group_key, instance_key, attrs);
}

struct sl_collective_gather_attrs {
    int64_t group_size; /* must be given */
    int64_t group_key; /* must be given */
    int64_t instance_key; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveGather: input: T -> data: T */
static inline TF_Output sl_collective_gather(struct sl_scope *scope, TF_Output input, struct sl_collective_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"group_size", SL_GIVEN_INT_NEEDED, &attrs.group_size}, {"group_key", SL_GIVEN_INT_NEEDED, &attrs.group_key}, {"instance_key", SL_GIVEN_INT_NEEDED, &attrs.instance_key}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveGather", inputs_, 1, attrs_, 6));
}

struct sl_collective_gather_v2_attrs {
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
    bool is_stateless; /* false */
};
/* CollectiveGatherV2: input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource -> data: T */
static inline TF_Output sl_collective_gather_v2_with(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token, struct sl_collective_gather_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&group_size, -1}, {&group_key, -1}, {&instance_key, -1}, {ordering_token, num_ordering_token}};
    const struct sl_attr_given attrs_[] = {{"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}, {"is_stateless", SL_GIVEN_BOOL, &attrs.is_stateless}};
    return sl_op_first(sl_op(scope, "CollectiveGatherV2", inputs_, 5, attrs_, 3));
}
static inline TF_Output sl_collective_gather_v2(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token) {
    const struct sl_collective_gather_v2_attrs attrs = SL_DEFAULTS;
    return sl_collective_gather_v2_with(scope, input, group_size, group_key, instance_key, ordering_token, num_ordering_token, attrs);
}

struct sl_collective_initialize_communicator_attrs {
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveInitializeCommunicator: group_key: int32, rank: int32, group_size: int32 -> communicator: resource */
static inline TF_Output sl_collective_initialize_communicator_with(struct sl_scope *scope, TF_Output group_key, TF_Output rank, TF_Output group_size, struct sl_collective_initialize_communicator_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&group_key, -1}, {&rank, -1}, {&group_size, -1}};
    const struct sl_attr_given attrs_[] = {{"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveInitializeCommunicator", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_collective_initialize_communicator(struct sl_scope *scope, TF_Output group_key, TF_Output rank, TF_Output group_size) {
    const struct sl_collective_initialize_communicator_attrs attrs = SL_DEFAULTS;
    return sl_collective_initialize_communicator_with(scope, group_key, rank, group_size, attrs);
}

struct sl_collective_reduce_attrs {
    int64_t group_size; /* must be given */
    int64_t group_key; /* must be given */
    int64_t instance_key; /* must be given */
    const char *merge_op; /* must be given */
    const char *final_op; /* must be given */
    struct sl_ints subdiv_offsets; /* must be given */
    struct sl_ints wait_for; /* [] */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
};
/* CollectiveReduce: input: T -> data: T */
static inline TF_Output sl_collective_reduce(struct sl_scope *scope, TF_Output input, struct sl_collective_reduce_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"group_size", SL_GIVEN_INT_NEEDED, &attrs.group_size}, {"group_key", SL_GIVEN_INT_NEEDED, &attrs.group_key}, {"instance_key", SL_GIVEN_INT_NEEDED, &attrs.instance_key}, {"merge_op", SL_GIVEN_STRING, &attrs.merge_op}, {"final_op", SL_GIVEN_STRING, &attrs.final_op}, {"subdiv_offsets", SL_GIVEN_INTS_NEEDED, &attrs.subdiv_offsets}, {"wait_for", SL_GIVEN_INTS, &attrs.wait_for}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveReduce", inputs_, 1, attrs_, 9));
}

struct sl_collective_reduce_scatter_v2_attrs {
    const char *merge_op; /* must be given */
    const char *final_op; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
    bool is_stateless; /* false */
    int64_t max_subdivs_per_device; /* -1 */
};
/* CollectiveReduceScatterV2: input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource -> data: T */
static inline TF_Output sl_collective_reduce_scatter_v2(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token, struct sl_collective_reduce_scatter_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&group_size, -1}, {&group_key, -1}, {&instance_key, -1}, {ordering_token, num_ordering_token}};
    const struct sl_attr_given attrs_[] = {{"merge_op", SL_GIVEN_STRING, &attrs.merge_op}, {"final_op", SL_GIVEN_STRING, &attrs.final_op}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}, {"is_stateless", SL_GIVEN_BOOL, &attrs.is_stateless}, {"max_subdivs_per_device", SL_GIVEN_INT, &attrs.max_subdivs_per_device}};
    return sl_op_first(sl_op(scope, "CollectiveReduceScatterV2", inputs_, 5, attrs_, 6));
}

struct sl_collective_reduce_v2_attrs {
    const char *merge_op; /* must be given */
    const char *final_op; /* must be given */
    const char *communication_hint; /* 'auto' */
    float timeout_seconds; /* 0 */
    bool is_stateless; /* false */
    int64_t max_subdivs_per_device; /* -1 */
};
/* CollectiveReduceV2: input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: Nordering_token * resource -> data: T */
static inline TF_Output sl_collective_reduce_v2(struct sl_scope *scope, TF_Output input, TF_Output group_size, TF_Output group_key, TF_Output instance_key, const TF_Output *ordering_token, int num_ordering_token, struct sl_collective_reduce_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&group_size, -1}, {&group_key, -1}, {&instance_key, -1}, {ordering_token, num_ordering_token}};
    const struct sl_attr_given attrs_[] = {{"merge_op", SL_GIVEN_STRING, &attrs.merge_op}, {"final_op", SL_GIVEN_STRING, &attrs.final_op}, {"communication_hint", SL_GIVEN_STRING, &attrs.communication_hint}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}, {"is_stateless", SL_GIVEN_BOOL, &attrs.is_stateless}, {"max_subdivs_per_device", SL_GIVEN_INT, &attrs.max_subdivs_per_device}};
    return sl_op_first(sl_op(scope, "CollectiveReduceV2", inputs_, 5, attrs_, 6));
}

struct sl_collective_reduce_v3_attrs {
    const char *reduction; /* must be given */
    float timeout_seconds; /* 0 */
};
/* CollectiveReduceV3: input: T, communicator: resource, group_assignment: int32 -> data: T */
static inline TF_Output sl_collective_reduce_v3(struct sl_scope *scope, TF_Output input, TF_Output communicator, TF_Output group_assignment, struct sl_collective_reduce_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&communicator, -1}, {&group_assignment, -1}};
    const struct sl_attr_given attrs_[] = {{"reduction", SL_GIVEN_STRING, &attrs.reduction}, {"timeout_seconds", SL_GIVEN_FLOAT, &attrs.timeout_seconds}};
    return sl_op_first(sl_op(scope, "CollectiveReduceV3", inputs_, 3, attrs_, 2));
}

struct sl_nccl_all_reduce_attrs {
    const char *reduction; /* must be given */
    int64_t num_devices; /* must be given */
    const char *shared_name; /* must be given */
};
/* NcclAllReduce: input: T -> data: T */
static inline TF_Output sl_nccl_all_reduce(struct sl_scope *scope, TF_Output input, struct sl_nccl_all_reduce_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"reduction", SL_GIVEN_STRING, &attrs.reduction}, {"num_devices", SL_GIVEN_INT_NEEDED, &attrs.num_devices}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "NcclAllReduce", inputs_, 1, attrs_, 3));
}

struct sl_nccl_broadcast_attrs {
    struct sl_dims shape; /* must be given */
};
/* NcclBroadcast: input: T -> output: T */
static inline TF_Output sl_nccl_broadcast(struct sl_scope *scope, TF_Output input, struct sl_nccl_broadcast_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "NcclBroadcast", inputs_, 1, attrs_, 1));
}

struct sl_nccl_reduce_attrs {
    const char *reduction; /* must be given */
};
/* NcclReduce: input: num_devices * T -> data: T */
static inline TF_Output sl_nccl_reduce(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_nccl_reduce_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"reduction", SL_GIVEN_STRING, &attrs.reduction}};
    return sl_op_first(sl_op(scope, "NcclReduce", inputs_, 1, attrs_, 1));
}

#ifdef __cplusplus
}
#endif

#endif
