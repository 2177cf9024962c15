/* What TensorFlow calls these signatures' parts: input "inputs"; outputs "classes" and "scores" of a classification, of
 * which one may be missing, "outputs" of a regression. */
#include "serving/example_calls.h"

#include "base/alloc.h"

static sl_code check(const struct sl_served_examples *c, const char *kind, struct sl_error *err) {
    const struct sl_served_signature *s = c->signature;
    struct sl_str method = s->method, prefix = SL_STR("tensorflow/serving/");
    if (!sl_str_starts(method, prefix) || !sl_str_is((struct sl_str){method.p + prefix.n, method.n - prefix.n}, kind))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Signature \"%.*s\" is of method \"%.*s\", not tensorflow/serving/%s",
                       SL_STR_ARG(s->name), SL_STR_ARG(method), kind);
    if (s->n_inputs != 1 || s->inputs[0].dtype != SL_STRING)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Signature \"%.*s\" does not have examples as its one input",
                       SL_STR_ARG(s->name));
    return c->n ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "Input is empty.");
}

static sl_code make_input(struct sl_tensor **out, const struct sl_served_examples *c, const char *kind,
                          struct sl_error *err) {
    int64_t n = (int64_t)c->n;
    *out = NULL;
    SL_TRY(check(c, kind, err));
    SL_TRY(sl_tensor_new(out, SL_STRING, (struct sl_shape){1, &n}, err));
    for (size_t i = 0; i < c->n; i++) SL_TRY(sl_string_set((TF_TString *)(*out)->data + i, c->examples[i], err));
    return SL_OK;
}

static void drop(struct sl_tensor **tensors, int n) {
    for (int i = 0; i < n; i++) sl_tensor_unref(tensors[i]);
    sl_free(tensors);
}

/* The outputs; freed by drop. */
static sl_code run(struct sl_tensor ***out, const struct sl_served_examples *c, const char *kind,
                   struct sl_error *err) {
    struct sl_tensor *input = NULL, **outputs = sl_calloc((size_t)c->signature->n_outputs + 1, sizeof *outputs);
    sl_code code = outputs ? make_input(&input, c, kind, err) : sl_fail_memory(err, sizeof *outputs);
    if (code == SL_OK) code = sl_served_run(outputs, c->model, c->signature, &input, c->batching, err);
    sl_tensor_unref(input);
    if (code == SL_OK) *out = outputs;
    else sl_free(outputs);
    return code;
}

/* The output `name`, of `dtype`, NULL when there is none; `*columns` of each row. */
static sl_code find(struct sl_tensor **out, int64_t *columns, const struct sl_served_examples *c,
                    struct sl_tensor *const *outputs, const char *name, int dtype, struct sl_error *err) {
    int i = sl_served_port_find(c->signature->outputs, c->signature->n_outputs, sl_str_of(name));
    char text[SL_SHAPE_TEXT];
    *out = i < 0 ? NULL : outputs[i];
    if (!*out) return SL_OK;
    struct sl_tensor *t = *out;
    if (t->dtype != dtype)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Output \"%s\" has type %s, not %s", name, sl_dtype_name(t->dtype),
                       sl_dtype_name(dtype));
    if (t->rank < 1 || t->rank > 2 || t->dims[0] != (int64_t)c->n)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Output \"%s\" has shape %s for %zu examples", name,
                       sl_shape_text(text, sl_tensor_shape(t)), c->n);
    *columns = t->rank == 2 ? t->dims[1] : 1;
    return SL_OK;
}

sl_code sl_served_classify_input(struct sl_tensor **out, const struct sl_served_examples *call, struct sl_error *err) {
    return make_input(out, call, "classify", err);
}

sl_code sl_served_classify_result(struct sl_pb_serving_ClassificationResult *out, const struct sl_served_examples *c,
                                  struct sl_tensor *const *outputs, struct sl_arena *arena, struct sl_error *err) {
    struct sl_tensor *classes, *scores;
    int64_t k = 0, k_scores = 0;
    *out = (struct sl_pb_serving_ClassificationResult){.unknown = NULL};
    SL_TRY(find(&classes, &k, c, outputs, "classes", SL_STRING, err));
    SL_TRY(find(&scores, &k_scores, c, outputs, "scores", SL_FLOAT, err));
    if (!classes && !scores)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The signature has neither an output \"classes\" nor \"scores\"");
    if (classes && scores && k != k_scores)
        return sl_fail(err, SL_FAILED_PRECONDITION, "There are %lld classes and %lld scores for an example",
                       (long long)k, (long long)k_scores);
    if (!classes) k = k_scores;
    out->classifications.n = c->n;
    out->classifications.items = SL_ARENA_ARRAY(arena, struct sl_pb_serving_Classifications, c->n);
    struct sl_pb_serving_Class *all = SL_ARENA_ARRAY(arena, struct sl_pb_serving_Class, c->n * (size_t)k + 1);
    if (!out->classifications.items || !all) return sl_fail_memory(err, c->n * (size_t)k * sizeof *all);
    for (size_t i = 0; i < c->n * (size_t)k; i++) {
        if (classes) all[i].label = sl_arena_str(arena, sl_string_get((TF_TString *)classes->data + i));
        if (classes && !all[i].label.p) return sl_fail_memory(err, c->n);
        if (scores) all[i].score = ((const float *)scores->data)[i];
    }
    for (size_t i = 0; i < c->n; i++) {
        out->classifications.items[i].classes.items = all + i * (size_t)k;
        out->classifications.items[i].classes.n = (size_t)k;
    }
    return SL_OK;
}

sl_code sl_served_classify(struct sl_pb_serving_ClassificationResult *out, const struct sl_served_examples *call,
                           struct sl_arena *arena, struct sl_error *err) {
    struct sl_tensor **outputs;
    SL_TRY(run(&outputs, call, "classify", err));
    sl_code code = sl_served_classify_result(out, call, outputs, arena, err);
    drop(outputs, call->signature->n_outputs);
    return code;
}

sl_code sl_served_regress_input(struct sl_tensor **out, const struct sl_served_examples *call, struct sl_error *err) {
    return make_input(out, call, "regress", err);
}

sl_code sl_served_regress_result(struct sl_pb_serving_RegressionResult *out, const struct sl_served_examples *c,
                                 struct sl_tensor *const *outputs, struct sl_arena *arena, struct sl_error *err) {
    struct sl_tensor *values;
    int64_t columns = 0;
    *out = (struct sl_pb_serving_RegressionResult){.unknown = NULL};
    SL_TRY(find(&values, &columns, c, outputs, "outputs", SL_FLOAT, err));
    if (!values || columns != 1)
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "The signature has no output \"outputs\" with a number for each example");
    out->regressions.n = c->n;
    out->regressions.items = SL_ARENA_ARRAY(arena, struct sl_pb_serving_Regression, c->n);
    if (!out->regressions.items) return sl_fail_memory(err, c->n * sizeof *out->regressions.items);
    for (size_t i = 0; i < c->n; i++) out->regressions.items[i].value = ((const float *)values->data)[i];
    return SL_OK;
}

sl_code sl_served_regress(struct sl_pb_serving_RegressionResult *out, const struct sl_served_examples *call,
                          struct sl_arena *arena, struct sl_error *err) {
    struct sl_tensor **outputs;
    SL_TRY(run(&outputs, call, "regress", err));
    sl_code code = sl_served_regress_result(out, call, outputs, arena, err);
    drop(outputs, call->signature->n_outputs);
    return code;
}
