/* Scopes, variables and layers: names, devices, control inputs, errors that stick; shapes and values of layers. */
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"

#include <stdio.h>

#include "unit/capi/front_fixture.h"

static void scopes_name_and_order_operations(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = sl_scalar(f.s, TF_FLOAT, 1);
    sl_push_name(f.s, "a");
    TF_Output y = sl_neg(f.s, x), again = sl_neg(f.s, x), named = sl_neg(sl_name(f.s, "mine"), x);
    sl_push_name(f.s, "b");
    sl_push_device(f.s, "/device:CPU:0");
    TF_Output inner = sl_neg(f.s, y);
    sl_pop(f.s);
    sl_pop(f.s);
    sl_push_control(f.s, &named.oper, 1);
    TF_Output late = sl_neg(f.s, x);
    sl_push_no_control(f.s);
    TF_Output free = sl_neg(f.s, x);
    sl_pop(f.s);
    sl_pop(f.s);
    sl_pop(f.s);
    sl_push_name(f.s, "a");
    TF_Output second = sl_neg(f.s, x);
    sl_pop(f.s);
    assert_true(sl_scope_ok(f.s));
    assert_string_equal(TF_OperationName(y.oper), "a/Neg");
    assert_string_equal(TF_OperationName(again.oper), "a/Neg_1");
    assert_string_equal(TF_OperationName(named.oper), "a/mine");
    assert_string_equal(TF_OperationName(inner.oper), "a/b/Neg");
    assert_string_equal(TF_OperationDevice(inner.oper), "/device:CPU:0");
    assert_string_equal(TF_OperationDevice(late.oper), "");
    assert_string_equal(TF_OperationName(second.oper), "a_1/Neg");
    assert_int_equal(TF_OperationNumControlInputs(late.oper), 1);
    assert_int_equal(TF_OperationNumControlInputs(free.oper), 0);
    sl_pop(f.s);
    assert_int_equal(sl_scope_code(f.s), TF_FAILED_PRECONDITION);
    front_delete(&f);
}

static void the_first_error_sticks(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = sl_scalar(f.s, TF_FLOAT, 1), y = sl_scalar(f.s, TF_INT32, 1);
    assert_null(sl_add_v2(f.s, x, y).oper);
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    char message[512];
    snprintf(message, sizeof message, "%s", sl_scope_message(f.s));
    assert_null(sl_neg(f.s, x).oper);
    sl_scope_fail(f.s, TF_INTERNAL, "another");
    assert_string_equal(sl_scope_message(f.s), message);
    front_delete(&f);
    assert_false(sl_scope_ok(NULL));
    assert_null(sl_neg(NULL, x).oper);
}

static void attributes_reach_the_operation(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(2, 1), (const float[]){1, 2});
    TF_Output y = sl_matmul_with(f.s, x, x, (struct sl_matmul_attrs){.transpose_a = true});
    TF_Output hot = sl_one_hot_with(f.s, sl_int_vector(f.s, SL_INTS(1, 0)), sl_scalar(f.s, TF_INT32, 3),
                                    sl_scalar(f.s, TF_FLOAT, 1), sl_scalar(f.s, TF_FLOAT, 0),
                                    (struct sl_one_hot_attrs){.axis = SL_ZERO_INT});
    TF_Output slope = sl_leaky_relu_with(f.s, sl_float_vector(f.s, FLOATS(-5, 2)),
                                         (struct sl_leaky_relu_attrs){.alpha = SL_ZERO_FLOAT});
    TF_Output half = sl_cast(f.s, sl_scalar(f.s, TF_HALF, 1.5), (struct sl_cast_attrs){.DstT = TF_FLOAT});
    front_open(&f);
    expect_floats(&f, y, 5);
    assert_int_equal(sl_size_of(f.s, hot, 0), 3);
    expect_floats(&f, hot, 0, 1, 1, 0, 0, 0);
    expect_floats(&f, slope, 0, 2);
    expect_floats(&f, half, 1.5);
    front_delete(&f);
}

