/* A training loop: it runs the steps, writes checkpoints and curves, calls hooks, and stops after the last step. It may
 * be killed at any moment; started again, it goes on from its latest checkpoint.
 *
 *     struct sl_training_options o = SL_OPTIONS(sl_training_options, .step = step, .train = train, .loss = loss,
 *                                               .last_step = 5000, .folder = "run", .save_every = 100);
 *     struct sl_training *t = sl_training_new(s, &o, status);
 *     while (sl_training_goes_on(t, status)) {
 *         ... fill `values` with the batch of step sl_training_step(t) ...
 *         sl_training_run(t, feeds, values, n, NULL, NULL, 0, status);
 *     }
 *     sl_training_delete(t);
 *
 * When the feeds and the random numbers (sl_seed_by_step) depend on the number of the step alone, a run that was killed
 * and resumed ends with the same bits as one that was not. One thread at a time may use a training. */
#ifndef SLUICE_TRAINING_H
#define SLUICE_TRAINING_H

#include "sluice/variables.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_training;

/* `after` is called after each step whose number is a multiple of `every` (0: after every step), in the thread that
 * called sl_training_run. values[i] is what the step computed for fetches[i]; it lives until `after` returns. `arg` is
 * the hook's. When `after` sets a status that is not OK, sl_training_run returns that, and the training ends. */
struct sl_hook {
    int64_t every;
    const TF_Output *fetches;
    int num_fetches;
    void (*after)(struct sl_training *training, int64_t step, TF_Tensor *const *values, void *arg, TF_Status *status);
    void *arg;
};

/* A curve of the event files: a name, and a float scalar that is fetched for it. */
struct sl_curve {
    const char *tag;
    TF_Output value;
};

/* Arrays and strings are copied by sl_training_new; what the `arg` of a hook points to must outlive the training. A
 * member that is 0 or NULL turns its part off, unless its comment says otherwise. */
struct sl_training_options {
    size_t size;         /* see SL_OPTIONS (sluice/sluice.h) */
    struct sl_var step;  /* a counter, as of sl_step_counter; needed */
    TF_Operation *train; /* one training step, as of sl_minimize: it must add 1 to the counter; needed */
    TF_Output loss;      /* a float scalar; a step whose loss is NaN fails with INVALID_ARGUMENT and is not saved */
    int64_t last_step;   /* the number of the last step; 0: no end */
    const char *folder;  /* of the checkpoints model.ckpt-STEP and the event files; made when it is missing */
    int64_t save_every;  /* steps between checkpoints; 0: only one at the end */
    int max_to_keep;     /* so many of the latest checkpoints are kept; 0: 5 */
    const struct sl_curve *curves;
    int num_curves;
    TF_Output summary;    /* a scalar of type string, as summary ops give it; written as curves are */
    int64_t curves_every; /* steps between points of the curves in `folder`; 0: a point for every step */
    const struct sl_hook *hooks;
    int num_hooks;
    const char *target; /* grpc://HOST:PORT: the master of a cluster, where the steps run; NULL: this process */
    int64_t timeout_ms; /* that making the session waits for the tasks of that cluster at most; 0: for ever */
    const char *const
        *tasks; /* the session needs these tasks beside its master's alone: "/job:worker/task:1"; NULL: all */
    int num_tasks;
};

/* Starts a session, gives the variables of the scope their initial values, and then restores the latest checkpoint in
 * the folder, if there is one. Call it when the graph is complete. The scope must outlive the training. NULL on
 * failure: the scope's error, INVALID_ARGUMENT for options that do not fit, and those of sluice/saver.h. */
SL_API struct sl_training *sl_training_new(struct sl_scope *scope, const struct sl_training_options *options,
                                           TF_Status *status);
/* Ends the session. Saves nothing: what later steps than the latest checkpoint did is lost. NULL is fine. */
SL_API void sl_training_delete(struct sl_training *training);

