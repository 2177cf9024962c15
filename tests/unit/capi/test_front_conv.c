/* Convolutions of sluice/layers.h: values against Keras 3 (Conv1D, Conv2D and their transposes of x = sin(.5 + .7 i),
 * kernels in steps of 1.3, biases of .9), gradients against differences, shapes, mistakes. */
#include "sluice/layers.h"
#include "unit/capi/front_fixture.h"

typedef TF_Output conv_layer(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels, int64_t window,
                             const struct sl_conv_options *options);

static const struct row {
    const char *name;
    conv_layer *layer;
    int64_t shape[4];
    int rank;
    int64_t channels, window;
    struct sl_conv_options options;
    int n;
    float wanted[40];
} rows[] = {
    {"valid",
     sl_layer_conv1d,
     {2, 5, 2},
     3,
     2,
     3,
     {.padding = SL_CONV_VALID, .activation = SL_GELU},
     12,
     {0.143246174f, 0.396343976f, 0.562973976f, 1.05500102f, 0.634903371f, 1.38233626f, 0.341808647f, 0.682022691f,
      0.690687954f, 1.345245f, 0.428239673f, 1.15091145f}},
    {"causal",
     sl_layer_conv1d,
     {2, 5, 2},
     3,
     2,
     2,
     {.padding = SL_CONV_CAUSAL, .dilation = 2},
     20,
     {1.05627227f,  1.13794649f,  0.42338264f,  1.51729059f,  0.152131557f, 0.593700945f,  0.80801779f,
      0.894227028f, 0.918419302f, 1.34618878f,  0.811583161f, 1.43770862f,  0.0462479293f, 1.34500349f,
      0.488833368f, 0.673683345f, 0.982589006f, 1.16751373f,  0.641060233f, 1.35910583f}},
    {"strided",
     sl_layer_conv1d,
     {2, 5, 2},
     3,
     2,
     3,
     {.stride = 2, .no_bias = true},
     12,
     {0.0492172949f, 0.219849408f, 0.253441453f, 0.208362669f, 0.0345686153f, -0.44422406f, -0.306697845f, 0.135365069f,
      0.378940046f, 0.466200441f, 0.199062854f, -0.414794296f}},
    {"2d valid",
     sl_layer_conv2d_with,
     {1, 4, 4, 2},
     4,
     2,
     3,
     {.padding = SL_CONV_VALID, .no_bias = true},
     8,
     {-0.185025945f, -0.304288864f, 0.0780618936f, -0.0974820405f, -0.213650852f, -0.206681043f, -0.0664824471f,
      -0.259913743f}},
    {"2d dilated",
     sl_layer_conv2d_with,
     {1, 4, 4, 2},
     4,
     2,
     2,
     {.padding = SL_CONV_VALID, .dilation = 2},
     8,
     {0.347857982f, 0.252151012f, 1.24910092f, 0.934744418f, -0.129982889f, 0.369368672f, 0.908277631f, 0.481903076f}},
    {"1dT same",
     sl_layer_conv1d_transposed,
     {1, 3, 2},
     3,
     2,
     3,
     {.stride = 2},
     12,
     {1.61693847f, 0.118454218f, 0.827749968f, 1.25549459f, 0.624004483f, 1.65428185f, 0.296989292f, 1.7493093f,
      -1.45986116f, 2.86603165f, 0.0690847337f, 0.97506696f}},
    {"1dT valid",
     sl_layer_conv1d_transposed,
     {1, 3, 2},
     3,
     2,
     3,
     {.stride = 2, .padding = SL_CONV_VALID, .no_bias = true},
     14,
     {1.13751292f, -0.866995513f, 0.348324448f, 0.270044863f, 0.144578949f, 0.668832123f, -0.182436258f, 0.76385963f,
      -1.93928671f, 1.88058197f, -0.410340816f, -0.010382778f, 0.42813459f, -0.723344684f}},
    {"2dT same",
     sl_layer_conv2d_transposed,
     {1, 2, 2, 2},
     4,
     1,
     3,
     {.stride = 2},
     16,
     {1.61693847f, -0.387569964f, 1.78345025f, 0.0282211304f, 0.749470413f, -0.331695735f, 2.36332178f, -0.647223592f,
      -1.44158423f, 1.97250795f, -2.26359081f, 1.50283921f, 0.469042778f, 0.90756011f, -1.01130819f, 1.75161231f}},
    {"2dT valid",
     sl_layer_conv2d_transposed,
     {1, 2, 2, 2},
     4,
     1,
     3,
     {.padding = SL_CONV_VALID},
     16,
     {1.61693847f, 0.568130255f, 0.376545578f, 0.296989292f, -0.0631672144f, -0.0861641169f, 0.756258965f, 1.68933916f,
      -0.639329314f, 0.046366334f, 1.13043404f, -0.625065684f, 1.29094279f, 0.961144269f, 0.255205512f, 0.284015715f}},
};

