/* sluice diff: two graphs, or one graph in two libraries, node by node on the same inputs. Both are frozen first, so that
 * variables have the values that they have in each. Nodes are taken in an order in which each comes after its inputs: the
 * first that differs has inputs that do not, and so is where the difference is made. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare_values.h"
#include "feed_value.h"
#include "freeze.h"
#include "other_library.h"
#include "sluice/function_graph.h"
#include "tensorflow/c/c_api_experimental.h"

const struct option diff_options[] = {
    {"library", "FILE", "B in this libtensorflow.so; without a second graph: A in both"},
    {"feed", "NAME=VALUE", "what an input gets, as `sluice run` takes it; default: made-up values, the same for both"},
    {"batch", "N", "made-up values: how long an axis of unknown length is; default: 2"},
    {"tolerance", "X", "numbers that differ by less than X times the largest are equal; default: by type"},
    {"all", NULL, "every node that differs, not the first alone"},
    {"checkpoint", "PREFIX|DIR", "give the variables of both the values of a checkpoint first"},
    {"init", NULL, "run the initialisers of the variables of both first"},
    {"signature", "NAME", "of SavedModels: what the signature needs; default: serving_default"},
    {"tags", "TAG,TAG", "of SavedModels: the graph with these tags; default: serve, or the only one"},
    {NULL, NULL, NULL},
};

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2, AT_ONCE = 64, TEXT = 256, MOST_MADE_UP = 1 << 24 };

/* One of the two. */
struct side {
    struct library library;
    TF_Graph *graph; /* of the command's library: to look at */
    TF_Graph *run;   /* of `library` */
    TF_Session *session;
    TF_Status *status; /* of `library` */
    TF_Output *inputs;
    TF_Tensor **values;
};

enum state { COMPARED, FED, ONLY_IN_A, OTHER_OUTPUTS, NO_VALUE, IN_LOOP, STATEFUL, AFTER_STATEFUL, N_STATES };
static const char *const state_texts[N_STATES] = {
    NULL, NULL, "only in A", "with other outputs in B", "of handles", "in loops", "stateful", "behind stateful ones",
};

struct node {
    TF_Operation *op, *in_b;
    enum state state;
};

struct diff {
    struct variables_request variables;
    const char *path_b, *tags, *signature, *library;
    char **feeds;
    int n_feeds;
    int64_t batch;
    double tolerance; /* negative: by type */
    bool shows_all;
    struct side sides[2];
    struct node *nodes; /* of A, inputs first */
    int n;
    TF_Output *inputs; /* of A's graph that is looked at */
    int n_inputs;
    int64_t equal, different, values;
};

/* ---- values */

static TF_Tensor *copy_to(const struct library *library, const TF_Tensor *t) {
    int64_t dims[MOST_DIMS];
    const int rank = TF_NumDims(t);
    for (int d = 0; d < rank; d++) dims[d] = TF_Dim(t, d);
    TF_Tensor *copy = must_have(library->TF_AllocateTensor(TF_TensorType(t), dims, rank, TF_TensorByteSize(t)));
    if (TF_TensorType(t) != TF_STRING) {
        if (TF_TensorByteSize(t)) memcpy(library->TF_TensorData(copy), TF_TensorData(t), TF_TensorByteSize(t));
        return copy;
    }
    TF_TString *to = library->TF_TensorData(copy);
    const TF_TString *from = TF_TensorData(t);
    for (int64_t i = 0; i < TF_TensorElementCount(t); i++) {
        library->TF_StringInit(&to[i]);
        library->TF_StringCopy(&to[i], TF_StringGetDataPointer(&from[i]), TF_StringGetSize(&from[i]));
    }
    return copy;
}

static struct seen_value see(const struct library *library, TF_Tensor *t) {
    struct seen_value v = {.type = library->TF_TensorType(t), .rank = library->TF_NumDims(t), .count = 1};
    for (int d = 0; d < v.rank; d++) v.count *= v.dims[d] = library->TF_Dim(t, d);
    v.data = library->TF_TensorData(t);
    return v;
}

/* A number from -1 to 1 that is the same each time. */
static double made_up(uint64_t *random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*random >> 32) / 2147483648.0;
}

