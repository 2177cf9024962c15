/* Saving and restoring the variables of a graph in a session, and which checkpoints of a directory are kept. */
#ifndef SLUICE_SAVER_H
#define SLUICE_SAVER_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One owner. The graph must outlive it. */
struct sl_saver;

struct sl_saver_options {
    int max_to_keep;           /* the latest so many checkpoints are kept; 0: all */
    double keep_every_seconds; /* of those that go, one in so long is kept for good; 0: none is */
};

/* With a Saver of TensorFlow in the graph (its nodes save/Const, save/control_dependency and save/restore_all) that
 * one is used: it knows what to save. Otherwise all variables are saved, each under the name of its node, and
 * operations that read and assign them are added to the graph, in the scope sluice_saver. `options` may be NULL: all
 * are kept. NULL on failure; NOT_FOUND for a graph without variables. */
SL_API struct sl_saver *sl_saver_new(TF_Graph *graph, const struct sl_saver_options *options, TF_Status *status);
SL_API void sl_saver_delete(struct sl_saver *saver); /* NULL is fine */

/* Writes a checkpoint of version 2 that is called PREFIX-STEP, makes it the latest in the file `checkpoint` of its
 * directory (which is made if it is missing), then removes those that are no longer kept. Killed at any moment, the
 * file names a whole checkpoint. FAILED_PRECONDITION when a variable has no value. */
SL_API void sl_saver_save(struct sl_saver *saver, TF_Session *session, const char *prefix, int64_t step,
                          TF_Status *status);
/* Gives the variables the values that the checkpoint with this prefix has. NOT_FOUND, DATA_LOSS; the variables may
 * then have changed in part. */
SL_API void sl_saver_restore(struct sl_saver *saver, TF_Session *session, const char *prefix, TF_Status *status);

/* The prefix of the latest checkpoint in a directory, NUL-terminated, of at most `size` bytes, and the number at the
 * end of its name (-1: there is none) in `step`, which may be NULL. False when there is none, which is no error: the
 * status says OK. */
SL_API unsigned char sl_saver_latest(char *prefix, size_t size, int64_t *step, const char *dir, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
