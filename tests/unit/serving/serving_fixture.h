/* Small SavedModels, written as text, and hosts over them. */
#ifndef SL_TESTS_SERVING_FIXTURE_H
#define SL_TESTS_SERVING_FIXTURE_H

#include "serving/model_host.h"
#include "unit/unit.h"

enum { FOLDER_TEXT = 256 };

/* A new empty folder; removed with all that is in it. */
void folder_new(char folder[FOLDER_TEXT]);
void folder_remove(const char *folder);

/* FOLDER/NAME (FOLDER itself when NAME is ""): signatures
 *
 *   serving_default   x float [?] -> y = factor * x, float [?]
 *   both              x float [?,2], n int64 [?] -> x, n as they are
 *   total             x float [?] -> sum, float []
 *   checked           x float [?] -> y = x; fails where one is NaN
 *   classify          inputs, Examples with "x" float -> classes = x as text, scores = factor * x
 *   regress           the same -> outputs = factor * x
 *
 * It appears complete, by a rename. */
void model_write(const char *folder, const char *name, int factor);

/* Over a folder, which nobody looks into but sl_model_host_poll. What it tells is kept: "loaded TEXT\n" ... */
struct hosted {
    struct sl_model_host *host;
    struct sl_mutex mutex;
    char told[8192];
};
void hosted_begin(struct hosted *h, const char *folder, const struct sl_batching *batching);
bool hosted_told(struct hosted *h, const char *text);
void hosted_end(struct hosted *h);

#endif
