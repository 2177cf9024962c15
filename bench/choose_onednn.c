/* Times oneDNN against our own loops for each class of shapes of backends/cpu/product/onednn.c, on one thread, by
 * its processor time, and writes the table of choices: SLUICE_ONEDNN=all choose_onednn [FILE], with FILE being
 * src/backends/cpu/product/onednn_choice.inc. A class is oneDNN's when it was faster by 10 % on the whole and by no
 * shape much slower. Prints each shape: GFLOP/s of ours, of oneDNN, their ratio. */
#include <math.h>

#include "backends/cpu/product/onednn.h"
#include "measure.h"
#include "os/mutex.h"

enum { WORKS = SL_ONEDNN_PRODUCT + 1, POINTS = 3, CHANNELS = 4, SIDES = 2, RUNS = 1000 };
static const char *const names[WORKS] = {"forward", "input_grad", "filter_grad", "product"};
/* Two of each class: heights and widths of images, channels; rows, columns, depth of products. */
static const int64_t sides[POINTS][SIDES] = {{7, 14}, {28, 40}, {56, 112}};
static const int64_t rows[POINTS][SIDES] = {{64, 256}, {512, 1024}, {2560, 4096}};
static const int64_t channels[CHANNELS][SIDES] = {{3, 16}, {24, 64}, {96, 192}, {512, 960}};
static const int64_t columns[CHANNELS][SIDES] = {{10, 16}, {32, 64}, {128, 256}, {768, 2048}};
static const double MOST_FLOPS = 1e10, LEAST_FLOPS = 1e6, GAIN = 1.1, LEAST_GAIN = 0.97, SECONDS = 0.1;

static double processor_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static float *numbers(int64_t n) {
    float *x = sl_scratch_new((size_t)n * sizeof *x);
    if (!x) abort();
    uint32_t seed = 1;
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i] = (float)(seed >> 8) / (float)(1 << 24) - 0.5f;
    }
    return x;
}

struct shape {
    int work;
    bool is_constant, has_taps;
    int64_t points, in, out; /* points: a side of the image, or rows */
};
struct job {
    struct sl_kernel_context k;
    struct sl_onednn_plans plans;
    struct sl_packing packing;
    struct sl_conv_spec conv;
    struct sl_gemm gemm;
    int work;
    float *in, *filter, *out;
};

static bool run_theirs(struct job *j) {
    if (j->work == SL_ONEDNN_PRODUCT) return sl_onednn_product(&j->k, &j->gemm);
    return sl_onednn_conv(&j->plans, &j->k, (enum sl_onednn_work)j->work, &j->conv, j->in, j->filter, j->out);
}
static void run_ours(struct job *j) {
    sl_code code = SL_OK;
    switch (j->work) {
    case SL_ONEDNN_FORWARD: code = sl_conv_forward(&j->k, &j->conv, j->in, j->filter, j->out); break;
    case SL_ONEDNN_INPUT_GRAD: code = sl_conv_input_grad(&j->k, &j->conv, j->filter, j->out, j->in); break;
    case SL_ONEDNN_FILTER_GRAD: code = sl_conv_filter_grad(&j->k, &j->conv, j->in, j->out, j->filter); break;
    default: code = sl_gemm_run(NULL, &j->gemm, j->k.err); break; /* without a context: ours */
    }
    if (code != SL_OK) abort();
}

