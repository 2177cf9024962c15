/* Pipelines as graphs: what makes a dataset, as a GraphDef whose `_Retval` node "dataset" gives it. */
#ifndef SL_BACKENDS_ANY_DATASET_GRAPH_H
#define SL_BACKENDS_ANY_DATASET_GRAPH_H

#include "data/input_dataset.h"
#include "kernel/resources.h"

struct sl_dataset_graph_options {
    struct sl_functions *functions; /* whose library the functions of datasets are in */
    struct sl_resources *resources; /* where names of captured resources are found */
    int producer;                   /* version of the graph */
    bool drops_metadata;            /* names that the front end gave: equal pipelines are then written alike */
};
/* The bytes of the GraphDef, in `arena`. UNIMPLEMENTED for values that no message can hold. */
sl_code sl_dataset_graph(struct sl_str *out, const struct sl_dataset *d, const struct sl_dataset_graph_options *options,
                         struct sl_arena *arena, struct sl_error *err);
/* The functions that the dataset's own node names, with all that they reach, as an encoded FunctionDefLibrary. */
sl_code sl_dataset_functions(struct sl_str *out, const struct sl_dataset *d, struct sl_functions *functions,
                             struct sl_arena *arena, struct sl_error *err);

#endif
