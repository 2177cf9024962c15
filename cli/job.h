/* What is run of a graph or a SavedModel: feeds, fetches, targets, options of the session, as commands that run a graph
 * take them. One thread. */
#ifndef SLUICE_CLI_JOB_H
#define SLUICE_CLI_JOB_H

#include "command.h"
#include "feed_value.h"
#include "initial_values.h"
#include "model.h"

struct fetch {
    TF_Output output;
    const char *name, *file; /* file NULL: print */
};

struct job {
    TF_Graph *graph;
    struct loaded_model model; /* its `session` NULL: the graph is from a file */
    const char *tags, *signature;
    TF_Output *feeds;
    TF_Tensor **feed_values;
    int n_feeds;
    struct fetch *fetches;
    int n_fetches;
    const TF_Operation **targets;
    int n_targets;
    struct feed_rules rules;
    struct variables_request variables; /* its path is the graph's */
    int64_t threads, devices;
    int64_t timeout_ms; /* 0: none */
    size_t memory;      /* 0: no limit */
    bool is_soft, watches;
};

/* Takes an option that is the same for all such commands, and the path of the graph (`name` ""). EXIT_USAGE after an
 * error, which has been printed. */
int job_option(struct job *job, const struct command *self, const char *name, char *value);
/* After the last option: whether they go together. */
int job_check(const struct job *job, const struct command *self);
/* Opens the graph or the SavedModel; false after an error, which has been printed. */
bool job_open(struct job *job);
void job_close(struct job *job);
/* Feeds, fetches and targets of the arguments, which need the graph. */
int job_read_names(struct job *job, const struct command *self, int argc, char **argv);
/* A session whose variables have values, with what is to be fetched where nobody said. It goes with
 * job_delete_session. NULL after an error, which has been printed. */
TF_Session *job_session(struct job *job, TF_Status *status);
void job_delete_session(struct job *job, TF_Session *session, TF_Status *status);
/* RunOptions with the time that a run may take, and those of a traced run, whose metadata tells of each node and has the
 * graphs that ran; NULL: there is neither. The caller's. */
TF_Buffer *job_run_options(const struct job *job, bool is_traced);
/* Runs once. `results` get a tensor for each fetch, NULL for what is fed, which no session fetches. `metadata` may be
 * NULL. False when it failed, as the status says. */
bool job_run(const struct job *job, TF_Session *session, const TF_Buffer *options, TF_Tensor **results,
             TF_Buffer *metadata, TF_Status *status);
/* After a run that failed: prints why, and what may help. */
void job_complain(const struct job *job, TF_Status *status);
/* What is fed for the output; NULL: nothing. */
TF_Tensor *job_fed_value(const struct job *job, TF_Output output);
void drop_results(TF_Tensor **results, int n);

#endif
