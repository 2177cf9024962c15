/* Learns four of Shakespeare's sonnets letter by letter, with a recurrent network (LSTM) whose steps are a loop of
 * the graph, and writes lines of its own.
 *
 *     sonnets [TEXT] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"

enum { MOST = 8192, WINDOW = 40, BATCH = 16, UNITS = 96, STEPS = 500, WRITTEN = 240 };

struct text {
    int letters[MOST], n; /* by their numbers */
    char alphabet[256];
    int size;
};
struct network {
    TF_Output letters, next; /* fed: numbers of letters, [time, batch]; those that come after them */
    TF_Output logits, loss;
    struct sl_var step;
    TF_Operation *train;
};

static void stop_on(TF_Code code, const char *message) {
    if (code == TF_OK) return;
    fprintf(stderr, "sonnets: %s\n", message);
    exit(1);
}

static struct text read_text(const char *path) {
    static struct text t;
    FILE *file = fopen(path, "r");
    int number[256], c;
    if (!file) stop_on(TF_NOT_FOUND, path);
    memset(number, -1, sizeof number);
    while (t.n < MOST && (c = fgetc(file)) != EOF) {
        if (number[c] < 0) {
            number[c] = t.size;
            t.alphabet[t.size++] = (char)c;
        }
        t.letters[t.n++] = number[c];
    }
    fclose(file);
    return t;
}

static struct network build(struct sl_scope *s, int alphabet) {
    struct network n = {.letters = sl_placeholder(s, "letters", TF_INT32, SL_SHAPE(-1, -1)),
                        .next = sl_placeholder(s, "next", TF_INT32, SL_SHAPE(-1)),
                        .step = sl_step_counter(s)};
    sl_seed(s, 1);
    TF_Output x = sl_layer_embedding(s, "alphabet", n.letters, alphabet, 32);
    x = sl_layer_lstm(s, "lstm", x, UNITS, NULL);
    n.logits = sl_layer_dense(s, "logits", x, alphabet, SL_LINEAR);
    TF_Output flat = sl_reshape(s, n.logits, sl_int_vector(s, SL_INTS(-1, alphabet)));
    n.loss = sl_loss_softmax(s, flat, n.next);

    struct sl_slices gradients[16];
    int n_variables;
    const struct sl_var *variables = sl_variables_trainable(s, &n_variables);
    const struct sl_optimizer adam = SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .01);
    sl_compute_gradients(s, n.loss, variables, n_variables, gradients);
    sl_clip_gradients_by_global_norm(s, gradients, n_variables, 5);
    n.train = sl_apply_gradients(s, &adam, variables, n_variables, gradients, &n.step);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    return n;
}

static TF_Tensor *numbers(int64_t rows, int64_t columns) {
    return TF_AllocateTensor(TF_INT32, (int64_t[]){rows, columns}, columns ? 2 : 1,
                             sizeof(int32_t) * (size_t)(rows * (columns ? columns : 1)));
}

/* One step, on pieces of the text that follow from the number of the step. */
static float train(struct sl_training *training, const struct network *n, const struct text *text, TF_Status *status) {
    TF_Tensor *fed[] = {numbers(WINDOW, BATCH), numbers(WINDOW * BATCH, 0)}, *loss = NULL;
    int32_t *letters = TF_TensorData(fed[0]), *next = TF_TensorData(fed[1]);
    uint32_t random = (uint32_t)sl_training_step(training) * 2654435761u + 1;
    for (int b = 0; b < BATCH; b++) {
        random = random * 1664525u + 1013904223u;
        int first = (int)((uint64_t)random * (unsigned)(text->n - WINDOW) >> 32);
        for (int t = 0; t < WINDOW; t++) {
            letters[t * BATCH + b] = text->letters[first + t];
            next[t * BATCH + b] = text->letters[first + t + 1];
        }
    }
    sl_training_run(training, (TF_Output[]){n->letters, n->next}, fed, 2, &n->loss, &loss, 1, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    float value = *(float *)TF_TensorData(loss);
    TF_DeleteTensor(fed[0]);
    TF_DeleteTensor(fed[1]);
    TF_DeleteTensor(loss);
    return value;
}

/* Draws a letter by its logits; the colder, the likelier is the likeliest. */
static int draw(const float *logits, int n, double heat, uint32_t *random) {
    double sum = 0, most = logits[0];
    for (int i = 1; i < n; i++) most = fmax(most, logits[i]);
    for (int i = 0; i < n; i++) sum += exp((logits[i] - most) / heat);
    *random = *random * 1664525u + 1013904223u;
    double left = sum * *random / 4294967296.;
    int i = 0;
    while (i < n - 1 && (left -= exp((logits[i] - most) / heat)) > 0) i++;
    return i;
}

/* Goes on from the beginning of the text, one letter after another. */
static void write_lines(TF_Session *session, const struct network *n, const struct text *text, TF_Status *status) {
    int32_t written[WINDOW + WRITTEN];
    uint32_t random = 5;
    for (int i = 0; i < WINDOW; i++) written[i] = text->letters[i];
    for (int i = 0; i < WRITTEN; i++) {
        TF_Tensor *fed = numbers(WINDOW, 1), *logits = NULL;
        memcpy(TF_TensorData(fed), written + i, WINDOW * sizeof *written);
        TF_SessionRun(session, NULL, &n->letters, &fed, 1, &n->logits, &logits, 1, NULL, 0, NULL, status);
        stop_on(TF_GetCode(status), TF_Message(status));
        const float *last = (float *)TF_TensorData(logits) + (WINDOW - 1) * text->size;
        written[WINDOW + i] = draw(last, text->size, .5, &random);
        putchar(text->alphabet[written[WINDOW + i]]);
        TF_DeleteTensor(fed);
        TF_DeleteTensor(logits);
    }
    putchar('\n');
}

int main(int argc, char **argv) {
    struct text text = read_text(argc > 1 ? argv[1] : "data/sonnets.txt");
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    struct network n = build(s, text.size);
    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = n.step, .train = n.train, .loss = n.loss, .last_step = STEPS);
    struct sl_training *training = sl_training_new(s, &options, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    float loss = 0;
    while (sl_training_goes_on(training, status)) {
        float now = train(training, &n, &text, status);
        loss = loss > 0 ? loss * .95f + now * .05f : now;
        if (sl_training_step(training) % 100 == 0)
            printf("step %d: loss %.3f\n", (int)sl_training_step(training), (double)loss);
    }
    write_lines(sl_training_session(training), &n, &text, status);
    sl_training_delete(training);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return loss < .6f ? 0 : 1;
}
