/* Attrs of a TFE_Op. Setters without a status say nothing: what is wrong with a value shows when the op is executed. */
#include "capi/attr_values.h"
#include "capi/eager/eager_handles.h"
#include "proto/wire.h"

/* An attr of an op that was never set because memory was out is missing when the op is executed. */
static sl_code put(struct sl_eager_op *op, const char *name, const sl_attr_value *value, struct sl_error *err) {
    if (!op->op) return SL_OK;
    if (!value) return sl_fail_memory(err, sizeof *value);
    return sl_eager_attrs_put(&op->attrs, sl_str_of(name), value, err);
}

/* Most values are words, which need no memory. */
static void put_here(TFE_Op *op, const char *name, const sl_attr_value *value) {
    put(sl_as_eager_op(op), name, value, NULL);
}

static struct sl_arena *arena_of(const TFE_Op *op) { return &sl_as_eager_op(op)->attrs.arena; }

/* Whether the attr is declared: then a word is all that stays of a value. */
static bool is_declared(const TFE_Op *op, const char *name) {
    const struct sl_op *o = sl_as_eager_op(op)->op;
    return o && sl_op_attr_index(o, sl_str_of(name)) >= 0;
}

void TFE_OpSetAttrInt(TFE_Op *op, const char *attr_name, int64_t value) {
    if (!op || !attr_name) return;
    put_here(op, attr_name,
             is_declared(op, attr_name) ? SL_ATTR_VALUE(i, value) : sl_value_of_int(arena_of(op), value));
}
void TFE_OpSetAttrFloat(TFE_Op *op, const char *attr_name, float value) {
    if (!op || !attr_name) return;
    put_here(op, attr_name,
             is_declared(op, attr_name) ? SL_ATTR_VALUE(f, value) : sl_value_of_float(arena_of(op), value));
}
void TFE_OpSetAttrBool(TFE_Op *op, const char *attr_name, unsigned char value) {
    if (!op || !attr_name) return;
    put_here(op, attr_name,
             is_declared(op, attr_name) ? SL_ATTR_VALUE(b, value != 0) : sl_value_of_bool(arena_of(op), value != 0));
}
void TFE_OpSetAttrType(TFE_Op *op, const char *attr_name, TF_DataType value) {
    if (!op || !attr_name) return;
    put_here(op, attr_name,
             is_declared(op, attr_name) ? SL_ATTR_VALUE(type, (int32_t)value) : sl_value_of_type(arena_of(op), value));
}
void TFE_OpSetAttrString(TFE_Op *op, const char *attr_name, const void *value, size_t length) {
    if (!op || !attr_name) return;
    put_here(op, attr_name, sl_value_of_string(arena_of(op), value, length));
}
void TFE_OpSetAttrFunctionName(TFE_Op *op, const char *attr_name, const char *data, size_t length) {
    if (!op || !attr_name) return;
    put_here(op, attr_name, sl_value_of_function(arena_of(op), data, length));
}

void TFE_OpSetAttrStringList(TFE_Op *op, const char *attr_name, const void *const *values, const size_t *lengths,
                             int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, values, num_values) || SL_LACKS_ITEMS(NULL, lengths, num_values))
        return;
    put_here(op, attr_name, sl_value_of_strings(arena_of(op), values, lengths, num_values));
}
void TFE_OpSetAttrIntList(TFE_Op *op, const char *attr_name, const int64_t *values, int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, values, num_values)) return;
    put_here(op, attr_name, sl_value_of_ints(arena_of(op), values, num_values));
}
void TFE_OpSetAttrFloatList(TFE_Op *op, const char *attr_name, const float *values, int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, values, num_values)) return;
    put_here(op, attr_name, sl_value_of_floats(arena_of(op), values, num_values));
}
void TFE_OpSetAttrBoolList(TFE_Op *op, const char *attr_name, const unsigned char *values, int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, values, num_values)) return;
    put_here(op, attr_name, sl_value_of_bools(arena_of(op), values, num_values));
}
void TFE_OpSetAttrTypeList(TFE_Op *op, const char *attr_name, const TF_DataType *values, int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, values, num_values)) return;
    put_here(op, attr_name, sl_value_of_types(arena_of(op), values, num_values));
}

