/* Classifies real handwritten digits with a network that others trained, and draws what it thought of them.
 *
 *     digits [FOLDER_OF_DATA [PICTURE]]
 *
 * Reads digits.pb (a frozen graph), digits-images.idx and digits-labels.idx (the MNIST format), runs the pictures
 * through the graph in batches, prints how many were right, and writes a contact sheet: every picture with the label
 * it was given, misread ones in red. Fails when less than 84 % of them were right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact_sheet.h"
#include "sluice/graph_file.h"
#include "tensorflow/c/c_api.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, BATCH = 20, CLASSES = 10 };

static void stop_on(TF_Status *status) {
    if (TF_GetCode(status) == TF_OK) return;
    fprintf(stderr, "digits: %s\n", TF_Message(status));
    exit(1);
}

/* The bytes of an IDX file after its header of `header` bytes. */
static unsigned char *read_idx(const char *folder, const char *name, long header, long *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (in && !fseek(in, 0, SEEK_END) && (*size = ftell(in) - header) > 0 && !fseek(in, header, SEEK_SET)) {
        bytes = malloc((size_t)*size);
        if (bytes && fread(bytes, 1, (size_t)*size, in) != (size_t)*size) bytes = NULL;
    }
    if (in) fclose(in);
    if (bytes) return bytes;
    fprintf(stderr, "digits: cannot read %s\n", path);
    exit(1);
}

/* Runs one batch; `guesses` gets the most likely digit of each picture. */
static void classify(TF_Session *session, TF_Output input, TF_Output output, const unsigned char *pictures, int n,
                     int *guesses, TF_Status *status) {
    TF_Tensor *x = TF_AllocateTensor(TF_FLOAT, (int64_t[]){n, PIXELS}, 2, sizeof(float) * PIXELS * (size_t)n),
              *y = NULL;
    float *pixels = TF_TensorData(x);
    for (int i = 0; i < n * PIXELS; i++) pixels[i] = (float)pictures[i] / 255.0f;
    TF_SessionRun(session, NULL, &input, &x, 1, &output, &y, 1, NULL, 0, NULL, status);
    stop_on(status);
    const float *probability = TF_TensorData(y);
    for (int i = 0; i < n; i++, probability += CLASSES) {
        guesses[i] = 0;
        for (int c = 1; c < CLASSES; c++)
            if (probability[c] > probability[guesses[i]]) guesses[i] = c;
    }
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
}

static void show_progress(long done, long all) {
    if (!isatty(STDERR_FILENO)) return;
    int filled = (int)(done * 40 / all);
    fprintf(stderr, "\r[%.*s%.*s] %ld/%ld%s", filled, "########################################", 40 - filled,
            "                                        ", done, all, done == all ? "\n" : "");
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : "data", *sheet = argc > 2 ? argv[2] : "digits.png";
    char path[4096];
    long n, n_labels, right = 0;
    unsigned char *pictures = read_idx(folder, "digits-images.idx", 16, &n),
                  *labels = read_idx(folder, "digits-labels.idx", 8, &n_labels);
    n /= PIXELS;
    if (n > n_labels) n = n_labels;

    TF_Status *status = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    snprintf(path, sizeof path, "%s/digits.pb", folder);
    sl_graph_read(graph, path, NULL, status);
    stop_on(status);
    TF_Output input = {TF_GraphOperationByName(graph, "input"), 0},
              output = {TF_GraphOperationByName(graph, "output"), 0};
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    stop_on(status);

    int *guesses = calloc((size_t)n, sizeof *guesses);
    for (long i = 0; guesses && i < n; i += BATCH) {
        classify(session, input, output, pictures + i * PIXELS, (int)(n - i < BATCH ? n - i : BATCH), guesses + i,
                 status);
        show_progress(i + BATCH < n ? i + BATCH : n, n);
    }
    for (long i = 0; guesses && i < n; i++) right += guesses[i] == labels[i];
    printf("%ld of %ld digits read right: %.1f %%\n", right, n, 100.0 * (double)right / (double)n);
    const char *written = draw_contact_sheet(sheet, pictures, SIDE, guesses, labels, (int)n);
    if (written) printf("contact sheet: %s\n", written);

    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    free(guesses);
    free(pictures);
    free(labels);
    return written && right * 100 >= n * 84 ? 0 : 1;
}