/* Text that value_parse reads: an array of numbers for the type. */
static char *made_up_text(TF_DataType type, const int64_t *dims, int rank, int64_t batch, uint64_t *random) {
    size_t n = 0, size = 64;
    char *text = must_allocate(NULL, size);
    int64_t at[MOST_DIMS] = {0};
    int open = 0;
    for (bool more = true; more;) {
        if (n + 64 + 2 * MOST_DIMS > size) text = must_allocate(text, size *= 2);
        while (open < rank) text[n++] = '[', open++;
        const double x = made_up(random);
        bool is_empty = false;
        for (int d = 0; d < rank; d++) is_empty = is_empty || dims[d] == 0;
        if (is_empty)
            ;
        else if (type == TF_STRING) n += (size_t)sprintf(text + n, "\"s%d\"", (int)(fabs(x) * 10));
        else if (type == TF_BOOL) n += (size_t)sprintf(text + n, "%s", x > 0 ? "true" : "false");
        else if (is_number_type(type) && type != TF_FLOAT && type != TF_DOUBLE && type != TF_HALF &&
                 type != TF_BFLOAT16 && !is_complex_type(type))
            n += (size_t)sprintf(text + n, "%d", (int)(fabs(x) * 5));
        else n += (size_t)sprintf(text + n, "%.6f", x);
        int d = rank - 1;
        for (; d >= 0; d--) {
            const int64_t length = dims[d] < 0 ? batch : dims[d];
            if (++at[d] < length) break;
            at[d] = 0;
            text[n++] = ']';
            open--;
        }
        more = d >= 0 && !is_empty;
        if (more) text[n++] = ',';
        for (; is_empty && open > 0; open--) text[n++] = ']';
    }
    text[n] = 0;
    return text;
}

/* ---- the two sides */

/* The graph with the bodies of functions and conditionals in place of what calls them, so that nodes of these are
 * compared too. The caller's; NULL after an error, which has been printed. */
static TF_Buffer *inline_calls(const TF_Buffer *bytes) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_ImportGraphDefOptions *options = must_have(TF_NewImportGraphDefOptions());
    TF_Graph *graph = must_have(TF_NewGraph());
    TF_Buffer *out = must_have(TF_NewBuffer());
    TF_GraphImportGraphDef(graph, bytes, options, status);
    if (TF_GetCode(status) == TF_OK) sl_graph_inline(graph, true, status);
    if (TF_GetCode(status) == TF_OK) TF_GraphToGraphDef(graph, out, status);
    if (complain_status(status)) {
        TF_DeleteBuffer(out);
        out = NULL;
    }
    TF_DeleteGraph(graph);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteStatus(status);
    return out;
}

static bool import(struct side *s, const TF_Buffer *bytes) {
    struct library own;
    library_open(&own, NULL);
    const struct library *libraries[] = {&own, &s->library};
    TF_Graph **graphs[] = {&s->graph, &s->run};
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        const struct library *l = libraries[i];
        TF_Status *status = must_have(l->TF_NewStatus());
        TF_ImportGraphDefOptions *options = must_have(l->TF_NewImportGraphDefOptions());
        TF_Buffer *copy = must_have(l->TF_NewBufferFromString(bytes->data, bytes->length));
        *graphs[i] = must_have(l->TF_NewGraph());
        l->TF_GraphImportGraphDef(*graphs[i], copy, options, status);
        ok = !l->TF_GetCode(status);
        if (!ok) complain("%s", l->TF_Message(status));
        l->TF_DeleteBuffer(copy);
        l->TF_DeleteImportGraphDefOptions(options);
        l->TF_DeleteStatus(status);
    }
    return ok;
}

static bool open_side(struct side *s, const struct diff *d, const char *path, const char *library) {
    struct variables_request variables = d->variables;
    variables.path = path;
    if (!library_open(&s->library, library)) return false;
    TF_Buffer *bytes = freeze_unasked(&variables, d->tags, d->signature);
    if (!bytes) return false;
    TF_Buffer *flat = inline_calls(bytes);
    bool ok = flat && import(s, flat);
    TF_DeleteBuffer(bytes);
    if (flat) TF_DeleteBuffer(flat);
    if (!ok) return false;
    s->status = must_have(s->library.TF_NewStatus());
    TF_SessionOptions *options = must_have(s->library.TF_NewSessionOptions());
    s->session = s->library.TF_NewSession(s->run, options, s->status);
    s->library.TF_DeleteSessionOptions(options);
    ok = !s->library.TF_GetCode(s->status);
    if (!ok) complain("%s", s->library.TF_Message(s->status));
    return ok;
}

