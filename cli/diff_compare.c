/* Comparing: the nodes of a graph in their order, and before the first end of a loop each of its iterations. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "diff.h"
#include "tensorflow/c/c_api_experimental.h"

enum { AT_ONCE = 64, ONE_BY_ONE = 256 };

static struct seen_value see(const struct library *library, TF_Tensor *t) {
    struct seen_value v = {.type = library->TF_TensorType(t), .rank = library->TF_NumDims(t), .count = 1};
    for (int d = 0; d < v.rank; d++) v.count *= v.dims[d] = library->TF_Dim(t, d);
    v.data = library->TF_TensorData(t);
    return v;
}

/* ---- nodes in order */

struct visit {
    TF_Operation *op;
    int next; /* input to go to */
};

static int compare_ops(const void *a, const void *b) {
    const TF_Operation *x = *(TF_Operation *const *)a, *y = *(TF_Operation *const *)b;
    return (x > y) - (x < y);
}

/* All nodes of A, each behind its inputs; what goes back within a loop does not count. */
void diff_order(struct diff *d) {
    TF_Graph *graph = d->sides[0].graph;
    size_t at = 0, n = 0;
    TF_Operation **all = NULL;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)); n++) {
        all = must_allocate(all, (n + 1) * sizeof *all);
        all[n] = op;
    }
    TF_Operation **sorted = must_allocate(NULL, n * sizeof *sorted);
    bool *seen = must_allocate(NULL, n);
    struct visit *stack = must_allocate(NULL, n * sizeof *stack);
    if (n) memcpy(sorted, all, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_ops);
    memset(seen, 0, n);
    d->nodes = must_allocate(NULL, n * sizeof *d->nodes);
    for (size_t i = 0; i < n; i++) {
        size_t depth = 0;
        for (TF_Operation *to = all[i];;) {
            TF_Operation **found = to ? bsearch(&to, sorted, n, sizeof *sorted, compare_ops) : NULL;
            if (found && !seen[found - sorted]) {
                seen[found - sorted] = true;
                stack[depth++] = (struct visit){to, 0};
            }
            if (!depth) break;
            struct visit *v = &stack[depth - 1];
            to = NULL;
            if (v->next < TF_OperationNumInputs(v->op)) {
                to = TF_OperationInput((TF_Input){v->op, v->next++}).oper;
                continue;
            }
            d->nodes[d->n++] = (struct diff_node){.op = v->op};
            depth--;
        }
    }
    free(stack);
    free(seen);
    free(sorted);
    free(all);
}

static bool has_value(TF_DataType type) { return type != TF_RESOURCE && type != TF_VARIANT; }

static bool same_outputs(TF_Operation *a, TF_Operation *b) {
    const int n = TF_OperationNumOutputs(a);
    bool same = n == TF_OperationNumOutputs(b);
    for (int i = 0; i < n && same; i++)
        same = TF_OperationOutputType((TF_Output){a, i}) == TF_OperationOutputType((TF_Output){b, i});
    return same;
}

static struct diff_node *node_of(const struct diff *d, struct diff_node **by_op, const TF_Operation *op) {
    size_t low = 0, high = (size_t)d->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (by_op[middle]->op < op) low = middle + 1;
        else high = middle;
    }
    return low < (size_t)d->n && by_op[low]->op == op ? by_op[low] : NULL;
}

static int compare_nodes(const void *a, const void *b) {
    const struct diff_node *x = *(struct diff_node *const *)a, *y = *(struct diff_node *const *)b;
    return (x->op > y->op) - (x->op < y->op);
}

/* ---- which are compared */

static bool is_input(const struct diff *d, const TF_Operation *op) {
    for (int i = 0; i < d->n_inputs; i++)
        if (d->inputs[i].oper == op) return true;
    return false;
}

/* State that begins and ends with the step, and so is the same in each. */
static bool is_state_of_step(const char *op) {
    return !strncmp(op, "TensorArray", 11) || !strncmp(op, "StackP", 6) || !strcmp(op, "StackV2") ||
           !strcmp(op, "StackCloseV2");
}

static bool is_stateful(TF_Operation *op) {
    TF_Status *status = must_have(TF_NewStatus());
    const bool stateful = TF_OpIsStateful(TF_OperationOpType(op), status);
    TF_DeleteStatus(status);
    return stateful && !is_placeholder(op) && !is_state_of_step(TF_OperationOpType(op));
}

/* Whether it belongs to what is compared: of a loop that is laid open the nodes that stand there once more. */
static bool is_here(const struct diff *d, TF_Operation *op) {
    const char *name = TF_OperationName(op);
    return (int)strlen(name) - turn_bare_length(name) == d->depth * (int)(sizeof TURN_SUFFIX - 1);
}

