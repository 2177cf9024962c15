/* Compiling a placed graph into a program. Called by the pipeline, once for each signature of a session and each
 * function instance. Thread-safe, but for the graph: one owner. */
#ifndef SL_PROGRAM_COMPILE_H
#define SL_PROGRAM_COMPILE_H

#include "device/device.h"
#include "graph/graph.h"
#include "kernel/instance_cache.h"
#include "program/program.h"

enum sl_engine { SL_ENGINE_AUTO, SL_ENGINE_LINEAR, SL_ENGINE_TOKENS };

struct sl_compile_options {
    struct sl_kernel_cache *kernels;
    /* Has the instances of stateful nodes, one for each node, for all programs. NULL: each program makes its own. */
    struct sl_kernel_cache *states;
    struct sl_functions *functions;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    struct sl_device *device;                 /* borrowed as long as the program */
    enum sl_engine engine;
    unsigned watch; /* enum sl_numerics: machine code tells of such that functions made */
};

/* The graph's `_Arg` and `_Retval` nodes, by their attr index, are the program's arguments and results. A step
 * runs every node of the graph. The program borrows nothing from the graph. */
sl_code sl_program_compile(struct sl_program **out, struct sl_graph *graph, const struct sl_compile_options *options,
                           struct sl_error *err);

#endif
