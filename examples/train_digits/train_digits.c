/* Trains a small convolutional network on real handwritten digits, and draws how that went.
 *
 *     train_digits [FOLDER_OF_DATA [PICTURE [EPOCHS [FOLDER_OF_CHECKPOINTS]]]]
 *
 * pictures.gz and labels.gz (the MNIST format) hold 10,000 digits: 9,000 to learn from, 1,000 that the network does not see before
 * the end. Everything is done by the graph: unpacking the files, training, and writing the picture. With a folder of checkpoints
 * training goes on from the latest one, and writes one after each epoch. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chart.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/saver.h"
#include "sluice/train.h"

enum { DIGITS = 10000, TRAINED = 9000, SIDE = 28, BATCH = 60, CHUNK = 250, CLASSES = 10 };

struct network {
    TF_Output ids, training;             /* fed: which digits; whether dropout drops */
    TF_Output pictures, labels, guesses; /* of those */
    TF_Output loss, accuracy, step_and_figures;
    TF_Operation *init;
};

static void stop_on(TF_Code code, const char *message) {
    if (code == TF_OK) return;
    fprintf(stderr, "train_digits: %s\n", message);
    exit(1);
}

/* The bytes behind the header of a packed file, shaped, in a variable, so that the file is read once. */
static TF_Output data(struct sl_scope *s, const char *folder, const char *name, int32_t header, struct sl_ints shape) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.gz", folder, name);
    TF_Output packed = sl_read_file(s, sl_string_scalar(s, path));
    TF_Output bytes =
        sl_decode_raw(s,
                      sl_decode_compressed_with(s, packed,
                                                (struct sl_decode_compressed_attrs){.compression_type = "GZIP"}),
                      (struct sl_decode_raw_attrs){.out_type = TF_UINT8});
    TF_Output body = sl_slice(s, bytes, sl_int_vector(s, SL_INTS(header)), sl_int_vector(s, SL_INTS(-1)));
    return sl_variable_untrained(s, name, sl_reshape(s, body, sl_int_vector(s, shape))).value;
}

static struct network build(struct sl_scope *s, const char *folder) {
    struct network n;
    sl_seed(s, 7);
    n.ids = sl_placeholder(s, "ids", TF_INT32, SL_SHAPE(-1));
    n.training = sl_placeholder(s, "training", TF_BOOL, SL_SCALAR);
    TF_Output axis = sl_scalar(s, TF_INT32, 0);
    n.pictures = sl_gather_v2(s, data(s, folder, "pictures", 16, SL_INTS(DIGITS, SIDE, SIDE, 1)), n.ids, axis);
    n.labels = sl_gather_v2(s, data(s, folder, "labels", 8, SL_INTS(DIGITS)), n.ids, axis);
    n.labels = sl_cast(s, n.labels, (struct sl_cast_attrs){.DstT = TF_INT32});
    TF_Output x =
        sl_mul(s, sl_cast(s, n.pictures, (struct sl_cast_attrs){.DstT = TF_FLOAT}), sl_scalar(s, TF_FLOAT, 1 / 255.));

    x = sl_layer_max_pool(s, sl_layer_conv2d(s, "conv1", x, 16, 5, 1, SL_RELU), 2, 2);
    x = sl_layer_max_pool(s, sl_layer_conv2d(s, "conv2", x, 32, 5, 1, SL_RELU), 2, 2);
    x = sl_layer_dense(s, "hidden", sl_layer_flatten(s, x), 128, SL_RELU);
    x = sl_layer_dense(s, "logits", sl_layer_dropout(s, x, .4, n.training), CLASSES, SL_LINEAR);
    n.guesses = sl_arg_max_with(s, x, sl_scalar(s, TF_INT32, 1), (struct sl_arg_max_attrs){.output_type = TF_INT32});
    n.loss = sl_loss_softmax(s, x, n.labels);
    n.accuracy = sl_accuracy(s, x, n.labels);

    struct sl_var step = sl_step_counter(s);
    const struct sl_optimizer adam = {.kind = SL_ADAM,
                                      .rate_of_step = sl_exponential_decay(s, step.value, .002, 150, .6, true)};
    TF_Operation *train = sl_minimize(s, &adam, n.loss, &step);
    sl_push_control(s, &train, 1);
    const TF_Output figures[] = {n.loss, n.accuracy};
    n.step_and_figures = sl_identity(s, sl_pack(s, figures, 2));
    sl_pop(s);
    n.init = sl_variables_init(s);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    return n;
}

