/* What the tests of graphs share: a registry, a graph, and GraphDefs in a short text.
 *
 * One node a line, "name = Op(input, input:1, ^control) attr value; attr value", values in protobuf's text format:
 *
 *     p = Placeholder() dtype type: DT_FLOAT
 *     n = Neg(p, ^p) T type: DT_FLOAT; _class list { s: "loc:@p" }
 *     | versions { producer: 9 }
 *
 * "@device" after the parentheses gives a device; a line with '|' is text format as it stands. */
#ifndef SL_TESTS_GRAPH_FIXTURE_H
#define SL_TESTS_GRAPH_FIXTURE_H

#include "device/device.h"
#include "graph/graph.h"
#include "unit/unit.h"

struct graph_fixture {
    struct sl_op_registry *registry;
    struct sl_graph *graph;
    struct sl_arena arena;
    struct sl_error err;
};

/* For each test a fresh graph. */
int graph_setup(void **state);
int graph_teardown(void **state);

/* Test `name` with the fixture as `f`. */
#define GRAPH_TEST(name)                                                                                               \
    static void name##_with(struct graph_fixture *f);                                                                  \
    static void name(void **state) { name##_with(*state); }                                                            \
    static void name##_with(struct graph_fixture *f __attribute__((unused)))
#define graph_unit_test(name) cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

/* In the fixture's arena. A text that does not parse fails the test. */
struct sl_pb_GraphDef *graph_def(struct graph_fixture *f, const char *text);
struct sl_pb_FunctionDef *function_def(struct graph_fixture *f, const char *text); /* text format */
/* Imports into the fixture's graph, which must work, and be a sound graph. `options` may be NULL. */
void import_text(struct graph_fixture *f, const char *text, const struct sl_import_options *options);
/* The node of the fixture's graph; none fails the test. */
struct sl_node *node_called(struct graph_fixture *f, const char *name);
struct sl_port port_of(struct graph_fixture *f, const char *name, int index);
/* "p n(p,^p) m(n:1)": all nodes of a graph in order of creation, with their inputs. */
const char *wiring_of(struct graph_fixture *f, const struct sl_graph *graph);
const char *wiring(struct graph_fixture *f);
/* The shape inferred for an output: "[2,?]". */
const char *shape_of(struct graph_fixture *f, const char *name, int index);
/* A new graph in place of the old one. */
void start_again(struct graph_fixture *f);
/* The same devices for each of several tasks, "/job:worker/replica:0/task:0" and so on, with incarnation 5 + task; of
 * types that stay where they are opened, no more than names. The caller's. */
void devices_of_tasks(struct sl_device_set *out, struct graph_fixture *f, int n_tasks,
                      const struct sl_device_request *each, int n);

#define assert_text(got, wanted)                                                                                       \
    do {                                                                                                               \
        const char *got_ = (got), *wanted_ = (wanted);                                                                 \
        if (strcmp(got_, wanted_) != 0) fail_msg("got    %s\nwanted %s", got_, wanted_);                               \
    } while (0)

#endif
