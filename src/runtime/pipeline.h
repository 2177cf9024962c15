/* The pipeline, from a client's graph to a program, in two halves: the front makes of a request a placed graph for
 * each task (the devices of one process), the back makes of such a part a program. Either half needs a runtime and
 * nothing else, and the back may be another process's (part_message.h). Thread-safe, but for the graphs: one owner. */
#ifndef SL_RUNTIME_PIPELINE_H
#define SL_RUNTIME_PIPELINE_H

#include "passes/partition.h"
#include "passes/place.h"
#include "passes/prune.h"
#include "runtime/runtime.h"

/* A placed graph on its way to a program. */
struct sl_part {
    struct sl_graph *graph; /* owned; each node is assigned to a device of the runtime */
    /* Of `graph`: nodes that run though nothing reads them; NULL and removed ones are skipped. */
    struct sl_node *const *targets;
    int n_targets;
    int device; /* of its arguments and results; in a part without any, one that is used */
};
void sl_part_clear(struct sl_part *part); /* a zeroed one is fine */

/* What the front makes. One owner. */
struct sl_front {
    /* One for each task that has nodes, in the order of devices. One of them has all arguments and results. */
    struct sl_part *parts;
    int n_parts;
    struct sl_graph *whole; /* what the parts were cut from, and borrow from; NULL when nothing was cut */
    /* By id in the graph before the cut: why a node is where it is; NULL unless asked for. */
    struct sl_place_record *records;
};

/* The front: prune, lower, place, cut by task. Nothing is cut when the runtime's devices are all of one task. The
 * parts borrow from the client's graph. Needs no kernels but those whose cost is reckoned with. */
sl_code sl_pipeline_front(struct sl_front *out, struct sl_runtime *runtime, const struct sl_prune_request *request,
                          bool wants_records, struct sl_error *err);
void sl_front_clear(struct sl_front *front); /* a zeroed one is fine */

/* The back: optimise, cut by device, compile. The program keeps nothing of the part. */
struct sl_back_options {
    bool is_soft;                     /* of functions that it calls: see struct sl_function_place */
    bool is_function;                 /* states of its kernels belong to the program, not to the runtime */
    struct sl_graph_history *history; /* sees what becomes of the graph; NULL: nobody does */
    bool is_partial;                  /* what is fed comes bit by bit: token form and one piece, whatever the devices */
};
sl_code sl_pipeline_back(struct sl_program **out, struct sl_runtime *runtime, struct sl_part *part,
                         const struct sl_back_options *options, struct sl_error *err);

/* Both halves for the body of a function. */
struct sl_function_place {
    int device;   /* where its nodes go that ask for none */
    bool is_soft; /* a device that is not there is replaced by one that is */
};
sl_code sl_pipeline_function(struct sl_program **out, int16_t *ret_devices, struct sl_runtime *runtime,
                             struct sl_body *body, const struct sl_function_place *where, struct sl_error *err);

/* The front for the body of a function over the devices of several tasks: the body's graph is taken over, also on
 * failure. Arguments are on the devices that they ask for, in full, and results where they are computed; so any part may
 * have some of them. */
sl_code sl_pipeline_spread(struct sl_front *out, struct sl_runtime *runtime, struct sl_body *body,
                           const struct sl_function_place *where, struct sl_error *err);

/* ---- steps of the back, for tools that show graphs and compile none */
sl_code sl_pipeline_optimise(struct sl_part *part, struct sl_runtime *runtime, struct sl_error *err);
/* A graph for each device, which borrow from the part's; none at all when the part stays whole. */
sl_code sl_pipeline_cut(struct sl_partitions *out, const struct sl_part *part, const struct sl_runtime *runtime,
                        struct sl_error *err);

#endif
