/* Reading attrs. The kind is checked by the readers of ops/attr.h; here values are copied out. */
#include "capi/attr_reader.h"

#include <string.h>

#include "tensor/tensor_proto.h"

sl_code sl_read_attr(const struct sl_pb_AttrValue **out, const struct sl_attr_source *from, const char *name,
                     struct sl_error *err) {
    *out = name ? sl_attr_find(from->attrs, sl_str_of(name)) : NULL;
    if (*out) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Operation '%.*s' has no attr named '%s'.", SL_STR_ARG(from->node),
                   name ? name : "");
}

/* A missing string or list is told in the words of sl_read_attr, before a reader looks at the kind; anything else by
 * the reader, NOT_FOUND, to which the node is added. So it is in the original, and bindings make exceptions of the
 * codes. */
#define CHECK_THERE                                                                                                    \
    const struct sl_pb_AttrValue *there_;                                                                              \
    SL_TRY(sl_read_attr(&there_, from, name, err))

static sl_code with_node(sl_code code, const struct sl_attr_source *from, struct sl_error *err) {
    return code == SL_NOT_FOUND ? sl_error_append(err, "\n\t [[{{node %.*s}}]]", SL_STR_ARG(from->node)) : code;
}

/* ---- metadata */
static int64_t rank_of(const struct sl_pb_TensorShapeProto *shape) {
    return shape->unknown_rank ? -1 : (int64_t)shape->dim.n;
}

static TF_AttrType type_of_kind(int kind) { return kind == SL_ATTR_FUNC ? TF_ATTR_FUNC : (TF_AttrType)kind; }

/* Kind and size of a list by what it holds; an empty one is what the op declares. */
static void list_metadata(TF_AttrMetadata *out, const struct sl_pb_AttrValue_ListValue *list,
                          const struct sl_op_attr *declared) {
    const struct {
        size_t n;
        TF_AttrType type;
    } kinds[] = {{list->s.n, TF_ATTR_STRING},      {list->i.n, TF_ATTR_INT},     {list->f.n, TF_ATTR_FLOAT},
                 {list->b.n, TF_ATTR_BOOL},        {list->type.n, TF_ATTR_TYPE}, {list->shape.n, TF_ATTR_SHAPE},
                 {list->tensor.n, TF_ATTR_TENSOR}, {list->func.n, TF_ATTR_FUNC}};
    *out = (TF_AttrMetadata){.is_list = 1, .type = declared ? type_of_kind(declared->kind) : TF_ATTR_INT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].n) {
            out->list_size = (int64_t)kinds[i].n;
            out->type = kinds[i].type;
        }
    out->total_size = 0;
    for (size_t i = 0; i < list->s.n; i++) out->total_size += (int64_t)list->s.items[i].n;
    for (size_t i = 0; i < list->shape.n; i++) {
        int64_t rank = rank_of(&list->shape.items[i]);
        if (rank > 0) out->total_size += rank;
    }
    if (out->list_size == 0 || (out->type != TF_ATTR_STRING && out->type != TF_ATTR_SHAPE)) out->total_size = -1;
}

sl_code sl_read_attr_metadata(TF_AttrMetadata *out, const struct sl_attr_source *from, const char *name,
                              struct sl_error *err) {
    const struct sl_pb_AttrValue *value;
    SL_TRY(sl_read_attr(&value, from, name, err));
    *out = (TF_AttrMetadata){.is_list = 0, .list_size = -1, .total_size = -1};
    switch (value->which) {
    case SL_PB_AttrValue_s:
        out->type = TF_ATTR_STRING;
        out->total_size = (int64_t)value->s.n;
        break;
    case SL_PB_AttrValue_i: out->type = TF_ATTR_INT; break;
    case SL_PB_AttrValue_f: out->type = TF_ATTR_FLOAT; break;
    case SL_PB_AttrValue_b: out->type = TF_ATTR_BOOL; break;
    case SL_PB_AttrValue_type: out->type = TF_ATTR_TYPE; break;
    case SL_PB_AttrValue_shape:
        out->type = TF_ATTR_SHAPE;
        out->total_size = rank_of(value->shape);
        break;
    case SL_PB_AttrValue_tensor: out->type = TF_ATTR_TENSOR; break;
    case SL_PB_AttrValue_placeholder: out->type = TF_ATTR_PLACEHOLDER; break;
    case SL_PB_AttrValue_func: out->type = TF_ATTR_FUNC; break;
    case SL_PB_AttrValue_list: {
        int declared = sl_op_attr_index(from->op, sl_str_of(name));
        list_metadata(out, value->list, declared >= 0 ? &from->op->attrs[declared] : NULL);
        break;
    }
    default: return sl_fail(err, SL_INVALID_ARGUMENT, "Attribute '%s' is not set", name);
    }
    return SL_OK;
}