/* ---- shapes */
static sl_code check_rank(int rank, const char *attr_name, struct sl_error *err) {
    if (rank <= SL_MAX_RANK) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Value specified for `%s` has %d dimensions which is over the limit of %d.", attr_name, rank,
                   SL_MAX_RANK);
}

static sl_code put_shape(const TFE_Op *op, const char *name, const int64_t *dims, int rank, struct sl_error *err) {
    SL_TRY(check_rank(rank, name, err));
    return put(sl_as_eager_op(op), name, sl_value_of_shape(arena_of(op), dims, rank), err);
}

void TFE_OpSetAttrShape(TFE_Op *op, const char *attr_name, const int64_t *dims, int num_dims, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, attr_name) || SL_LACKS_ITEMS(status, dims, num_dims)) return;
    struct sl_error err;
    sl_status_take(status, put_shape(op, attr_name, dims, num_dims, &err), &err);
}

static sl_code put_shapes(const TFE_Op *op, const char *name, const int64_t **dims, const int *ranks, int n,
                          struct sl_error *err) {
    for (int i = 0; i < n; i++) SL_TRY(check_rank(ranks[i], name, err));
    return put(sl_as_eager_op(op), name, sl_value_of_shapes(arena_of(op), dims, ranks, n), err);
}

void TFE_OpSetAttrShapeList(TFE_Op *op, const char *attr_name, const int64_t **dims, const int *num_dims,
                            int num_values, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, attr_name) || SL_LACKS_ITEMS(status, dims, num_values) ||
        SL_LACKS_ITEMS(status, num_dims, num_values))
        return;
    struct sl_error err;
    sl_status_take(status, put_shapes(op, attr_name, dims, num_dims, num_values, &err), &err);
}

/* ---- tensors, messages */
static sl_code put_tensor(const TFE_Op *op, const char *name, TF_Tensor *tensor, struct sl_error *err) {
    sl_attr_value *value;
    struct sl_eager_op *o = sl_as_eager_op(op);
    SL_TRY(sl_value_of_tensors(&value, arena_of(op), &tensor, 1, false, err));
    if (sl_vec_push(&o->attrs.tensors, tensor->tensor)) return sl_fail_memory(err, sizeof tensor);
    sl_tensor_ref(tensor->tensor);
    return put(o, name, value, err);
}

void TFE_OpSetAttrTensor(TFE_Op *op, const char *attr_name, TF_Tensor *tensor, TF_Status *status) {
    if (SL_LACKS(status, op) || SL_LACKS(status, attr_name) || SL_LACKS(status, tensor)) return;
    struct sl_error err;
    sl_status_take(status, put_tensor(op, attr_name, tensor, &err), &err);
}

static sl_code put_bytes(const TFE_Op *op, const char *name, const void *proto, size_t n, struct sl_error *err) {
    sl_attr_value *value;
    if (!op) return sl_fail(err, SL_INVALID_ARGUMENT, "Got a null or uninitialized `op` argument");
    SL_TRY(sl_value_of_bytes(&value, arena_of(op), proto, n, err));
    return put(sl_as_eager_op(op), name, value, err);
}

void TFE_OpSetAttrValueProto(const TFE_Op *op, const char *attr_name, const void *proto, size_t proto_len,
                             TF_Status *status) {
    if (SL_LACKS(status, attr_name)) return;
    struct sl_error err;
    sl_status_take(status, put_bytes(op, attr_name, proto, proto_len, &err), &err);
}

/* ---- functions: a name, and the attrs that were set on the op that stands for it */
static sl_code fill_function(struct sl_pb_NameAttrList *out, struct sl_arena *arena, const struct sl_eager_op *from,
                             struct sl_error *err) {
    struct sl_attrs given, copy;
    struct sl_arena scratch;
    out->name = sl_arena_str(arena, from->op ? from->op->name : SL_STR(""));
    if (!out->name.p) return sl_fail_memory(err, sizeof *out);
    if (!from->op) return SL_OK;
    sl_arena_init(&scratch);
    sl_code code = sl_eager_attrs_given(&given, &scratch, &from->attrs, err);
    if (code == SL_OK) code = sl_attrs_copy(&copy, arena, &given, err);
    sl_arena_clear(&scratch);
    SL_TRY(code);
    out->attr.items = sl_arena_array(arena, (size_t)copy.n, sizeof *out->attr.items);
    if (!out->attr.items) return sl_fail_memory(err, sizeof *out);
    out->attr.n = (size_t)copy.n;
    for (int i = 0; i < copy.n; i++) {
        out->attr.items[i].key = copy.items[i].name;
        out->attr.items[i].value = *copy.items[i].value;
    }
    return SL_OK;
}

