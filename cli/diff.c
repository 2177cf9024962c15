/* sluice diff: two graphs, or one graph in two libraries, node by node on the same inputs. Both are frozen first, so that
 * variables have the values that they have in each. Nodes are taken in an order in which each comes after its inputs: the
 * first that differs has inputs that do not, and so is where the difference is made. Of loops each iteration is compared. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "diff.h"
#include "feed_value.h"
#include "freeze.h"
#include "protobuf_bytes.h"
#include "sluice/function_graph.h"
#include "written_message.h"

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

enum { EXIT_SAME = 0, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2, MOST_MADE_UP = 1 << 24 };

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

static bool is_text(struct bytes b, const char *text) { return b.n == strlen(text) && !memcmp(b.p, text, b.n); }

static bool has_bodies(struct bytes op) {
    static const char *const ops[] = {"While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (is_text(op, ops[i])) return true;
    return false;
}

/* Copies a message. The fields of the first number on the path, which ends with 0, have messages in which the next number
 * counts, and so on to nodes. Of these, loops and conditionals get the attr that makes plain nodes of them; and none is
 * bound to the device of another any more, which may be gone then. */
static void copy_marked(struct message *out, struct bytes in, const int *path) {
    static const char attr[] = "\n\031_lower_using_switch_merge\022\002\050\001"; /* true */
    struct field f;
    while (next_field(&f, &in)) {
        struct message inner = {0};
        if (!*path && f.number == 5 && is_text(bytes_of(f.bytes, 1), "_class")) continue;
        if (!f.bytes.p) {
            message_number(out, (int)f.number, f.value);
        } else if (!*path || (int)f.number != *path) {
            message_bytes(out, (int)f.number, f.bytes.p, f.bytes.n);
        } else {
            copy_marked(&inner, f.bytes, path + 1);
            if (!path[1] && has_bodies(bytes_of(f.bytes, 2))) message_bytes(&inner, 5, attr, sizeof attr - 1);
            message_message(out, (int)f.number, &inner);
        }
    }
}

static TF_Buffer *mark_control_flow(const TF_Buffer *graph_def) {
    static const int nodes[] = {1, 0}, nodes_of_functions[] = {2, 1, 3, 0};
    struct message once = {0}, twice = {0};
    copy_marked(&once, (struct bytes){graph_def->data, graph_def->length}, nodes);
    copy_marked(&twice, (struct bytes){once.p, once.n}, nodes_of_functions);
    TF_Buffer *out = must_have(TF_NewBufferFromString(twice.p ? twice.p : (const void *)"", twice.n));
    free(once.p);
    free(twice.p);
    return out;
}

/* The graph with the bodies of functions and conditionals in place of what calls them, so that nodes of these are
 * compared too. The caller's; NULL after an error, which has been printed. */
static TF_Buffer *inline_calls(const TF_Buffer *bytes) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_ImportGraphDefOptions *options = must_have(TF_NewImportGraphDefOptions());
    TF_Graph *graph = must_have(TF_NewGraph());
    TF_Buffer *out = must_have(TF_NewBuffer()), *marked = mark_control_flow(bytes);
    TF_GraphImportGraphDef(graph, marked, options, status);
    TF_DeleteBuffer(marked);
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

static bool import(struct side *s, const TF_Buffer *bytes, bool complains) {
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
        if (!ok && complains) complain("%s", l->TF_Message(status));
        l->TF_DeleteBuffer(copy);
        l->TF_DeleteImportGraphDefOptions(options);
        l->TF_DeleteStatus(status);
    }
    return ok;
}

bool side_import(struct side *s, const TF_Buffer *bytes, bool complains) {
    if (!import(s, bytes, complains)) return false;
    s->status = must_have(s->library.TF_NewStatus());
    TF_SessionOptions *options = must_have(s->library.TF_NewSessionOptions());
    s->session = s->library.TF_NewSession(s->run, options, s->status);
    s->library.TF_DeleteSessionOptions(options);
    const bool ok = !s->library.TF_GetCode(s->status);
    if (!ok && complains) complain("%s", s->library.TF_Message(s->status));
    return ok;
}

static bool open_side(struct side *s, const struct diff *d, const char *path, const char *library) {
    struct variables_request variables = d->variables;
    variables.path = path;
    if (!library_open(&s->library, library)) return false;
    TF_Buffer *bytes = freeze_unasked(&variables, d->tags, d->signature);
    if (!bytes) return false;
    TF_Buffer *flat = inline_calls(bytes);
    const bool ok = flat && side_import(s, flat, true);
    TF_DeleteBuffer(bytes);
    if (flat) TF_DeleteBuffer(flat);
    return ok;
}

void side_close(struct side *s, int n_inputs) {
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

void diff_add_input(struct diff *d, TF_Output input, const TF_Tensor *value) {
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
    else diff_add_input(d, input.output, t);
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
    diff_add_input(d, input.output, t);
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

/* ---- the command */

static int diff(struct diff *d) {
    const char *path_a = d->variables.path, *path_b = d->path_b ? d->path_b : path_a;
    if (!open_side(&d->sides[0], d, path_a, NULL) || !open_side(&d->sides[1], d, path_b, d->library))
        return EXIT_TROUBLE;
    if (!find_inputs(d)) return EXIT_TROUBLE;
    if (d->library) printf("A: this library, B: TensorFlow %s\n", d->sides[1].library.TF_Version());
    diff_order(d);
    diff_compare(d);
    diff_print_summary(d);
    if (!d->counts->equal && !d->counts->different) {
        complain("no node of A has a value that B has too");
        return EXIT_TROUBLE;
    }
    return d->counts->different ? EXIT_DIFFERENT : EXIT_SAME;
}

static bool read_tolerance(double *out, const char *text) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0;
}

int diff_command(int argc, char **argv) {
    const struct command *self = find_command("diff");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct diff_counts counts = {0};
    struct diff d = {.batch = 2, .tolerance = -1, .counts = &counts};
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
        diff_clear(&d);
        for (int i = 0; i < 2; i++) side_close(&d.sides[i], d.n_inputs);
    }
    free(d.feeds);
    return result;
}