static void convolutions_compute_what_keras_does(void **state) {
    (void)state;
    static const double steps[] = {1.3, .9};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct front f = front_new();
        TF_Output x = front_waves(f.s, (struct sl_dims){row->shape, row->rank}, .7);
        TF_Output y = row->layer(f.s, "conv", x, row->channels, row->window, &row->options);
        if (!sl_scope_ok(f.s)) fail_msg("%s: %s", row->name, sl_scope_message(f.s));
        front_make_waves(&f, steps, row->options.no_bias ? 1 : 2);
        front_expect(&f, y, row->wanted, row->n, row->name, (int)i);
        int64_t n = 1;
        for (int d = 0; d < row->rank; d++) n *= sl_size_of(f.s, y, d);
        assert_int_equal(n, row->n);
        front_check_gradients(&f, y, x);
        front_delete(&f);
    }
}

/* Windows that do not meet: between them are zeros, and none behind the last. */
static void transposed_windows_may_lie_apart(void **state) {
    (void)state;
    enum { LENGTH = 3, STRIDE = 3, WINDOW = 2, CHANNELS = 2, INPUTS = 2, OUT = LENGTH * STRIDE };
    const struct sl_conv_options options = {.stride = STRIDE, .padding = SL_CONV_VALID, .no_bias = true};
    struct front f = front_new();
    TF_Output x = front_waves(f.s, SL_SHAPE(1, LENGTH, INPUTS), .7);
    TF_Output y = sl_layer_conv1d_transposed(f.s, "up", x, CHANNELS, WINDOW, &options);
    assert_int_equal(sl_size_of(f.s, y, 1), OUT);
    front_make_waves(&f, (const double[]){1.3}, 1);
    float got[OUT * CHANNELS];
    front_floats(&f, y, got, OUT * CHANNELS);
    for (int at = 0; at < OUT; at++)
        for (int c = 0; c < CHANNELS; c++) {
            double sum = 0;
            for (int i = 0; i < INPUTS && at % STRIDE < WINDOW; i++)
                sum += sin(.5 + .7 * (at / STRIDE * INPUTS + i)) *
                       sin(.5 + 1.3 * ((at % STRIDE * CHANNELS + c) * INPUTS + i));
            assert_true(fabs(got[at * CHANNELS + c] - sum) < 1e-5);
        }
    front_delete(&f);
}

/* Of a batch and a length that nobody knows, the channels are known. */
static void sizes_may_be_unknown(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x = sl_placeholder(f.s, "x", TF_FLOAT, SL_SHAPE(-1, -1, 4));
    TF_Output y = sl_layer_conv1d_transposed(f.s, "up", sl_layer_conv1d(f.s, "down", x, 6, 3, NULL), 5, 3, NULL);
    assert_int_equal(sl_rank_of(f.s, y), 3);
    assert_int_equal(sl_size_of(f.s, y, 1), -1);
    assert_int_equal(sl_size_of(f.s, y, 2), 5);
    assert_int_equal(sl_size_of(f.s, sl_layer_dense(f.s, "dense", y, 7, SL_LINEAR), 2), 7);
    front_delete(&f);
}

static void mistakes_are_told(void **state) {
    (void)state;
    static const struct {
        conv_layer *layer;
        struct sl_conv_options options;
        int rank;
        TF_Code code;
        const char *message;
    } wrong[] = {
        {sl_layer_conv1d, {.stride = -1}, 3, TF_INVALID_ARGUMENT, "sl_layer_conv1d: sizes"},
        {sl_layer_conv1d, {.padding = 7}, 3, TF_INVALID_ARGUMENT, "no such padding"},
        {sl_layer_conv1d, {.stride = 1}, 4, TF_INVALID_ARGUMENT, "rank 4, not 3"},
        {sl_layer_conv2d_with, {.padding = SL_CONV_CAUSAL}, 4, TF_INVALID_ARGUMENT, "is for sequences"},
        {sl_layer_conv2d_transposed, {.dilation = 2}, 4, TF_UNIMPLEMENTED, "sl_layer_conv2d_transposed: causal"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct front f = front_new();
        TF_Output x =
            sl_placeholder(f.s, "x", TF_FLOAT, (struct sl_dims){(const int64_t[]){1, 4, 4, 4}, wrong[i].rank});
        assert_null(wrong[i].layer(f.s, "conv", x, 2, 3, &wrong[i].options).oper);
        assert_int_equal(sl_scope_code(f.s), wrong[i].code);
        if (!strstr(sl_scope_message(f.s), wrong[i].message)) fail_msg("%s", sl_scope_message(f.s));
        front_delete(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_compute_what_keras_does),
        cmocka_unit_test(transposed_windows_may_lie_apart),
        cmocka_unit_test(sizes_may_be_unknown),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
