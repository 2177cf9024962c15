/* Normalisation of sluice/layers.h: values against Keras 3 (LayerNormalization, GroupNormalization and
 * BatchNormalization of x = sin(.5 + .7 i), scale and offset in steps of 1.3 and .9), gradients against differences, and
 * one graph that trains, infers and is exported. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/flow.h"
#include "sluice/graph_file.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/saved_model_file.h"
#include "sluice/tensors.h"
#include "sluice/train.h"
#include "unit/capi/front_fixture.h"

static const double steps[] = {1.3, .9, .4, .2};

static void layer_norm_computes_what_keras_does(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(2, 3, 4), .7), y = sl_layer_layer_norm(f.s, "norm", x, 0);
    front_make_waves(&f, steps, 2);
    front_check_gradients(&f, y, x);
    expect_floats(&f, y, -0.0329537392f, 1.91658306f, 0.788114905f, 0.805054426f, 1.26535928f, 0.721497536f,
                  0.702197611f, 0.247987032f, -0.281237662f, 0.872064888f, 0.780988634f, -0.871508598f, 1.18870711f,
                  1.29645956f, 0.716603696f, 0.987361968f, -0.178875238f, 0.541109085f, 0.76983422f, -1.24700427f,
                  1.08281183f, 1.5422616f, 0.726356089f, 1.2405498f);
    front_delete(&f);
}

static void group_norm_computes_what_keras_does(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(2, 3, 4), .7), y = sl_layer_group_norm(f.s, "norm", x, 2, 0);
    front_make_waves(&f, steps, 2);
    front_check_gradients(&f, y, x);
    expect_floats(&f, y, 0.77533257f, 2.37595987f, 0.780079842f, -0.350305736f, 0.228218257f, -0.569686532f,
                  0.682413578f, 1.12921596f, 0.207252488f, 1.61213791f, 0.779663324f, -0.838664472f, 0.790284574f,
                  0.446270198f, 0.713742018f, 0.980082214f, -0.287480414f, 0.461389631f, 0.787434757f, -1.58821893f,
                  1.16052437f, 1.59154606f, 0.747046411f, 0.687219322f);
    front_delete(&f);

    f = front_new();
    TF_Output images = front_waves(f.s, SL_SHAPE(2, 2, 2, 6), .7);
    y = sl_slice(f.s, sl_layer_group_norm(f.s, "norm", images, 3, 0), sl_int_vector(f.s, SL_INTS(0, 0, 0, 0)),
                 sl_int_vector(f.s, SL_INTS(1, 1, 2, 6)));
    front_make_waves(&f, steps, 2);
    expect_floats(&f, y, 0.68738246f, 2.04054332f, 0.791482806f, -0.518267691f, -0.784060597f, -1.59375095f,
                  -0.330631554f, -0.342474937f, 0.724208772f, -0.489087045f, -1.69476855f, 0.0894674063f);
    assert_null(sl_layer_group_norm(f.s, "odd", images, 4, 0).oper);
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    front_delete(&f);
}

/* A scalar bool that is whether `which`, fed, is above 0. */
static TF_Output flag_by(struct sl_scope *s, TF_Output which) {
    return sl_greater(s, which, sl_scalar(s, TF_FLOAT, 0));
}

static void batch_norm_computes_what_keras_does(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(4, 3), .7), which = sl_placeholder(f.s, "which", TF_FLOAT, SL_SCALAR);
    const struct sl_batch_norm_options options = SL_OPTIONS(sl_batch_norm_options, .momentum = .9);
    TF_Output y = sl_layer_batch_norm_when(f.s, "norm", x, flag_by(f.s, which), &options);
    front_make_waves(&f, steps, 4);
    float got[12];
    static const float by_batch[] = {0.743335128f, 1.91065407f,  0.785786688f,  0.769992948f,
                                     0.464389026f, 0.689544678f, -0.349814415f, -0.351809025f,
                                     0.722017467f, 0.754188538f, 1.91856492f,   0.785471916f},
                       by_averages[] = {0.47942555f,   1.16574502f,  0.744894922f,  0.504378676f,
                                        -0.155485556f, 0.664932907f, -0.543817282f, -0.901120543f,
                                        0.691912711f,  0.489584863f, 1.17297196f,   0.744633436f};
    front_feed_floats(&f, which, 1, y, got, 12);
    for (int i = 0; i < 12; i++) assert_true(fabsf(got[i] - by_batch[i]) < 1e-5f);
    front_feed_floats(&f, which, -1, y, got, 12);
    for (int i = 0; i < 12; i++) assert_true(fabsf(got[i] - by_averages[i]) < 1e-5f);
    front_delete(&f);
}

