/* Optimisers, clipping, schedules and averages of sluice/train.h; the numbers after three steps are TensorFlow's. */
#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"

#include "unit/capi/front_fixture.h"

static const float start[] = {1, -2, 3, .5};

/* Half the sum of the squares of w, or of its second row, taken twice. */
static TF_Output loss_of(struct sl_scope *s, struct sl_var w, bool of_rows) {
    TF_Output x = w.value;
    if (of_rows)
        x = sl_resource_gather(s, w.handle, sl_int_vector(s, SL_INTS(1, 1)),
                               (struct sl_resource_gather_attrs){.dtype = TF_FLOAT});
    return sl_l2_loss(s, x);
}

static void check_three_steps(const struct sl_optimizer *o, bool of_rows, const float *wanted) {
    struct front f = front_new();
    struct sl_var w = sl_variable(f.s, "w", sl_constant_of(f.s, TF_FLOAT, SL_SHAPE(2, 2), start));
    struct sl_var step = sl_step_counter(f.s);
    TF_Operation *train = sl_minimize(f.s, o, loss_of(f.s, w, of_rows), &step);
    TF_Output steps = sl_cast(f.s, step.value, (struct sl_cast_attrs){.DstT = TF_FLOAT});
    front_open(&f);
    for (int i = 0; i < 3; i++) front_do(&f, train);
    float got[4], count;
    front_floats(&f, w.value, got, 4);
    for (int i = 0; i < 4; i++)
        if (!(fabsf(got[i] - wanted[i]) < 3e-6f * fmaxf(1, fabsf(wanted[i]))))
            fail_msg("kind %d, rows %d: element %d is %.9g, not %.9g", (int)o->kind, of_rows, i, got[i], wanted[i]);
    front_floats(&f, steps, &count, 1);
    assert_true(count == 3);
    front_delete(&f);
}

static void optimisers_do_what_tensorflow_does(void **state) {
    (void)state;
    static const struct {
        struct sl_optimizer o;
        float dense[4], rows[4];
    } cases[] = {
        {{.kind = SL_SGD, .rate = .1}, {0.729f, -1.458f, 2.187f, 0.3645f}, {1, -2, 1.536f, 0.256f}},
        {{.kind = SL_MOMENTUM, .rate = .1}, {0.486f, -0.9719999f, 1.458f, 0.243f}, {1, -2, 0.1860001f, 0.031f}},
        {{.kind = SL_MOMENTUM, .rate = .1, .nesterov = true},
         {0.327321f, -0.654642f, 0.981963f, 0.1636605f},
         {1, -2, -0.3250558f, -0.05417599f}},
        {{.kind = SL_ADAGRAD, .rate = .1},
         {0.7875128f, -1.777701f, 2.775206f, 0.3136336f},
         {1, -2, 2.774572f, 0.2975196f}},
        {{.kind = SL_ADADELTA, .rate = 1},
         {0.9986435f, -1.998643f, 2.998643f, 0.4986438f},
         {1, -2, 2.998643f, 0.4986438f}},
        {{.kind = SL_RMSPROP, .rate = .1},
         {0.726046f, -1.544639f, 2.442363f, 0.3543531f},
         {1, -2, 2.342715f, 0.2516732f}},
        {{.kind = SL_RMSPROP, .rate = .1, .momentum = .5, .centered = true},
         {0.6050631f, -1.319868f, 2.145194f, 0.2931807f},
         {1, -2, 1.962549f, 0.1424492f}},
        {{.kind = SL_ADAM, .rate = .1},
         {0.7015874f, -1.700624f, 2.700383f, 0.2048724f},
         {1, -2, 2.700383f, 0.2048723f}},
        {{.kind = SL_ADAM, .rate = .1, .nesterov = true},
         {0.5568305f, -1.547555f, 2.544976f, 0.08408534f},
         {1, -2, 2.544976f, 0.08408534f}},
        {{.kind = SL_FTRL, .rate = .1, .l1 = .01, .l2 = .02},
         {0.5090834f, -1.472797f, 2.463849f, 0.1023341f},
         {1, -2, 2.617988f, 0.1751482f}},
        /* Of Keras 3.15's AdamW, Lion and SGD. */
        {{.kind = SL_ADAMW, .rate = .1, .weight_decay = .05, .epsilon = 1e-7},
         {0.688272774f, -1.67235029f, 2.65717292f, 0.199109972f},
         {0.985074878f, -1.97014976f, 2.65717292f, 0.199109167f}},
        {{.kind = SL_ADAMW, .rate = .1, .epsilon = 1e-7},
         {0.70051831f, -1.69835281f, 2.69691062f, 0.204410806f},
         {0.998800457f, -1.99760091f, 2.69691062f, 0.204410017f}},
        {{.kind = SL_LION, .rate = .1}, {0.7f, -1.7f, 2.7f, 0.2f}, {1, -2, 2.7f, 0.2f}},
        {{.kind = SL_LION, .rate = .1, .beta1 = .5, .beta2 = .6, .weight_decay = .1},
         {0.673288941f, -1.64358795f, 2.61388731f, 0.188139528f},
         {0.970299006f, -1.94059801f, 2.61388731f, 0.188139528f}},
        {{.kind = SL_SGD, .rate = .1, .weight_decay = .5},
         {0.614124954f, -1.22824991f, 1.84237492f, 0.307062477f},
         {0.857374966f, -1.71474993f, 1.265625f, 0.2109375f}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_three_steps(&cases[i].o, false, cases[i].dense);
        check_three_steps(&cases[i].o, true, cases[i].rows);
    }
}

/* A vector stays as it is without a gradient; a matrix gets smaller. */
static void decay_may_be_for_matrices(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_var matrix = sl_variable(f.s, "matrix", sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(1, 2))),
                  vector = sl_variable(f.s, "vector", sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(2)));
    TF_Output zero = sl_scalar(f.s, TF_FLOAT, 0), loss = sl_sum_all(f.s, sl_mul(f.s, matrix.value, vector.value));
    const struct sl_optimizer o =
        SL_OPTIONS(sl_optimizer, .kind = SL_SGD, .rate = .5, .weight_decay = .5, .decay_matrices = true);
    TF_Operation *train = sl_minimize(f.s, &o, sl_mul(f.s, loss, zero), NULL);
    front_open(&f);
    front_do(&f, train);
    expect_floats(&f, matrix.value, .75f, .75f);
    expect_floats(&f, vector.value, 1, 1);
    front_delete(&f);
}

