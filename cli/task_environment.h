/* Which task of which cluster a process is, as what started it says in the environment. */
#ifndef SLUICE_CLI_TASK_ENVIRONMENT_H
#define SLUICE_CLI_TASK_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

enum { FIRST_TASK_PORT = 8470 }; /* where no environment says a port: the first task of a host has this one */

struct task_environment {
    char *cluster; /* as cluster_text_read takes it */
    char *job;
    int64_t task;
    const char *source; /* "TF_CONFIG", "Slurm", "MPI", "a StatefulSet" */
};

/* Reads, whichever is first:
 *   TF_CONFIG     {"cluster": {JOB: [ADDRESS, ...]}, "task": {"type": JOB, "index": N}}, as TensorFlow's strategies do
 *   Slurm         SLURM_PROCID in SLURM_STEP_NODELIST (or SLURM_JOB_NODELIST), SLURM_STEP_TASKS_PER_NODE
 *   MPI           OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_SIZE, or PMI_RANK, PMI_SIZE, MPI_LOCALNRANKS; the hosts in
 *                 SLUICE_HOSTS, without it this one
 *   a StatefulSet SLUICE_REPLICAS, the number at the end of HOSTNAME, the headless service in SLUICE_SERVICE
 * Ports count from SLUICE_PORT, else from FIRST_TASK_PORT. False after an error, which has been printed. Clear it in any
 * case. */
bool task_environment_read(struct task_environment *out);
void task_environment_clear(struct task_environment *e);

/* One task in one job "worker" for each host of a list "a,b[01-03,7]", `each` tasks on a host if `counts` (Slurm's
 * "2(x3),1") is NULL: "worker=a:8470,a:8471,b01:8470". NULL after an error, which has been printed. Freed by the caller. */
char *cluster_of_hosts(const char *hosts, const char *counts, int64_t each, int64_t port);

#endif
