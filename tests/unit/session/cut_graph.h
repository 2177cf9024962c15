/* A graph cut into parts by hand, without a session: what tests of parts and transfers run. */
#ifndef SL_TESTS_CUT_GRAPH_H
#define SL_TESTS_CUT_GRAPH_H

#include "passes/partition.h"
#include "passes/prune.h"
#include "program/compile.h"
#include "root/root.h"
#include "unit/graph/graph_fixture.h"

struct cut_graph {
    const struct sl_registries *registries;
    struct sl_device_set devices;
    struct sl_graph *graph; /* cut: with the nodes that the pass has added */
    struct sl_partitions parts;
    struct sl_arena arena; /* of the test */
    struct sl_error err;
};

/* What `request` needs, placed as it says on CPUs of "/job:localhost/replica:0/task:0" and cut. */
void cut_graph_init(struct cut_graph *s, const struct sl_prune_request *request, int devices);
/* The same on these devices, which it takes over. */
void cut_graph_init_on(struct cut_graph *s, const struct sl_prune_request *request, struct sl_device_set devices);
void cut_graph_clear(struct cut_graph *s);
/* Part p as a program; the caller's. */
struct sl_program *cut_graph_compile(struct cut_graph *s, int p);

#endif