/* Fetches one output for some of the digits; the caller deletes the tensor. */
static TF_Tensor *run(TF_Session *session, const struct network *n, TF_Output fetch, const int32_t *ids, int count,
                      bool training) {
    TF_Status *status = TF_NewStatus();
    TF_Tensor *fed[] = {TF_AllocateTensor(TF_INT32, (int64_t[]){count}, 1, sizeof *ids * (size_t)count),
                        TF_AllocateTensor(TF_BOOL, NULL, 0, sizeof training)},
              *got = NULL;
    const TF_Output feeds[] = {n->ids, n->training};
    for (int i = 0; i < count; i++) ((int32_t *)TF_TensorData(fed[0]))[i] = ids[i];
    *(bool *)TF_TensorData(fed[1]) = training;
    TF_SessionRun(session, NULL, feeds, fed, 2, &fetch, &got, 1, NULL, 0, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    TF_DeleteTensor(fed[0]);
    TF_DeleteTensor(fed[1]);
    return got;
}

static void show_progress(int step, int steps, const float *figures) {
    static const char bar[] = "##############################";
    if (!isatty(STDERR_FILENO)) return;
    int filled = step * 30 / steps;
    fprintf(stderr, "\r[%-30.*s] %4d/%d  loss %.3f  accuracy %.3f%s", filled, bar, step, steps, (double)figures[0],
            (double)figures[1], step == steps ? "\n" : "");
}

/* Takes up the latest checkpoint in a folder, if there is one; `epoch` gets the number of its epoch. */
static struct sl_saver *resume(int64_t *epoch, TF_Session *session, TF_Graph *graph, const char *folder) {
    char prefix[4096];
    TF_Status *status = TF_NewStatus();
    const struct sl_saver_options options = {.max_to_keep = 2};
    struct sl_saver *saver = sl_saver_new(graph, &options, status);
    if (saver && sl_saver_latest(prefix, sizeof prefix, epoch, folder, status)) {
        printf("going on from %s\n", prefix);
        sl_saver_restore(saver, session, prefix, status);
    }
    stop_on(TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    if (*epoch < 0) *epoch = 0;
    return saver;
}

static void save(struct sl_saver *saver, TF_Session *session, const char *folder, int64_t epoch) {
    char prefix[4096];
    TF_Status *status = TF_NewStatus();
    snprintf(prefix, sizeof prefix, "%s/digits", folder);
    sl_saver_save(saver, session, prefix, epoch, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}

/* A random order, the same on every run. */
static void shuffle(int32_t *ids, int n, unsigned *state) {
    for (int i = n - 1; i > 0; i--) {
        *state = *state * 1664525u + 1013904223u;
        int k = (int)((uint64_t)*state * (unsigned)(i + 1) >> 32);
        int32_t id = ids[i];
        ids[i] = ids[k];
        ids[k] = id;
    }
}

static void train(TF_Session *session, const struct network *n, struct chart *chart, int64_t done, int epochs,
                  struct sl_saver *saver, const char *folder) {
    int32_t ids[TRAINED];
    unsigned state = 1;
    int steps = epochs * (TRAINED / BATCH), step = 0;
    for (int i = 0; i < TRAINED; i++) ids[i] = i;
    for (int epoch = 0; epoch < epochs; epoch++) {
        shuffle(ids, TRAINED, &state);
        for (int at = 0; at < TRAINED; at += BATCH) {
            TF_Tensor *got = run(session, n, n->step_and_figures, ids + at, BATCH, true);
            const float *figures = TF_TensorData(got);
            chart_add(chart, figures[0], figures[1]);
            show_progress(++step, steps, figures);
            TF_DeleteTensor(got);
        }
        printf("epoch %d: loss %.4f, %.2f %% of the last digits right\n", (int)done + epoch + 1, chart_loss(chart),
               100 * chart_accuracy(chart));
        if (saver) save(saver, session, folder, done + epoch + 1);
    }
}

/* Tries the digits that were kept back; how many were read right. Misread ones go to the chart. */
static int test(TF_Session *session, const struct network *n, struct chart *chart) {
    int right = 0;
    for (int32_t first = TRAINED; first < DIGITS; first += CHUNK) {
        int32_t ids[CHUNK];
        for (int i = 0; i < CHUNK; i++) ids[i] = first + i;
        TF_Tensor *guesses = run(session, n, n->guesses, ids, CHUNK, false),
                  *labels = run(session, n, n->labels, ids, CHUNK, false),
                  *pictures = run(session, n, n->pictures, ids, CHUNK, false);
        const int32_t *guess = TF_TensorData(guesses), *label = TF_TensorData(labels);
        const unsigned char *picture = TF_TensorData(pictures);
        for (int i = 0; i < CHUNK; i++, picture += SIDE * SIDE) {
            right += guess[i] == label[i];
            if (guess[i] != label[i]) chart_add_misread(chart, picture, SIDE);
        }
        TF_DeleteTensor(guesses);
        TF_DeleteTensor(labels);
        TF_DeleteTensor(pictures);
    }
    return right;
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : "data", *picture = argc > 2 ? argv[2] : "train_digits.png";
    int epochs = argc > 3 ? atoi(argv[3]) : 4;
    static struct chart chart;
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *s = sl_scope_new(graph);
    struct network n = build(s, folder);

    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    const TF_Operation *init = n.init;
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &init, 1, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));

    const char *checkpoints = argc > 4 ? argv[4] : NULL;
    int64_t done = 0;
    struct sl_saver *saver = checkpoints ? resume(&done, session, graph, checkpoints) : NULL;
    train(session, &n, &chart, done, epochs, saver, checkpoints);
    sl_saver_delete(saver);
    int right = test(session, &n, &chart);
    printf("%d of %d new digits read right: %.1f %%\n", right, DIGITS - TRAINED, 100. * right / (DIGITS - TRAINED));
    const TF_Operation *draw = chart_draw(&chart, s, picture);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &draw, 1, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    printf("learning curve and misread digits: %s\n", picture);

    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return right * 100 > 97 * (DIGITS - TRAINED) ? 0 : 1;
}