static enum node_state state_of(const struct diff *d, struct diff_node **by_op, struct diff_node *n) {
    if (is_input(d, n->op)) return FED;
    if (is_stateful(n->op)) return STATEFUL;
    for (int i = 0; i < TF_OperationNumInputs(n->op); i++) {
        const struct diff_node *from = node_of(d, by_op, TF_OperationInput((TF_Input){n->op, i}).oper);
        if (from && (from->state == STATEFUL || from->state == AFTER_STATEFUL)) return AFTER_STATEFUL;
    }
    if (!is_here(d, n->op)) return ELSEWHERE;
    if (!n->in_b) return ONLY_IN_A;
    if (is_in_loop(n->op)) return IN_LOOP;
    if (!same_outputs(n->op, n->in_b)) return OTHER_OUTPUTS;
    for (int i = 0; i < TF_OperationNumOutputs(n->op); i++)
        if (has_value(TF_OperationOutputType((TF_Output){n->op, i}))) return COMPARED;
    return NO_VALUE;
}

/* Within loops something may lie behind what comes after it in the order, so there may be several rounds. */
static void find_states(struct diff *d) {
    struct diff_node **by_op = must_allocate(NULL, ((size_t)d->n + 1) * sizeof *by_op);
    bool changed = true;
    for (int i = 0; i < d->n; i++) by_op[i] = &d->nodes[i];
    qsort(by_op, (size_t)d->n, sizeof *by_op, compare_nodes);
    for (int i = 0; i < d->n; i++) {
        d->nodes[i].in_b = TF_GraphOperationByName(d->sides[1].graph, TF_OperationName(d->nodes[i].op));
        d->nodes[i].state = state_of(d, by_op, &d->nodes[i]);
    }
    while (changed) {
        changed = false;
        for (int i = 0; i < d->n; i++) {
            struct diff_node *n = &d->nodes[i];
            if (n->state == FED || n->state == STATEFUL || n->state == AFTER_STATEFUL) continue;
            if (state_of(d, by_op, n) != AFTER_STATEFUL) continue;
            n->state = AFTER_STATEFUL;
            changed = true;
        }
    }
    free(by_op);
}

/* ---- running */

struct asked {
    struct diff_node *node;
    int output;
};

/* Each loop that is laid open ends where its iteration begins. False: it failed, as the side's status says. */
static bool run(const struct diff *d, int side, const TF_Output *outputs, int n, TF_Tensor **results) {
    const struct side *s = &d->sides[side];
    for (const struct diff *at = d; at->outer; at = at->outer)
        memcpy(s->library.TF_TensorData(s->values[at->n_inputs - 1]), &at->turn, sizeof at->turn);
    s->library.TF_SessionRun(s->session, NULL, s->inputs, s->values, d->n_inputs, outputs, results, n, NULL, 0, NULL,
                             s->status);
    return !s->library.TF_GetCode(s->status);
}

static bool run_asked(const struct diff *d, int side, const struct asked *asked, int n, TF_Tensor **results) {
    const struct side *s = &d->sides[side];
    TF_Output outputs[AT_ONCE];
    for (int i = 0; i < n; i++)
        outputs[i] = (TF_Output){s->library.TF_GraphOperationByName(s->run, TF_OperationName(asked[i].node->op)),
                                 asked[i].output};
    return run(d, side, outputs, n, results);
}

static void drop_values(const struct diff *d, int side, TF_Tensor **results, int n) {
    for (int i = 0; i < n; i++)
        if (results[i]) d->sides[side].library.TF_DeleteTensor(results[i]);
}

static bool is_over(const struct diff *d) { return d->counts->different && !d->shows_all; }

static void compare_one(struct diff *d, const struct asked *asked, TF_Tensor *a, TF_Tensor *b) {
    const struct seen_value x = see(&d->sides[0].library, a), y = see(&d->sides[1].library, b);
    const struct difference difference = compare_values(&x, &y, d->tolerance);
    d->counts->values += x.count;
    if (!difference.is_shape && !difference.n) {
        d->counts->equal++;
        return;
    }
    if (!is_over(d)) diff_print_values(d, asked->node, asked->output, &x, &y, &difference);
    d->counts->different++;
}

static void compare_failures(struct diff *d, const struct asked *asked, const bool *ok) {
    const struct side *a = &d->sides[0], *b = &d->sides[1];
    const TF_Code code_a = a->library.TF_GetCode(a->status), code_b = b->library.TF_GetCode(b->status);
    if (!ok[0] && !ok[1] && code_a == code_b) return; /* neither has a value */
    if (!is_over(d)) diff_print_failure(d, asked->node, ok);
    d->counts->different++;
}

