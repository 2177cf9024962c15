#include "unit/grad/gradient_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "capi/handles.h"
#include "graph/graph_emitter.h"
#include "ops/emit.h"
#include "sluice/gradient.h"
#include "tensor/tensor_proto.h"
#include "unit/grad/tape_agrees.h"

struct row_graph {
    TF_Graph *graph;
    struct sl_arena arena;
    struct sl_graph_emitter emitter;
    struct sl_term in[GRADIENT_ROW_INPUTS];
    int n_in;
    struct sl_term xs[2 * GRADIENT_ROW_INPUTS]; /* by what gradients are asked: inputs, or the parts of complex ones */
    int n_xs;
    struct sl_error err;
};

/* ---- values */
static double made_up(int64_t i, double low, double high) {
    uint64_t u = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
    return low + (high - low) * (double)(u >> 11) / (double)(UINT64_C(1) << 53);
}

static struct sl_tensor *tensor_of(const char *text, int salt) {
    struct sl_tensor *t;
    struct sl_error err;
    char type[32];
    int n = 0, rank = 0;
    int64_t dims[8];
    if (sscanf(text, "%31[a-z0-9]%n", type, &n) != 1) fail_msg("'%s' is no value", text);
    const char *p = text + n;
    if (*p == '[') {
        p++;
        while (*p != ']') {
            dims[rank++] = strtoll(p, (char **)&p, 10);
            if (*p == ',') p++;
        }
        p++;
    }
    int dtype = sl_dtype_from_name(sl_str_of(type));
    assert_ok(err, sl_tensor_new(&t, dtype, (struct sl_shape){rank, dims}, &err));
    double low = 0.3, high = 1.7, last = 0;
    const char *dots = strstr(p, "..");
    bool makes_up = dots || strspn(p, " ") == strlen(p);
    if (dots) {
        low = strtod(p, NULL);
        high = strtod(dots + 2, NULL);
    }
    for (int64_t i = 0; i < t->count; i++) {
        double v = makes_up ? made_up(i + 100 * salt, low, high) : last;
        while (!makes_up && *p == ' ') p++;
        if (!makes_up && *p) v = last = strtod(p, (char **)&p);
        switch (dtype) {
        case SL_DOUBLE: ((double *)t->data)[i] = v; break;
        case SL_FLOAT: ((float *)t->data)[i] = (float)v; break;
        case SL_INT16: ((int16_t *)t->data)[i] = (int16_t)v; break;
        case SL_INT32: ((int32_t *)t->data)[i] = (int32_t)v; break;
        case SL_INT64: ((int64_t *)t->data)[i] = (int64_t)v; break;
        case SL_BOOL: ((bool *)t->data)[i] = v != 0; break;
        default: fail_msg("%s: type not known here", text);
        }
    }
    return t;
}

/* ---- attrs */
static struct sl_pb_AttrValue *new_value(struct row_graph *r) {
    return SL_ARENA_NEW(&r->arena, struct sl_pb_AttrValue);
}

static const char *word(struct row_graph *r, const char **p, const char *stops) {
    size_t n = strcspn(*p, stops);
    const char *text = sl_arena_format(&r->arena, "%.*s", (int)n, *p);
    *p += n;
    return text;
}

static void read_scalar(struct sl_pb_AttrValue *v, int kind, const char *text) {
    switch (kind) {
    case SL_ATTR_INT: v->which = SL_PB_AttrValue_i, v->i = strtoll(text, NULL, 10); break;
    case SL_ATTR_FLOAT: v->which = SL_PB_AttrValue_f, v->f = strtof(text, NULL); break;
    case SL_ATTR_BOOL: v->which = SL_PB_AttrValue_b, v->b = strcmp(text, "true") == 0; break;
    case SL_ATTR_TYPE: v->which = SL_PB_AttrValue_type, v->type = sl_dtype_from_name(sl_str_of(text)); break;
    case SL_ATTR_STRING: v->which = SL_PB_AttrValue_s, v->s = sl_str_of(text); break;
    default: fail_msg("attr of kind %d", kind);
    }
}

/* "any", or the one dimension that is written. */
static void read_shape(struct row_graph *r, struct sl_pb_AttrValue *v, const char *text) {
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_NEW(&r->arena, struct sl_pb_TensorShapeProto);
    struct sl_pb_TensorShapeProto_Dim *dim = SL_ARENA_NEW(&r->arena, struct sl_pb_TensorShapeProto_Dim);
    shape->unknown_rank = strcmp(text, "any") == 0;
    dim->size = strtoll(text, NULL, 10);
    shape->dim.items = dim;
    shape->dim.n = !shape->unknown_rank;
    v->which = SL_PB_AttrValue_shape;
    v->shape = shape;
}

