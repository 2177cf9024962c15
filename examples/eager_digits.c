/* Trains a network on handwritten digits without building a graph: each op runs as it is called. Then the same again
 * with the step captured as a function, which runs compiled. Both see the same losses.
 *
 *     eager_digits [FOLDER_OF_DATA]
 *
 * Of 10,000 digits it learns from 9,000 and is asked for the other 1,000. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sluice/dataset.h"
#include "sluice/eager.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"

enum { DIGITS = 10000, TRAINED = 9000, SIDE = 28, CLASSES = 10, BATCH = 60, STEPS = 300 };

static void stop_on_error(const struct sl_scope *s) {
    if (sl_scope_ok(s)) return;
    fprintf(stderr, "eager_digits: %s\n", sl_scope_message(s));
    exit(1);
}

/* ---- data: files are read and unpacked by ops */
static TF_Output read_bytes(struct sl_scope *s, const char *folder, const char *name, int header) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.gz", folder, name);
    TF_Output bytes = sl_decode_compressed_with(s, sl_read_file(s, sl_string_scalar(s, path)),
                                                (struct sl_decode_compressed_attrs){.compression_type = "GZIP"});
    TF_Output numbers = sl_decode_raw(s, bytes, (struct sl_decode_raw_attrs){.out_type = TF_UINT8});
    return sl_slice(s, numbers, sl_int_vector(s, SL_INTS(header)), sl_int_vector(s, SL_INTS(-1)));
}

struct digits {
    TF_Output pictures, labels; /* float [DIGITS, SIDE * SIDE] of 0 to 1, int32 [DIGITS] */
};

static struct digits read_digits(struct sl_scope *s, const char *folder) {
    sl_eager_begin(s); /* what is only needed on the way is freed at the end */
    TF_Output bytes = sl_reshape(s, read_bytes(s, folder, "pictures", 16), sl_int_vector(s, SL_INTS(-1, SIDE * SIDE)));
    TF_Output pictures =
        sl_mul(s, sl_cast(s, bytes, (struct sl_cast_attrs){.DstT = TF_FLOAT}), sl_scalar(s, TF_FLOAT, 1 / 255.));
    TF_Output labels = sl_cast(s, read_bytes(s, folder, "labels", 8), (struct sl_cast_attrs){.DstT = TF_INT32});
    const struct digits d = {sl_eager_keep(s, pictures), sl_eager_keep(s, labels)};
    sl_eager_end(s);
    return d;
}

/* Rows from `first` on. */
static TF_Output rows(struct sl_scope *s, TF_Output all, int first, int n) {
    const int64_t begin[] = {first, 0}, size[] = {n, -1};
    const int rank = sl_rank_of(s, all);
    return sl_slice(s, all, sl_int_vector(s, (struct sl_ints){begin, rank}),
                    sl_int_vector(s, (struct sl_ints){size, rank}));
}

/* The first TRAINED digits in batches, in another order each time round. */
static struct sl_data_iterator batches_of(struct sl_scope *s, const struct digits *d) {
    const TF_Output trained[] = {rows(s, d->pictures, 0, TRAINED), rows(s, d->labels, 0, TRAINED)};
    struct sl_data data = sl_data_shuffle(s, sl_data_slices(s, trained, 2), TRAINED);
    return sl_data_iterate(s, NULL, sl_data_batch(s, sl_data_repeat(s, data, -1), BATCH, true));
}

/* ---- the network, for any scope: its variables are made by the first call */
static TF_Output logits_of(struct sl_scope *s, TF_Output pictures) {
    TF_Output hidden = sl_layer_dense(s, "hidden", pictures, 64, SL_RELU);
    return sl_layer_dense(s, "logits", hidden, CLASSES, SL_LINEAR);
}

/* A step of training with the pictures inputs[0] and labels inputs[1]; gives the loss before it. */
static void train_step(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, void *arg) {
    const struct sl_optimizer adam = SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .003);
    (void)arg;
    sl_record(s);
    outputs[0] = sl_loss_softmax(s, logits_of(s, inputs[0]), inputs[1]);
    sl_minimize(s, &adam, outputs[0], NULL);
}

/* ---- both ways */
struct run {
    float losses[STEPS];
    double accuracy, milliseconds; /* of a step */
};

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static struct run train(const char *folder, bool is_captured) {
    struct run r = {.accuracy = 0};
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_eager_scope_new(NULL, status);
    sl_seed(s, 7);
    const struct digits d = read_digits(s, folder);
    stop_on_error(s);
    const TF_Output example[] = {rows(s, d.pictures, 0, BATCH), rows(s, d.labels, 0, BATCH)};
    const struct sl_data_iterator batches = batches_of(s, &d);
    struct sl_captured *step = is_captured ? sl_capture(s, "step", example, 2, train_step, 1, NULL) : NULL;
    const double start = now();
    for (int i = 0; i < STEPS; i++) {
        TF_Output loss, batch[2];
        sl_eager_begin(s);
        if (!sl_data_next(s, batch, batches)) break;
        if (is_captured) sl_call(s, &loss, step, batch);
        else train_step(s, &loss, batch, NULL);
        sl_eager_read(s, &r.losses[i], loss, TF_FLOAT, 1);
        sl_eager_end(s);
        stop_on_error(s);
    }
    r.milliseconds = (now() - start) / STEPS;
    TF_Output guesses = logits_of(s, rows(s, d.pictures, TRAINED, DIGITS - TRAINED));
    r.accuracy = sl_number_of(s, sl_accuracy(s, guesses, rows(s, d.labels, TRAINED, DIGITS - TRAINED)));
    if (is_captured) sl_print(s, "guesses:", sl_arg_max(s, guesses, sl_scalar(s, TF_INT32, 1)));
    stop_on_error(s);
    sl_captured_delete(step);
    sl_scope_delete(s);
    TF_DeleteStatus(status);
    return r;
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : "train_digits/data";
    const struct run eager = train(folder, false), captured = train(folder, true);
    double apart = 0;
    for (int i = 0; i < STEPS; i++) apart = fmax(apart, fabs((double)eager.losses[i] - (double)captured.losses[i]));
    for (int i = 0; i < STEPS; i += 50) printf("step %3d: loss %.4f\n", i, (double)eager.losses[i]);
    printf("op by op %.2f ms a step, captured %.2f ms; losses differ by %.1e at most\n", eager.milliseconds,
           captured.milliseconds, apart);
    printf("%.1f %% of 1,000 new digits are read right, %.1f %% by the captured step\n", 100 * eager.accuracy,
           100 * captured.accuracy);
    return apart < 1e-3 && eager.accuracy > .88 && captured.accuracy > .88 ? 0 : 1;
}
