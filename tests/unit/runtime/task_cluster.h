/* One step over several tasks, each a runtime of its own in this process, as workers would run it: the front cuts by
 * task, every part is sent as a message, its back cuts by device, and the parts meet by keys as text. Values go from
 * one to another as bytes. Each function fails the test when something does not work. */
#ifndef SL_TESTS_TASK_CLUSTER_H
#define SL_TESTS_TASK_CLUSTER_H

#include <pthread.h>

#include "kernel/step_rendezvous.h"
#include "unit/runtime/runtime_fixture.h"
#include "unit/session/random_program.h"

enum { TASKS = 3 };

struct cluster;
struct worker {
    struct cluster *cluster;
    struct sl_runtime *runtime;
    struct sl_program *program; /* NULL: no node is here */
    struct sl_rendezvous_table *table;
    struct sl_step_rendezvous *step;
    struct sl_rendezvous *rendezvous; /* of the nodes */
    struct sl_step_env env;
    pthread_t thread;
    sl_code code;
    struct sl_error err;
};

struct cluster {
    struct sl_runtime *master;
    struct worker workers[TASKS];
    struct sl_value rets[RANDOM_FETCHES]; /* of the worker that has them */
    sl_code code;                         /* of the first that failed */
    struct sl_error err;
    pthread_mutex_t mutex; /* guards both */
};

/* Each task opens the devices of `own`; the master knows those of `seen`, by name, in each. */
void cluster_init(struct cluster *all, struct graph_fixture *f, const struct sl_device_request *own,
                  const struct sl_device_request *seen, int n);
void cluster_clear(struct cluster *all);

/* The front here, the back of each part at its worker; returns the number of parts. */
int cluster_compile(struct cluster *all, struct graph_fixture *f, const struct sl_port *fetches, int n, size_t n_nodes);
int cluster_compile_fetch(struct cluster *all, struct graph_fixture *f, const char *graph, const char *fetch);
void cluster_drop_programs(struct cluster *all);

/* One step of all workers at once. */
sl_code cluster_run(struct cluster *all);

#endif
