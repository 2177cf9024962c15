/* SavedModels as objects: functions by path and by signature, with variables, tables and constants; several models in
 * one context; what cannot be loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/experimental/saved_model/public/c_saved_model_api.h"
#include "unit/capi/capi_fixture.h"

#define MODELS SL_TEST_DATA "/saved_model/"

/* ---- short words */

static TFE_Context *context_of(TF_Status *s, bool is_async) {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_ContextOptionsSetAsync(options, is_async);
    TFE_Context *c = TFE_NewContext(options, s);
    TFE_DeleteContextOptions(options);
    assert_status_ok(s);
    return c;
}
static TFE_Context *new_context(TF_Status *s) { return context_of(s, false); }

static TFE_TensorHandle *two_floats(TF_Status *s, float a, float b) {
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, (int64_t[]){2}, 1, 2 * sizeof(float));
    memcpy(TF_TensorData(t), (float[]){a, b}, 2 * sizeof(float));
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    TF_DeleteTensor(t);
    return h;
}

static void assert_floats(TF_Status *s, TFE_TensorHandle *h, float a, float b) {
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    assert_status_ok(s);
    assert_int_equal(TF_TensorByteSize(t), 8);
    const float *p = TF_TensorData(t);
    assert_true(p[0] == a && p[1] == b);
    TF_DeleteTensor(t);
    TFE_DeleteTensorHandle(h);
}

