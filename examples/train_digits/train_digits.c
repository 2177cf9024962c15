/* Trains a small convolutional network on real handwritten digits, and draws how that went.
 *
 *     train_digits [FOLDER_OF_DATA [FOLDER_OF_RESULTS [STEPS]]]
 *
 * Of 10,000 digits it learns from 9,000; 1,000 it does not see before the end. The folder of results gets
 * checkpoints, event files for TensorBoard and digits.png. Killed at any moment and started again, it goes on from
 * its latest checkpoint, and ends with the same bits as if nothing had happened. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chart.h"
#include "digit_files.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"

enum { BATCH = 60, CHUNK = 250, CLASSES = 10, STEPS = 600, SAVE_EVERY = 50 };

struct network {
    TF_Output pictures, labels, ids, dropping; /* fed: all digits; which of them; whether dropout drops */
    TF_Output guesses, loss, accuracy;
    struct sl_var step;
    TF_Operation *train;
};

static void stop_on(TF_Code code, const char *message) {
    if (code == TF_OK) return;
    fprintf(stderr, "train_digits: %s\n", message);
    exit(1);
}

static struct network build(struct sl_scope *s) {
    struct network n = {.pictures = sl_placeholder(s, "pictures", TF_UINT8, SL_SHAPE(DIGITS, SIDE, SIDE, 1)),
                        .labels = sl_placeholder(s, "labels", TF_INT32, SL_SHAPE(DIGITS)),
                        .ids = sl_placeholder(s, "ids", TF_INT32, SL_SHAPE(-1)),
                        .dropping = sl_placeholder(s, "dropping", TF_BOOL, SL_SCALAR),
                        .step = sl_step_counter(s)};
    TF_Output axis = sl_scalar(s, TF_INT32, 0), labels = sl_gather_v2(s, n.labels, n.ids, axis);
    TF_Output bytes = sl_gather_v2(s, n.pictures, n.ids, axis);
    TF_Output x = sl_cast(s, bytes, (struct sl_cast_attrs){.DstT = TF_FLOAT});
    sl_seed(s, 7);
    sl_seed_by_step(s, n.step.value);
    x = sl_mul(s, x, sl_scalar(s, TF_FLOAT, 1 / 255.));
    x = sl_layer_max_pool(s, sl_layer_conv2d(s, "conv1", x, 16, 5, 1, SL_RELU), 2, 2);
    x = sl_layer_max_pool(s, sl_layer_conv2d(s, "conv2", x, 32, 5, 1, SL_RELU), 2, 2);
    x = sl_layer_dense(s, "hidden", sl_layer_flatten(s, x), 128, SL_RELU);
    x = sl_layer_dense(s, "logits", sl_layer_dropout(s, x, .4, n.dropping), CLASSES, SL_LINEAR);
    n.guesses = sl_arg_max_with(s, x, sl_scalar(s, TF_INT32, 1), (struct sl_arg_max_attrs){.output_type = TF_INT32});
    n.loss = sl_loss_softmax(s, x, labels);
    n.accuracy = sl_accuracy(s, x, labels);
    const struct sl_optimizer adam =
        SL_OPTIONS(sl_optimizer, .kind = SL_ADAM,
                   .rate_of_step = sl_exponential_decay(s, n.step.value, .002, 150, .6, true));
    n.train = sl_minimize(s, &adam, n.loss, &n.step);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    return n;
}

/* What a step is fed; the last two are new, and the caller's to delete. */
enum { FED = 4 };
static void feed(TF_Output feeds[FED], TF_Tensor *values[FED], const struct network *n, const struct dataset *data,
                 const int32_t *ids, int count, bool dropping) {
    const TF_Output all[FED] = {n->pictures, n->labels, n->ids, n->dropping};
    for (int i = 0; i < FED; i++) feeds[i] = all[i];
    values[0] = data->pictures;
    values[1] = data->labels;
    values[2] = TF_AllocateTensor(TF_INT32, (int64_t[]){count}, 1, sizeof *ids * (size_t)count);
    values[3] = TF_AllocateTensor(TF_BOOL, NULL, 0, sizeof dropping);
    for (int i = 0; i < count; i++) ((int32_t *)TF_TensorData(values[2]))[i] = ids[i];
    *(bool *)TF_TensorData(values[3]) = dropping;
}

