/* What the tests of the runtime share, beside the fixture of graphs: runtimes, programs of one float, and steps. */
#ifndef SL_TESTS_RUNTIME_FIXTURE_H
#define SL_TESTS_RUNTIME_FIXTURE_H

#include "root/root.h"
#include "runtime/pipeline.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT\n"
#define TYPE     "attr { key: 'T' value { type: DT_FLOAT } } "
/* A function of one float: x -> y. */
#define SIGNATURE(name)                                                                                                \
    "signature { name: '" name "' input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } } "
#define SQUARE                                                                                                         \
    SIGNATURE("square") "node_def { name: 'n' op: 'Square' input: 'x' " TYPE "} ret { key: 'y' value: 'n:y:0' }"

const struct sl_registries *registries_of(struct graph_fixture *f);
/* A new graph of those registries in place of the fixture's. */
void import_client(struct graph_fixture *f, const char *text);
/* Takes the devices over. */
struct sl_runtime *runtime_on(struct graph_fixture *f, struct sl_device_set *devices);
struct sl_runtime *runtime_of_task(struct graph_fixture *f, const char *task, int n_devices);
/* To the fixture's graph and the runtime's library. */
void add_function(struct graph_fixture *f, struct sl_runtime *runtime, const char *text);

/* The front for a run of the fixture's graph that feeds `feed` (NULL: nothing), fetches `fetch` and runs `target`
 * (NULL: nothing). */
void front_of(struct sl_front *out, struct graph_fixture *f, struct sl_runtime *runtime, const char *feed,
              const char *fetch, const char *target);
struct sl_program *back_of(struct graph_fixture *f, struct sl_runtime *runtime, struct sl_part *part);
/* One step of a program of a float. */
float run_program(struct graph_fixture *f, struct sl_runtime *runtime, struct sl_program *program, float x);

struct sl_value scalar(float x);
float float_of(const struct sl_value *v);

#endif
