/* Input pipelines from C: datasets say what to read, an iterator takes their elements one by one.
 *
 *     struct sl_data d = sl_data_slices(s, (const TF_Output[]){pictures, labels}, 2);
 *     d = sl_data_shuffle(s, d, 1000);
 *     d = sl_data_map(s, d, "scale", scale, 2, NULL);                  -- a callback, as those of sluice/flow.h
 *     d = sl_data_batch(s, d, 60, true);
 *     struct sl_data_iterator it = sl_data_iterate(s, "train", d);
 *     TF_Output batch[2];
 *     while (sl_data_next(s, batch, it)) ...                           -- a scope that runs ops at once
 *
 * An element has components, each of one type and of a shape that may be partly known; all elements of a dataset have the
 * same. Datasets are descriptions: nothing is read before an element is asked for. Elements and their order are
 * TensorFlow's, for the same seeds. Stages run in the caller, and ahead of it where that saves time; the order stays.
 *
 * In a graph the functions add operations: sl_data_iterator.initialise points the iterator at the beginning whenever it
 * runs, and sl_data_next is called once: its outputs are another element in each step, and the step fails with
 * OUT_OF_RANGE when there is none.
 *
 * Errors and threads: see sluice/scope.h. After a failure a dataset is {{NULL, 0}, NULL}. */
#ifndef SLUICE_DATASET_H
#define SLUICE_DATASET_H

#include <stdbool.h>

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What elements are like; the scope's. */
struct sl_data_components {
    int n;
    const TF_DataType *types;
    const struct sl_dims *shapes;
};
struct sl_data {
    TF_Output dataset; /* the scalar variant that operations take */
    const struct sl_data_components *components;
};

/* ---- sources */
/* The int64 scalars start, start + step ... before stop. */
SL_API struct sl_data sl_data_range(struct sl_scope *scope, int64_t start, int64_t stop, int64_t step);
/* One element: these values. */
SL_API struct sl_data sl_data_tensors(struct sl_scope *scope, const TF_Output *components, int num_components);
/* Their rows along the first dimension, of which they have equally many. */
SL_API struct sl_data sl_data_slices(struct sl_scope *scope, const TF_Output *components, int num_components);
/* Of files, whose names are a string scalar or vector: their lines without the ends of lines, and the records of
 * TFRecord files, as string scalars. `compression`: NULL for none, "GZIP" or "ZLIB". */
SL_API struct sl_data sl_data_lines(struct sl_scope *scope, TF_Output files, const char *compression);
SL_API struct sl_data sl_data_records(struct sl_scope *scope, TF_Output files, const char *compression);

/* ---- functions on elements. A callback is called once, in the same thread, and fills `outputs` with what it adds; it
 * may use values from outside, which keep what they are when the dataset is made. */
typedef void sl_data_function(struct sl_scope *scope, TF_Output *outputs, const TF_Output *element, void *arg);
/* Its results, `num_outputs` of them, in place of each element. */
SL_API struct sl_data sl_data_map(struct sl_scope *scope, struct sl_data data, const char *name, sl_data_function *f,
                                  int num_outputs, void *arg);
/* The same with up to `calls` elements under way at once, in order all the same; -1: as many as there are processors. */
SL_API struct sl_data sl_data_map_parallel(struct sl_scope *scope, struct sl_data data, const char *name,
                                           sl_data_function *f, int num_outputs, void *arg, int64_t calls);
/* The elements for which its one result, a scalar bool, is true. */
SL_API struct sl_data sl_data_filter(struct sl_scope *scope, struct sl_data data, const char *name, sl_data_function *f,
                                     void *arg);

/* ---- order and number. Counts: -1 for all of them, or for ever. */
SL_API struct sl_data sl_data_take(struct sl_scope *scope, struct sl_data data, int64_t count);
SL_API struct sl_data sl_data_skip(struct sl_scope *scope, struct sl_data data, int64_t count);
SL_API struct sl_data sl_data_repeat(struct sl_scope *scope, struct sl_data data, int64_t count);
/* Every n-th element from `index` on. */
SL_API struct sl_data sl_data_shard(struct sl_scope *scope, struct sl_data data, int64_t n, int64_t index);
/* In a random order within a buffer of so many elements, another one in each pass; by the scope's seed (sl_seed). */
SL_API struct sl_data sl_data_shuffle(struct sl_scope *scope, struct sl_data data, int64_t buffer);
/* `a` and then `b`, which have the same types. */
SL_API struct sl_data sl_data_concatenate(struct sl_scope *scope, struct sl_data a, struct sl_data b);
/* The components of the elements of all, at least one dataset, side by side; as long as the shortest. */
SL_API struct sl_data sl_data_zip(struct sl_scope *scope, const struct sl_data *datas, int num_datas);

/* ---- batches, buffers */
/* `size` elements stacked along a new first dimension; the last batch may be shorter, or is dropped. */
SL_API struct sl_data sl_data_batch(struct sl_scope *scope, struct sl_data data, int64_t size, bool drop_remainder);
/* The rows of each element as elements. */
SL_API struct sl_data sl_data_unbatch(struct sl_scope *scope, struct sl_data data);
/* Keeps in memory what the first complete pass gave, for those that begin later. */
SL_API struct sl_data sl_data_cache(struct sl_scope *scope, struct sl_data data);
/* Up to `buffer` elements are made before they are asked for; -1: as many as it takes. */
SL_API struct sl_data sl_data_prefetch(struct sl_scope *scope, struct sl_data data, int64_t buffer);

/* ---- elements */
struct sl_data_iterator {
    TF_Output resource;
    TF_Operation *initialise; /* in a graph: run it before the first element; else NULL */
    const struct sl_data_components *components;
};
/* An iterator over the dataset, at its beginning. In a graph `name`, with the names around, is its operation's. In a scope
 * that runs ops at once it lives as long as the value `resource`. */
SL_API struct sl_data_iterator sl_data_iterate(struct sl_scope *scope, const char *name, struct sl_data data);
/* The components of the next element into `outputs`. False at the end and after a failure, which the scope tells. */
SL_API bool sl_data_next(struct sl_scope *scope, TF_Output *outputs, struct sl_data_iterator iterator);

#ifdef __cplusplus
}
#endif

#endif
