/* What the optimiser of optimiser_plugin.c and the program that loads it tell each other. */
#ifndef SL_TESTS_OPTIMISER_PLUGIN_H
#define SL_TESTS_OPTIMISER_PLUGIN_H

#include <stddef.h>

enum optimiser_mode {
    OPTIMISER_MULTIPLIES,
    OPTIMISER_FAILS,
    OPTIMISER_GIVES_GARBAGE,
    OPTIMISER_LOSES_ALL,
    OPTIMISER_GIVES_NOTHING
};

struct optimiser_notes {
    int n_runs, n_alive, n_preserved, n_fetches, n_before, n_outputs, n_inputs, n_nowhere, small_storage, no_op;
    char fetch[64];
    char properties[64];
    size_t n_properties, n_op_def;
};

#endif
