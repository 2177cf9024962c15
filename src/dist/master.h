/* The master of a task: runs sessions of clients on the devices of all tasks of a cluster. For each session it keeps the
 * client's graph, and for each signature (what is fed, fetched, run) the parts into which the front of the pipeline
 * cuts it: its own, compiled here, and those that it has registered with the workers of other tasks.
 *
 *   RunStep ─► executable ─► own part (arguments, results): sl_worker_step
 *                        └─► RunGraph to each other task          values between tasks: RecvTensor, worker_step.c
 *
 * Nothing here holds a thread while it waits for another task. Threads: thread-safe. */
#ifndef SL_DIST_MASTER_H
#define SL_DIST_MASTER_H

#include "dist/worker.h"

struct sl_master_session;

struct sl_master {
    struct sl_worker *worker;   /* of the same task; outlives the master */
    struct sl_cluster *cluster; /* the worker's */
    struct sl_seen_ids seen;    /* requests */
    /* As struct sl_server_options has it; NULL: nobody is told. */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg_of_tell;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition idle;
    struct sl_master_session *sessions;
    size_t n_held;                       /* sessions that somebody still has */
    int64_t n_sessions, n_sessions_ever; /* in the list; that were */
};

void sl_master_init(struct sl_master *master, struct sl_worker *worker);
/* Closes all sessions and waits for their steps; its calls have ended. */
void sl_master_clear(struct sl_master *master);

/* tensorflow.MasterService, for sl_rpc_service; the argument is the master. */
extern const struct sl_rpc_method sl_master_methods[];

/* Tells the one who wants to know. With no lock. */
void sl_master_tell(struct sl_master *master, const char *event, const char *format, ...) SL_PRINTF(3, 4);

#endif