static void batch_norm_has_gradients(void **state) {
    (void)state;
    for (int trains = 0; trains < 3; trains++) {
        struct front f = front_new();
        TF_Output x = front_waves(f.s, SL_SHAPE(2, 2, 2, 3), .7), y;
        TF_Output flag = trains < 2 ? sl_scalar(f.s, TF_BOOL, trains) : (TF_Output){NULL, 0};
        y = sl_layer_batch_norm_when(f.s, "norm", x, flag, NULL);
        front_make_waves(&f, steps, 4);
        front_check_gradients(&f, y, x);
        front_delete(&f);
    }
}

/* ---- one graph for both: x, whether it trains, what comes of x, a step, the averages */
struct model {
    TF_Output x, is_training, y;
    TF_Operation *train;
    struct sl_var mean, variance;
};
static const float points[] = {1, -2, 3, .5f, 0, 4};

static struct model make_model(struct sl_scope *s) {
    struct model m = {.x = sl_placeholder(s, "x", TF_FLOAT, SL_SHAPE(-1, 2)), .is_training = sl_is_training(s)};
    const struct sl_batch_norm_options options = SL_OPTIONS(sl_batch_norm_options, .momentum = .75);
    TF_Output normal = sl_layer_batch_norm_when(s, "norm", m.x, m.is_training, &options);
    int n;
    m.mean = sl_variables(s, &n)[2];
    m.variance = sl_variables(s, &n)[3];
    m.y = sl_layer_dense(s, "dense", normal, 2, SL_TANH);
    m.train = sl_minimize(s, &SL_OPTIONS(sl_optimizer, .kind = SL_SGD, .rate = .01), sl_l2_loss(s, m.y), NULL);
    return m;
}