static void close_side(struct side *s, int n_inputs) {
    for (int i = 0; i < n_inputs && s->values; i++) s->library.TF_DeleteTensor(s->values[i]);
    free(s->values);
    free(s->inputs);
    if (s->session) {
        s->library.TF_CloseSession(s->session, s->status);
        s->library.TF_DeleteSession(s->session, s->status);
    }
    if (s->status) s->library.TF_DeleteStatus(s->status);
    if (s->run) s->library.TF_DeleteGraph(s->run);
    if (s->graph) TF_DeleteGraph(s->graph);
}

static void add_input(struct diff *d, TF_Output input, const TF_Tensor *value) {
    const int n = d->n_inputs++;
    d->inputs = must_allocate(d->inputs, (size_t)d->n_inputs * sizeof *d->inputs);
    d->inputs[n] = input;
    for (int i = 0; i < 2; i++) {
        struct side *s = &d->sides[i];
        s->inputs = must_allocate(s->inputs, (size_t)d->n_inputs * sizeof *s->inputs);
        s->values = must_allocate(s->values, (size_t)d->n_inputs * sizeof *s->values);
        s->inputs[n] =
            (TF_Output){s->library.TF_GraphOperationByName(s->run, TF_OperationName(input.oper)), input.index};
        s->values[n] = copy_to(&s->library, value);
    }
}

static bool is_input(const struct diff *d, const TF_Operation *op) {
    for (int i = 0; i < d->n_inputs; i++)
        if (d->inputs[i].oper == op) return true;
    return false;
}

static bool add_feed(struct diff *d, char *text) {
    static const struct loaded_model none;
    const struct feed_rules rules = {.casts = true};
    char *equals = strchr(text, '=');
    struct feed_input input;
    *equals = 0; /* there is one: diff_command has looked */
    if (!feed_input_find(&input, d->sides[0].graph, &none, text)) return false;
    TF_Tensor *t = feed_value_read(&input, equals + 1, &rules, 0);
    if (!t) return false;
    if (!TF_GraphOperationByName(d->sides[1].graph, TF_OperationName(input.output.oper)))
        complain("B has no input '%s'", TF_OperationName(input.output.oper));
    else add_input(d, input.output, t);
    TF_DeleteTensor(t);
    return true;
}

static bool make_up(struct diff *d, TF_Operation *op, uint64_t *random) {
    static const struct loaded_model none;
    const struct feed_rules rules = {.casts = true};
    struct feed_input input;
    if (!feed_input_find(&input, d->sides[0].graph, &none, TF_OperationName(op))) return false;
    if (input.rank < 0) {
        input.rank = 1;
        input.dims[0] = -1;
    }
    int64_t count = 1;
    for (int i = 0; i < input.rank && count <= MOST_MADE_UP; i++) count *= input.dims[i] < 0 ? d->batch : input.dims[i];
    if (count > MOST_MADE_UP) {
        complain("input '%s' is too large for made-up values; --feed %s=VALUE", TF_OperationName(op),
                 TF_OperationName(op));
        return false;
    }
    char *text = made_up_text(input.type, input.dims, input.rank, d->batch, random);
    TF_Tensor *t = feed_value_read(&input, text, &rules, 0);
    free(text);
    if (!t) {
        complain("nothing can be made up for input '%s'; --feed %s=VALUE", TF_OperationName(op), TF_OperationName(op));
        return false;
    }
    add_input(d, input.output, t);
    TF_DeleteTensor(t);
    return true;
}