static void read_list(struct row_graph *r, struct sl_pb_AttrValue *v, int kind, const char **p) {
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(&r->arena, struct sl_pb_AttrValue_ListValue);
    int64_t *i = SL_ARENA_ARRAY(&r->arena, int64_t, 16);
    float *f = SL_ARENA_ARRAY(&r->arena, float, 16);
    struct sl_str *text = SL_ARENA_ARRAY(&r->arena, struct sl_str, 16);
    size_t n = 0;
    for (++*p; **p != ']';) {
        struct sl_pb_AttrValue one = {0};
        read_scalar(&one, kind, word(r, p, ",]"));
        if (kind == SL_ATTR_INT) i[n++] = one.i;
        else if (kind == SL_ATTR_STRING) text[n++] = one.s;
        else f[n++] = one.f;
        if (**p == ',') ++*p;
    }
    ++*p;
    if (kind == SL_ATTR_INT) list->i = (struct sl_pb_array_i64){i, n};
    else if (kind == SL_ATTR_STRING) list->s = (struct sl_pb_array_str){text, n};
    else list->f = (struct sl_pb_array_f32){f, n};
    v->which = SL_PB_AttrValue_list;
    v->list = list;
}

static int read_attrs(struct sl_attr *out, struct row_graph *r, const char *op_name, const char *p) {
    const struct sl_op *op;
    int n = 0;
    assert_ok(r->err, sl_graph_find_op(&op, r->graph->graph, sl_str_of(op_name), &r->err));
    while (p && *p) {
        if (*p == ' ') {
            p++;
            continue;
        }
        struct sl_str name = sl_str_of(word(r, &p, "="));
        int at = sl_op_attr_index(op, name);
        if (at < 0) fail_msg("%s has no attr %s", op_name, name.p);
        struct sl_pb_AttrValue *v = new_value(r);
        p++;
        if (*p == '[') read_list(r, v, op->attrs[at].kind, &p);
        else if (op->attrs[at].kind == SL_ATTR_SHAPE) read_shape(r, v, word(r, &p, " "));
        else read_scalar(v, op->attrs[at].kind, word(r, &p, " "));
        out[n++] = (struct sl_attr){name, v};
    }
    return n;
}

/* ---- rows */
static struct sl_term add_node(struct row_graph *r, const char *op, const struct sl_term *inputs, int n,
                               const struct sl_attr *attrs, int n_attrs) {
    struct sl_emission what = {
        .op = sl_str_of(op), .inputs = inputs, .n_inputs = n, .attrs = attrs, .n_attrs = n_attrs};
    struct sl_term out;
    assert_ok(r->err, r->emitter.base.add(&out, &r->emitter.base, &what, &r->err));
    return out;
}

static struct sl_term add_constant(struct row_graph *r, const char *text, int salt) {
    struct sl_tensor *t = tensor_of(text, salt);
    struct sl_pb_TensorProto proto;
    assert_ok(r->err, sl_tensor_to_proto(&proto, t, &r->arena, &r->err));
    struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = t->dtype};
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_tensor, .tensor = &proto};
    const struct sl_attr attrs[] = {{SL_STR("dtype"), &type}, {SL_STR("value"), &value}};
    struct sl_term out = add_node(r, "Const", NULL, 0, attrs, 2);
    sl_tensor_unref(t);
    return out;
}

static int type_of(struct sl_term t) { return ((struct sl_node *)t.of)->out_types[t.index]; }
static bool is_real(struct sl_term t) { return type_of(t) == SL_DOUBLE || type_of(t) == SL_FLOAT; }
static bool is_complex(struct sl_term t) { return type_of(t) == SL_COMPLEX128; }

/* An input: a constant; of type complex128 one that is made of two; or a matrix and its transpose together. */
static void add_input(struct row_graph *r, const char *text) {
    bool is_wanted = text[0] != '-', is_symmetric = text[0] == '+';
    text += !is_wanted || is_symmetric;
    int salt = r->n_in;
    struct sl_term in, parts[2];
    if (strncmp(text, "complex128", 10) == 0) {
        const char *real = sl_arena_format(&r->arena, "double%s", text + 10);
        const struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = SL_COMPLEX128};
        for (int i = 0; i < 2; i++) parts[i] = add_constant(r, real, salt + GRADIENT_ROW_INPUTS * i);
        in = add_node(r, "Complex", parts, 2, (const struct sl_attr[]){{SL_STR("Tout"), &type}}, 1);
        for (int i = 0; i < 2 && is_wanted; i++) r->xs[r->n_xs++] = parts[i];
    } else {
        in = add_constant(r, text, salt);
        if (is_wanted && is_real(in)) r->xs[r->n_xs++] = in;
    }
    if (is_symmetric) {
        const struct sl_term turned =
            add_node(r, "Transpose", (const struct sl_term[]){in, add_constant(r, "int32[2] 1 0", 0)}, 2, NULL, 0);
        in = add_node(r, "AddV2", (const struct sl_term[]){in, turned}, 2, NULL, 0);
    }
    r->in[r->n_in++] = in;
}

