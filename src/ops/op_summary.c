/* Texts for messages. A sink of fixed size takes the pieces and remembers that something did not fit. */
#include "ops/op_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"

struct sink {
    char *text;
    size_t n;
    bool is_cut;
};

static void SL_PRINTF(2, 3) put(struct sink *sink, const char *format, ...) {
    size_t room = SL_SUMMARY_MAX - sink->n;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(sink->text + sink->n, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room) sink->is_cut = true;
    sink->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static const char *finish(struct sink *sink) {
    if (sink->is_cut) memcpy(sink->text + SL_SUMMARY_MAX - 4, "...", 4);
    return sink->text;
}

/* ---- values */
enum {
    LONGEST_STRING = 80, /* from here on only the ends are shown */
    STRING_ENDS = 10,
    LONGEST_LIST = 50,
    LIST_ENDS = 5,
    TENSOR_VALUES = 3,
    DEEPEST_FUNC = 4 /* functions in attrs of functions */
};

static void put_escaped(struct sink *sink, const char *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        if (c == '\n') put(sink, "\\n");
        else if (c == '\r') put(sink, "\\r");
        else if (c == '\t') put(sink, "\\t");
        else if (c == '"' || c == '\'' || c == '\\') put(sink, "\\%c", c);
        else if (c < ' ' || c >= 0x7f) put(sink, "\\%03o", c);
        else put(sink, "%c", c);
    }
}

static void put_string(struct sink *sink, struct sl_str s) {
    put(sink, "\"");
    if (s.n < LONGEST_STRING) {
        put_escaped(sink, s.p, s.n);
    } else {
        put_escaped(sink, s.p, STRING_ENDS);
        put(sink, "...");
        put_escaped(sink, s.p + s.n - STRING_ENDS, STRING_ENDS);
    }
    put(sink, "\"");
}

/* Six digits when they read back as the same float, else nine, which always do. */
static void put_float(struct sink *sink, float f) {
    char text[32];
    float back = 0;
    snprintf(text, sizeof text, "%.6g", (double)f);
    if (f == f && (sscanf(text, "%f", &back) != 1 || back != f)) snprintf(text, sizeof text, "%.9g", (double)f);
    put(sink, "%s", f == f ? text : "nan");
}

