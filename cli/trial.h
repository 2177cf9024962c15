/* Runs a graph in a child process and says how it went, whatever happens to the child. The caller has made no session, so
 * that there are no threads that a child would lack. One thread. */
#ifndef SLUICE_CLI_TRIAL_H
#define SLUICE_CLI_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "other_library.h"

enum outcome_kind {
    RAN,
    FAILED,  /* with `code` and a message */
    DIFFERS, /* the other library gives another value, or only one of them fails */
    CRASHED, /* the child ended by signal `code` */
    HUNG,    /* it took too long, and does not end when it is told to */
    UNUSABLE /* the graph is none, or has no such node */
};
struct outcome {
    enum outcome_kind kind;
    int code;
    char text[1024];
};

struct trial_feed {
    char *name; /* "node:0" */
    TF_Tensor *value;
};
struct trial {
    const struct trial_feed *feeds;
    int n_feeds;
    const char *const *first; /* nodes to run before, one after the other */
    int n_first;
    const char *const *fetches; /* "node", "node:1"; a node without outputs is a target */
    int n_fetches;
    const struct library *other; /* NULL: none */
    double tolerance;            /* of differences; negative: by type */
    int64_t timeout_ms;          /* of a run; 0: none */
    int64_t limit_ms;            /* after which it is HUNG; 0: 20 s */
    bool wants_numbers;          /* numbers are watched: a node that makes a NaN or an infinity fails */
};

struct outcome trial_run(const struct trial *t, const TF_Buffer *graph);
/* The value of an output, which the child sends; NULL when there is none, or it is no array of numbers, or above `most`
 * bytes. The caller's. */
TF_Tensor *trial_value(const struct trial *t, const TF_Buffer *graph, const char *output, size_t most);
/* Whether both failed in the same way: names and numbers in messages do not count. */
bool outcome_same(const struct outcome *a, const struct outcome *b);

#endif