/* After a step has failed, with `status`: whether the training goes on, since the failure was that of a task of the cluster
 * which died, stopped, or was started anew (UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED). `*training` is then another one, in a new
 * session, with the values of the latest checkpoint: sl_training_step says from which step. It is tried for `patience_seconds`.
 * Else `status` says why not; `*training` may be NULL. `scope` and `options` are those of sl_training_new.
 *
 *     do {
 *         while (sl_training_goes_on(t, status)) ... sl_training_run(t, ...) ...
 *     } while (sl_training_recover(&t, s, &o, 60, status)); */
SL_API bool sl_training_recover(struct sl_training **training, struct sl_scope *scope,
                                const struct sl_training_options *options, double patience_seconds, TF_Status *status);

/* A training by the tasks of a cluster that are there. When one goes, it goes on from the latest checkpoint without it, and when
 * one has come back, with it, after a checkpoint (each asks one of those that are away, for a second). What a step
 * computes is what the graph for those tasks does: sl_average_gradients of a tower for each is the mean over those that are
 * there. The master's task has to be there, and those with variables, which are not among `tasks`. */
struct sl_elastic_options {
    size_t size;              /* see SL_OPTIONS (sluice/sluice.h) */
    const char *target;       /* of the master; needed */
    const char *const *tasks; /* those that may take part, without the master's: "/job:worker/task:1" */
    int num_tasks;
    int least;               /* so many of them are needed */
    double wait_seconds;     /* for those that are not there, before a graph is made without them; 0: 30 */
    double patience_seconds; /* for the master, and for `least` tasks; 0: 300 */
    /* Makes the graph for these tasks in a new scope, and says what sl_training_new is told, but for target and timeout_ms; its
     * `tasks` are further ones, which are always needed, as those with variables are. Variables have the same names
     * whichever tasks there are. */
    void (*build)(struct sl_scope *scope, const char *const *tasks, int num_tasks, struct sl_training_options *options,
                  void *arg);
    /* Runs one step, by sl_training_run. */
    void (*run)(struct sl_training *training, const char *const *tasks, int num_tasks, void *arg, TF_Status *status);
    /* After the last step; NULL: nothing */
    void (*ended)(struct sl_training *training, void *arg, TF_Status *status);
    void *arg;
};
/* Runs it to its end. DEADLINE_EXCEEDED when too few tasks are there, and the errors of sl_training_new and of steps that are not
 * those of tasks that died, stopped, or were started anew. */
SL_API void sl_training_elastic(const struct sl_elastic_options *options, TF_Status *status);

/* Whether to run another step: false after the last step, after sl_training_stop, and when `status` is not OK. */
SL_API bool sl_training_goes_on(const struct sl_training *training, const TF_Status *status);
/* Runs one step with these feeds, as TF_SessionRun does, and puts what it computed for `fetches` into `values`, which
 * the caller deletes; both may be empty. Then writes curves, calls hooks, and saves when `save_every` says so and after
 * the last step. When the step itself failed, all `values` are NULL; when what comes after it failed, they are set. */
SL_API void sl_training_run(struct sl_training *training, const TF_Output *feeds, TF_Tensor *const *feed_values,
                            int num_feeds, const TF_Output *fetches, TF_Tensor **values, int num_fetches,
                            TF_Status *status);
/* How many steps are done, those of earlier runs included, and how many were when this training was made. */
SL_API int64_t sl_training_step(const struct sl_training *training);
SL_API int64_t sl_training_first(const struct sl_training *training);
/* Makes the present step the last one, so that it is saved; for hooks. */
SL_API void sl_training_stop(struct sl_training *training);
/* Writes a checkpoint now, unless this step has one or there is no folder. */
SL_API void sl_training_save(struct sl_training *training, TF_Status *status);
/* The session of the training, to run other parts of the graph with the same variables. Owned by the training. */
SL_API TF_Session *sl_training_session(struct sl_training *training);

#ifdef __cplusplus
}
#endif

#endif