/* Runs both sides for these outputs; half by half when they fail together. */
static void compare_some(struct diff *d, const struct asked *asked, int n) {
    TF_Tensor *results[2][AT_ONCE] = {{NULL}};
    bool ok[2];
    for (int i = 0; i < 2; i++) ok[i] = run_asked(d, i, asked, n, results[i]);
    const bool both = ok[0] && ok[1];
    if (!both && n == 1) compare_failures(d, asked, ok);
    for (int i = 0; i < n && both && !is_over(d); i++) compare_one(d, &asked[i], results[0][i], results[1][i]);
    for (int i = 0; i < 2; i++)
        if (ok[i]) drop_values(d, i, results[i], n);
    if (both || n == 1) return;
    compare_some(d, asked, n / 2);
    if (!is_over(d)) compare_some(d, asked + n / 2, n - n / 2);
}

/* ---- iterations */

static void compare_all(struct diff *d);

/* The loops of both sides with this one laid open; one whose `loop` is NULL when that cannot be done. */
static struct diff *lay_open(struct diff *d, int loop) {
    struct diff *inner = must_allocate(NULL, sizeof *inner);
    const char *name = graph_loops_name(d->loops[0], loop);
    const int numbers[2] = {loop, graph_loops_find(d->loops[1], name)};
    bool ok = numbers[1] >= 0;
    *inner = (struct diff){.batch = d->batch,
                           .library = d->library,
                           .tolerance = d->tolerance,
                           .shows_all = d->shows_all,
                           .counts = d->counts,
                           .outer = d,
                           .depth = d->depth + 1};
    for (int i = 0; i < 2 && ok; i++) {
        TF_Buffer *bytes = loop_turn_graph(&inner->turns[i], d->loops[i], numbers[i], d->depth);
        inner->sides[i].library = d->sides[i].library;
        ok = bytes && side_import(&inner->sides[i], bytes, false);
        if (bytes) TF_DeleteBuffer(bytes);
    }
    if (!ok) return inner;
    inner->loop = name;
    TF_Graph *graph = inner->sides[0].graph;
    for (int i = 0; i < d->n_inputs; i++)
        diff_add_input(inner,
                       (TF_Output){TF_GraphOperationByName(graph, TF_OperationName(d->inputs[i].oper)),
                                   d->inputs[i].index},
                       d->sides[0].values[i]);
    TF_Tensor *limit = must_have(TF_AllocateTensor(TF_INT64, NULL, 0, sizeof(int64_t)));
    memset(TF_TensorData(limit), 0, sizeof(int64_t));
    diff_add_input(inner, (TF_Output){TF_GraphOperationByName(graph, inner->turns[0].limit), 0}, limit);
    TF_DeleteTensor(limit);
    diff_order(inner);
    find_states(inner);
    return inner;
}

/* Whether A's loop has an iteration after this one. */
static bool goes_on(const struct diff *d) {
    const struct side *s = &d->sides[0];
    const TF_Output output = {s->library.TF_GraphOperationByName(s->run, d->turns[0].condition), 0};
    TF_Tensor *value = NULL;
    if (!output.oper || !run(d, 0, &output, 1, &value)) return false;
    const bool is_true = TF_TensorElementCount(value) == 1 && *(const bool *)TF_TensorData(value);
    TF_DeleteTensor(value);
    return is_true;
}

/* Whether the loop's variables are the same before this iteration; handles and lists are not looked at. */
static bool same_state(struct diff *d, int64_t turn) {
    bool same = true;
    d->turn = turn;
    for (int i = 0; i < d->turns[0].n_state && same; i++) {
        TF_Output outputs[2];
        TF_Tensor *values[2] = {NULL, NULL};
        bool ok[2] = {false, false};
        for (int k = 0; k < 2; k++)
            outputs[k] =
                (TF_Output){d->sides[k].library.TF_GraphOperationByName(d->sides[k].run, d->turns[0].state[i]), 0};
        TF_Operation *seen = TF_GraphOperationByName(d->sides[0].graph, d->turns[0].state[i]);
        if (!outputs[1].oper || !has_value(TF_OperationOutputType((TF_Output){seen, 0}))) continue;
        for (int k = 0; k < 2; k++) ok[k] = run(d, k, &outputs[k], 1, &values[k]);
        if (ok[0] && ok[1]) {
            const struct seen_value x = see(&d->sides[0].library, values[0]), y = see(&d->sides[1].library, values[1]);
            const struct difference difference = compare_values(&x, &y, d->tolerance);
            same = !difference.is_shape && !difference.n;
        } else {
            same = ok[0] == ok[1];
        }
        for (int k = 0; k < 2; k++) drop_values(d, k, &values[k], 1);
    }
    return same;
}

