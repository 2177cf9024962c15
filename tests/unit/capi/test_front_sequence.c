/* Recurrent layers with masks and directions, and attention, of sluice/layers.h: values against Keras 3 (LSTM, GRU with
 * reset_after=False, both with zero_output_for_mask, and MultiHeadAttention; what they are given is sin(.5 + i step)),
 * gradients against differences, mistakes. */
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "unit/capi/front_fixture.h"

static const double steps[] = {1.3, .9, 1.1, .3, .7, .4, 1.7, .6};
enum { N_STEPS = sizeof steps / sizeof *steps };

static TF_Output bools(struct sl_scope *s, struct sl_dims shape, const unsigned char *values) {
    return sl_constant_of(s, TF_BOOL, shape, values);
}
static TF_Output lengths(struct sl_scope *s, int64_t a, int64_t b) {
    return sl_constant_of(s, TF_INT64, SL_SHAPE(2), (const int64_t[]){a, b});
}

/* ---- recurrent layers over [3, 2, 2], two units */
typedef TF_Output recurrent_layer(struct sl_scope *scope, const char *name, TF_Output x, int64_t units, TF_Output *last,
                                  const struct sl_recurrent_options *options);

/* In both forms of loops, and with the batch before or behind the time. */
static void check_recurrent(recurrent_layer *layer, struct sl_recurrent_options o, int64_t n1, int64_t n2,
                            const unsigned char *mask, struct sl_floats all, struct sl_floats end) {
    for (int form = 0; form < 4; form++) {
        struct front f = front_new();
        sl_push_functional(f.s, form & 1);
        o.batch_first = form & 2;
        TF_Output x = front_waves(f.s, SL_SHAPE(3, 2, 2), .7), axes = sl_int_vector(f.s, SL_INTS(1, 0, 2)), last, y;
        TF_Output given = o.batch_first ? sl_transpose(f.s, x, axes) : x;
        if (n1) o.lengths = lengths(f.s, n1, n2);
        if (mask) o.mask = bools(f.s, SL_SHAPE(3, 2), mask);
        if (mask && o.batch_first) o.mask = sl_transpose(f.s, o.mask, sl_int_vector(f.s, SL_INTS(1, 0)));
        y = layer(f.s, "layer", given, 2, &last, &o);
        if (o.batch_first) y = sl_transpose(f.s, y, axes);
        int n;
        sl_variables(f.s, &n);
        front_make_waves(&f, steps, n);
        front_expect(&f, y, all.items, all.n, "form", form);
        if (end.n) front_expect(&f, last, end.items, end.n, "last, form", form);
        if (form == 0) front_check_gradients(&f, y, x);
        front_delete(&f);
    }
}

static void recurrent_layers_compute_what_keras_does(void **state) {
    (void)state;
    static const unsigned char mask[] = {1, 0, 0, 1, 1, 1};
    check_recurrent(sl_layer_lstm_with, (struct sl_recurrent_options){.size = 0}, 3, 2, NULL,
                    FLOATS(0.18420282f, 0.126099139f, 0.278403372f, -0.277483672f, 0.0999701768f, -0.119493954f,
                           0.03815208f, 0.000226304473f, 0.146941498f, 0.160015777f, 0, 0),
                    FLOATS(0.146941498f, 0.160015777f, 0.03815208f, 0.000226304473f));
    check_recurrent(sl_layer_gru_with, (struct sl_recurrent_options){.size = 0}, 0, 0, mask,
                    FLOATS(0.134197429f, 0.368344396f, 0, 0, 0, 0, -0.158807769f, 0.0496438406f, 0.243209183f,
                           0.388497055f, 0.0343036652f, 0.639436603f),
                    FLOATS(0.243209183f, 0.388497055f, 0.0343036652f, 0.639436603f));
    check_recurrent(sl_layer_gru_with, (struct sl_recurrent_options){.bidirectional = true}, 3, 2, NULL,
                    FLOATS(0.134197429f, 0.368344396f, 0.0752090663f, 0.42040354f, 0.182348132f, 0.646886885f,
                           0.224753171f, 0.3183797f, 0.129923016f, 0.522608042f, 0.144274712f, 0.292590737f,
                           -0.0525027886f, 0.5955562f, 0.151878998f, 0.131405562f, 0.251169592f, 0.509601414f,
                           0.022255443f, 0.152139351f, 0, 0, 0, 0),
                    FLOATS(0.251169592f, 0.509601414f, 0.0752090663f, 0.42040354f, -0.0525027886f, 0.5955562f,
                           0.224753171f, 0.3183797f));
    check_recurrent(sl_layer_lstm_with, (struct sl_recurrent_options){.backwards = true}, 0, 0, NULL,
                    FLOATS(0.210263699f, 0.100116484f, 0.319992244f, -0.255512565f, 0.121877797f, -0.104650021f,
                           0.0428182073f, 0.0449023992f, 0.129417628f, 0.214243516f, 0.247801632f, -0.129567608f),
                    FLOATS(0.210263699f, 0.100116484f, 0.319992244f, -0.255512565f));
}