static bool find_inputs(struct diff *d) {
    uint64_t random = 1;
    size_t at = 0;
    for (int i = 0; i < d->n_feeds; i++)
        if (!add_feed(d, d->feeds[i])) return false;
    for (TF_Operation *op; (op = TF_GraphNextOperation(d->sides[0].graph, &at));)
        if (is_placeholder(op) && !is_input(d, op) && TF_GraphOperationByName(d->sides[1].graph, TF_OperationName(op)))
            if (!make_up(d, op, &random)) return false;
    return true;
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
static void order_nodes(struct diff *d) {
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
            d->nodes[d->n++] = (struct node){.op = v->op};
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

static struct node *node_of(const struct diff *d, struct node **by_op, const TF_Operation *op) {
    size_t low = 0, high = (size_t)d->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (by_op[middle]->op < op) low = middle + 1;
        else high = middle;
    }
    return low < (size_t)d->n && by_op[low]->op == op ? by_op[low] : NULL;
}

static int compare_nodes(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return (x->op > y->op) - (x->op < y->op);
}

static enum state state_of(const struct diff *d, struct node **by_op, struct node *n) {
    TF_Status *status = must_have(TF_NewStatus());
    const bool is_stateful = TF_OpIsStateful(TF_OperationOpType(n->op), status);
    TF_DeleteStatus(status);
    if (is_input(d, n->op)) return FED;
    if (is_stateful && !is_placeholder(n->op)) return STATEFUL;
    for (int i = 0; i < TF_OperationNumInputs(n->op); i++) {
        const struct node *from = node_of(d, by_op, TF_OperationInput((TF_Input){n->op, i}).oper);
        if (from && (from->state == STATEFUL || from->state == AFTER_STATEFUL)) return AFTER_STATEFUL;
    }
    if (!n->in_b) return ONLY_IN_A;
    if (is_in_loop(n->op)) return IN_LOOP;
    if (!same_outputs(n->op, n->in_b)) return OTHER_OUTPUTS;
    for (int i = 0; i < TF_OperationNumOutputs(n->op); i++)
        if (has_value(TF_OperationOutputType((TF_Output){n->op, i}))) return COMPARED;
    return NO_VALUE;
}

static void find_states(struct diff *d) {
    struct node **by_op = must_allocate(NULL, (size_t)d->n * sizeof *by_op);
    for (int i = 0; i < d->n; i++) by_op[i] = &d->nodes[i];
    qsort(by_op, (size_t)d->n, sizeof *by_op, compare_nodes);
    for (int i = 0; i < d->n; i++) {
        d->nodes[i].in_b = TF_GraphOperationByName(d->sides[1].graph, TF_OperationName(d->nodes[i].op));
        d->nodes[i].state = state_of(d, by_op, &d->nodes[i]);
    }
    free(by_op);
}

/* ---- what is printed */

static const char *shape_text(char text[TEXT], const struct seen_value *v) {
    int n = snprintf(text, TEXT, "%s [", type_name(v->type));
    for (int i = 0; i < v->rank && n < TEXT - 24; i++)
        n += snprintf(text + n, (size_t)(TEXT - n), "%s%" PRId64, i ? "," : "", v->dims[i]);
    (void)snprintf(text + n, (size_t)(TEXT - n), "]");
    return text;
}

static const char *place_text(char text[TEXT], const struct seen_value *v, int64_t at) {
    int64_t index[MOST_DIMS];
    int n = 1;
    for (int i = v->rank - 1; i >= 0; i--) {
        index[i] = at % v->dims[i];
        at /= v->dims[i];
    }
    text[0] = '[';
    for (int i = 0; i < v->rank && n < TEXT - 24; i++)
        n += snprintf(text + n, (size_t)(TEXT - n), "%s%" PRId64, i ? "," : "", index[i]);
    (void)snprintf(text + n, (size_t)(TEXT - n), "]");
    return text;
}

static void print_number(const double v[2], TF_DataType type) {
    if (is_complex_type(type)) printf("%.9g%+.9gi", v[0], v[1]);
    else printf("%.9g", v[0]);
}

static void print_node(const struct node *n) {
    const char *a = TF_OperationOpType(n->op), *b = TF_OperationOpType(n->in_b);
    printf("%s (%s%s%s%s) differs", TF_OperationName(n->op), a, strcmp(a, b) ? " in A, " : "", strcmp(a, b) ? b : "",
           strcmp(a, b) ? " in B" : "");
}

/* ---- why: what of the node itself is not the same */

/* An attr's value as it is printed; the message where it has no short form. */
static void attr_text(char text[TEXT], TF_Operation *op, const char *attr) {
    TF_Status *status = must_have(TF_NewStatus());
    const TF_AttrMetadata about = TF_OperationGetAttrMetadata(op, attr, status);
    int64_t ints[8] = {0};
    float real = 0;
    unsigned char truth = 0;
    TF_DataType type = TF_FLOAT;
    char bytes[TEXT - 2] = "";
    snprintf(text, TEXT, "another value");
    if (TF_GetCode(status) != TF_OK) snprintf(text, TEXT, "nothing");
    else if (about.is_list && about.type == TF_ATTR_INT && about.list_size <= 8) {
        int n = snprintf(text, TEXT, "[");
        TF_OperationGetAttrIntList(op, attr, ints, 8, status);
        for (int64_t i = 0; i < about.list_size; i++)
            n += snprintf(text + n, (size_t)(TEXT - n), "%s%" PRId64, i ? "," : "", ints[i]);
        snprintf(text + n, (size_t)(TEXT - n), "]");
    } else if (about.is_list) {
    } else if (about.type == TF_ATTR_INT) {
        TF_OperationGetAttrInt(op, attr, ints, status);
        snprintf(text, TEXT, "%" PRId64, ints[0]);
    } else if (about.type == TF_ATTR_FLOAT) {
        TF_OperationGetAttrFloat(op, attr, &real, status);
        snprintf(text, TEXT, "%.9g", (double)real);
    } else if (about.type == TF_ATTR_BOOL) {
        TF_OperationGetAttrBool(op, attr, &truth, status);
        snprintf(text, TEXT, "%s", truth ? "true" : "false");
    } else if (about.type == TF_ATTR_TYPE) {
        TF_OperationGetAttrType(op, attr, &type, status);
        snprintf(text, TEXT, "%s", type_name(type));
    } else if (about.type == TF_ATTR_STRING && about.total_size < (int64_t)sizeof bytes) {
        TF_OperationGetAttrString(op, attr, bytes, sizeof bytes - 1, status);
        snprintf(text, TEXT, "%s", bytes);
    }
    TF_DeleteStatus(status);
}

static bool same_attr(TF_Operation *a, TF_Operation *b, const char *attr) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *x = must_have(TF_NewBuffer()), *y = must_have(TF_NewBuffer());
    TF_OperationGetAttrValueProto(a, attr, x, status);
    if (TF_GetCode(status) == TF_OK) TF_OperationGetAttrValueProto(b, attr, y, status);
    const bool same = TF_GetCode(status) == TF_OK && x->length == y->length && !memcmp(x->data, y->data, x->length);
    TF_DeleteBuffer(x);
    TF_DeleteBuffer(y);
    TF_DeleteStatus(status);
    return same;
}

