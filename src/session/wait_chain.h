/* Who could end a wait: what a step waits for comes as sentences (kernel/cancellation.h), and the graph knows which other
 * nodes give to, take from or release what is waited on, and whether they will run. For sessions of this process, and for masters. */
#ifndef SL_SESSION_WAIT_CHAIN_H
#define SL_SESSION_WAIT_CHAIN_H

#include "kernel/cancellation.h"
#include "session/session.h"

/* Nodes that have to do with waiting, in the graph's order; zeroed is empty. Borrowed nodes; one owner. */
struct sl_wait_partners {
    SL_VEC(struct sl_node *) nodes;
};
/* Adds those of the graph's nodes from number `from` on. */
sl_code sl_wait_partners_add(struct sl_wait_partners *partners, const struct sl_graph *graph, size_t from,
                             struct sl_error *err);
void sl_wait_partners_clear(struct sl_wait_partners *partners);

/* What a struct sl_run stands for: the step that waits, and there is no other; that step, of several; all of several. */
enum sl_wait_runs { SL_WAIT_ONLY_RUN, SL_WAIT_ONE_RUN, SL_WAIT_ALL_RUNS };

/* Says the sentences, which are lines, and after each who could end that wait: sentences that begin with two spaces. `run`:
 * what the step runs. Without memory the sentences alone. Edges of nodes must not change
 * meanwhile. */
void sl_wait_chain_say(struct sl_wait_listener *to, struct sl_node *const *partners, size_t n_partners,
                       const struct sl_run *run, enum sl_wait_runs runs, const char *lines);

#endif
