/* What a run tells of itself in a RunMetadata: when each node ran and what it put out, what that has cost, and the graphs
 * that ran. Times and sizes are those of a record, inputs and graphs those of a plan. One owner. */
#ifndef SL_SESSION_RUN_METADATA_H
#define SL_SESSION_RUN_METADATA_H

#include "exec/step_record.h"
#include "session/run_plan.h"

/* What the options of a run ask for. */
struct sl_run_wishes {
    bool steps;  /* a trace level above NO_TRACE: step_stats */
    bool graphs; /* output_partition_graphs */
    bool costs;  /* every so manieth step, by the session's config: cost_graph */
};
struct sl_run_wishes sl_run_wishes_of(const struct sl_run *run);
static inline bool sl_run_wishes_any(struct sl_run_wishes w) { return w.steps || w.graphs || w.costs; }
/* Whether they need a record. */
static inline bool sl_run_wishes_record(struct sl_run_wishes w) { return w.steps || w.costs; }

/* Whether the n-th run of a signature, from 0 on, tells of costs: every so manieth (above 0), counted from `after`. */
static inline bool sl_run_tells_costs(int64_t n, int64_t every, int64_t after) {
    return ((n + 1) % every - after % every) % every == 0;
}

/* Encodes, sl_malloc'ed. `record` is looked at when `wishes` needs one; the program of the run still lives. */
sl_code sl_run_metadata_encode(struct sl_str *out, const struct sl_run_plan *plan, const struct sl_step_record *record,
                               struct sl_run_wishes wishes, struct sl_error *err);

#endif