/* Executes and deletes an op; what it gives is counted. */
static int run(TF_Status *s, TFE_Op *op, TFE_TensorHandle **out, int room) {
    assert_status_ok(s);
    TFE_Execute(op, out, &room, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    return room;
}

static void assert_param(const TF_SignatureDefParam *p, const char *name, TF_DataType type, int rank, int64_t dim) {
    assert_non_null(p);
    assert_string_equal(TF_SignatureDefParamName(p), name);
    const TF_TensorSpec *spec = TF_SignatureDefParamTensorSpec(p);
    assert_int_equal(TF_TensorSpecDataType(spec), type);
    assert_int_equal(TF_ShapeDims(TF_TensorSpecShape(spec)), rank);
    if (rank > 0) assert_int_equal(TF_ShapeDimSize(TF_TensorSpecShape(spec), 0), dim);
}

/* ---- what works */

static void a_signature_is_called(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    TF_SavedModel *m = TF_LoadSavedModel(MODELS "functions", c, s);
    assert_status_ok(s);
    TF_SignatureDefFunction *f = TF_GetSavedModelSignatureDefFunction(m, "serving_default", s);
    assert_status_ok(s);
    const TF_SignatureDefFunctionMetadata *meta = TF_SignatureDefFunctionGetMetadata(f);
    const TF_SignatureDefParamList *args = TF_SignatureDefFunctionMetadataArgs(meta);
    const TF_SignatureDefParamList *returns = TF_SignatureDefFunctionMetadataReturns(meta);
    assert_int_equal(TF_SignatureDefParamListSize(args), 1);
    assert_param(TF_SignatureDefParamListGet(args, 0), "x", TF_FLOAT, 1, 2);
    assert_null(TF_SignatureDefParamListGet(args, 1));
    assert_int_equal(TF_SignatureDefParamListSize(returns), 2);
    assert_param(TF_SignatureDefParamListGet(returns, 0), "count", TF_INT32, 0, 0);
    assert_param(TF_SignatureDefParamListGet(returns, 1), "y", TF_FLOAT, 1, 2);
    TFE_TensorHandle *x = two_floats(s, 1, 2), *out[4];
    for (int i = 1; i < 3; i++) { /* the variable that counts is the model's */
        assert_int_equal(run(s, TF_SignatureDefFunctionMakeCallOp(f, &x, 1, s), out, 4), 2);
        TF_Tensor *count = TFE_TensorHandleResolve(out[0], s);
        assert_int_equal(int_of(count), i);
        TFE_DeleteTensorHandle(out[0]);
        assert_floats(s, out[1], 3, 8);
    }
    TFE_DeleteTensorHandle(x);
    TF_DeleteSavedModel(m);
    TFE_DeleteContext(c);
}

static void functions_are_found_by_path(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    for (int is_async = 0; is_async < 2; is_async++) {
        TFE_Context *c = context_of(s, is_async);
        TF_SavedModel *m = TF_LoadSavedModel(MODELS "objects", c, s);
        assert_status_ok(s);
        TFE_TensorHandle *x = two_floats(s, 1, 2), *out[2];
        const char *paths[] = {"scaled", "inner.scaled"};
        for (int i = 0; i < 2; i++) {
            TF_ConcreteFunction *f = TF_GetSavedModelConcreteFunction(m, paths[i], s);
            assert_status_ok(s);
            assert_non_null(TF_ConcreteFunctionGetMetadata(f));
            assert_int_equal(run(s, TF_ConcreteFunctionMakeCallOp(f, &x, 1, s), out, 2), 1);
            assert_floats(s, out[0], 12, 203);
        }
        TFE_DeleteTensorHandle(x);
        TF_DeleteSavedModel(m);
        TFE_DeleteContext(c);
    }
}

static TFE_TensorHandle *words(TF_Status *s, const char *a, const char *b) {
    TF_Tensor *t = TF_AllocateTensor(TF_STRING, (int64_t[]){2}, 1, 2 * sizeof(TF_TString));
    TF_StringCopy((TF_TString *)TF_TensorData(t), a, strlen(a));
    TF_StringCopy((TF_TString *)TF_TensorData(t) + 1, b, strlen(b));
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    TF_DeleteTensor(t);
    return h;
}

static void tables_have_their_values(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    TF_SavedModel *m = TF_LoadSavedModel(MODELS "objects", c, s);
    assert_status_ok(s);
    TF_SignatureDefFunction *f = TF_GetSavedModelSignatureDefFunction(m, "serving_default", s);
    assert_status_ok(s);
    TFE_TensorHandle *in = words(s, "owl", "unicorn"), *out[2];
    assert_int_equal(run(s, TF_SignatureDefFunctionMakeCallOp(f, &in, 1, s), out, 2), 2);
    TF_Tensor *ids = TFE_TensorHandleResolve(out[0], s);
    assert_status_ok(s);
    assert_memory_equal(TF_TensorData(ids), ((int64_t[]){2, -1}), 16);
    TF_DeleteTensor(ids);
    TFE_DeleteTensorHandle(out[0]);
    assert_floats(s, out[1], 0.5, 0);
    TFE_DeleteTensorHandle(in);
    TF_DeleteSavedModel(m);
    TFE_DeleteContext(c);
}

/* Two models whose functions are called the same, and one model twice: each has its own. */
static void models_do_not_meet(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    static const char *const folders[] = {"functions", "line", "keras", "objects", "functions", "objects"};
    enum { N = sizeof folders / sizeof *folders };
    TFE_Context *c = new_context(s);
    TF_SavedModel *models[N];
    for (int i = 0; i < N; i++) {
        char path[512];
        snprintf(path, sizeof path, MODELS "%s", folders[i]);
        models[i] = TF_LoadSavedModel(path, c, s);
        assert_status_ok(s);
    }
    TFE_TensorHandle *x = two_floats(s, 1, 2), *out[4];
    for (int i = 0; i < N; i += 4) {
        TF_SignatureDefFunction *f = TF_GetSavedModelSignatureDefFunction(models[i], "serving_default", s);
        assert_int_equal(run(s, TF_SignatureDefFunctionMakeCallOp(f, &x, 1, s), out, 4), 2);
        assert_int_equal(int_of(TFE_TensorHandleResolve(out[0], s)), 1); /* each counts by itself */
        TFE_DeleteTensorHandle(out[0]);
        TFE_DeleteTensorHandle(out[1]);
    }
    TF_DeleteSavedModel(models[0]);
    TF_SignatureDefFunction *f = TF_GetSavedModelSignatureDefFunction(models[4], "serving_default", s);
    assert_int_equal(run(s, TF_SignatureDefFunctionMakeCallOp(f, &x, 1, s), out, 4), 2);
    assert_int_equal(int_of(TFE_TensorHandleResolve(out[0], s)), 2);
    TFE_DeleteTensorHandle(out[0]);
    TFE_DeleteTensorHandle(out[1]);
    TFE_DeleteTensorHandle(x);
    for (int i = 1; i < N; i++) TF_DeleteSavedModel(models[i]);
    TFE_DeleteContext(c);
}

/* The context has a function of a name that the model has, too. */
static void functions_get_other_names(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    TF_SavedModel *m = TF_LoadSavedModel(MODELS "objects", c, s);
    TF_ConcreteFunction *f = TF_GetSavedModelConcreteFunction(m, "scaled", s);
    TFE_TensorHandle *x = two_floats(s, 1, 2), *out[2];
    TFE_Op *op = TF_ConcreteFunctionMakeCallOp(f, &x, 1, s);
    assert_status_ok(s);
    char name[256];
    snprintf(name, sizeof name, "%s", TFE_OpGetName(op, s));
    TFE_DeleteOp(op);
    TF_DeleteSavedModel(m);
    assert_int_equal(TFE_ContextHasFunction(c, name), 0);
    TF_Function *taken =
        TF_GraphToFunction(((struct fixture *)*state)->graph, name, 0, -1, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, s);
    assert_status_ok(s);
    TFE_ContextAddFunction(c, taken, s);
    assert_status_ok(s);
    TF_DeleteFunction(taken);
    m = TF_LoadSavedModel(MODELS "objects", c, s);
    assert_status_ok(s);
    f = TF_GetSavedModelConcreteFunction(m, "scaled", s);
    op = TF_ConcreteFunctionMakeCallOp(f, &x, 1, s);
    assert_string_not_equal(TFE_OpGetName(op, s), name);
    assert_int_equal(run(s, op, out, 2), 1);
    assert_floats(s, out[0], 12, 203);
    TFE_TensorHandle *in = words(s, "dog", "cat"); /* a signature calls the function that it wraps */
    TF_SignatureDefFunction *find = TF_GetSavedModelSignatureDefFunction(m, "serving_default", s);
    assert_int_equal(run(s, TF_SignatureDefFunctionMakeCallOp(find, &in, 1, s), out, 2), 2);
    TFE_DeleteTensorHandle(out[0]);
    TFE_DeleteTensorHandle(out[1]);
    TFE_DeleteTensorHandle(in);
    TFE_DeleteTensorHandle(x);
    TF_DeleteSavedModel(m);
    TFE_DeleteContext(c);
}

static void tags_choose(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    const char *serve[] = {"serve"}, *other[] = {"train"};
    TF_SavedModel *m = TF_LoadSavedModelWithTags(MODELS "line", c, serve, 1, s);
    assert_status_ok(s);
    TF_DeleteSavedModel(m);
    assert_null(TF_LoadSavedModelWithTags(MODELS "line", c, other, 1, s));
    assert_status(s, TF_NOT_FOUND, "train");
    assert_null(TF_LoadSavedModelWithTags(MODELS "line", c, NULL, 0, s));
    assert_status(s, TF_NOT_FOUND, "serve");
    TFE_DeleteContext(c);
}

/* ---- what does not */

static void what_is_not_there_is_told(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    assert_null(TF_LoadSavedModel(MODELS "nonesuch", c, s));
    assert_status(s, TF_NOT_FOUND, "nonesuch");
    assert_null(TF_LoadSavedModel(NULL, c, s));
    assert_status(s, TF_INVALID_ARGUMENT, "no folder");
    assert_null(TF_LoadSavedModel(MODELS "line", NULL, s));
    assert_status(s, TF_INVALID_ARGUMENT, "no context");
    assert_null(TF_LoadSavedModel(MODELS "main_op", c, s)); /* of TensorFlow 1, with two graphs */
    assert_status(s, TF_FAILED_PRECONDITION, "graph");
    const char *serve[] = {"serve"};
    assert_null(TF_LoadSavedModelWithTags(MODELS "main_op", c, serve, 1, s));
    assert_status(s, TF_FAILED_PRECONDITION, "no object graph");
    TF_SavedModel *m = TF_LoadSavedModel(MODELS "objects", c, s);
    assert_status_ok(s);
    assert_null(TF_GetSavedModelConcreteFunction(m, "inner.nonesuch", s));
    assert_status(s, TF_NOT_FOUND, "inner.nonesuch");
    assert_null(TF_GetSavedModelConcreteFunction(m, "", s));
    assert_status(s, TF_NOT_FOUND, "''");
    assert_null(TF_GetSavedModelConcreteFunction(m, "inner", s));
    assert_status(s, TF_NOT_FOUND, "no function");
    assert_null(TF_GetSavedModelConcreteFunction(m, "twice", s));
    assert_status(s, TF_FAILED_PRECONDITION, "2 kinds of inputs");
    assert_non_null(TF_GetSavedModelConcreteFunction(m, "twice.trace_1", s));
    assert_status_ok(s);
    assert_null(TF_GetSavedModelSignatureDefFunction(m, "nonesuch", s));
    assert_status(s, TF_NOT_FOUND, "'serving_default'");
    TF_ConcreteFunction *f = TF_GetSavedModelConcreteFunction(m, "scaled", s);
    assert_null(TF_ConcreteFunctionMakeCallOp(f, NULL, 0, s));
    assert_status(s, TF_INVALID_ARGUMENT, "takes 1 inputs, and 0 are given");
    assert_null(TF_ConcreteFunctionMakeCallOp(f, NULL, 1, s));
    assert_status(s, TF_INVALID_ARGUMENT, "takes 1 inputs");
    TFE_TensorHandle *none = NULL;
    assert_null(TF_ConcreteFunctionMakeCallOp(f, &none, 1, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Invalid handle");
    TF_DeleteSavedModel(m);
    assert_null(TF_GetSavedModelConcreteFunction(NULL, "f", s));
    assert_status(s, TF_INVALID_ARGUMENT, "no model");
    assert_null(TF_GetSavedModelSignatureDefFunction(NULL, "f", s));
    assert_status(s, TF_INVALID_ARGUMENT, "no model");
    assert_null(TF_SignatureDefFunctionMakeCallOp(NULL, NULL, 0, s));
    assert_status(s, TF_INVALID_ARGUMENT, "no function");
    assert_null(TF_SignatureDefFunctionGetMetadata(NULL));
    assert_int_equal(TF_SignatureDefParamListSize(TF_SignatureDefFunctionMetadataArgs(NULL)), 0);
    assert_int_equal(TF_ConcreteFunctionListSize(NULL), 0);
    assert_null(TF_ConcreteFunctionListGet(NULL, 0));
    TF_DeleteConcreteFunctionList(NULL);
    TF_DeleteSavedModel(NULL);
    TFE_DeleteContext(c);
}

/* Of a model that was cut or changed anywhere: an error or a model, and nothing that stays in the context. */
static void broken_models_are_refused(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    char folder[] = "/tmp/loaded_model_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/saved_model.pb", folder);
    FILE *in = fopen(MODELS "objects/saved_model.pb", "rb");
    static char bytes[1 << 16];
    const size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_in_range(n, 1000, sizeof bytes - 1);
    for (size_t at = 1; at < n; at += 97) {
        const char old = bytes[at];
        bytes[at] ^= 0x11;
        FILE *out = fopen(path, "wb");
        assert_int_equal(fwrite(bytes, 1, at % 5 ? n : at, out), at % 5 ? n : at);
        fclose(out);
        bytes[at] = old;
        TF_DeleteSavedModel(TF_LoadSavedModel(folder, c, s));
    }
    remove(path);
    rmdir(folder);
    TF_DeleteSavedModel(TF_LoadSavedModel(MODELS "objects", c, s));
    assert_status_ok(s);
    TFE_DeleteContext(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_signature_is_called),     TEST(functions_are_found_by_path), TEST(tables_have_their_values),
        TEST(models_do_not_meet),        TEST(functions_get_other_names),   TEST(tags_choose),
        TEST(what_is_not_there_is_told), TEST(broken_models_are_refused),
    };
    setenv("TF_CPP_MIN_LOG_LEVEL", "2", 1); /* broken models lack values of variables */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
