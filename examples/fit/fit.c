/* A network learns from a table of measurements how far a car goes until it stops, by its speed and its load.
 *
 *     fit [STOPS.CSV [FOLDER_OF_MODEL]]
 *
 * The table is read by ops of the graph, once. Batch norm takes speeds and loads to one scale: its flag is a value, so
 * one graph trains with it and infers without. AdamW gets its rate from a schedule with warm-up. The model is written
 * as a SavedModel, loaded again, and asked for what the network had not seen; both must say the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/graph_file.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/saved_model_file.h"
#include "sluice/tensors.h"
#include "sluice/train.h"
#include "sluice/training.h"

enum { COLUMNS = 3, INPUTS = 2, ROWS = 320, TRAINED = 256, TESTED = ROWS - TRAINED, BATCH = 128, STEPS = 1500 };

static void stop_on(TF_Status *status) {
    if (TF_GetCode(status) == TF_OK) return;
    fprintf(stderr, "fit: %s\n", TF_Message(status));
    exit(1);
}

/* The numbers of a CSV file behind its first line: [rows, columns]. */
static TF_Output read_table(struct sl_scope *s, const char *path) {
    TF_Output text = sl_read_file(s, sl_string_scalar(s, path)), zero = sl_scalar(s, TF_INT32, 0);
    TF_Output all = sl_string_split_v2(s, sl_expand_dims(s, text, zero), sl_string_scalar(s, "")).values;
    TF_Output lines = sl_slice(s, all, sl_int_vector(s, SL_INTS(1)), sl_int_vector(s, SL_INTS(-1)));
    TF_Output defaults[COLUMNS], columns[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) defaults[i] = sl_constant_of(s, TF_FLOAT, SL_SHAPE(1), NULL);
    TF_Operation *fields = sl_decode_csv(s, lines, defaults, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) columns[i] = (TF_Output){fields, i};
    return sl_pack_with(s, columns, COLUMNS, (struct sl_pack_attrs){.axis = 1});
}

struct network {
    TF_Output table, x, truth, is_training, guess, loss;
    struct sl_var step;
    TF_Operation *train;
};

static struct network build(struct sl_scope *s, const char *path) {
    struct network n = {.table = read_table(s, path),
                        .x = sl_placeholder(s, "x", TF_FLOAT, SL_SHAPE(-1, INPUTS)),
                        .truth = sl_placeholder(s, "truth", TF_FLOAT, SL_SHAPE(-1, 1)),
                        .is_training = sl_is_training(s),
                        .step = sl_step_counter(s)};
    TF_Output h = sl_layer_batch_norm_when(s, "scale", n.x, n.is_training, NULL);
    h = sl_layer_dense(s, "hidden", h, 24, SL_SILU);
    n.guess = sl_layer_dense(s, "distance", h, 1, SL_LINEAR);
    n.loss = sl_loss_squares(s, n.guess, n.truth);
    const struct sl_optimizer adamw =
        SL_OPTIONS(sl_optimizer, .kind = SL_ADAMW, .decay_matrices = true,
                   .rate_of_step = sl_cosine_decay_warm(s, n.step.value, 0, 100, .1, STEPS - 100, .01));
    n.train = sl_minimize(s, &adamw, n.loss, &n.step);
    return n;
}

/* The whole table, read in the session. */
static void fetch_table(float table[ROWS][COLUMNS], TF_Session *session, TF_Output from, TF_Status *status) {
    TF_Tensor *value = NULL;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &from, &value, 1, NULL, 0, NULL, status);
    stop_on(status);
    sl_tensor_read(table, value, TF_FLOAT, ROWS * COLUMNS, status);
    stop_on(status);
    TF_DeleteTensor(value);
}

