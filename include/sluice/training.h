/* A training loop that may be killed at any moment: it goes on from its latest checkpoint, writes curves, calls
 * hooks, and stops by itself.
 *
 *     struct sl_training_options o = {.step = step, .train = train, .loss = loss, .folder = "run", .save_every = 100, .last_step = 5000};
 *     struct sl_training *t = sl_training_new(s, &o, status);
 *     while (sl_training_goes_on(t, status)) {
 *         ... the feeds of step sl_training_step(t) ...
 *         sl_training_run(t, feeds, values, n, NULL, NULL, 0, status);
 *     }
 *     sl_training_delete(t);
 *
 * When feeds follow from the number of the step, and random numbers do (sl_seed_by_step), a run that was killed and
 * resumed ends with the same bits as one that was not. One owner at a time. */
#ifndef SLUICE_TRAINING_H
#define SLUICE_TRAINING_H

#include "sluice/variables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_training;

/* Called after every `every`-th step, counted by the counter (0: after each one), with what that step computed for
 * `fetches`; the values live until it returns. A status that is not OK ends the training. */
struct sl_hook {
    int64_t every;
    const TF_Output *fetches;
    int num_fetches;
    void (*after)(struct sl_training *training, int64_t step, TF_Tensor *const *values, void *arg, TF_Status *status);
    void *arg;
};

/* A curve of the event files: a float scalar. */
struct sl_curve {
    const char *tag;
    TF_Output value;
};

/* Everything is borrowed for the call, except what hooks' `arg` points to. 0 or NULL turns a part off, unless said
 * otherwise. */
struct sl_training_options {
    struct sl_var step;  /* a counter (sl_step_counter): needed */
    TF_Operation *train; /* one step, which adds 1 to the counter, as sl_minimize gives it: needed */
    TF_Output
        loss; /* a float scalar: when it is not a number, training ends with INVALID_ARGUMENT, and nothing is saved */
    int64_t last_step;  /* the end */
    const char *folder; /* of checkpoints, called model.ckpt-STEP, and of event files; made when it is missing */
    int64_t save_every; /* steps between checkpoints; 0: only one at the end */
    int max_to_keep;    /* the latest so many; 0: 5 */
    const struct sl_curve *curves; /* written every `curves_every` steps (0: each one) into `folder` */
    int num_curves;
    TF_Output summary; /* a string scalar, as summary ops give: the same */
    int64_t curves_every;
    const struct sl_hook *hooks;
    int num_hooks;
};

/* Starts a session, gives the scope's variables their initial values, and then those of the latest checkpoint in the
 * folder. To be called when the graph is complete. The scope must outlive it. NULL on failure. */
SL_API struct sl_training *sl_training_new(struct sl_scope *scope, const struct sl_training_options *options,
                                           TF_Status *status);
/* Ends the session; nothing is saved that was not before. NULL is fine. */
SL_API void sl_training_delete(struct sl_training *training);

/* False after the last step, after sl_training_stop, and when `status` is not OK. */
SL_API bool sl_training_goes_on(const struct sl_training *training, const TF_Status *status);
/* Runs one step, with feeds and fetches of the caller's, who deletes the tensors fetched. Saves when it is time, and
 * after the last step. */
SL_API void sl_training_run(struct sl_training *training, const TF_Output *feeds, TF_Tensor *const *feed_values,
                            int num_feeds, const TF_Output *fetches, TF_Tensor **values, int num_fetches,
                            TF_Status *status);
/* How many steps are done, those of earlier runs included; the number that training began with this time. */
SL_API int64_t sl_training_step(const struct sl_training *training);
SL_API int64_t sl_training_first(const struct sl_training *training);
/* Ends the training after the present step; for hooks. */
SL_API void sl_training_stop(struct sl_training *training);
/* Writes a checkpoint now, unless this step has one. */
SL_API void sl_training_save(struct sl_training *training, TF_Status *status);
/* The session in which the training runs, for other uses. Owned by the training. */
SL_API TF_Session *sl_training_session(struct sl_training *training);

#ifdef __cplusplus
}
#endif

#endif