static int print_attrs(TF_Operation *a, TF_Operation *b) {
    TF_Status *status = must_have(TF_NewStatus());
    char name[TEXT], left[TEXT], right[TEXT];
    int n = 0;
    for (int i = 0; i < TF_OperationGetNumAttrs(a); i++) {
        const int length = TF_OperationGetAttrNameLength(a, i);
        if (length <= 0 || length >= TEXT) continue;
        TF_OperationGetAttrName(a, i, name, status);
        name[length] = 0;
        if (name[0] == '_' || same_attr(a, b, name)) continue;
        attr_text(left, a, name);
        attr_text(right, b, name);
        n++;
        if (!strcmp(left, right)) printf("  attr '%s' has another value in B\n", name);
        else printf("  attr '%s' is %s in A, %s in B\n", name, left, right);
    }
    TF_DeleteStatus(status);
    return n;
}

static int print_inputs(TF_Operation *a, TF_Operation *b) {
    const int in_a = TF_OperationNumInputs(a), in_b = TF_OperationNumInputs(b);
    int n = 0;
    if (in_a != in_b) return printf("  it has %d inputs in A, %d in B\n", in_a, in_b);
    for (int i = 0; i < in_a; i++) {
        const TF_Output x = TF_OperationInput((TF_Input){a, i}), y = TF_OperationInput((TF_Input){b, i});
        if (!strcmp(TF_OperationName(x.oper), TF_OperationName(y.oper)) && x.index == y.index) continue;
        printf("  input %d is '%s:%d' in A, '%s:%d' in B\n", i, TF_OperationName(x.oper), x.index,
               TF_OperationName(y.oper), y.index);
        n++;
    }
    return n;
}

static void print_cause(const struct diff *d, const struct node *n) {
    const bool same_op = !strcmp(TF_OperationOpType(n->op), TF_OperationOpType(n->in_b));
    if (!same_op || !strcmp(TF_OperationOpType(n->op), "Const") ||
        print_attrs(n->op, n->in_b) + print_inputs(n->op, n->in_b) || d->shows_all)
        return;
    if (d->library) printf("  the node and its inputs are the same: the libraries compute it in different ways\n");
    else printf("  the node is the same in both: an input that was not compared differs\n");
}

