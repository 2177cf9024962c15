/* tensorflow.WorkerService/Logging: what steps of masters have received from other tasks, kept until the master asks for it
 * by step. While nobody wants it nothing is kept, and what RunGraph tells of a traced step has it (worker.h). Thread-safe. */
#ifndef SL_DIST_STEP_LOG_H
#define SL_DIST_STEP_LOG_H

#include "dist/worker.h"

struct sl_step_log {
    struct sl_mutex mutex; /* guards all */
    int n_wanted;          /* masters that want it: it is on */
    struct sl_logged_step *first, **end;
    size_t n; /* values of all steps; beyond a limit the oldest step goes */
};

void sl_step_log_init(struct sl_step_log *log);
void sl_step_log_clear(struct sl_step_log *log);
bool sl_step_log_is_on(struct sl_step_log *log);
/* Takes what has come for a step over, when somebody wants it. */
void sl_step_log_take(struct sl_step_log *log, struct sl_worker_step *step);
/* Answers a call of the method. */
void sl_step_log_serve(struct sl_step_log *log, struct sl_rpc_call *call);

#endif
