/* What is fed in each step of a training: constants, and batches cut from tensors whose first dimension counts
 * examples. One thread. */
#ifndef SLUICE_CLI_EXAMPLES_H
#define SLUICE_CLI_EXAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "feed_value.h"

/* Zeroed memory is one without feeds; `batch`, `shuffles`, `seed` and `rules` are the caller's to set before the first feed.
 *
 * Example p of the endless row of all batches is example p mod N in round p div N: in order, or, with `shuffles`, in
 * an order that the seed and the round decide. So what a step is fed depends on its number alone, and a resumed
 * training sees what it would have seen. */
struct examples {
    int64_t batch; /* examples in a step; 0: nothing is cut */
    bool shuffles;
    int64_t seed;
    struct feed_rules rules;
    TF_Output *outputs;
    TF_Tensor **wholes, **values; /* what was fed, and what this step is fed: the same where nothing is cut */
    bool *is_cut;
    int n;
    int64_t count;        /* N, the same in all that is cut; 0: nothing is */
    int64_t *order;       /* of `round` */
    int64_t round;        /* -1 when there is none */
    const char *cut_name; /* of the first feed that is cut */
};

/* "NAME=VALUE" as feed_value.h reads it; changes `text`, which must stay. Files are cut where `batch` says so. False after
 * an error, which has been printed. */
bool examples_add(struct examples *e, TF_Graph *graph, const struct loaded_model *model, char *text);
/* Sets `values` for step number `step`, from 0. */
void examples_take(struct examples *e, int64_t step);
void examples_clear(struct examples *e);

#endif
