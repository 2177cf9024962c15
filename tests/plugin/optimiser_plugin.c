/* A graph optimiser as somebody else would build it. It turns subtractions into products, which shows, and notes what
 * it may ask of its item. The program that loads it says by `optimiser_mode` how it is to fail. */
#include <stdlib.h>
#include <string.h>

#include "optimiser_plugin.h"
#include "tensorflow/c/experimental/grappler/grappler.h"

__attribute__((visibility("default"))) enum optimiser_mode optimiser_mode;
__attribute__((visibility("default"))) struct optimiser_notes optimiser_notes;

static int made; /* optimisers that live now: several threads would need more */

static void *create(void) {
    optimiser_notes.n_alive = ++made;
    return &made;
}
static void destroy(void *optimizer) { --*(int *)optimizer; }

static void note_names(const TF_GrapplerItem *item, TF_Status *s) {
    char *names[64], storage[4096];
    size_t lengths[64], bytes;
    int n;
    TF_GetNodesToPreserveListSize(item, &n, &bytes, s);
    optimiser_notes.n_preserved = n;
    TF_GetNodesToPreserveList(item, names, lengths, n, storage, bytes, s);
    if (TF_GetCode(s) != TF_OK || bytes > sizeof storage) return;
    TF_GetFetchNodesListSize(item, &n, &bytes, s);
    optimiser_notes.n_fetches = n;
    TF_GetFetchNodesList(item, names, lengths, n, storage, bytes, s);
    if (n && lengths[0] < sizeof optimiser_notes.fetch) memcpy(optimiser_notes.fetch, names[0], lengths[0]);
    TF_GetFetchNodesList(item, names, lengths, n, storage, 1, s); /* too small */
    optimiser_notes.small_storage = (int)TF_GetCode(s);
}

static void note_properties(const TF_GrapplerItem *item, TF_Status *s) {
    int n = -1;
    TF_GraphProperties *p = TF_NewGraphProperties(item);
    TF_GetOutputPropertiesListSize(p, "two", &n, s);
    optimiser_notes.n_before = n;
    TF_InferStatically(p, 0, 0, 0, 1, s);
    TF_GetOutputPropertiesListSize(p, "two", &n, s);
    optimiser_notes.n_outputs = n;
    TF_Buffer *known = TF_NewBuffer();
    TF_GetOutputPropertiesList(p, "two", &known, 1, s);
    if (known->data && known->length <= sizeof optimiser_notes.properties) {
        memcpy(optimiser_notes.properties, known->data, known->length);
        optimiser_notes.n_properties = known->length;
    }
    TF_DeleteBuffer(known);
    TF_GetInputPropertiesListSize(p, "difference", &n, s);
    optimiser_notes.n_inputs = n;
    TF_GetInputPropertiesListSize(p, "nonesuch", &n, s);
    optimiser_notes.n_nowhere = n;
    TF_DeleteGraphProperties(p);
}

static void note_library(const TF_Buffer *graph, TF_Status *s) {
    TF_FunctionLibraryDefinition *library = TF_NewFunctionLibraryDefinition(graph, s);
    TF_Buffer *def = TF_NewBuffer();
    TF_LookUpOpDef(library, "Sub", def, s);
    optimiser_notes.n_op_def = def->length;
    TF_DeleteBuffer(def);
    def = TF_NewBuffer();
    TF_LookUpOpDef(library, "nonesuch", def, s);
    optimiser_notes.no_op = (int)TF_GetCode(s);
    TF_DeleteBuffer(def);
    TF_DeleteFunctionLibraryDefinition(library);
}

static void give_back(void *data, size_t n) {
    (void)n;
    free(data);
}

static void optimise(void *optimizer, const TF_Buffer *graph, const TF_GrapplerItem *item, TF_Buffer *out,
                     TF_Status *status) {
    static const char SUB[] = "\022\003Sub", MUL[] = "\022\003Mul", EMPTY[] = "\042\000";
    TF_Status *s = TF_NewStatus();
    (void)optimizer;
    optimiser_notes.n_runs++;
    note_names(item, s);
    note_properties(item, s);
    note_library(graph, s);
    TF_DeleteStatus(s);
    TF_SetStatus(status, TF_OK, "");
    size_t n = graph->length;
    char *bytes = malloc(n);
    memcpy(bytes, graph->data, n);
    for (size_t i = 0; i + 5 <= n; i++)
        if (!memcmp(bytes + i, SUB, 5)) memcpy(bytes + i, MUL, 5);
    switch (optimiser_mode) {
    case OPTIMISER_FAILS: TF_SetStatus(status, TF_ABORTED, "nothing to do"); break;
    case OPTIMISER_GIVES_GARBAGE: memset(bytes, 0x7f, n); break;
    case OPTIMISER_LOSES_ALL: memcpy(bytes, EMPTY, n = 2); break;
    case OPTIMISER_GIVES_NOTHING: free(bytes); return;
    default: break;
    }
    out->data = bytes;
    out->length = n;
    out->data_deallocator = give_back;
}

__attribute__((visibility("default"))) void TF_InitGraph(TP_OptimizerRegistrationParams *params, TF_Status *status) {
    const char *lacks = getenv("OPTIMISER_LACKS");
    params->device_type = lacks && !strcmp(lacks, "device_type") ? NULL : "CPU";
    params->optimizer->struct_size = TP_OPTIMIZER_STRUCT_SIZE;
    params->optimizer->create_func = create;
    params->optimizer->optimize_func = lacks && !strcmp(lacks, "optimize_func") ? NULL : optimise;
    params->optimizer->destroy_func = destroy;
    params->optimizer_configs->struct_size = TP_OPTIMIZER_CONFIGS_STRUCT_SIZE;
    params->optimizer_configs->remapping = TF_TriState_Off;
    TF_SetStatus(status, lacks && !strcmp(lacks, "all") ? TF_UNAVAILABLE : TF_OK, "not today");
}
