/* A graph as text for people: SLUICE_DUMP and the golden cases of the passes. */
#include "graph/graph.h"
#include "ops/op_row.h"
#include "tensor/tensor_proto.h"

static void print_port(FILE *file, struct sl_port from) {
    if (!from.node) fputs("?", file);
    else if (from.index) fprintf(file, "%.*s:%d", SL_STR_ARG(from.node->name), from.index);
    else fprintf(file, "%.*s", SL_STR_ARG(from.node->name));
}

static void print_elements(FILE *file, const struct sl_tensor *t) {
    for (int64_t i = 0; i < t->count; i++) {
        const char *space = i ? " " : "";
        switch (t->dtype) {
        case SL_INT32: fprintf(file, "%s%d", space, ((const int32_t *)t->data)[i]); break;
        case SL_INT64: fprintf(file, "%s%lld", space, (long long)((const int64_t *)t->data)[i]); break;
        case SL_FLOAT: fprintf(file, "%s%.9g", space, (double)((const float *)t->data)[i]); break;
        case SL_DOUBLE: fprintf(file, "%s%.17g", space, ((const double *)t->data)[i]); break;
        case SL_BOOL: fprintf(file, "%s%s", space, ((const bool *)t->data)[i] ? "true" : "false"); break;
        default: fprintf(file, "%s?", space);
        }
    }
}

/* The value of a Const, when it is short. */
static bool print_value(FILE *file, const struct sl_node *n) {
    enum { MOST_ELEMENTS = 8 };
    const struct sl_pb_TensorProto *proto;
    struct sl_tensor *t;
    int64_t count = 1;
    if (n->op->index != SL_ROW_Const || sl_attr_tensor(&proto, &n->attrs, "value", NULL)) return false;
    for (size_t d = 0; proto->tensor_shape && d < proto->tensor_shape->dim.n; d++) {
        int64_t dim = proto->tensor_shape->dim.items[d].size;
        count = dim < 0 || dim > MOST_ELEMENTS || count > MOST_ELEMENTS ? MOST_ELEMENTS + 1 : count * dim;
    }
    if (count > MOST_ELEMENTS || sl_tensor_from_proto(&t, proto, NULL)) return false;
    char text[SL_SHAPE_TEXT];
    fprintf(file, "%s%s{", sl_dtype_name(t->dtype), sl_shape_text(text, sl_tensor_shape(t)));
    print_elements(file, t);
    fputs("}", file);
    sl_tensor_unref(t);
    return true;
}

/* The attrs that say more than types and counts do: summaries of ops leave out nothing, lines of a dump do. */
static void print_attrs(FILE *file, const struct sl_node *n) {
    const char *sep = " {";
    for (int i = 0; i < n->attrs.n && i < n->op->n_attrs; i++) {
        const struct sl_attr *attr = &n->attrs.items[i];
        const struct sl_pb_AttrValue *v = attr->value;
        if (v == n->op->attrs[i].default_value || sl_str_is(attr->name, "T") || sl_str_is(attr->name, "dtype"))
            continue;
        if (v->which == SL_PB_AttrValue_b)
            fprintf(file, "%s%.*s: %s", sep, SL_STR_ARG(attr->name), v->b ? "true" : "false");
        else if (v->which == SL_PB_AttrValue_i)
            fprintf(file, "%s%.*s: %lld", sep, SL_STR_ARG(attr->name), (long long)v->i);
        else if (v->which == SL_PB_AttrValue_f) fprintf(file, "%s%.*s: %g", sep, SL_STR_ARG(attr->name), (double)v->f);
        else if (v->which == SL_PB_AttrValue_s)
            fprintf(file, "%s%.*s: '%.*s'", sep, SL_STR_ARG(attr->name), SL_STR_ARG(v->s));
        else if (v->which == SL_PB_AttrValue_list && v->list && v->list->s.n) {
            fprintf(file, "%s%.*s: [", sep, SL_STR_ARG(attr->name));
            for (size_t k = 0; k < v->list->s.n; k++)
                fprintf(file, "%s'%.*s'", k ? ", " : "", SL_STR_ARG(v->list->s.items[k]));
            fputs("]", file);
        } else continue;
        sep = ", ";
    }
    if (*sep == ',') fputs("}", file);
}

static void print_node(FILE *file, const struct sl_node *n) {
    fprintf(file, "%.*s = %.*s(", SL_STR_ARG(n->name), SL_STR_ARG(n->op->name));
    const char *sep = print_value(file, n) ? ", " : "";
    for (int i = 0; i < n->n_inputs; i++, sep = ", ") {
        fputs(sep, file);
        print_port(file, n->inputs[i]);
    }
    for (int i = 0; i < n->n_controls; i++, sep = ", ") fprintf(file, "%s^%.*s", sep, SL_STR_ARG(n->controls[i]->name));
    fputs(")", file);
    print_attrs(file, n);
    for (int o = 0; o < n->n_outputs; o++) {
        char text[SL_SHAPE_TEXT];
        const char *shape = n->shapes[o].rank >= 0 ? sl_shape_text(text, n->shapes[o]) : "";
        fprintf(file, "%s%s%s", o ? ", " : "  # ", sl_dtype_name(n->out_types[o]), shape);
    }
    fputs("\n", file);
}

sl_code sl_graph_print(const struct sl_graph *graph, FILE *file, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_node **order;
    size_t n = 0;
    sl_arena_init(&arena);
    sl_code code = sl_graph_order(&order, &n, graph, &arena, err);
    for (size_t i = 0; i < n && code == SL_OK; i++) print_node(file, order[i]);
    sl_arena_clear(&arena);
    return code;
}