static void put_type(struct sink *sink, int type) {
    if (type == 0) put(sink, "DT_INVALID");
    if (!sl_dtype_is_valid(sl_dtype_base(type))) return;
    put(sink, "DT_");
    for (const char *p = sl_dtype_name(type); *p; p++) put(sink, "%c", *p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
}

static void put_shape(struct sink *sink, const struct sl_pb_TensorShapeProto *shape) {
    if (shape && shape->unknown_rank) {
        put(sink, "<unknown>");
        return;
    }
    put(sink, "[");
    for (size_t i = 0; shape && i < shape->dim.n && !sink->is_cut; i++) {
        if (shape->dim.items[i].size == -1) put(sink, "%s?", i ? "," : "");
        else put(sink, "%s%" PRId64, i ? "," : "", shape->dim.items[i].size);
    }
    put(sink, "]");
}

/* Element i as the message holds it: in the field of its type, where the last value stands for all that follow, or in
 * the packed content. Only the types that constants in attrs usually have are shown. */
static bool put_element(struct sink *sink, const struct sl_pb_TensorProto *tensor, size_t i, const char *before) {
#define LAST(field) (i < tensor->field.n ? i : tensor->field.n - 1)
#define CONTENT(c_type)                                                                                                \
    if (tensor->tensor_content.n / sizeof(c_type) > i) memcpy(&v, tensor->tensor_content.p + i * sizeof v, sizeof v);
    switch (tensor->dtype) {
    case SL_FLOAT: {
        float v = tensor->float_val.n ? tensor->float_val.items[LAST(float_val)] : 0;
        CONTENT(float)
        put(sink, "%s", before);
        put_float(sink, v);
        return true;
    }
    case SL_INT32: {
        int32_t v = tensor->int_val.n ? tensor->int_val.items[LAST(int_val)] : 0;
        CONTENT(int32_t)
        put(sink, "%s%" PRId32, before, v);
        return true;
    }
    case SL_UINT8: {
        uint8_t v = tensor->int_val.n ? (uint8_t)tensor->int_val.items[LAST(int_val)] : 0;
        CONTENT(uint8_t)
        put(sink, "%s%u", before, v);
        return true;
    }
    case SL_INT64: {
        int64_t v = tensor->int64_val.n ? tensor->int64_val.items[LAST(int64_val)] : 0;
        CONTENT(int64_t)
        put(sink, "%s%" PRId64, before, v);
        return true;
    }
    case SL_STRING:
        put(sink, "%s", before);
        if (tensor->string_val.n)
            put_escaped(sink, tensor->string_val.items[LAST(string_val)].p,
                        tensor->string_val.items[LAST(string_val)].n);
        return true;
    default: return false;
    }
#undef CONTENT
#undef LAST
}

static void put_tensor(struct sink *sink, const struct sl_pb_TensorProto *tensor) {
    int64_t n = 1;
    const struct sl_pb_TensorShapeProto *shape = tensor->tensor_shape;
    bool is_sound = sl_dtype_is_valid(tensor->dtype) && !(shape && shape->unknown_rank);
    for (size_t i = 0; is_sound && shape && i < shape->dim.n; i++)
        is_sound = shape->dim.items[i].size >= 0 && sl_mul_i64(&n, n, shape->dim.items[i].size);
    if (!is_sound) {
        put(sink, "<Invalid TensorProto>");
        return;
    }
    put(sink, "Tensor<type: %s shape: ", sl_dtype_name(tensor->dtype));
    put_shape(sink, shape);
    put(sink, " values:");
    bool is_shown = true;
    for (int64_t i = 0; i < n && i < TENSOR_VALUES && is_shown; i++)
        is_shown = put_element(sink, tensor, (size_t)i, " ");
    put(sink, n > TENSOR_VALUES || !is_shown ? "...>" : ">");
}

static void put_value(struct sink *sink, const struct sl_pb_AttrValue *value, int depth);

/* f[a="x", b=3]: attrs by name. */
static void put_func(struct sink *sink, const struct sl_pb_NameAttrList *func, int depth) {
    put(sink, "%.*s[", SL_STR_ARG(func->name));
    if (depth > DEEPEST_FUNC) put(sink, "...");
    struct sl_str last = {NULL, 0};
    for (size_t k = 0; k < func->attr.n && k < LONGEST_LIST && depth <= DEEPEST_FUNC && !sink->is_cut; k++) {
        const struct sl_pb_entry_string_AttrValue *next = NULL;
        for (size_t i = 0; i < func->attr.n; i++) {
            const struct sl_pb_entry_string_AttrValue *entry = &func->attr.items[i];
            if ((!k || sl_str_cmp(entry->key, last) > 0) && (!next || sl_str_cmp(entry->key, next->key) < 0))
                next = entry;
        }
        if (!next) break;
        put(sink, "%s%.*s=", k ? ", " : "", SL_STR_ARG(next->key));
        put_value(sink, &next->value, depth + 1);
        last = next->key;
    }
    put(sink, "]");
}

static void put_item(struct sink *sink, const struct sl_pb_AttrValue_ListValue *list, size_t i, int depth) {
    if (list->s.n) put_string(sink, list->s.items[i]);
    else if (list->i.n) put(sink, "%" PRId64, list->i.items[i]);
    else if (list->f.n) put_float(sink, list->f.items[i]);
    else if (list->b.n) put(sink, "%s", list->b.items[i] ? "true" : "false");
    else if (list->type.n) put_type(sink, list->type.items[i]);
    else if (list->shape.n) put_shape(sink, &list->shape.items[i]);
    else if (list->tensor.n) put_tensor(sink, &list->tensor.items[i]);
    else put_func(sink, &list->func.items[i], depth);
}

/* Of a list with values of several kinds, which is no valid one, the first kind is shown. */
static void put_list(struct sink *sink, const struct sl_pb_AttrValue_ListValue *list, int depth) {
    static const struct sl_pb_AttrValue_ListValue empty = {0};
    if (!list) list = &empty;
    const size_t lengths[] = {list->s.n,    list->i.n,     list->f.n,      list->b.n,
                              list->type.n, list->shape.n, list->tensor.n, list->func.n};
    size_t n = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths && !n; k++) n = lengths[k];
    bool has_gap = n > LONGEST_LIST;
    put(sink, "[");
    for (size_t i = 0; i < n && !sink->is_cut; i++) {
        if (i) put(sink, ", ");
        if (has_gap && i == LIST_ENDS) {
            put(sink, "..., ");
            i = n - LIST_ENDS;
        }
        put_item(sink, list, i, depth);
    }
    put(sink, "]");
}

static void put_value(struct sink *sink, const struct sl_pb_AttrValue *value, int depth) {
    switch (value->which) {
    case SL_PB_AttrValue_s: put_string(sink, value->s); break;
    case SL_PB_AttrValue_i: put(sink, "%" PRId64, value->i); break;
    case SL_PB_AttrValue_f: put_float(sink, value->f); break;
    case SL_PB_AttrValue_b: put(sink, "%s", value->b ? "true" : "false"); break;
    case SL_PB_AttrValue_type: put_type(sink, value->type); break;
    case SL_PB_AttrValue_shape: put_shape(sink, value->shape); break;
    case SL_PB_AttrValue_tensor: put_tensor(sink, value->tensor); break;
    case SL_PB_AttrValue_list: put_list(sink, value->list, depth); break;
    case SL_PB_AttrValue_func: put_func(sink, value->func, depth); break;
    case SL_PB_AttrValue_placeholder: put(sink, "$%.*s", SL_STR_ARG(value->placeholder)); break;
    default: put(sink, "<Unknown AttrValue type>");
    }
}

