/* Values of --feed: text, files of NumPy, pictures, bytes, brought to what an input takes. */
#ifndef SLUICE_CLI_FEED_VALUE_H
#define SLUICE_CLI_FEED_VALUE_H

#include "model.h"
#include "picture_file.h"

/* What an input takes. */
enum { FEED_RANK = 32 };
struct feed_input {
    const char *name; /* as the user calls it */
    TF_Output output;
    TF_DataType type;
    int rank; /* -1: not known, or any */
    int64_t dims[FEED_RANK];
};
/* The input called `name`: of the signature where it has one of that name, else an output of the graph, of which only
 * placeholders have a shape that binds. False after an error, which has been printed. */
bool feed_input_find(struct feed_input *out, TF_Graph *graph, const struct loaded_model *model, const char *name);

/* After a run that lacked a feed: names the inputs of the signature, or the placeholders, that are not among `feeds`. */
void hint_missing_feeds(const TF_Status *status, TF_Graph *graph, const struct loaded_model *model,
                        const TF_Output *feeds, int n_feeds);

/* What is said once for all feeds: --pixels, --cast. */
struct feed_rules {
    enum pixel_range pixels;
    bool casts;
};
/* Reads "3.5", "[1, 2]", "text", "FILE.npy", "FILE.png", "@FILE" for the input. With `batch` above 0 an array of a
 * file holds examples, of which so many are fed at a time. NULL after an error, which has been printed. */
TF_Tensor *feed_value_read(const struct feed_input *input, const char *text, const struct feed_rules *rules,
                           int64_t batch);

#endif
