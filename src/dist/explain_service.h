/* What steps wait for, asked over the net: sluice.ExplainService, which only servers of ours have.
 *
 *   client ── Session ──► master ── Part ──► workers of the session's other tasks
 *
 * A task that has not answered within a second, or is of another make, is named in a sentence of its own. */
#ifndef SL_DIST_EXPLAIN_SERVICE_H
#define SL_DIST_EXPLAIN_SERVICE_H

#include "dist/master_state.h"

/* For sl_rpc_service; the argument is the master. */
extern const struct sl_rpc_method sl_explain_methods[];

/* What is told, `step_id` 0: of all steps of the session. Sentences of a cluster of several tasks begin with "at TASK: ". */
struct sl_explanation {
    struct sl_str *sentences; /* they end with a NUL */
    size_t n;
};
/* `told(arg, explanation)` comes once, on a thread that may compute, maybe before this returns; then the explanation is no more.
 * Without memory it has few sentences, or none. Takes no reference of the session: the caller holds it until then. On a thread that may wait. */
void sl_explain_session(struct sl_master_session *session, uint64_t step_id,
                        void (*told)(void *arg, const struct sl_explanation *explanation), void *arg);

#endif
