/* Offers and answers of shared blocks. */
#include "dist/shared_values.h"

#include "base/checked.h"
#include "dist/tensor_wire.h"
#include "tensor/tensor_proto.h"

static const char type_name[] = "sluice/SharedBlock";

/* The key without frame and iteration. */
atomic_size_t *sl_shared_size_of(struct sl_shared_sizes *sizes, struct sl_str key) {
    uint32_t hash = 2166136261u;
    size_t n = key.n;
    while (n && key.p[n - 1] != ';') n--;
    for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)key.p[i]) * 16777619u;
    return &sizes->size[hash % SL_SHARED_SIZES];
}

static struct sl_pb_Any any_of(const void *data, size_t n) {
    return (struct sl_pb_Any){.type_url = SL_STR(type_name), .value = {data, n}};
}

static bool is_ours(const struct sl_pb_Any *any, size_t n) {
    return any && sl_str_is(any->type_url, type_name) && any->value.n == n;
}

/* ---- who receives */

sl_code sl_shared_offer_add(struct sl_rpc_message *request, const struct sl_shared_block *block, struct sl_error *err) {
    const struct sl_pb_Any any = any_of(&block->offer, sizeof block->offer);
    const struct sl_pb_RecvTensorRequest part = {.transport_options = (struct sl_pb_Any *)&any};
    return sl_wire_add_message(request, SL_PB_TYPE_OF(RecvTensorRequest), &part, err); /* parts of a message add up */
}

bool sl_shared_is_written(const struct sl_pb_RecvTensorResponse *answer) {
    return is_ours(answer->transport_options, sizeof(uint64_t));
}

static void release_block(void *data, size_t bytes, void *block) {
    (void)data;
    (void)bytes;
    sl_shared_block_give(block);
}

sl_code sl_shared_read(struct sl_value *out, const struct sl_pb_RecvTensorResponse *answer,
                       struct sl_shared_block *block, struct sl_error *err) {
    const struct sl_pb_TensorProto *proto = answer->tensor;
    const struct sl_pb_TensorShapeProto *shape = proto ? proto->tensor_shape : NULL;
    int64_t dims[SL_MAX_RANK], count = 0, bytes = 0;
    struct sl_tensor *t;
    uint64_t written;
    memcpy(&written, answer->transport_options->value.p, sizeof written);
    bool is_good = block && shape && !shape->unknown_rank && shape->dim.n <= SL_MAX_RANK &&
                   sl_dtype_is_valid(proto->dtype) && sl_dtype_is_plain(proto->dtype);
    for (size_t d = 0; is_good && d < shape->dim.n; d++) dims[d] = shape->dim.items[d].size;
    is_good = is_good && sl_shape_count(&count, (struct sl_shape){(int)shape->dim.n, dims}, NULL) == SL_OK &&
              sl_mul_i64(&bytes, count, (int64_t)sl_dtype_size(proto->dtype)) && (uint64_t)bytes == written &&
              written <= block->size;
    if (!is_good)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a value came that is not in the memory that it is said to be in");
    SL_TRY(sl_tensor_wrap(&t, proto->dtype, (struct sl_shape){(int)shape->dim.n, dims}, block->data, (size_t)bytes,
                          release_block, block, err));
    *out = sl_value_of_tensor(t);
    return SL_OK;
}

/* ---- who sends */

bool sl_shared_offer_read(struct sl_shared_offer *out, const struct sl_pb_RecvTensorRequest *request) {
    if (!is_ours(request->transport_options, sizeof *out)) return false;
    memcpy(out, request->transport_options->value.p, sizeof *out);
    return out->size >= SL_SHARED_LEAST;
}

bool sl_shared_fits(const struct sl_shared_offer *offer, const struct sl_value *value) {
    if (value->kind != SL_VALUE_TENSOR) return false;
    const struct sl_tensor *t = value->tensor;
    return !t->is_elsewhere && sl_dtype_is_plain(t->dtype) && t->bytes >= SL_SHARED_LEAST && t->bytes <= offer->size;
}

static sl_code write_answer(struct sl_rpc_message *m, const struct sl_tensor *t, int64_t begun_us,
                            struct sl_arena *arena, struct sl_error *err) {
    const uint64_t bytes = t->bytes;
    struct sl_pb_Any any = any_of(&bytes, sizeof bytes);
    struct sl_pb_TensorProto head = {.dtype = t->dtype};
    const struct sl_pb_RecvTensorResponse answer = {.tensor = &head,
                                                    .send_start_micros = begun_us,
                                                    .transport_options = &any};
    SL_TRY(sl_shape_to_proto(&head.tensor_shape, (struct sl_shape){t->rank, t->dims}, arena, err));
    return sl_wire_add_message(m, SL_PB_TYPE_OF(RecvTensorResponse), &answer, err);
}

sl_code sl_shared_answer_add(bool *is_written, struct sl_rpc_message *m, struct sl_shared_maps *maps,
                             const struct sl_shared_offer *offer, const struct sl_value *value, int64_t begun_us,
                             struct sl_error *err) {
    const struct sl_tensor *t = value->tensor;
    struct sl_arena arena;
    *is_written = sl_shared_maps_write(maps, offer, t->data, t->bytes);
    if (!*is_written) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = write_answer(m, t, begun_us, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
