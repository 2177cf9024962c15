/* sl_check_gradient: a gradient against differences, on a copy of the graph. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "sluice/gradient.h"

/* The copy, its session, and what is run in it. */
struct check {
    TF_Graph *graph;
    TF_Session *session;
    TF_Output y, x, dy;
    struct sl_tensor *at; /* the value of x; changed between runs */
    TF_Status *status;
};

static bool is_ok(const struct check *c) { return TF_GetCode(c->status) == TF_OK; }

static void copy_graph(struct check *c, TF_Graph *from) {
    TF_Buffer *def = TF_NewBuffer();
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_SessionOptions *session_options = TF_NewSessionOptions();
    if (def && options && session_options && c->graph) {
        TF_GraphToGraphDef(from, def, c->status);
        if (is_ok(c)) TF_GraphImportGraphDef(c->graph, def, options, c->status);
        if (is_ok(c)) c->session = TF_NewSession(c->graph, session_options, c->status);
    } else {
        sl_status_fail(c->status, SL_RESOURCE_EXHAUSTED, "out of memory");
    }
    if (def) TF_DeleteBuffer(def);
    if (options) TF_DeleteImportGraphDefOptions(options);
    if (session_options) TF_DeleteSessionOptions(session_options);
}

/* One output, with x fed once `at` is there. */
static struct sl_tensor *run(struct check *c, TF_Output output) {
    TF_Tensor *in = c->at ? sl_tensor_handle_new(sl_tensor_ref(c->at)) : NULL, *out = NULL;
    struct sl_tensor *result = NULL;
    if (!is_ok(c)) {
        TF_DeleteTensor(in);
        return NULL;
    }
    TF_SessionRun(c->session, NULL, &c->x, &in, c->at ? 1 : 0, &output, &out, 1, NULL, 0, NULL, c->status);
    TF_DeleteTensor(in);
    if (!is_ok(c)) return NULL;
    result = sl_tensor_ref(out->tensor);
    TF_DeleteTensor(out);
    return result;
}

static double element(const struct sl_tensor *t, int64_t i) {
    return t->dtype == SL_DOUBLE ? ((const double *)t->data)[i] : (double)((const float *)t->data)[i];
}
static void set_element(struct sl_tensor *t, int64_t i, double value) {
    if (t->dtype == SL_DOUBLE) ((double *)t->data)[i] = value;
    else ((float *)t->data)[i] = (float)value;
}

static double weight(int64_t i) { return 1 + 0.5 * sin((double)i + 1); }

static double weighted_sum(const struct sl_tensor *y) {
    double sum = 0;
    for (int64_t i = 0; i < y->count; i++) sum += weight(i) * element(y, i);
    return sum;
}

/* dy / dx with the weights as the gradient of y. */
static void add_gradient(struct check *c, const struct sl_tensor *y) {
    struct sl_error err;
    struct sl_tensor *weights;
    if (!is_ok(c)) return;
    if (!sl_status_take(c->status, sl_tensor_new(&weights, y->dtype, sl_tensor_shape(y), &err), &err)) return;
    for (int64_t i = 0; i < y->count; i++) set_element(weights, i, weight(i));
    TF_Tensor *value = sl_tensor_handle_new(weights);
    TF_OperationDescription *d = TF_NewOperation(c->graph, "Const", "check_gradient/weights");
    TF_SetAttrType(d, "dtype", (TF_DataType)y->dtype);
    TF_SetAttrTensor(d, "value", value, c->status);
    TF_Operation *constant = TF_FinishOperation(d, c->status);
    TF_DeleteTensor(value);
    TF_Output dx = {constant, 0};
    if (is_ok(c)) TF_AddGradients(c->graph, &c->y, 1, &c->x, 1, &dx, c->status, &c->dy);
}

/* Central differences, element by element of x. */
static double compare(struct check *c, const struct sl_tensor *dx) {
    double worst = 0, step = c->at->dtype == SL_DOUBLE ? 1e-5 : 1e-2;
    for (int64_t i = 0; i < c->at->count && is_ok(c); i++) {
        double middle = element(c->at, i), sums[2] = {0, 0}, ends[2];
        for (int side = 0; side < 2 && is_ok(c); side++) {
            set_element(c->at, i, side ? middle + step : middle - step);
            ends[side] = element(c->at, i);
            struct sl_tensor *y = run(c, c->y);
            if (y) sums[side] = weighted_sum(y);
            sl_tensor_unref(y);
        }
        set_element(c->at, i, middle);
        double difference = (sums[1] - sums[0]) / (ends[1] - ends[0]);
        double distance = fabs(element(dx, i) - difference) / (1 + fabs(difference));
        if (!(distance <= worst)) worst = distance; /* NaN counts */
    }
    return worst;
}

static void take_values(struct check *c, const TF_Tensor *at, struct sl_tensor **y) {
    struct sl_error err;
    struct sl_tensor *x = at ? sl_tensor_ref(at->tensor) : run(c, c->x), *copy = NULL;
    if (x) sl_status_take(c->status, sl_tensor_copy(&copy, x, &err), &err);
    sl_tensor_unref(x);
    c->at = copy;
    *y = copy ? run(c, c->y) : NULL;
    for (int i = 0; i < 2 && is_ok(c) && *y; i++) {
        int type = i ? (*y)->dtype : copy->dtype;
        if (type != SL_FLOAT && type != SL_DOUBLE)
            sl_status_fail(c->status, SL_INVALID_ARGUMENT, "sl_check_gradient: %s is of type %s, not float or double",
                           i ? "y" : "x", sl_dtype_name(type));
    }
}

SL_API double sl_check_gradient(TF_Graph *graph, TF_Output y, TF_Output x, const TF_Tensor *at, TF_Status *status) {
    struct sl_error err;
    struct check c = {.graph = TF_NewGraph(), .status = status};
    struct sl_tensor *value = NULL, *dx = NULL;
    double worst = -1;
    sl_graph_lock(graph);
    sl_code code = sl_graph_check_output(graph, y, &err);
    if (code == SL_OK) code = sl_graph_check_output(graph, x, &err);
    sl_graph_unlock(graph);
    if (sl_status_take(status, code, &err)) copy_graph(&c, graph);
    if (is_ok(&c)) {
        c.y = (TF_Output){TF_GraphOperationByName(c.graph, TF_OperationName(y.oper)), y.index};
        c.x = (TF_Output){TF_GraphOperationByName(c.graph, TF_OperationName(x.oper)), x.index};
        take_values(&c, at, &value);
    }
    if (is_ok(&c)) add_gradient(&c, value);
    if (is_ok(&c) && !c.dy.oper)
        sl_status_fail(status, SL_INVALID_ARGUMENT, "There is no gradient of '%s' with respect to '%s'",
                       TF_OperationName(y.oper), TF_OperationName(x.oper));
    if (is_ok(&c)) dx = run(&c, c.dy);
    if (dx && (dx->count != c.at->count || dx->dtype != c.at->dtype))
        sl_status_fail(status, SL_INTERNAL, "The gradient has another shape or type than x");
    if (dx && is_ok(&c)) worst = compare(&c, dx);
    if (!is_ok(&c)) worst = -1;
    sl_tensor_unref(value);
    sl_tensor_unref(dx);
    sl_tensor_unref(c.at);
    TF_Status *ignored = TF_NewStatus();
    if (c.session) TF_DeleteSession(c.session, ignored);
    if (c.graph) TF_DeleteGraph(c.graph);
    TF_DeleteStatus(ignored);
    return worst;
}