/* A gradient, and the gradients of that one. */
static void check_one(struct row_graph *r, const struct gradient_row *row, struct sl_term y, int i, int order) {
    TF_Status *status = TF_NewStatus();
    TF_Output from = sl_as_output(sl_port_of(y)), to = sl_as_output(sl_port_of(r->xs[i]));
    double worst = sl_check_gradient(r->graph, from, to, NULL, status);
    bool is_unconnected = order > 1 && TF_GetCode(status) == TF_INVALID_ARGUMENT;
    if (!is_unconnected && (TF_GetCode(status) != TF_OK || !(worst <= (type_of(y) == SL_DOUBLE ? 2e-5 : 5e-2))))
        fail_msg("%s %s, output %d by input %d, order %d: off by %g %s", row->op, row->attrs ? row->attrs : "", y.index,
                 i, order, worst, TF_Message(status));
    if (order == 1 && row->op[0] != '~') {
        struct sl_slices dx;
        sl_add_gradients(r->graph, &from, NULL, 1, &to, 1, NULL, &dx, status);
        if (TF_GetCode(status) != TF_OK) fail_msg("%s: %s", row->op, TF_Message(status));
        for (int k = 0; k < r->n_xs; k++) check_one(r, row, sl_term_of(sl_as_port(dx.values)), k, 2);
    }
    TF_DeleteStatus(status);
}

static void check_output(struct row_graph *r, const struct gradient_row *row, struct sl_term y) {
    static const char *const parts[] = {"Real", "Imag"};
    const struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = SL_DOUBLE};
    if (is_complex(y)) {
        for (int k = 0; k < 2; k++)
            check_output(r, row, add_node(r, parts[k], &y, 1, (const struct sl_attr[]){{SL_STR("Tout"), &type}}, 1));
    } else if (is_real(y)) {
        struct sl_port xs[2 * GRADIENT_ROW_INPUTS];
        for (int i = 0; i < r->n_xs; i++) xs[i] = sl_port_of(r->xs[i]);
        check_tape_agrees(r->graph, sl_port_of(y), xs, r->n_xs, row->op[0] != '~', row->op);
        for (int i = 0; i < r->n_xs; i++) check_one(r, row, y, i, 1);
    }
}

static void check_row(const struct gradient_row *row) {
    struct row_graph r = {.graph = TF_NewGraph()};
    struct sl_attr attrs[16];
    sl_arena_init(&r.arena);
    sl_graph_emitter_init(&r.emitter, r.graph->graph, SL_STR(""), &r.arena);
    while (r.n_in < GRADIENT_ROW_INPUTS && row->in[r.n_in]) add_input(&r, row->in[r.n_in]);
    const char *op = row->op + (row->op[0] == '~');
    struct sl_term y = add_node(&r, op, r.in, r.n_in, attrs, read_attrs(attrs, &r, op, row->attrs));
    int n_outputs = row->op[0] == '~' ? 1 : ((struct sl_node *)y.of)->n_outputs;
    for (; y.index < n_outputs; y.index++) check_output(&r, row, y);
    TF_DeleteGraph(r.graph);
    sl_arena_clear(&r.arena);
}

void check_gradient_rows(const struct gradient_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) check_row(&rows[i]);
}

/* ---- rows with values */
static void assert_values(const struct gradient_values *row, int i, const TF_Tensor *got) {
    struct sl_tensor *wanted = tensor_of(row->dx[i], 0);
    const double *values = TF_TensorData(got), *expected = wanted->data;
    assert_int_equal(TF_TensorElementCount(got), wanted->count);
    for (int64_t k = 0; k < wanted->count; k++)
        if (values[k] != expected[k] && !(isnan(values[k]) && isnan(expected[k])))
            fail_msg("%s by input %d, element %d: got %g, wanted %g", row->op, i, (int)k, values[k], expected[k]);
    sl_tensor_unref(wanted);
}

static void check_values(const struct gradient_values *row) {
    struct row_graph r = {.graph = TF_NewGraph()};
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Output to[2], dx[2];
    TF_Tensor *got[2] = {NULL, NULL};
    int n = row->dx[1] ? 2 : 1;
    sl_arena_init(&r.arena);
    sl_graph_emitter_init(&r.emitter, r.graph->graph, SL_STR(""), &r.arena);
    for (int i = 0; i < 2; i++) {
        add_input(&r, row->in[i]);
        to[i] = sl_as_output(sl_port_of(r.in[i]));
    }
    TF_Output y = sl_as_output(sl_port_of(add_node(&r, row->op, r.in, 2, NULL, 0)));
    TF_AddGradients(r.graph, &y, 1, to, n, NULL, status, dx);
    TF_Session *session = TF_NewSession(r.graph, options, status);
    if (TF_GetCode(status) == TF_OK) TF_SessionRun(session, NULL, NULL, NULL, 0, dx, got, n, NULL, 0, NULL, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s: %s", row->op, TF_Message(status));
    for (int i = 0; i < n; i++) {
        assert_values(row, i, got[i]);
        TF_DeleteTensor(got[i]);
    }
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    TF_DeleteGraph(r.graph);
    sl_arena_clear(&r.arena);
}

void check_gradient_values(const struct gradient_values *rows, size_t n) {
    for (size_t i = 0; i < n; i++) check_values(&rows[i]);
}