void TFE_OpSetAttrFunction(TFE_Op *op, const char *attr_name, const TFE_Op *value) {
    if (!op || !attr_name || !value) return;
    sl_attr_value *v = sl_value_of_function(arena_of(op), "", 0);
    if (v && fill_function(v->func, arena_of(op), sl_as_eager_op(value), NULL) == SL_OK) put_here(op, attr_name, v);
}

void TFE_OpSetAttrFunctionList(TFE_Op *op, const char *attr_name, const TFE_Op **value, int num_values) {
    if (!op || !attr_name || SL_LACKS_ITEMS(NULL, value, num_values)) return;
    struct sl_arena *arena = arena_of(op);
    const size_t n = num_values > 0 ? (size_t)num_values : 0;
    sl_attr_value *v = sl_value_of_ints(arena, NULL, 0);
    struct sl_pb_NameAttrList *items = v ? sl_arena_array(arena, n, sizeof *items) : NULL;
    for (size_t i = 0; items && i < n; i++)
        if (!value[i] || fill_function(&items[i], arena, sl_as_eager_op(value[i]), NULL) != SL_OK) return;
    if (!items) return;
    v->list->func.items = items;
    v->list->func.n = n;
    put_here(op, attr_name, v);
}

/* ---- all attrs: a view of the op's */
const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op) { return (const TFE_OpAttrs *)op; }

static sl_code serialize(TF_Buffer *buffer, const struct sl_eager_op *op, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_attrs given;
    if (!op->op) return sl_fail(err, SL_FAILED_PRECONDITION, "the op has no name: resetting it failed");
    struct sl_pb_NameAttrList list = {.name = op->op->name};
    SL_TRY(sl_eager_attrs_given(&given, arena, &op->attrs, err));
    list.attr.items = sl_arena_array(arena, (size_t)given.n + op->op->n_attrs, sizeof *list.attr.items);
    if (!list.attr.items) return sl_fail_memory(err, sizeof list);
    for (int i = 0; i < given.n; i++) {
        list.attr.items[list.attr.n].key = given.items[i].name;
        list.attr.items[list.attr.n++].value = *given.items[i].value;
    }
    for (int a = 0; a < op->op->n_attrs; a++) {
        const struct sl_op_attr *attr = &op->op->attrs[a];
        if (!attr->default_value || sl_attr_find(&given, attr->name)) continue;
        list.attr.items[list.attr.n].key = attr->name;
        list.attr.items[list.attr.n++].value = *attr->default_value;
    }
    return sl_buffer_encode(buffer, SL_PB_TYPE(NameAttrList), &list, err);
}

void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs, TF_Buffer *buffer, TF_Status *status) {
    if (SL_LACKS(status, attrs) || SL_LACKS(status, buffer)) return;
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, serialize(buffer, sl_as_eager_op((const TFE_Op *)attrs), &arena, &err), &err);
    sl_arena_clear(&arena);
}

void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs) {
    if (!op || !attrs) return;
    struct sl_eager_op *to = sl_as_eager_op(op);
    const struct sl_eager_op *from = sl_as_eager_op((const TFE_Op *)attrs);
    struct sl_attrs given, copy;
    struct sl_arena scratch;
    if (!to->op || !from->op) return;
    sl_arena_init(&scratch);
    if (sl_eager_attrs_given(&given, &scratch, &from->attrs, NULL) == SL_OK &&
        sl_attrs_copy(&copy, &to->attrs.arena, &given, NULL) == SL_OK)
        for (int i = 0; i < copy.n; i++) sl_eager_attrs_put(&to->attrs, copy.items[i].name, copy.items[i].value, NULL);
    sl_arena_clear(&scratch);
}
