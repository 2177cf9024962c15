/* MetaGraphs in either format: every item of every collection is looked at, one is added, a Saver is made for the
 * variables, and the graph with it is imported. */
#include <stdlib.h>
#include <string.h>

#include "sluice/meta_graph_file.h"

static void look_at(const struct sl_meta_graph *meta) {
    struct sl_collection c;
    struct sl_collection_item item;
    size_t sum = 0;
    for (int i = 0; sl_meta_graph_collection(&c, meta, i); i++)
        for (int k = 0; k < c.count; k++) {
            if (!sl_meta_graph_item(&item, meta, i, k)) abort();
            if (item.bytes && item.bytes[item.size]) abort();
            sum += strlen(c.name) + (item.type_url ? strlen(item.type_url) : 0);
        }
    if (sum == (size_t)-1) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sl_saver_names names;
    TF_Status *status = TF_NewStatus();
    struct sl_meta_graph *meta = sl_meta_graph_parse(data, size, status);
    if (meta) {
        look_at(meta);
        sl_meta_graph_add(meta, "variables", SL_COLLECTION_NODES, &(struct sl_collection_item){.bytes = "x", .size = 1},
                          status);
        sl_meta_graph_drop(meta, "while_context");
        sl_meta_graph_add_saver(meta, status);
        if (TF_GetCode(status) == TF_OK) (void)sl_meta_graph_saver(&names, meta);
        look_at(meta);
        TF_Graph *graph = TF_NewGraph();
        sl_meta_graph_import(meta, graph, NULL, status);
        TF_DeleteGraph(graph);
    }
    sl_meta_graph_delete(meta);
    TF_DeleteStatus(status);
    return 0;
}
