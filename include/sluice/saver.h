/* Savers: write the variables of a graph in a session to checkpoints, restore them, and remove old checkpoints. */
#ifndef SLUICE_SAVER_H
#define SLUICE_SAVER_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time may use a saver. The graph must outlive it. */
struct sl_saver;

struct sl_saver_names; /* sluice/meta_graph_file.h */

struct sl_saver_options {
    size_t size;               /* see SL_OPTIONS (sluice/sluice.h) */
    int max_to_keep;           /* so many of the latest checkpoints are kept; 0: all */
    double keep_every_seconds; /* of older ones, one for each period of so many seconds is kept for good; 0: none */
    /* The nodes of the graph's Saver, as sl_meta_graph_saver and sl_model_saver give them. NULL: save/Const,
     * save/control_dependency and save/restore_all, if the graph has these. Borrowed for the call. */
    const struct sl_saver_names *names;
    /* The prefix of a checkpoint of that Saver, DIR/variables/variables of a SavedModel: it tells which objects the
     * Saver's names stand for. An ExportArchive of Keras has variables twice, as variables/N, which Python uses, and
     * as _all_variables/N, which the graph uses: both are saved as what the graph has, and restored as what Python
     * had. NULL: a name means the same variable in every checkpoint. Borrowed for the call. */
    const char *like;
};

/* If the graph has the nodes of a TensorFlow Saver, these save and restore; the Saver of a SavedModel writes what
 * tf.train.Checkpoint reads. Otherwise all variables are saved, each under the name of its node; operations that read and assign
 * them are added to the graph, under the prefix sluice_saver. `options` may be NULL: all checkpoints are kept. NULL on
 * failure; NOT_FOUND for a graph without variables, INVALID_ARGUMENT when the nodes that `names` gives are missing. */
SL_API struct sl_saver *sl_saver_new(TF_Graph *graph, const struct sl_saver_options *options, TF_Status *status);
SL_API void sl_saver_delete(struct sl_saver *saver); /* NULL is fine */

/* Writes a checkpoint of version 2 that is called PREFIX-STEP, names it as the latest in the file `checkpoint` of its
 * directory (which is made if it is missing), then removes those that are no longer kept. If the process is killed
 * meanwhile, `checkpoint` names a complete one. FAILED_PRECONDITION when a variable has no value. */
SL_API void sl_saver_save(struct sl_saver *saver, TF_Session *session, const char *prefix, int64_t step,
                          TF_Status *status);
/* Gives the variables the values of the checkpoint with this prefix, of version 1 or 2, from a Saver or from
 * tf.train.Checkpoint. A variable is found by its name; with `like` by the objects that have it, wherever the model is
 * among the objects of the checkpoint, and else by its full name. NOT_FOUND when it or one of the variables is not
 * there, DATA_LOSS when it is damaged, INVALID_ARGUMENT for another type or shape; on failure some of the variables may
 * have changed. */
SL_API void sl_saver_restore(struct sl_saver *saver, TF_Session *session, const char *prefix, TF_Status *status);

/* The same, but a variable that the checkpoint does not have keeps its value (with `like` it gets the value in that
 * checkpoint), and `missing`, unless NULL, is called with its name. NOT_FOUND when the checkpoint has none of them. */
SL_API void sl_saver_restore_found(struct sl_saver *saver, TF_Session *session, const char *prefix,
                                   void (*missing)(void *arg, const char *name), void *arg, TF_Status *status);

/* Copies the prefix of the latest checkpoint in a directory into `prefix`, which has room for `size` bytes with
 * the NUL, and puts the number at the end of its name (-1: it has none) into `step`, which may be NULL. False on
 * failure (OUT_OF_RANGE when `size` is too small), and, with status OK, when the directory has no checkpoint. */
SL_API unsigned char sl_saver_latest(char *prefix, size_t size, int64_t *step, const char *dir, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