/* A mask and lengths count together: here no time of the second sequence is left. */
static void masks_and_lengths_go_together(void **state) {
    (void)state;
    static const unsigned char mask[] = {1, 0, 1, 0, 1, 1};
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(3, 2, 2), .7), last;
    TF_Output y = sl_layer_gru_with(f.s, "gru", x, 1, &last,
                                    &SL_OPTIONS(sl_recurrent_options, .lengths = lengths(f.s, 3, 2),
                                                .mask = bools(f.s, SL_SHAPE(3, 2), mask)));
    front_make_waves(&f, steps, 4);
    float got[6], end[2];
    front_floats(&f, y, got, 6);
    front_floats(&f, last, end, 2);
    assert_true(got[0] != 0 && got[2] != 0 && got[4] == end[0]);
    assert_true(got[1] == 0 && got[3] == 0 && got[5] == 0 && end[1] == 0);
    front_delete(&f);
}

/* A step that does not count leaves all states as they are: the layer ends as if it were not there. */
static void steps_that_do_not_count_change_nothing(void **state) {
    (void)state;
    static const unsigned char mask[] = {1, 0, 1};
    static const double twice[] = {1.3, .9, 1.3, .9};
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(3, 1, 2), .7), ends[2];
    TF_Output without = sl_gather_v2(f.s, x, sl_int_vector(f.s, SL_INTS(0, 2)), sl_scalar(f.s, TF_INT32, 0));
    sl_layer_lstm_with(f.s, "masked", x, 2, &ends[0],
                       &SL_OPTIONS(sl_recurrent_options, .mask = bools(f.s, SL_SHAPE(3, 1), mask)));
    sl_layer_lstm_with(f.s, "shorter", without, 2, &ends[1], NULL);
    front_make_waves(&f, twice, 4);
    float got[2], wanted[2];
    front_floats(&f, ends[0], got, 2);
    front_floats(&f, ends[1], wanted, 2);
    for (int i = 0; i < 2; i++) assert_true(wanted[i] != 0 && fabsf(got[i] - wanted[i]) < 1e-6f);
    front_delete(&f);
}

/* ---- attention */
static void check_attention(struct front *f, TF_Output query, TF_Output value, int64_t heads,
                            const struct sl_attention_options *o, struct sl_floats wanted) {
    TF_Output y = sl_layer_attention(f->s, "attention", query, value, heads, o);
    int n;
    sl_variables(f->s, &n);
    assert_true(n <= N_STEPS);
    front_make_waves(f, steps, n);
    front_expect(f, y, wanted.items, wanted.n, __FILE__, __LINE__);
    front_check_gradients(f, y, query);
    front_delete(f);
}