static void variables_keep_values(void **state) {
    (void)state;
    struct front f = front_new();
    sl_push_name(f.s, "layer");
    struct sl_var v = sl_variable(f.s, "w", sl_initial_filled(f.s, TF_FLOAT, SL_SHAPE(2), 3)),
                  w = sl_variable_untrained(f.s, "w", sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(2)));
    sl_pop(f.s);
    TF_Operation *add = sl_variable_add(f.s, v, w.value);
    sl_push_control(f.s, &add, 1);
    TF_Output after = sl_read(f.s, v);
    sl_pop(f.s);
    int all, trainable;
    sl_variables(f.s, &all);
    sl_variables_trainable(f.s, &trainable);
    assert_int_equal(all, 2);
    assert_int_equal(trainable, 1);
    assert_string_equal(TF_OperationName(v.handle.oper), "layer/w");
    assert_string_equal(TF_OperationName(w.handle.oper), "layer/w_1");
    front_open(&f);
    expect_floats(&f, after, 4, 4);
    expect_floats(&f, v.value, 4, 4);
    front_delete(&f);
}

static void initial_values_have_their_spread(void **state) {
    (void)state;
    struct front f = front_new();
    sl_seed(f.s, 3);
    TF_Output glorot = sl_initial_glorot(f.s, TF_FLOAT, SL_SHAPE(100, 50)),
              he = sl_initial_he(f.s, TF_FLOAT, SL_SHAPE(100, 50));
    TF_Output all = sl_int_vector(f.s, SL_INTS(0, 1));
    TF_Output spread[] = {sl_max(f.s, sl_abs(f.s, glorot), all), sl_mean(f.s, sl_square(f.s, he), all)};
    front_open(&f);
    float got;
    front_floats(&f, spread[0], &got, 1);
    assert_true(got < .2f + 1e-6f && got > .19f); /* sqrt(6 / 150) */
    front_floats(&f, spread[1], &got, 1);
    assert_true(fabsf(got - .02f) < .002f); /* 2 / 100 */
    front_delete(&f);
}

static void expect_shape(struct front *f, TF_Output x, struct sl_ints shape) {
    if (!sl_scope_ok(f->s)) fail_msg("%s", sl_scope_message(f->s));
    assert_int_equal(sl_rank_of(f->s, x), shape.n);
    for (int i = 0; i < shape.n; i++) assert_int_equal(sl_size_of(f->s, x, i), shape.items[i]);
}

static void layers_have_their_shapes(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output image = sl_initial_uniform(f.s, TF_FLOAT, SL_SHAPE(4, 8, 8, 3), -1, 1);
    TF_Operation *update;
    TF_Output x = sl_layer_conv2d(f.s, "conv", image, 5, 3, 1, SL_LINEAR);
    expect_shape(&f, x, SL_INTS(4, 8, 8, 5));
    x = sl_layer_batch_norm(f.s, "norm", x, true, .9, &update);
    expect_shape(&f, x, SL_INTS(4, 8, 8, 5));
    TF_Output mean = sl_mean(f.s, x, sl_int_vector(f.s, SL_INTS(0, 1, 2)));
    x = sl_layer_max_pool(f.s, sl_activate(f.s, x, SL_RELU), 2, 2);
    expect_shape(&f, x, SL_INTS(4, 4, 4, 5));
    x = sl_layer_flatten(f.s, sl_layer_mean_pool(f.s, x, 2, 2));
    expect_shape(&f, x, SL_INTS(4, 20));
    x = sl_layer_dense(f.s, "dense", x, 7, SL_TANH);
    expect_shape(&f, x, SL_INTS(4, 7));
    TF_Output cubes = sl_layer_dense(f.s, "outer", sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(2, 3, 4)), 6, SL_LINEAR);
    TF_Output words = sl_layer_embedding(f.s, "words", sl_int_vector(f.s, SL_INTS(1, 5, 1)), 9, 2);
    expect_shape(&f, words, SL_INTS(3, 2));
    assert_non_null(update);
    front_open(&f);
    float got[64];
    front_floats(&f, x, got, 28);
    front_floats(&f, cubes, got, 36);
    front_floats(&f, mean, got, 5);
    for (int i = 0; i < 5; i++) assert_true(fabsf(got[i]) < 1e-4f);
    front_do(&f, update);
    front_delete(&f);
}