/* With gradients that shrink, the largest second moment is another than the present one. */
static void amsgrad_takes_the_largest_moment(void **state) {
    (void)state;
    double w = 1, m = 0, v = 0, most = 0, b1 = 1, b2 = 1;
    for (int i = 0; i < 3; i++) {
        b1 *= .9, b2 *= .5;
        m = .9 * m + .1 * w, v = .5 * v + .5 * w * w;
        most = fmax(most, v);
        w -= .5 * sqrt(1 - b2) / (1 - b1) * m / (sqrt(most) + 1e-8);
    }
    for (int rows = 0; rows < 2; rows++) {
        struct front f = front_new();
        struct sl_var x = sl_variable(f.s, "x", sl_initial_ones(f.s, TF_FLOAT, SL_SHAPE(1)));
        TF_Output loss = sl_l2_loss(f.s, rows ? sl_resource_gather(f.s, x.handle, sl_int_vector(f.s, SL_INTS(0)),
                                                                   (struct sl_resource_gather_attrs){.dtype = TF_FLOAT})
                                              : x.value);
        const struct sl_optimizer o = {.kind = SL_ADAM, .rate = .5, .beta2 = .5, .amsgrad = true};
        TF_Operation *train = sl_minimize(f.s, &o, loss, NULL);
        front_open(&f);
        for (int i = 0; i < 3; i++) front_do(&f, train);
        float got;
        front_floats(&f, x.value, &got, 1);
        assert_true(fabs(got - w) < 1e-5);
        front_delete(&f);
    }
}

static void gradients_are_clipped(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_slices g[3] = {{sl_float_vector(f.s, FLOATS(3, -4)), {NULL, 0}, {NULL, 0}},
                             {sl_float_vector(f.s, FLOATS(12)), {NULL, 0}, {NULL, 0}},
                             {{NULL, 0}, {NULL, 0}, {NULL, 0}}};
    struct sl_slices by_value[3], by_norm[3], together[3];
    memcpy(by_value, g, sizeof g);
    memcpy(by_norm, g, sizeof g);
    memcpy(together, g, sizeof g);
    sl_clip_gradients_by_value(f.s, by_value, 3, 3.5);
    sl_clip_gradients_by_norm(f.s, by_norm, 3, 10);
    struct sl_slices kept[3];
    memcpy(kept, g, sizeof g);
    sl_clip_gradients_by_global_norm(f.s, kept, 3, 20);
    TF_Output norm = sl_clip_gradients_by_global_norm(f.s, together, 3, 6.5);
    front_open(&f);
    expect_floats(&f, by_value[0].values, 3, -3.5);
    expect_floats(&f, by_norm[0].values, 3, -4);
    expect_floats(&f, by_norm[1].values, 10);
    expect_floats(&f, together[0].values, 1.5, -2);
    expect_floats(&f, together[1].values, 6);
    expect_floats(&f, norm, 13);
    expect_floats(&f, kept[0].values, 3, -4); /* a norm that is smaller already: as they are */
    expect_floats(&f, kept[1].values, 12);
    assert_null(together[2].values.oper);
    front_delete(&f);
}