static void print_difference(const struct node *n, int output, const struct seen_value *a, const struct seen_value *b,
                             const struct difference *x) {
    char text[TEXT], other[TEXT];
    print_node(n);
    if (x->is_shape) {
        printf(": output %d is %s in A, %s in B\n", output, shape_text(text, a), shape_text(other, b));
        return;
    }
    printf(": output %d, %s\n  %" PRId64 " of %" PRId64 " elements", output, shape_text(text, a), x->n, a->count);
    if (!is_number_type(a->type)) {
        printf(", the first at %s\n", place_text(text, a, x->at));
        return;
    }
    if (isnan(x->largest)) printf(", one of them NaN");
    else printf(", by %.3g at most", x->largest);
    printf(", at %s: ", place_text(text, a, x->at));
    print_number(x->a, a->type);
    printf(" in A, ");
    print_number(x->b, b->type);
    printf(" in B\n");
}

/* ---- running */

struct asked {
    struct node *node;
    int output;
};

/* False: it failed, as the side's status says. */
static bool run(const struct diff *d, struct side *s, const struct asked *asked, int n, TF_Tensor **results) {
    TF_Output outputs[AT_ONCE];
    for (int i = 0; i < n; i++)
        outputs[i] = (TF_Output){s->library.TF_GraphOperationByName(s->run, TF_OperationName(asked[i].node->op)),
                                 asked[i].output};
    s->library.TF_SessionRun(s->session, NULL, s->inputs, s->values, d->n_inputs, outputs, results, n, NULL, 0, NULL,
                             s->status);
    return !s->library.TF_GetCode(s->status);
}

static void compare_one(struct diff *d, const struct asked *asked, TF_Tensor *a, TF_Tensor *b) {
    const struct seen_value x = see(&d->sides[0].library, a), y = see(&d->sides[1].library, b);
    const struct difference difference = compare_values(&x, &y, d->tolerance);
    d->values += x.count;
    if (!difference.is_shape && !difference.n) {
        d->equal++;
        return;
    }
    if (d->shows_all || !d->different) {
        print_difference(asked->node, asked->output, &x, &y, &difference);
        print_cause(d, asked->node);
    }
    d->different++;
}

static void compare_failures(struct diff *d, const struct asked *asked, const bool *ok) {
    const struct side *a = &d->sides[0], *b = &d->sides[1];
    const TF_Code code_a = a->library.TF_GetCode(a->status), code_b = b->library.TF_GetCode(b->status);
    if (!ok[0] && !ok[1] && code_a == code_b) return; /* neither has a value */
    if (d->shows_all || !d->different) {
        print_node(asked->node);
        printf(":\n  A %s%s\n", ok[0] ? "gives a value" : "fails: ", ok[0] ? "" : a->library.TF_Message(a->status));
        printf("  B %s%s\n", ok[1] ? "gives a value" : "fails: ", ok[1] ? "" : b->library.TF_Message(b->status));
        print_cause(d, asked->node);
    }
    d->different++;
}

/* Runs both sides for these outputs; one by one when they fail together. */
static void compare_some(struct diff *d, const struct asked *asked, int n) {
    TF_Tensor *results[2][AT_ONCE] = {{NULL}};
    bool ok[2];
    for (int i = 0; i < 2; i++) ok[i] = run(d, &d->sides[i], asked, n, results[i]);
    const bool both = ok[0] && ok[1];
    if (!both && n == 1) compare_failures(d, asked, ok);
    for (int i = 0; i < n; i++) {
        if (both && (d->shows_all || !d->different)) compare_one(d, &asked[i], results[0][i], results[1][i]);
        for (int k = 0; k < 2; k++)
            if (ok[k] && results[k][i]) d->sides[k].library.TF_DeleteTensor(results[k][i]);
    }
    for (int i = 0; !both && n > 1 && i < n && (d->shows_all || !d->different); i++) compare_some(d, &asked[i], 1);
}