static void dropout_drops_in_training_only(void **state) {
    (void)state;
    struct front f = front_new();
    sl_seed(f.s, 5);
    TF_Output which = sl_placeholder(f.s, "which", TF_FLOAT, SL_SCALAR);
    TF_Output training = sl_greater(f.s, which, sl_scalar(f.s, TF_FLOAT, 0));
    TF_Output y = sl_layer_dropout(f.s, sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(1000)), .75, training);
    front_open(&f);
    static float got[1000];
    front_feed_floats(&f, which, 0, y, got, 1000);
    for (int i = 0; i < 1000; i++) assert_true(got[i] == 1);
    front_feed_floats(&f, which, 1, y, got, 1000);
    int kept = 0;
    for (int i = 0; i < 1000; i++) {
        assert_true(got[i] == 0 || got[i] == 4);
        kept += got[i] != 0;
    }
    assert_true(kept > 200 && kept < 300);
    front_delete(&f);
}

/* A recurrent network learns to add up: the loss falls, through the gradients of the loop. */
static void recurrent_layers_learn(void **state) {
    (void)state;
    for (int lstm = 0; lstm < 2; lstm++) {
        struct front f = front_new();
        sl_seed(f.s, 11);
        static const float series[] = {.1f, .5f, -.3f, .2f, .4f, -.2f, .3f, .1f}; /* [4, 2, 1] */
        TF_Output x = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(4, 2, 1), series), last, all;
        all = lstm ? sl_layer_lstm(f.s, "lstm", x, 4, &last) : sl_layer_gru(f.s, "gru", x, 4, &last);
        TF_Output sums = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(2, 1), (const float[]){.5f, .6f});
        TF_Output loss = sl_loss_squares(f.s, sl_layer_dense(f.s, "out", last, 1, SL_LINEAR), sums);
        const struct sl_optimizer adam = {.kind = SL_ADAM, .rate = .05};
        TF_Operation *train = sl_minimize(f.s, &adam, loss, NULL);
        front_open(&f);
        float before, after, got[32];
        front_floats(&f, all, got, 32);
        front_floats(&f, loss, &before, 1);
        for (int i = 0; i < 60; i++) front_do(&f, train);
        front_floats(&f, loss, &after, 1);
        if (!(after < before / 20)) fail_msg("%g after %g", (double)after, (double)before);
        front_delete(&f);
    }
}

/* ---- against what TensorFlow's BlockLSTM, GRUBlockCell, FusedBatchNormV3 and Conv2D give */
static void recurrent_layers_compute_what_tensorflow_does(void **state) {
    (void)state;
    static const double steps[] = {1.3, .9, 1.1, .3};
    for (int lstm = 0; lstm < 2; lstm++)
        for (int functional = 0; functional < 2; functional++) {
            struct front f = front_new();
            sl_push_functional(f.s, functional);
            TF_Output x = front_waves(f.s, SL_SHAPE(3, 2, 2), .7), last;
            TF_Output all = lstm ? sl_layer_lstm(f.s, "lstm", x, 2, &last) : sl_layer_gru(f.s, "gru", x, 2, &last);
            TF_Operation *set[4] = {NULL};
            for (int i = 0; i < (lstm ? 2 : 4); i++) set[i] = front_set_waves(&f, i, steps[i]);
            front_open(&f);
            for (int i = 0; i < 4 && set[i]; i++) front_do(&f, set[i]);
            if (lstm) {
                expect_floats(&f, all, .1842028201f, .1260991395f, .2784033716f, -.2774836719f, .0999701843f,
                              -.1194939166f, .0381520800f, .0002263045f, .1469414979f, .1600158066f, .2829660773f,
                              -.1265518963f);
                expect_floats(&f, last, .1469414979f, .1600158066f, .2829660773f, -.1265518963f);
            } else {
                expect_floats(&f, all, .1341974139f, .3683444262f, .1823481321f, .6468869448f, .1299230158f,
                              .5226081014f, -.0525027961f, .5955562592f, .2511696219f, .5096014738f, .1282268167f,
                              .8048325777f);
            }
            front_delete(&f);
        }
}