/* ---- single values */
sl_code sl_read_attr_string(void *value, size_t max_length, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err) {
    struct sl_str text;
    CHECK_THERE;
    SL_TRY(sl_attr_string(&text, from->attrs, name, err));
    size_t n = text.n < max_length ? text.n : max_length;
    if (n) memcpy(value, text.p, n);
    return SL_OK;
}

sl_code sl_read_attr_int(int64_t *value, const struct sl_attr_source *from, const char *name, struct sl_error *err) {
    return with_node(sl_attr_int(value, from->attrs, name, err), from, err);
}

sl_code sl_read_attr_float(float *value, const struct sl_attr_source *from, const char *name, struct sl_error *err) {
    return with_node(sl_attr_float(value, from->attrs, name, err), from, err);
}

sl_code sl_read_attr_bool(unsigned char *value, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err) {
    bool b;
    SL_TRY(with_node(sl_attr_bool(&b, from->attrs, name, err), from, err));
    *value = b;
    return SL_OK;
}

sl_code sl_read_attr_type(TF_DataType *value, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err) {
    int type;
    SL_TRY(with_node(sl_attr_type(&type, from->attrs, name, err), from, err));
    *value = (TF_DataType)type;
    return SL_OK;
}

sl_code sl_read_attr_shape(int64_t *dims, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err) {
    struct sl_arena arena;
    struct sl_shape shape;
    sl_arena_init(&arena);
    sl_code code = with_node(sl_attr_shape(&shape, &arena, from->attrs, name, err), from, err);
    for (int i = 0; code == SL_OK && i < shape.rank && i < max; i++) dims[i] = shape.dims[i];
    sl_arena_clear(&arena);
    return code;
}

static sl_code new_tensor(TF_Tensor **out, const struct sl_pb_TensorProto *proto, struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(sl_tensor_from_proto(&tensor, proto, err));
    return sl_tensor_handle_try(out, tensor, err);
}

sl_code sl_read_attr_tensor(TF_Tensor **value, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err) {
    const struct sl_pb_TensorProto *proto;
    SL_TRY(with_node(sl_attr_tensor(&proto, from->attrs, name, err), from, err));
    return new_tensor(value, proto, err);
}

/* ---- lists */
sl_code sl_read_attr_strings(void **values, size_t *lengths, int max, void *storage, size_t storage_size,
                             const struct sl_attr_source *from, const char *name, struct sl_error *err) {
    const struct sl_str *items;
    int n;
    char *at = storage;
    size_t room = storage_size;
    CHECK_THERE;
    SL_TRY(sl_attr_string_list(&items, &n, from->attrs, name, err));
    for (int i = 0; i < n && i < max; i++) {
        if (items[i].n > room)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Not enough storage to hold the requested list of strings");
        values[i] = at;
        lengths[i] = items[i].n;
        if (items[i].n) memcpy(at, items[i].p, items[i].n);
        at += items[i].n;
        room -= items[i].n;
    }
    return SL_OK;
}

/* Elements of one type that only need a conversion. */
#define READ_LIST(read, element, result)                                                                               \
    const element *items;                                                                                              \
    int n;                                                                                                             \
    CHECK_THERE;                                                                                                       \
    SL_TRY(read(&items, &n, from->attrs, name, err));                                                                  \
    for (int i = 0; i < n && i < max; i++) values[i] = (result)items[i];                                               \
    return SL_OK

sl_code sl_read_attr_ints(int64_t *values, int max, const struct sl_attr_source *from, const char *name,
                          struct sl_error *err) {
    READ_LIST(sl_attr_int_list, int64_t, int64_t);
}

sl_code sl_read_attr_floats(float *values, int max, const struct sl_attr_source *from, const char *name,
                            struct sl_error *err) {
    READ_LIST(sl_attr_float_list, float, float);
}

sl_code sl_read_attr_bools(unsigned char *values, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err) {
    READ_LIST(sl_attr_bool_list, bool, unsigned char);
}

sl_code sl_read_attr_types(TF_DataType *values, int max, const struct sl_attr_source *from, const char *name,
                           struct sl_error *err) {
    READ_LIST(sl_attr_type_list, int32_t, TF_DataType);
}

sl_code sl_read_attr_tensors(TF_Tensor **values, int max, const struct sl_attr_source *from, const char *name,
                             struct sl_error *err) {
    const struct sl_pb_TensorProto *items;
    int n;
    SL_TRY(with_node(sl_attr_tensor_list(&items, &n, from->attrs, name, err), from, err));
    for (int i = 0; i < n && i < max; i++) {
        sl_code code = new_tensor(&values[i], &items[i], err);
        if (code == SL_OK) continue;
        while (i-- > 0) TF_DeleteTensor(values[i]);
        return code;
    }
    return SL_OK;
}