const char *sl_attr_summary(char text[SL_SUMMARY_MAX], const struct sl_pb_AttrValue *value) {
    struct sink sink = {.text = text};
    text[0] = 0;
    put_value(&sink, value, 0);
    return finish(&sink);
}

/* ---- ops */
static void put_args(struct sink *sink, const struct sl_op *op, const struct sl_op_arg *args, int n) {
    for (int i = 0; i < n && !sink->is_cut; i++) {
        const struct sl_op_arg *arg = &args[i];
        put(sink, "%s%.*s:%s", i ? ", " : "", SL_STR_ARG(arg->name), arg->is_ref ? "Ref(" : "");
        if (arg->number_attr >= 0) put(sink, "%.*s*", SL_STR_ARG(op->attrs[arg->number_attr].name));
        if (arg->type) put(sink, "%s", sl_dtype_name(arg->type));
        else if (arg->type_attr >= 0) put(sink, "%.*s", SL_STR_ARG(op->attrs[arg->type_attr].name));
        if (arg->is_ref) put(sink, ")");
    }
}

const char *sl_op_summary(char text[SL_SUMMARY_MAX], const struct sl_op *op) {
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{SL_OP_COMMUTATIVE, "is_commutative"},
                 {SL_OP_AGGREGATE, "is_aggregate"},
                 {SL_OP_STATEFUL, "is_stateful"},
                 {SL_OP_ALLOWS_UNINITIALIZED, "allows_uninitialized_input"},
                 {SL_OP_DISTRIBUTED, "is_distributed_communication"}};
    struct sink sink = {.text = text};
    put(&sink, "Op<name=%.*s; signature=", SL_STR_ARG(op->name));
    put_args(&sink, op, op->inputs, op->n_inputs);
    put(&sink, " -> ");
    put_args(&sink, op, op->outputs, op->n_outputs);
    for (int i = 0; i < op->n_attrs && !sink.is_cut; i++) {
        const struct sl_op_attr *attr = &op->attrs[i];
        put(&sink, "; attr=%.*s:%s", SL_STR_ARG(attr->name), sl_attr_kind_name(attr->kind, attr->is_list));
        if (attr->default_value) {
            put(&sink, ",default=");
            put_value(&sink, attr->default_value, 0);
        }
        if (attr->has_minimum) put(&sink, ",min=%" PRId64, attr->minimum);
        if (attr->allowed) {
            put(&sink, ",allowed=");
            put_value(&sink, attr->allowed, 0);
        }
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (op->facts & flags[i].flag) put(&sink, "; %s=true", flags[i].name);
    put(&sink, ">");
    return finish(&sink);
}

/* ---- nodes */
static void put_attrs(struct sink *sink, const struct sl_attrs *attrs) {
    struct sl_str last = {NULL, 0};
    for (int k = 0; k < attrs->n && !sink->is_cut; k++) {
        const struct sl_attr *next = NULL;
        for (int i = 0; i < attrs->n; i++) {
            const struct sl_attr *attr = &attrs->items[i];
            if ((!k || sl_str_cmp(attr->name, last) > 0) && (!next || sl_str_cmp(attr->name, next->name) < 0))
                next = attr;
        }
        if (!next) return;
        put(sink, "%s%.*s=", k ? ", " : "", SL_STR_ARG(next->name));
        put_value(sink, next->value, 0);
        last = next->name;
    }
}

const char *sl_node_summary(char text[SL_SUMMARY_MAX], struct sl_str name, struct sl_str op,
                            const struct sl_attrs *attrs, struct sl_str device, const struct sl_str *inputs,
                            int n_inputs) {
    struct sink sink = {.text = text};
    put(&sink, "{{node %.*s}} = %.*s[", SL_STR_ARG(name), SL_STR_ARG(op));
    put_attrs(&sink, attrs);
    if (device.n) put(&sink, "%s_device=\"%.*s\"", attrs->n ? ", " : "", SL_STR_ARG(device));
    put(&sink, "](");
    for (int i = 0; i < n_inputs && !sink.is_cut; i++) put(&sink, "%s%.*s", i ? ", " : "", SL_STR_ARG(inputs[i]));
    put(&sink, ")");
    return finish(&sink);
}