/* Long loops are not compared one by one to their end: of those whose variables differ there, an iteration is looked for before
 * which they are the same, and after which they are not. */
static void compare_later(struct diff *d, int64_t from) {
    int64_t low = from, high = from;
    if (same_state(d, INT64_MAX)) return;
    for (int64_t step = from; same_state(d, high); step *= 2) {
        low = high;
        high += step;
    }
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (same_state(d, middle)) low = middle;
        else high = middle;
    }
    d->turn = low;
    compare_all(d);
}

static void compare_loop(struct diff *d, int loop) {
    if (!d->inner[loop]) d->inner[loop] = lay_open(d, loop);
    struct diff *inner = d->inner[loop];
    if (!inner->loop) return;
    for (int i = 0; i < d->n; i++)
        if (d->nodes[i].state == IN_LOOP && graph_loops_has(d->loops[0], loop, TF_OperationName(d->nodes[i].op)))
            d->nodes[i].state = ELSEWHERE;
    const int64_t before = d->counts->different;
    inner->turn = 0;
    for (bool more = true; more && inner->turn < ONE_BY_ONE && d->counts->different == before; inner->turn++) {
        compare_all(inner);
        d->counts->iterations++;
        more = d->counts->different == before && goes_on(inner);
    }
    if (inner->turn == ONE_BY_ONE && d->counts->different == before) compare_later(inner, ONE_BY_ONE);
}

/* ---- all of a graph */

static void read_loops(struct diff *d) {
    if (d->loops[0]) return;
    int n = 0;
    for (int i = 0; i < 2; i++) d->loops[i] = graph_loops_read(d->sides[i].graph);
    n = graph_loops_count(d->loops[0]);
    d->inner = must_allocate(NULL, ((size_t)n + 1) * sizeof(struct diff *));
    memset(d->inner, 0, ((size_t)n + 1) * sizeof(struct diff *));
}

static void flush(struct diff *d, const struct asked *asked, int *n) {
    if (*n && !is_over(d)) compare_some(d, asked, *n);
    *n = 0;
}

/* The loop that ends with this node, when it is the first of its ends in this round. */
static int loop_at(struct diff *d, const struct diff_node *n, bool *seen) {
    if (strcmp(TF_OperationOpType(n->op), "Exit") != 0) return -1;
    const int loop = graph_loops_of_exit(d->loops[0], TF_OperationName(n->op));
    if (loop < 0 || seen[loop]) return -1;
    seen[loop] = true;
    return loop;
}

static void compare_all(struct diff *d) {
    struct asked asked[AT_ONCE];
    int n = 0;
    read_loops(d);
    const size_t n_loops = (size_t)graph_loops_count(d->loops[0]);
    bool *seen = must_allocate(NULL, n_loops + 1);
    memset(seen, 0, n_loops + 1);
    for (int i = 0; i < d->n && !is_over(d); i++) {
        struct diff_node *node = &d->nodes[i];
        if (!is_here(d, node->op)) continue;
        const int loop = loop_at(d, node, seen);
        if (loop >= 0) {
            flush(d, asked, &n);
            if (!is_over(d)) compare_loop(d, loop);
        }
        for (int o = 0; node->state == COMPARED && o < TF_OperationNumOutputs(node->op); o++) {
            if (!has_value(TF_OperationOutputType((TF_Output){node->op, o}))) continue;
            asked[n++] = (struct asked){node, o};
            if (n == AT_ONCE) flush(d, asked, &n);
        }
    }
    flush(d, asked, &n);
    free(seen);
}

void diff_compare(struct diff *d) {
    find_states(d);
    compare_all(d);
}

void diff_clear(struct diff *d) {
    const int n = d->loops[0] ? graph_loops_count(d->loops[0]) : 0;
    for (int i = 0; i < n; i++) {
        struct diff *inner = d->inner[i];
        if (!inner) continue;
        diff_clear(inner);
        for (int k = 0; k < 2; k++) side_close(&inner->sides[k], inner->n_inputs);
        free(inner);
    }
    for (int i = 0; i < 2; i++) {
        graph_loops_free(d->loops[i]);
        turn_names_clear(&d->turns[i]);
    }
    free(d->inner);
    free(d->nodes);
    free(d->inputs);
}
