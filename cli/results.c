/* Results that a run may fetch unasked: a run that nobody described must not overwrite a checkpoint. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "sluice/effects.h"

enum { MOST_NAMED = 5 };

static const TF_Operation **list_results(int *n, TF_Graph *graph) {
    const TF_Operation **ops = NULL;
    size_t at = 0;
    *n = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        if (!is_result(op)) continue;
        ops = must_allocate(ops, (size_t)(*n + 1) * sizeof *ops);
        ops[(*n)++] = op;
    }
    return ops;
}

/* sluice: left out, for they change what lasts: save/control_dependency (by save/SaveV2), and 3 more; ... */
static void name_left_out(const TF_Operation *const *ops, TF_Operation *const *changes, int n) {
    int left_out = 0;
    for (int i = 0; i < n; i++) {
        if (!changes[i]) continue;
        TF_Operation *op = (TF_Operation *)(uintptr_t)ops[i];
        if (left_out < MOST_NAMED) {
            fputs(left_out ? ", " : "sluice: left out, for they change what lasts: ", stderr);
            fprintf(stderr, changes[i] == op ? "%s (%s)" : "%s (by %s)", TF_OperationName(op),
                    changes[i] == op ? TF_OperationOpType(op) : TF_OperationName(changes[i]));
        }
        left_out++;
    }
    if (left_out > MOST_NAMED) fprintf(stderr, ", and %d more", left_out - MOST_NAMED);
    if (left_out) fputs("; --fetch NAME and --target NAME run one\n", stderr);
}

TF_Output *harmless_results(int *n, TF_Graph *graph, const TF_Output *feeds, int n_feeds) {
    int n_ops;
    const TF_Operation **ops = list_results(&n_ops, graph);
    TF_Operation **changes = must_allocate(NULL, (size_t)n_ops * sizeof *changes);
    TF_Output *outputs = NULL;
    TF_Status *status = must_have(TF_NewStatus());
    sl_find_changes(changes, graph, feeds, n_feeds, ops, n_ops, status);
    *n = 0;
    if (!complain_status(status)) {
        name_left_out(ops, changes, n_ops);
        for (int i = 0; i < n_ops; i++) {
            TF_Operation *op = (TF_Operation *)(uintptr_t)ops[i];
            int room = changes[i] ? 0 : TF_OperationNumOutputs(op);
            outputs = must_allocate(outputs, (size_t)(*n + room) * sizeof *outputs);
            for (int k = 0; k < room; k++) outputs[(*n)++] = (TF_Output){op, k};
        }
    }
    TF_DeleteStatus(status);
    free(changes);
    free(ops);
    return outputs;
}