/* A hook: draws the curve, and says how it goes. */
static void note(struct sl_training *training, int64_t step, TF_Tensor *const *values, void *arg, TF_Status *status) {
    struct chart *chart = arg;
    (void)training, (void)status;
    chart_add(chart, *(float *)TF_TensorData(values[0]), *(float *)TF_TensorData(values[1]));
    if (step % 100 == 0)
        printf("step %d: loss %.4f, %.2f %% of the last digits right\n", (int)step, chart_loss(chart),
               100 * chart_accuracy(chart));
}

static void train(struct sl_training *training, const struct network *n, struct dataset *data) {
    TF_Status *status = TF_NewStatus();
    while (sl_training_goes_on(training, status)) {
        TF_Output feeds[FED];
        TF_Tensor *values[FED];
        feed(feeds, values, n, data, dataset_batch(data, sl_training_step(training), BATCH), BATCH, true);
        sl_training_run(training, feeds, values, FED, NULL, NULL, 0, status);
        TF_DeleteTensor(values[2]);
        TF_DeleteTensor(values[3]);
    }
    stop_on(TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}

/* Tries the digits that were kept back; how many were read right. Misread ones go to the chart. */
static int test(TF_Session *session, const struct network *n, const struct dataset *data, struct chart *chart) {
    const int32_t *labels = TF_TensorData(data->labels);
    const unsigned char *pictures = TF_TensorData(data->pictures);
    TF_Status *status = TF_NewStatus();
    int right = 0;
    for (int32_t first = TRAINED; first < DIGITS; first += CHUNK) {
        TF_Output feeds[FED];
        TF_Tensor *values[FED], *guesses = NULL;
        int32_t ids[CHUNK];
        for (int i = 0; i < CHUNK; i++) ids[i] = first + i;
        feed(feeds, values, n, data, ids, CHUNK, false);
        TF_SessionRun(session, NULL, feeds, values, FED, &n->guesses, &guesses, 1, NULL, 0, NULL, status);
        stop_on(TF_GetCode(status), TF_Message(status));
        for (int i = 0; i < CHUNK; i++) {
            bool is_right = ((int32_t *)TF_TensorData(guesses))[i] == labels[first + i];
            right += is_right;
            if (!is_right) chart_add_misread(chart, pictures + (first + i) * SIDE * SIDE, SIDE);
        }
        TF_DeleteTensor(values[2]);
        TF_DeleteTensor(values[3]);
        TF_DeleteTensor(guesses);
    }
    TF_DeleteStatus(status);
    return right;
}

int main(int argc, char **argv) {
    const char *from = argc > 1 ? argv[1] : "data", *to = argc > 2 ? argv[2] : "train_digits.run";
    static struct chart chart;
    struct dataset data;
    char picture[4096];
    TF_Status *status = TF_NewStatus();
    if (!dataset_read(&data, from, status)) stop_on(TF_GetCode(status), TF_Message(status));
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *s = sl_scope_new(graph);
    struct network n = build(s);
    const struct sl_curve curves[] = {{"loss", n.loss}, {"accuracy", n.accuracy}};
    const struct sl_hook progress = {.fetches = (TF_Output[]){n.loss, n.accuracy},
                                     .num_fetches = 2,
                                     .after = note,
                                     .arg = &chart};
    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = n.step, .train = n.train, .loss = n.loss, .folder = to,
                   .save_every = SAVE_EVERY, .last_step = argc > 3 ? atoi(argv[3]) : STEPS, .curves = curves,
                   .num_curves = 2, .hooks = &progress, .num_hooks = 1);
    struct sl_training *training = sl_training_new(s, &options, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (sl_training_first(training)) printf("going on from step %d\n", (int)sl_training_first(training));
    train(training, &n, &data);
    int right = test(sl_training_session(training), &n, &data, &chart);
    printf("%d of %d new digits read right: %.1f %%\n", right, DIGITS - TRAINED, 100. * right / (DIGITS - TRAINED));
    snprintf(picture, sizeof picture, "%s/digits.png", to);
    const TF_Operation *draw = chart_draw(&chart, s, picture);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    TF_SessionRun(sl_training_session(training), NULL, NULL, NULL, 0, NULL, NULL, 0, &draw, 1, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    printf("learning curve and misread digits: %s\n", picture);

    sl_training_delete(training);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    dataset_clear(&data);
    TF_DeleteStatus(status);
    return right * 100 > 97 * (DIGITS - TRAINED) ? 0 : 1;
}