static void compare_all(struct diff *d) {
    struct asked asked[AT_ONCE];
    int n = 0;
    for (int i = 0; i < d->n && (d->shows_all || !d->different); i++) {
        struct node *node = &d->nodes[i];
        if (node->state != COMPARED) continue;
        for (int o = 0; o < TF_OperationNumOutputs(node->op); o++) {
            if (!has_value(TF_OperationOutputType((TF_Output){node->op, o}))) continue;
            asked[n++] = (struct asked){node, o};
            if (n == AT_ONCE) {
                compare_some(d, asked, n);
                n = 0;
            }
        }
    }
    if (n && (d->shows_all || !d->different)) compare_some(d, asked, n);
}

static void print_summary(const struct diff *d) {
    int counts[N_STATES] = {0}, only_in_b = 0, said = 0;
    size_t at = 0;
    for (int i = 0; i < d->n; i++) counts[d->nodes[i].state]++;
    for (TF_Operation *op; (op = TF_GraphNextOperation(d->sides[1].graph, &at));)
        only_in_b += !TF_GraphOperationByName(d->sides[0].graph, TF_OperationName(op));
    printf("outputs: %" PRId64 " equal", d->equal);
    if (d->shows_all || !d->different) printf(", %" PRId64 " different", d->different);
    else printf(" before the one that differs");
    printf("; %" PRId64 " values compared", d->values);
    for (int i = 0; i < N_STATES; i++)
        if (state_texts[i] && counts[i])
            printf("%s %d %s", said++ ? "," : "; not compared: nodes", counts[i], state_texts[i]);
    if (only_in_b) printf("%s %d only in B", said++ ? "," : "; not compared: nodes", only_in_b);
    putchar('\n');
}

/* ---- the command */

static int diff(struct diff *d) {
    const char *path_a = d->variables.path, *path_b = d->path_b ? d->path_b : path_a;
    if (!open_side(&d->sides[0], d, path_a, NULL) || !open_side(&d->sides[1], d, path_b, d->library))
        return EXIT_TROUBLE;
    if (!find_inputs(d)) return EXIT_TROUBLE;
    if (d->library) printf("A: this library, B: TensorFlow %s\n", d->sides[1].library.TF_Version());
    order_nodes(d);
    find_states(d);
    compare_all(d);
    print_summary(d);
    if (!d->equal && !d->different) {
        complain("no node of A has a value that B has too");
        return EXIT_TROUBLE;
    }
    return d->different ? EXIT_DIFFERENT : EXIT_SAME;
}

static bool read_tolerance(double *out, const char *text) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0;
}

int diff_command(int argc, char **argv) {
    const struct command *self = find_command("diff");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct diff d = {.batch = 2, .tolerance = -1};
    const struct option *option;
    char *value;
    d.feeds = must_allocate(NULL, ((size_t)argc + 1) * sizeof *d.feeds);
    int result = EXIT_SAME;
    while (!result && next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!option && d.path_b) result = complain_usage(self, "what is '%s' for?", value);
        else if (!option && d.variables.path) d.path_b = value;
        else if (!option) d.variables.path = value;
        else if (!strcmp(name, "library")) d.library = value;
        else if (!strcmp(name, "tags")) d.tags = value;
        else if (!strcmp(name, "signature")) d.signature = value;
        else if (!strcmp(name, "checkpoint")) d.variables.checkpoint = value;
        else if (!strcmp(name, "init")) d.variables.init = true;
        else if (!strcmp(name, "all")) d.shows_all = true;
        else if (!strcmp(name, "feed") && !strchr(value, '='))
            result = complain_usage(self, "--feed wants NAME=VALUE, not '%s'", value);
        else if (!strcmp(name, "feed")) d.feeds[d.n_feeds++] = value;
        else if (!strcmp(name, "batch") && !parse_number(&d.batch, value, 0, 1 << 20))
            result = complain_usage(self, "--batch wants a number from 0 to 1048576, not '%s'", value);
        else if (!strcmp(name, "tolerance") && !read_tolerance(&d.tolerance, value))
            result = complain_usage(self, "--tolerance wants a number from 0, not '%s'", value);
    }
    if (!result && a.failed) result = EXIT_USAGE;
    if (!result && (!d.variables.path || (!d.path_b && !d.library)))
        result = complain_usage(self, "which two graphs? Or which one, and which --library?");
    if (!result) {
        result = diff(&d);
        for (int i = 0; i < 2; i++) close_side(&d.sides[i], d.n_inputs);
    }
    free(d.nodes);
    free(d.inputs);
    free(d.feeds);
    return result;
}
