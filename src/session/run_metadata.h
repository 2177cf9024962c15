/* What a run tells of itself in a RunMetadata: when each node ran and what it put out, and the graphs that ran. Times
 * and sizes are those of a record, inputs and graphs those of a plan. One owner. */
#ifndef SL_SESSION_RUN_METADATA_H
#define SL_SESSION_RUN_METADATA_H

#include "exec/step_record.h"
#include "session/run_plan.h"

/* What the options of a run ask for. */
struct sl_run_wishes {
    bool steps;  /* a trace level above NO_TRACE: step_stats */
    bool graphs; /* output_partition_graphs */
};
struct sl_run_wishes sl_run_wishes_of(const struct sl_run *run);

/* Encodes, sl_malloc'ed. `record` is looked at when `wishes` has steps; the program of the run still lives. */
sl_code sl_run_metadata_encode(struct sl_str *out, const struct sl_run_plan *plan, const struct sl_step_record *record,
                               struct sl_run_wishes wishes, struct sl_error *err);

#endif