/* One step on rows of the first TRAINED that follow from its number. */
static void train(struct sl_training *t, const struct network *n, float table[ROWS][COLUMNS], TF_Status *status) {
    float x[BATCH][INPUTS], truth[BATCH];
    const bool yes = true;
    for (int i = 0; i < BATCH; i++) {
        const float *row = table[((int)sl_training_step(t) * 37 + i * 101) % TRAINED];
        for (int k = 0; k < INPUTS; k++) x[i][k] = row[k];
        truth[i] = row[INPUTS];
    }
    TF_Tensor *values[] = {sl_tensor_of(TF_FLOAT, SL_SHAPE(BATCH, INPUTS), x, status),
                           sl_tensor_of(TF_FLOAT, SL_SHAPE(BATCH, 1), truth, status),
                           sl_tensor_of(TF_BOOL, SL_SCALAR, &yes, status)};
    sl_training_run(t, (TF_Output[]){n->x, n->truth, n->is_training}, values, 3, NULL, NULL, 0, status);
    for (int i = 0; i < 3; i++) TF_DeleteTensor(values[i]);
}

/* What a session says of the rows that were left out. */
static void infer(float guess[TESTED], TF_Session *session, TF_Output x, TF_Output y, float table[ROWS][COLUMNS],
                  TF_Status *status) {
    float inputs[TESTED][INPUTS];
    for (int i = 0; i < TESTED; i++)
        for (int k = 0; k < INPUTS; k++) inputs[i][k] = table[TRAINED + i][k];
    TF_Tensor *in = sl_tensor_of(TF_FLOAT, SL_SHAPE(TESTED, INPUTS), inputs, status), *out = NULL;
    TF_SessionRun(session, NULL, &x, &in, 1, &y, &out, 1, NULL, 0, NULL, status);
    stop_on(status);
    sl_tensor_read(guess, out, TF_FLOAT, TESTED, status);
    stop_on(status);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out);
}

static void write_model(const char *folder, TF_Session *session, const struct network *n, TF_Status *status) {
    const struct sl_export_port input = {"measured", n->x}, output = {"distance", n->guess};
    const struct sl_export_signature signature = {
        .name = "serving_default", .num_inputs = 1, .inputs = &input, .num_outputs = 1, .outputs = &output};
    sl_model_write(folder, session, &SL_OPTIONS(sl_export, .signatures = &signature, .num_signatures = 1), status);
    stop_on(status);
}

/* The same as any program would: by what the signature says. */
static void infer_from_model(float guess[TESTED], const char *folder, float table[ROWS][COLUMNS], TF_Status *status) {
    struct sl_model *model = sl_model_read(folder, status);
    stop_on(status);
    struct sl_model_signature signature;
    if (!sl_model_signature_at(&signature, model, 0, 0)) TF_SetStatus(status, TF_NOT_FOUND, "there is no signature");
    stop_on(status);
    TF_Graph *graph = TF_NewGraph();
    TF_SessionOptions *options = TF_NewSessionOptions();
    const char *const tags[] = {"serve"};
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, folder, tags, 1, graph, NULL, status);
    stop_on(status);
    TF_Output x = sl_output_named(graph, signature.inputs[0].tensor, status);
    stop_on(status);
    TF_Output y = sl_output_named(graph, signature.outputs[0].tensor, status);
    stop_on(status);
    infer(guess, session, x, y, table, status);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    sl_model_delete(model);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "data/stops.csv", *folder = argc > 2 ? argv[2] : "fit.model";
    static float table[ROWS][COLUMNS], guess[TESTED], again[TESTED];
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    sl_seed(s, 1);
    struct network n = build(s, path);
    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = n.step, .train = n.train, .loss = n.loss, .last_step = STEPS);
    struct sl_training *t = sl_training_new(s, &options, status);
    stop_on(status);
    fetch_table(table, sl_training_session(t), n.table, status);
    while (sl_training_goes_on(t, status)) train(t, &n, table, status);
    stop_on(status);

    infer(guess, sl_training_session(t), n.x, n.guess, table, status);
    write_model(folder, sl_training_session(t), &n, status);
    infer_from_model(again, folder, table, status);
    double squares = 0, apart = 0;
    for (int i = 0; i < TESTED; i++) {
        squares += pow((double)guess[i] - (double)table[TRAINED + i][INPUTS], 2);
        apart = fmax(apart, fabs((double)guess[i] - (double)again[i]));
    }
    double off = sqrt(squares / TESTED);
    printf("%d new stops are off by %.1f m; the model in %s is %g m apart\n", TESTED, off, folder, apart);

    sl_training_delete(t);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return off < 1.5 && apart == 0 ? 0 : 1;
}