static void schedules_follow_their_formulas(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output at = sl_scalar(f.s, TF_INT64, 15);
    TF_Output smooth = sl_exponential_decay(f.s, at, .5, 10, .25, false),
              stairs = sl_exponential_decay(f.s, at, .5, 10, .25, true),
              inverse = sl_inverse_time_decay(f.s, at, 1, 10, 2, false),
              line = sl_polynomial_decay(f.s, at, 1, 20, .2, 1), bent = sl_polynomial_decay(f.s, at, 1, 20, .2, 2),
              over = sl_polynomial_decay(f.s, at, 1, 10, .2, 2), cosine = sl_cosine_decay(f.s, at, 2, 15, .25),
              half = sl_cosine_decay(f.s, at, 2, 30, 0);
    /* Of Keras 3.15's CosineDecay(.1, 20, .25, warmup_target=2, warmup_steps=10) and CosineDecayRestarts(2, 10, t_mul,
     * .5, .1). */
    static const int64_t steps[] = {0, 5, 10, 15, 29, 30, 50};
    TF_Output all = sl_constant_of(f.s, TF_INT64, SL_SHAPE(7), steps);
    TF_Output warm = sl_cosine_decay_warm(f.s, all, .1, 10, 2, 20, .25),
              longer = sl_cosine_restarts(f.s, all, 2, 10, 2, .5, .1),
              again = sl_cosine_restarts(f.s, all, 2, 10, 1, .5, .1);
    const int64_t boundaries[] = {10, 15, 20};
    const double rates[] = {1, 2, 3, 4};
    TF_Output piece = sl_piecewise_constant(f.s, at, boundaries, rates, 3);
    front_open(&f);
    expect_floats(&f, smooth, .0625);
    expect_floats(&f, stairs, .125);
    expect_floats(&f, inverse, .25);
    expect_floats(&f, line, .4);
    expect_floats(&f, bent, .25);
    expect_floats(&f, over, .2);
    expect_floats(&f, cosine, .5);
    expect_floats(&f, half, 1);
    expect_floats(&f, piece, 2);
    expect_floats(&f, warm, .1f, 1.05f, 2, 1.78033018f, 0.50923374f, .5f, .5f);
    expect_floats(&f, longer, 2, 1.1f, 1.1f, .968198061f, .20554024f, .649999976f, .424999982f);
    expect_floats(&f, again, 2, 1.1f, 1.1f, .649999976f, .211012259f, .425f, .256249994f);
    front_delete(&f);
}

/* The scope's own list of variables moves while averages are made. */
static void all_variables_may_be_averaged(void **state) {
    (void)state;
    struct front f = front_new();
    enum { N = 8 };
    struct sl_var averages[N];
    for (int i = 0; i < N; i++) sl_variable(f.s, "w", sl_float_vector(f.s, FLOATS((float)i)));
    int n;
    const struct sl_var *all = sl_variables(f.s, &n);
    assert_int_equal(n, N);
    sl_moving_averages(f.s, averages, all, n, .75, NULL);
    front_open(&f);
    for (int i = 0; i < N; i++) expect_floats(&f, averages[i].value, (float)i);
    front_delete(&f);
}

static void averages_follow(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_var w = sl_variable(f.s, "w", sl_float_vector(f.s, FLOATS(8, 4))), average;
    TF_Operation *change = sl_variable_assign(f.s, w, sl_float_vector(f.s, FLOATS(0, 12)));
    TF_Operation *follow = sl_moving_averages(f.s, &average, &w, 1, .75, NULL);
    front_open(&f);
    expect_floats(&f, average.value, 8, 4);
    front_do(&f, change);
    front_do(&f, follow);
    expect_floats(&f, average.value, 6, 6);
    front_delete(&f);
}

static void mistakes_are_told(void **state) {
    (void)state;
    struct front f = front_new();
    struct sl_var w = sl_variable(f.s, "w", sl_float_vector(f.s, FLOATS(8, 4)));
    const struct sl_optimizer sgd = {.kind = SL_SGD, .rate = 1};
    assert_null(sl_minimize(f.s, &sgd, sl_scalar(f.s, TF_FLOAT, 1), NULL));
    assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(sl_scope_message(f.s), "No gradients provided for any variable"));
    assert_null(sl_relu(f.s, w.value).oper);
    front_delete(&f);
}

static void a_rate_is_needed(void **state) {
    (void)state;
    const struct sl_optimizer wrong[] = {{.kind = SL_SGD},
                                         {.kind = SL_ADAM, .rate = 0},
                                         {.kind = SL_ADAM, .rate = -.1},
                                         {.kind = SL_LION, .rate = NAN},
                                         {.kind = SL_LION, .rate = INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct front f = front_new();
        struct sl_var w = sl_variable(f.s, "w", sl_float_vector(f.s, FLOATS(8, 4)));
        assert_null(sl_minimize(f.s, &wrong[i], sl_l2_loss(f.s, w.value), NULL));
        assert_int_equal(sl_scope_code(f.s), TF_INVALID_ARGUMENT);
        assert_non_null(strstr(sl_scope_message(f.s), "there must be a rate above 0"));
        front_delete(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimisers_do_what_tensorflow_does),
        cmocka_unit_test(amsgrad_takes_the_largest_moment),
        cmocka_unit_test(gradients_are_clipped),
        cmocka_unit_test(schedules_follow_their_formulas),
        cmocka_unit_test(averages_follow),
        cmocka_unit_test(all_variables_may_be_averaged),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_rate_is_needed),
        cmocka_unit_test(decay_may_be_for_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
