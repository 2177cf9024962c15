/* Walks: one pass through a dataset, by a tree of iterators (data/iterator.h), and what these share: the environment
 * and the states of the functions that they call.
 *
 *     struct sl_data_walk *walk;
 *     SL_TRY(sl_data_walk_new(&walk, dataset, k->env, err));
 *     SL_TRY(sl_data_walk_next(walk, element, &is_end, k->env, err));      element: room for dataset->n values
 *     sl_data_walk_unref(walk);
 *
 * Threads: counted, and thread-safe: next, save and restore take turns. A walk is freed before the runtime whose functions it calls. */
#ifndef SL_DATA_DATA_WALK_H
#define SL_DATA_DATA_WALK_H

#include <stdatomic.h>

#include "data/input_dataset.h"

struct sl_state;

/* What each element looks at: the first member of a walk. */
struct sl_data_walk_head {
    struct sl_step_env env; /* that functions run in: its pool, its cancellation */
    /* The step that is taking an element, when it has a trace; of that step's thread alone: stages that run ahead on others
     * may be behind it. */
    _Atomic(const struct sl_step_env *) traced;
    int64_t most_gathered; /* bytes of the elements that one stage gathers */
};

/* A walk through `d` whose functions run as within the step `env`, with a cancellation of the walk's own; what `env`
 * borrows from its runtime outlives the walk. */
sl_code sl_data_walk_new(struct sl_data_walk **out, struct sl_dataset *d, const struct sl_step_env *env,
                         struct sl_error *err);
/* The same for elements by number alone: nothing begins, so a shuffle draws no seeds. */
sl_code sl_data_walk_new_idle(struct sl_data_walk **out, struct sl_dataset *d, const struct sl_step_env *env,
                              struct sl_error *err);
struct sl_data_walk *sl_data_walk_ref(struct sl_data_walk *w);
void sl_data_walk_unref(
    struct sl_data_walk *w); /* the last one cancels what runs ahead and waits for it; NULL is fine */
struct sl_dataset *sl_data_walk_dataset(const struct sl_data_walk *w);
/* The next element, as sl_iterator_next, for a step: when that is cancelled or out of time so is the walk, which is at
 * its end from then on. */
sl_code sl_data_walk_next(struct sl_data_walk *w, struct sl_value *element, bool *is_end,
                          const struct sl_step_env *step, struct sl_error *err);
/* Element `index` of a dataset, whatever is taken from others; of datasets that have random access. OUT_OF_RANGE behind
 * the last; FAILED_PRECONDITION when there is no telling how many there are; UNIMPLEMENTED for other kinds. */
sl_code sl_data_walk_element(struct sl_data_walk *w, struct sl_dataset *d, int64_t index, struct sl_value *element,
                             struct sl_error *err);
/* Writes how far the walk has come, and takes it from there: of the same dataset, or one made alike. */
sl_code sl_data_walk_save(struct sl_data_walk *w, struct sl_state *state, struct sl_error *err);
sl_code sl_data_walk_restore(struct sl_data_walk *w, const struct sl_state *state, struct sl_error *err);

/* Calls function `which` of dataset `d`, as sl_iterator_call. Thread-safe. */
sl_code sl_data_walk_call(struct sl_value *rets, struct sl_data_walk *w, const struct sl_dataset *d, int which,
                          struct sl_value *args, int n, struct sl_error *err);
/* The same for what has to be done once a walk is over: it runs also when the walk is cancelled. */
sl_code sl_data_walk_call_at_end(struct sl_value *rets, struct sl_data_walk *w, const struct sl_dataset *d, int which,
                                 struct sl_value *args, int n, struct sl_error *err);
static inline const struct sl_step_env *sl_data_walk_env(const struct sl_data_walk *w) {
    return &((const struct sl_data_walk_head *)w)->env;
}

static inline int64_t sl_data_walk_most_gathered(const struct sl_data_walk *w) {
    return ((const struct sl_data_walk_head *)w)->most_gathered;
}

/* The time, when what a stage does now goes into the trace of the step; 0 when there is none. With `name` and `kind` it tells
 * of what was begun then. */
int64_t sl_data_walk_trace_begin(struct sl_data_walk *w);
void sl_data_walk_trace_end(struct sl_data_walk *w, const char *name, const char *kind, int64_t begun);
static inline bool sl_data_walk_is_traced(struct sl_data_walk *w) {
    return atomic_load_explicit(&((struct sl_data_walk_head *)w)->traced, memory_order_relaxed) != NULL;
}

#endif