static void image_layers_compute_what_tensorflow_does(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output images = front_waves(f.s, SL_SHAPE(2, 2, 2, 2), .7), mean, variance;
    TF_Operation *update, *ignored;
    TF_Output conv = sl_layer_conv2d(f.s, "conv", images, 2, 3, 2, SL_RELU);
    TF_Operation *kernel = front_set_waves(&f, 0, 1.3);
    int n;
    TF_Operation *bias = sl_variable_assign(f.s, sl_variables(f.s, &n)[1], sl_float_vector(f.s, FLOATS(.1f, .2f)));
    TF_Output norm = sl_layer_batch_norm(f.s, "norm", images, true, .9, &update);
    mean = sl_variables(f.s, &n)[4].value;
    variance = sl_variables(f.s, &n)[5].value;
    TF_Output later = sl_layer_batch_norm(f.s, "later", images, false, .9, &ignored);
    front_open(&f);
    front_do(&f, kernel);
    front_do(&f, bias);
    expect_floats(&f, conv, .5772471428f, .2974120975f, .6539705395f, 0);
    expect_floats(&f, norm, .5553864240f, 1.2173231840f, 1.2292811871f, .6599458456f, -.3643175960f, -1.0425494909f,
                  -1.5799311399f, -1.0639085770f, -.3995612264f, .6313260794f, 1.2173006535f, 1.2289536f, .5865574479f,
                  -.2631270289f, -1.2447158098f, -1.3679637909f);
    front_do(&f, update);
    expect_floats(&f, mean, .0094653659f, .0022312552f);
    expect_floats(&f, variance, .9547397017f, .9637123346f);
    assert_null(ignored);
    float got[16]; /* by averages that are still 0 and 1 */
    front_floats(&f, later, got, 16);
    assert_true(fabsf(got[0] - (float)(sin(.5) / sqrt(1.001))) < 1e-6f);
    front_delete(&f);
}