/* How many times faster theirs is; 0: they have nothing for it. */
static double ratio_of(const struct shape *s, double flops) {
    const bool is_product = s->work == SL_ONEDNN_PRODUCT;
    const int64_t size = s->has_taps ? 3 : 1, points = is_product ? s->points : s->points * s->points;
    const int64_t stride = s->work == SL_ONEDNN_FORWARD && !s->has_taps ? 2 : 1; /* without, it is a product */
    struct sl_step_env env = {0};
    struct sl_error err = {0};
    struct job j = {.k = {.env = &env, .err = &err}, .work = s->work};
    j.in = numbers(points * stride * stride * s->in);
    j.out = numbers(points * s->out);
    j.filter = numbers(size * size * s->in * s->out);
    sl_packing_init(&j.packing);
    sl_onednn_plans_init(&j.plans);
    j.conv = (struct sl_conv_spec){.groups = 1,
                                   .in = {1, {1, s->points * stride, s->points * stride}, s->in},
                                   .out = {1, {1, s->points, s->points}, s->out},
                                   .size = {1, size, size},
                                   .stride = {1, stride, stride},
                                   .dilation = {1, 1, 1},
                                   .before = {0, size / 2, size / 2},
                                   .packing = s->is_constant ? &j.packing : NULL};
    j.gemm = (struct sl_gemm){.m = points,
                              .n = s->out,
                              .k = s->in,
                              .a = j.in,
                              .a_row = s->in,
                              .a_k = 1,
                              .b = j.filter,
                              .b_k = s->out,
                              .b_column = 1,
                              .c = j.out,
                              .c_row = s->out,
                              .packing = j.conv.packing};
    static double of_ours[RUNS], of_theirs[RUNS];
    int n = 0;
    run_ours(&j);
    const bool is_there = run_theirs(&j);
    for (double end = processor_ns() + SECONDS * 1e9; is_there && n < RUNS && (n < 5 || processor_ns() < end); n++) {
        double from = processor_ns();
        run_ours(&j);
        of_ours[n] = processor_ns() - from;
        from = processor_ns();
        run_theirs(&j);
        of_theirs[n] = processor_ns() - from;
    }
    /* The clock is none too exact where other programs come between: not the least, but one a fifth up. */
    qsort(of_ours, (size_t)n, sizeof *of_ours, measure_compare);
    qsort(of_theirs, (size_t)n, sizeof *of_theirs, measure_compare);
    const double ours = of_ours[n / 5], theirs = of_theirs[n / 5];
    if (is_there)
        printf("%s%s %s %lldx%lldx%lld: %.0f %.0f %.2f\n", names[s->work], s->is_constant ? " constant" : "",
               s->has_taps ? "3x3" : "1x1", (long long)points, (long long)s->in, (long long)s->out, flops / ours,
               flops / theirs, ours / theirs);
    fflush(stdout);
    sl_onednn_plans_clear(&j.plans);
    sl_packing_clear(&j.packing);
    sl_scratch_free(j.in, (size_t)(points * stride * stride * s->in) * sizeof(float));
    sl_scratch_free(j.out, (size_t)(points * s->out) * sizeof(float));
    sl_scratch_free(j.filter, (size_t)(size * size * s->in * s->out) * sizeof(float));
    return is_there ? ours / theirs : 0;
}

static bool pays(int work, bool is_constant, bool has_taps, int points, int in, int out) {
    const bool is_product = work == SL_ONEDNN_PRODUCT;
    double sum = 0, least = INFINITY;
    int n = 0;
    for (int i = 0; i < SIDES * SIDES; i++) {
        const int other = i % SIDES ^ i / SIDES;
        struct shape s = {.work = work, .is_constant = is_constant, .has_taps = has_taps};
        s.points = is_product ? rows[points][i / SIDES] : sides[points][i / SIDES];
        s.in = (is_product ? columns : channels)[in][i % SIDES];
        s.out = (is_product ? columns : channels)[out][other];
        const double flops =
            2.0 * (double)(is_product ? s.points : s.points * s.points) * (double)(s.in * s.out) * (has_taps ? 9 : 1);
        if (flops < LEAST_FLOPS || flops > MOST_FLOPS) continue;
        const double ratio = ratio_of(&s, flops);
        sum += log(ratio);
        least = fmin(least, ratio);
        n++;
    }
    return n > 0 && least >= LEAST_GAIN && sum / n >= log(GAIN);
}

int main(int argc, char **argv) {
    if (!sl_onednn_is_there()) {
        fprintf(stderr,
                "choose_onednn: needs SLUICE_ONEDNN=all, libdnnl.so.2 and its header, a processor with AVX-512\n");
        return 2;
    }
    FILE *file = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!file) return 2;
    fprintf(file,
            "/* Made by bench/choose_onednn.c: a line is of filters that change, the next of constant ones; in it 1 x "
            "1 and\n"
            " * larger ones; then few to many points; bit 4 * class of channels read + class of channels made. */\n");
    for (int work = 0; work < WORKS; work++) {
        fprintf(file, "{ /* %s */\n", names[work]);
        for (int constant = 0; constant < 2; constant++) {
            fprintf(file, "    {");
            for (int taps = 0; taps < 2; taps++) {
                const bool is_any = !(constant && (work == SL_ONEDNN_INPUT_GRAD || work == SL_ONEDNN_FILTER_GRAD)) &&
                                    !(taps && work == SL_ONEDNN_PRODUCT) && (taps || work != SL_ONEDNN_INPUT_GRAD);
                for (int points = 0; points < POINTS; points++) {
                    unsigned bits = 0;
                    for (int i = 0; is_any && i < CHANNELS * CHANNELS; i++)
                        bits |= (unsigned)pays(work, constant, taps, points, i / CHANNELS, i % CHANNELS) << i;
                    fprintf(file, "%s0x%04x%s", points ? ", " : taps ? ", {" : "{", bits, points == 2 ? "}" : "");
                }
            }
            fprintf(file, "},\n");
        }
        fprintf(file, "},\n");
    }
    return 0;
}