static void attention_computes_what_keras_does(void **state) {
    (void)state;
    static const unsigned char mask[] = {1, 0, 1, 1, 0, 1};
    struct front f = front_new();
    check_attention(&f, front_waves(f.s, SL_SHAPE(2, 3, 4), .7), front_waves(f.s, SL_SHAPE(2, 2, 3), .8), 2, NULL,
                    FLOATS(3.43705702f, 1.22123957f, -2.05101204f, 1.19973731f, 3.29956675f, 1.41331339f, -1.96301723f,
                           0.984988213f, 3.64092827f, 0.946238339f, -2.18401885f, 1.50901294f, 3.88650179f, 1.26161194f,
                           -2.51086068f, 1.27786279f, 3.14323902f, 0.561724424f, -1.58724427f, 1.73974466f, 3.92663813f,
                           1.30441499f, -2.56202674f, 1.24824476f));
    f = front_new();
    check_attention(&f, front_waves(f.s, SL_SHAPE(2, 3, 4), .7), front_waves(f.s, SL_SHAPE(2, 2, 3), .8), 2,
                    &SL_OPTIONS(sl_attention_options, .lengths = lengths(f.s, 2, 1)),
                    FLOATS(3.43705702f, 1.22123957f, -2.05101204f, 1.19973731f, 3.29956675f, 1.41331339f, -1.96301723f,
                           0.984988213f, 3.64092827f, 0.946238339f, -2.18401885f, 1.50901294f, 2.85489225f,
                           0.275719643f, -1.22519755f, 1.93245411f, 2.85489225f, 0.275719643f, -1.22519755f,
                           1.93245411f, 2.85489225f, 0.275719643f, -1.22519755f, 1.93245411f));
    static const unsigned char as_lengths[] = {1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0};
    f = front_new(); /* the same, of each example */
    check_attention(&f, front_waves(f.s, SL_SHAPE(2, 3, 4), .7), front_waves(f.s, SL_SHAPE(2, 2, 3), .8), 2,
                    &SL_OPTIONS(sl_attention_options, .mask = bools(f.s, SL_SHAPE(2, 3, 2), as_lengths)),
                    FLOATS(3.43705702f, 1.22123957f, -2.05101204f, 1.19973731f, 3.29956675f, 1.41331339f, -1.96301723f,
                           0.984988213f, 3.64092827f, 0.946238339f, -2.18401885f, 1.50901294f, 2.85489225f,
                           0.275719643f, -1.22519755f, 1.93245411f, 2.85489225f, 0.275719643f, -1.22519755f,
                           1.93245411f, 2.85489225f, 0.275719643f, -1.22519755f, 1.93245411f));
    f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(2, 3, 4), .7);
    check_attention(&f, x, x, 2, &SL_OPTIONS(sl_attention_options, .head_size = 3, .causal = true, .no_bias = true),
                    FLOATS(7.37649918f, 7.80602598f, 7.53826284f, 6.59712982f, -4.21816778f, -4.59550428f, -4.56233788f,
                           -4.1216321f, 6.06897688f, 6.68302155f, 6.70009089f, 6.11866283f, -3.38796616f, -4.31631422f,
                           -4.85909891f, -4.96783543f, -0.648585141f, -0.221960291f, 0.22449176f, 0.65089041f,
                           -0.826298118f, -1.14462364f, -1.36070359f, -1.45523584f));
    for (int rank = 2; rank < 4; rank++) {
        f = front_new();
        TF_Output seen = bools(f.s, SL_SHAPE(3, 2), mask), key = front_waves(f.s, SL_SHAPE(2, 2, 5), .6);
        if (rank == 3) seen = sl_expand_dims(f.s, seen, sl_scalar(f.s, TF_INT32, 0));
        check_attention(&f, front_waves(f.s, SL_SHAPE(2, 3, 4), .7), front_waves(f.s, SL_SHAPE(2, 2, 3), .8), 1,
                        &SL_OPTIONS(sl_attention_options, .head_size = 2, .units = 2, .key = key, .mask = seen),
                        FLOATS(0.452944696f, 1.41402924f, 0.064776659f, 0.853810191f, -0.415250301f, 0.161016643f,
                               0.752012134f, 1.07389593f, 0.333479851f, 1.02813673f, -0.101256788f, 0.980605841f));
    }
}

static void attention_drops_in_training_only(void **state) {
    (void)state;
    struct front f = front_new();
    sl_seed(f.s, 3);
    TF_Output x = front_waves(f.s, SL_SHAPE(1, 6, 4), .7), which = sl_placeholder(f.s, "which", TF_FLOAT, SL_SCALAR);
    TF_Output flag = sl_greater(f.s, which, sl_scalar(f.s, TF_FLOAT, 0));
    TF_Output y = sl_layer_attention(f.s, "attention", x, x, 2,
                                     &SL_OPTIONS(sl_attention_options, .dropout = .5, .is_training = flag));
    front_make_waves(&f, steps, 8);
    float got[3][24];
    for (int i = 0; i < 3; i++) front_feed_floats(&f, which, i == 2, y, got[i], 24);
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    assert_memory_not_equal(got[0], got[2], sizeof got[0]);
    front_delete(&f);
}

/* Nothing but the features need be known, and what comes out has them. */
static void sizes_may_be_unknown(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = sl_placeholder(f.s, "x", TF_FLOAT, SL_SHAPE(-1, -1, 4)), last,
              n = sl_placeholder(f.s, "n", TF_INT32, SL_SHAPE(-1));
    TF_Output y =
        sl_layer_gru_with(f.s, "gru", x, 6, &last,
                          &SL_OPTIONS(sl_recurrent_options, .lengths = n, .bidirectional = true, .batch_first = true));
    y = sl_layer_attention(f.s, "attention", y, y, 3, &SL_OPTIONS(sl_attention_options, .lengths = n));
    y = sl_layer_dense(f.s, "dense", y, 5, SL_LINEAR);
    if (!sl_scope_ok(f.s)) fail_msg("%s", sl_scope_message(f.s));
    assert_int_equal(sl_size_of(f.s, y, 2), 5);
    assert_int_equal(sl_size_of(f.s, last, 1), 12);
    assert_null(sl_layer_attention(f.s, "odd", y, y, 3, NULL).oper);
    assert_non_null(strstr(sl_scope_message(f.s), "the heads must divide the features"));
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recurrent_layers_compute_what_keras_does),
        cmocka_unit_test(masks_and_lengths_go_together),
        cmocka_unit_test(steps_that_do_not_count_change_nothing),
        cmocka_unit_test(attention_computes_what_keras_does),
        cmocka_unit_test(attention_drops_in_training_only),
        cmocka_unit_test(sizes_may_be_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