/* Runs a step, or fetches `out`, with the points and perhaps the flag fed. */
static void run_model(TF_Session *session, const struct model *m, bool trains, TF_Output out, float *got, int n) {
    TF_Status *status = TF_NewStatus();
    const TF_Output feeds[] = {m->x, m->is_training};
    TF_Tensor *fed[] = {sl_tensor_of(TF_FLOAT, SL_SHAPE(3, 2), points, status),
                        sl_tensor_of(TF_BOOL, SL_SCALAR, &trains, status)},
              *value = NULL;
    const TF_Operation *target = m->train;
    TF_SessionRun(session, NULL, feeds, fed, trains ? 2 : 1, &out, &value, out.oper ? 1 : 0, &target, out.oper ? 0 : 1,
                  NULL, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    if (out.oper) sl_tensor_read(got, value, TF_FLOAT, n, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    for (int i = 0; i < 2; i++) TF_DeleteTensor(fed[i]);
    TF_DeleteTensor(value);
    TF_DeleteStatus(status);
}

static void steps_move_the_averages(void **state) {
    (void)state;
    struct front f = front_new();
    struct model m = make_model(f.s);
    const TF_Output none = {NULL, 0};
    front_open(&f);
    run_model(f.session, &m, false, none, NULL, 0); /* trains the scale, by averages that stay */
    expect_floats(&f, m.mean.value, 0, 0);
    run_model(f.session, &m, true, none, NULL, 0);
    expect_floats(&f, m.mean.value, .25f * 4 / 3, .25f * 2.5f / 3);
    /* The squares of the distances from the mean by n - 1, as TensorFlow's op has it. */
    expect_floats(&f, m.variance.value, .75f + .25f * 14 / 6, .75f + .25f * (20.25f - 6.25f / 3) / 2);
    front_delete(&f);
}

static void expect_same(const float *got, const float *wanted) {
    for (int i = 0; i < 6; i++)
        if (!(fabsf(got[i] - wanted[i]) < 1e-6f)) fail_msg("%d: %.9g, not %.9g", i, got[i], wanted[i]);
}

/* The model of a directory or of a frozen graph, where x and the result are what they are called. */
static void expect_from_graph(TF_Graph *graph, TF_Session *session, const float *wanted, const char *y) {
    TF_Status *status = TF_NewStatus();
    struct model m = {.x = sl_output_named(graph, "x", status), .y = sl_output_named(graph, y, status)};
    float got[6];
    TF_DeleteStatus(status);
    assert_non_null(m.x.oper);
    assert_non_null(m.y.oper);
    run_model(session, &m, false, m.y, got, 6);
    expect_same(got, wanted);
}

static void expect_from_directory(const char *dir, const float *wanted) {
    TF_Status *status = TF_NewStatus();
    struct sl_model *model = sl_model_read(dir, status);
    struct sl_model_signature signature;
    assert_true(sl_model_signature_at(&signature, model, 0, 0));
    TF_Graph *graph = TF_NewGraph();
    TF_SessionOptions *options = TF_NewSessionOptions();
    const char *const tags[] = {"serve"};
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, dir, tags, 1, graph, NULL, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    expect_from_graph(graph, session, wanted, signature.outputs[0].tensor);
    sl_model_delete(model);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

static void expect_from_frozen(struct front *f, const struct model *m, const float *wanted) {
    struct front frozen = front_new();
    TF_Status *status = TF_NewStatus();
    TF_Buffer *def = TF_NewBuffer();
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    sl_freeze_session(def, f->session, &m->x, 1, &m->y, 1, status);
    if (TF_GetCode(status) == TF_OK) TF_GraphImportGraphDef(frozen.graph, def, options, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    front_open(&frozen);
    expect_from_graph(frozen.graph, frozen.session, wanted, TF_OperationName(m->y.oper));
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(def);
    TF_DeleteStatus(status);
    front_delete(&frozen);
}

static void what_is_exported_infers(void **state) {
    (void)state;
    char folder[] = "/tmp/sluice-norm-XXXXXX", dir[64], command[64];
    assert_non_null(mkdtemp(folder));
    snprintf(dir, sizeof dir, "%s/model", folder);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    struct front f = front_new();
    struct model m = make_model(f.s);
    TF_Status *status = TF_NewStatus();
    const struct sl_export_port in = {"x", m.x}, out = {"y", m.y};
    const struct sl_export_signature signature = {
        .name = "serving_default", .num_inputs = 1, .inputs = &in, .num_outputs = 1, .outputs = &out};
    front_open(&f);
    for (int i = 0; i < 5; i++) run_model(f.session, &m, true, (TF_Output){NULL, 0}, NULL, 0);
    float inferred[6], trained[6];
    run_model(f.session, &m, false, m.y, inferred, 6);
    run_model(f.session, &m, true, m.y, trained, 6);
    int differ = 0; /* dropout draws anew: a single result may come out alike */
    for (int i = 0; i < 6; i++) differ += fabsf(inferred[i] - trained[i]) > 1e-3f;
    assert_true(differ > 0);
    sl_model_write(dir, f.session, &SL_OPTIONS(sl_export, .signatures = &signature, .num_signatures = 1), status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    expect_from_directory(dir, inferred);
    expect_from_frozen(&f, &m, inferred);
    assert_int_equal(system(command), 0);
    TF_DeleteStatus(status);
    front_delete(&f);
}

static void outputs_have_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        TF_Code code;
    } wrong[] = {{"nobody", TF_NOT_FOUND},    {"nobody:0", TF_NOT_FOUND},    {"x:1", TF_NOT_FOUND},
                 {"x:", TF_INVALID_ARGUMENT}, {"x:-1", TF_INVALID_ARGUMENT}, {"x:one", TF_INVALID_ARGUMENT},
                 {"", TF_NOT_FOUND},          {":0", TF_NOT_FOUND}};
    struct front f = front_new();
    TF_Status *status = TF_NewStatus();
    TF_Output x = sl_placeholder(f.s, "x", TF_FLOAT, SL_SCALAR);
    assert_ptr_equal(sl_output_named(f.graph, "x:0", status).oper, x.oper);
    assert_int_equal(TF_GetCode(status), TF_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(sl_output_named(f.graph, wrong[i].name, status).oper);
        assert_int_equal(TF_GetCode(status), wrong[i].code);
    }
    TF_DeleteStatus(status);
    front_delete(&f);
}

static void within(struct sl_scope *s, TF_Output *out, void *x) {
    out[0] = sl_layer_batch_norm_when(s, "norm", *(TF_Output *)x, sl_is_training(s), NULL);
}

static void not_within_a_conditional(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(4, 3), .7), y;
    sl_cond(f.s, &y, 1, sl_scalar(f.s, TF_BOOL, 1), within, within, &x);
    assert_int_equal(sl_scope_code(f.s), TF_UNIMPLEMENTED);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_norm_computes_what_keras_does),
        cmocka_unit_test(group_norm_computes_what_keras_does),
        cmocka_unit_test(batch_norm_computes_what_keras_does),
        cmocka_unit_test(batch_norm_has_gradients),
        cmocka_unit_test(steps_move_the_averages),
        cmocka_unit_test(what_is_exported_infers),
        cmocka_unit_test(not_within_a_conditional),
        cmocka_unit_test(outputs_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