/* Keras 3's activations of these numbers; where they have no corner, gradients against differences. */
static void activations_compute_what_keras_does(void **state) {
    (void)state;
    static const struct {
        enum sl_activation activation;
        float wanted[7];
    } rows[] = {
        {SL_GELU, {-0.000126685016f, -0.100210831f, -0.114626579f, 0, 0.185373425f, 1.39978921f, 7}},
        {SL_GELU_TANH, {-7.02142715e-05f, -0.100428432f, -0.114629082f, 0, 0.185370937f, 1.39957154f, 7}},
        {SL_SILU, {-0.0719448403f, -0.273638278f, -0.127667248f, 0, 0.172332779f, 1.22636175f, 6.99362278f}},
        {SL_MISH, {-0.0725917369f, -0.298099756f, -0.15113318f, 0, 0.20800139f, 1.40337813f, 6.99998903f}},
        {SL_RELU6, {0, 0, 0, 0, 0.300000012f, 1.5f, 6}},
        {SL_HARD_SIGMOID, {0, 0.25f, 0.450000018f, 0.5f, 0.550000012f, 0.75f, 1}},
        {SL_HARD_SILU, {0, -0.375f, -0.135000005f, 0, 0.165000007f, 1.125f, 7}},
        {SL_SOFTSIGN, {-0.800000012f, -0.600000024f, -0.230769247f, 0, 0.230769247f, 0.600000024f, 0.875f}},
        {SL_SOFTMAX,
         {1.65835372e-05f, 0.000202028823f, 0.00067075924f, 0.000905430468f, 0.00122220349f, 0.00405785767f,
          0.992925048f}},
        {SL_LOG_SOFTMAX,
         {-11.0071001f, -8.50710011f, -7.3071003f, -7.00710011f, -6.70709991f, -5.50710011f, -0.00709999399f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct front f = front_new();
        TF_Output x = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(1, 7), (const float[]){-4, -1.5f, -.3f, 0, .3f, 1.5f, 7});
        TF_Output y = sl_activate(f.s, x, rows[i].activation);
        front_open(&f);
        front_expect(&f, y, rows[i].wanted, 7, "activation", (int)rows[i].activation);
        if (rows[i].activation != SL_RELU6) front_check_gradient(&f, y, x);
        front_delete(&f);
    }
}

/* Bags of 3, 1 and 0 of the rows {0, 1}, {2, 3}, {4, 5}; ids behind a bag's end are nobody's. */
static void bags_of_embeddings_are_combined(void **state) {
    (void)state;
    static const float rows[] = {0, 1, 2, 3, 4, 5}, weights[] = {1, 2, 3, 2, 9, 9, 9, 9, 9};
    static const int64_t ids[] = {0, 1, 2, 2, -1, 77, -1, -1, -1}, whole[] = {0, 1, 2, 2};
    struct front f = front_new();
    TF_Output x = sl_constant_of(f.s, TF_INT64, SL_SHAPE(3, 3), ids), y[3],
              lengths = sl_int_vector(f.s, SL_INTS(3, 1, 0));
    TF_Output w = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(3, 3), weights);
    for (int i = 0; i < 3; i++)
        y[i] = sl_layer_embedding_bag(f.s, "bag", x, 3, 2,
                                      &SL_OPTIONS(sl_bag_options, .combiner = (enum sl_combiner)i, .lengths = lengths,
                                                  .weights = i ? w : (TF_Output){NULL, 0}));
    TF_Output all =
        sl_layer_embedding_bag(f.s, "all", sl_constant_of(f.s, TF_INT64, SL_SHAPE(2, 2), whole), 3, 2, NULL);
    int n;
    const struct sl_var *tables = sl_variables(f.s, &n);
    TF_Operation *set[4];
    TF_Output values = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(3, 2), rows);
    assert_int_equal(n, 4);
    for (int i = 0; i < 4; i++) set[i] = sl_variable_assign(f.s, tables[i], values);
    assert_int_equal(sl_size_of(f.s, all, 1), 2);
    front_open(&f);
    for (int i = 0; i < 4; i++) front_do(&f, set[i]);
    expect_floats(&f, y[SL_BAG_SUM], 6, 9, 4, 5, 0, 0);
    expect_floats(&f, y[SL_BAG_MEAN], 16 / 6.f, 22 / 6.f, 4, 5, 0, 0);
    expect_floats(&f, y[SL_BAG_SQRTN], 16 / sqrtf(14), 22 / sqrtf(14), 4, 5, 0, 0);
    expect_floats(&f, all, 2, 4, 8, 10);
    front_check_gradient(&f, y[SL_BAG_MEAN], w);
    front_delete(&f);
}

static void losses_have_their_values(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output logits = sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(2, 2), (const float[]){0, 0, 0, logf(3)});
    TF_Output labels = sl_int_vector(f.s, SL_INTS(0, 1)), x = sl_float_vector(f.s, FLOATS(0, -100));
    TF_Output softmax = sl_loss_softmax(f.s, logits, labels),
              sigmoid = sl_loss_sigmoid(f.s, x, sl_float_vector(f.s, FLOATS(1, 1))),
              squares = sl_loss_squares(f.s, x, sl_float_vector(f.s, FLOATS(2, -98))),
              accuracy = sl_accuracy(f.s, logits, sl_int_vector(f.s, SL_INTS(1, 1)));
    front_open(&f);
    expect_floats(&f, softmax, (logf(2) + logf(4.f / 3)) / 2);
    expect_floats(&f, sigmoid, (logf(2) + 100) / 2);
    expect_floats(&f, squares, 4);
    expect_floats(&f, accuracy, .5f);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_name_and_order_operations),
        cmocka_unit_test(the_first_error_sticks),
        cmocka_unit_test(attributes_reach_the_operation),
        cmocka_unit_test(variables_keep_values),
        cmocka_unit_test(initial_values_have_their_spread),
        cmocka_unit_test(layers_have_their_shapes),
        cmocka_unit_test(dropout_drops_in_training_only),
        cmocka_unit_test(recurrent_layers_learn),
        cmocka_unit_test(activations_compute_what_keras_does),
        cmocka_unit_test(bags_of_embeddings_are_combined),
        cmocka_unit_test(losses_have_their_values),
        cmocka_unit_test(recurrent_layers_compute_what_tensorflow_does),
        cmocka_unit_test(image_layers_compute_what_tensorflow_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
