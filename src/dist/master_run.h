/* One step of a session, over all tasks that have a part of it. */
#ifndef SL_DIST_MASTER_RUN_H
#define SL_DIST_MASTER_RUN_H

#include "dist/master_state.h"

/* What runs: the own part, and RunGraph at each other task. Its owner is a call of a client, or a partial run. Zeroed,
 * then these set; valid until sl_master_step_clear. */
struct sl_master_step {
    struct sl_master_session *session;       /* a reference of the owner's */
    struct sl_master_executable *executable; /* the same */
    uint64_t step_id;
    struct sl_value *args, *rets; /* of the own part; args are taken over */
    struct sl_run_wishes wishes;  /* of parts at other tasks */
    struct sl_trace *trace;       /* of the own part; may be NULL */
    bool is_driven;               /* the owner runs the own part by itself: sl_step_open and so on */
    /* Once, on any thread, when nothing of the step runs any more. */
    void (*done)(struct sl_master_step *step, sl_code code, const struct sl_error *err);
    void *arg;
    /* of the step: */
    struct sl_worker_step own;
    bool has_own, has_remote;
    struct sl_task_calls remote;
    struct sl_net_timer grace;
    struct sl_mutex mutex; /* guards the rest */
    bool has_grace;
    unsigned left;
    sl_code cancelled; /* why it was, SL_OK: it was not */
    struct sl_error why;
    struct sl_part_failure *failures;
};

/* Prepares; from now on it may be cancelled. On failure there is nothing to clear. */
sl_code sl_master_step_init(struct sl_master_step *step, struct sl_error *err);
void sl_master_step_start(struct sl_master_step *step);
/* Of a driven step: its own part has ended so. */
void sl_master_step_finish(struct sl_master_step *step, sl_code code, const struct sl_error *err);
/* Ends the step with this code, unless it has ended. */
void sl_master_step_cancel(struct sl_master_step *step, sl_code code, const char *text);
/* After `done`, or within it. Tells the workers to forget the step. */
void sl_master_step_clear(struct sl_master_step *step);

/* Of a RunStepResponse: the error, and metadata without content. */
sl_code sl_master_write_failure(struct sl_rpc_message *m, sl_code code, const char *text);

#endif
