/* Compiling a placed graph into a program. Called by the pipeline, once per signature or function. */
#ifndef SL_PROGRAM_COMPILE_H
#define SL_PROGRAM_COMPILE_H

#include "graph/graph.h"
#include "kernel/table.h"
#include "program/program.h"

enum sl_engine { SL_ENGINE_AUTO, SL_ENGINE_LINEAR, SL_ENGINE_TOKENS };

/* Where the states of stateful kernels are kept, so that every program of a runtime uses the same one per node. */
struct sl_kernel_states {
    /* Finds or makes (by def->create) the state for the node named setup->name; the store owns it. */
    sl_code (*find_or_create)(void **state, struct sl_kernel_states *self, struct sl_kernel_setup *setup);
};

struct sl_compile_options {
    struct sl_kernel_table *kernels;
    struct sl_kernel_states *states; /* NULL: every kernel's state belongs to the program */
    struct sl_functions *functions;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    const char *device;                       /* full name */
    const char *device_type;                  /* "CPU" */
    enum sl_engine engine;
};

/* The graph's `_Arg` and `_Retval` nodes (attr index) are the program's arguments and results; every node of the graph is
 * run. The program keeps nothing of the graph. */
sl_code sl_program_compile(struct sl_program **out, struct sl_graph *graph, const struct sl_compile_options *options,
                           struct sl_error *err);

#endif
