/* The pipeline, from a client's graph to a program, in two halves: the front makes of a request a placed graph, the back makes of a placed
 * graph a program. Either half needs a runtime and nothing else. Thread-safe, but for the graphs: one owner. */
#ifndef SL_RUNTIME_PIPELINE_H
#define SL_RUNTIME_PIPELINE_H

#include "passes/partition.h"
#include "passes/place.h"
#include "passes/prune.h"
#include "runtime/runtime.h"

/* A placed graph on its way to a program. */
struct sl_part {
    struct sl_graph *graph; /* owned; each node is assigned to a device of the runtime */
    struct sl_node *const
        *targets; /* of `graph`: run though nothing reads them; NULL and removed ones are passed over */
    int n_targets;
    int device; /* of its arguments and results, and where nodes went that asked for none */
};
void sl_part_clear(struct sl_part *part); /* a zeroed one is fine */

/* The front: prune, lower, place. `records` NULL, or gets why each node is where it is, by node id, in the graph's arena. The part borrows
 * from the client's graph. Needs no kernels but those whose cost is reckoned with. */
sl_code sl_pipeline_front(struct sl_part *out, struct sl_runtime *runtime, const struct sl_prune_request *request,
                          struct sl_place_record **records, struct sl_error *err);

/* The back: optimise, cut by device, compile. The program keeps nothing of the part. */
struct sl_back_options {
    bool is_function; /* states of its kernels belong to the program, not to the runtime */
    bool is_partial;  /* what is fed comes bit by bit: token form and one piece, whatever the devices */
};
sl_code sl_pipeline_back(struct sl_program **out, struct sl_runtime *runtime, struct sl_part *part,
                         const struct sl_back_options *options, struct sl_error *err);

/* Both halves for the body of a function; `device`: where its nodes go that ask for none. */
sl_code sl_pipeline_function(struct sl_program **out, struct sl_runtime *runtime, struct sl_body *body, int device,
                             struct sl_error *err);

/* ---- steps of the back, for those who look at graphs and compile none */
sl_code sl_pipeline_optimise(struct sl_part *part, struct sl_runtime *runtime, struct sl_error *err);
/* A graph for each device, which borrow from the part's; none at all when the part stays whole. */
sl_code sl_pipeline_cut(struct sl_partitions *out, const struct sl_part *part, const struct sl_runtime *runtime,
                        struct sl_error *err);

#endif
