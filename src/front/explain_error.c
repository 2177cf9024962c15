/* What an error is about. The node is found by its name: one within functions is called CALL/NODE, and CALL/then/NODE and so
 * on within conditionals and loops (sluice/function_graph.h), so the bodies of functions are looked into along it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "capi/status_place.h"
#include "sluice/explain.h"
#include "sluice/function_graph.h"

enum { NAME = 1024, MOST_DEPTH = 32, MOST_INPUTS = 8 };

/* ---- the node */

struct search {
    TF_Graph *graph; /* that has the functions */
    TF_Graph *bodies[MOST_DEPTH];
    TF_Operation *calls[MOST_DEPTH]; /* that call them */
    struct sl_str functions[MOST_DEPTH];
    int depth;
    TF_Graph *found_in;
    TF_Operation *op;
    bool has_grown; /* it reads a variable whose numbers are very large */
};

static bool look_in(struct search *s, TF_Graph *graph, const char *name);

/* What stands between the name of a call and that of a node in the function: "then/" and so on. */
static const char *rest_behind(const char *rest, const TF_Operation *op, struct sl_str attr, int index) {
    static const struct {
        const char *attr, *part;
    } names[] = {{"then_branch", "then"}, {"else_branch", "else"}, {"branches", "branch"}};
    char part[96];
    struct sl_str shown = attr;
    if (strstr(TF_OperationOpType((TF_Operation *)(uintptr_t)op), "PartitionedCall")) return rest;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_str_is(attr, names[i].attr)) shown = sl_str_of(names[i].part);
    if (index < 0) snprintf(part, sizeof part, "%.*s/", SL_STR_ARG(shown));
    else snprintf(part, sizeof part, "%.*s%d/", SL_STR_ARG(shown), index);
    return !strncmp(rest, part, strlen(part)) ? rest + strlen(part) : NULL;
}

static bool look_in_function(struct search *s, TF_Operation *call, struct sl_str function, const char *rest) {
    char name[NAME];
    if (!rest || s->depth == MOST_DEPTH || function.n >= NAME) return false;
    snprintf(name, sizeof name, "%.*s", SL_STR_ARG(function));
    TF_Status *status = TF_NewStatus();
    TF_Graph *body = status ? sl_function_graph(s->graph, name, status) : NULL;
    TF_DeleteStatus(status);
    if (!body) return false;
    s->bodies[s->depth] = body;
    s->functions[s->depth] = function;
    s->calls[s->depth++] = call;
    if (look_in(s, body, rest)) return true;
    s->depth--;
    TF_DeleteGraph(body);
    return false;
}

static bool look_in_calls(struct search *s, TF_Operation *call, const char *rest) {
    const struct sl_node *node = sl_as_node(call);
    if (look_in_function(s, call, sl_str_of(TF_OperationOpType(call)), rest)) return true;
    for (int i = 0; i < node->attrs.n; i++) {
        const struct sl_attr *a = &node->attrs.items[i];
        if (a->value->which == SL_PB_AttrValue_func) {
            if (look_in_function(s, call, a->value->func->name, rest_behind(rest, call, a->name, -1))) return true;
        } else if (a->value->which == SL_PB_AttrValue_list) {
            for (size_t k = 0; k < a->value->list->func.n; k++)
                if (look_in_function(s, call, a->value->list->func.items[k].name,
                                     rest_behind(rest, call, a->name, (int)k)))
                    return true;
        }
    }
    return false;
}

static bool look_in(struct search *s, TF_Graph *graph, const char *name) {
    char start[NAME];
    s->op = TF_GraphOperationByName(graph, name);
    s->found_in = graph;
    if (s->op) return true;
    for (size_t n = strlen(name); n-- > 1;) {
        if (name[n] != '/') continue;
        snprintf(start, sizeof start, "%.*s", (int)n, name);
        TF_Operation *call = TF_GraphOperationByName(graph, start);
        if (call && look_in_calls(s, call, name + n + 1)) return true;
    }
    return false;
}

static bool take_between(char name[NAME], const char *text, const char *before, const char *after) {
    const char *at = strstr(text, before), *end = at ? strstr(at + strlen(before), after) : NULL;
    if (!end || (size_t)(end - at) - strlen(before) >= NAME) return false;
    snprintf(name, NAME, "%.*s", (int)(end - at - (long)strlen(before)), at + strlen(before));
    return true;
}

/* ---- sentences */

static void append_shape(struct sl_error *out, TF_Graph *graph, TF_Output output) {
    int64_t dims[64];
    TF_Status *status = TF_NewStatus();
    const int rank = status ? TF_GraphGetTensorNumDims(graph, output, status) : -1;
    const int type = (int)TF_OperationOutputType(output);
    sl_error_append(out, "%s", sl_dtype_name(sl_dtype_base(type)));
    if (rank >= 0 && rank <= 64) TF_GraphGetTensorShape(graph, output, dims, rank, status);
    if (rank > 64 || TF_GetCode(status) != TF_OK) {
        TF_DeleteStatus(status);
        return;
    }
    if (rank < 0) sl_error_append(out, " <unknown>");
    for (int i = 0; i < rank; i++) {
        sl_error_append(out, "%s", i ? "," : " [");
        if (dims[i] < 0) sl_error_append(out, "?");
        else sl_error_append(out, "%lld", (long long)dims[i]);
    }
    if (rank >= 0) sl_error_append(out, rank ? "]" : " []");
    TF_DeleteStatus(status);
}

static void append_node(struct sl_error *out, const struct search *s, const char *name) {
    sl_error_append(out, "node '%s' (%s)", name, TF_OperationOpType(s->op));
    for (int i = 0; i < TF_OperationNumInputs(s->op) && i < MOST_INPUTS; i++) {
        const TF_Output from = TF_OperationInput((TF_Input){s->op, i});
        sl_error_append(out, "%s'%.200s:%d' (", i ? ", " : " reads ", TF_OperationName(from.oper), from.index);
        append_shape(out, s->found_in, from);
        sl_error_append(out, ")");
    }
    sl_error_append(out, "\n");
    for (int i = 0; i < s->depth; i++)
        sl_error_append(out, "%s'%s' (%s)%s",
                        i ? ", in one that is called by " : "it is in a function that is called by ",
                        TF_OperationName(s->calls[i]), TF_OperationOpType(s->calls[i]), i + 1 < s->depth ? "" : "\n");
}

static bool is_watching(const char *message) { return strstr(message, "Watching numbers: ") != NULL; }

/* Errors that say nothing of the node: the run ended for another reason, or the node could not be placed. */
static bool is_of_node(TF_Code code, const char *message) {
    return code != TF_CANCELLED && code != TF_DEADLINE_EXCEEDED && code != TF_RESOURCE_EXHAUSTED &&
           !strstr(message, "available devices are") && !strstr(message, "You must feed") && !is_watching(message);
}

static const struct {
    const char *text, *advice; /* what a message has, and what would be right */
} common[] = {
    {"Incompatible shapes", "shapes are compared from the last axis on: two lengths must be equal, or one of them 1"},
    {"required broadcastable shapes",
     "shapes are compared from the last axis on: two lengths must be equal, or one of them 1"},
    {"size-incompatible",
     "the first matrix must have as many columns as the second has rows; transpose_a and transpose_b turn one of them"},
    {"Dimensions must be equal",
     "the two lengths must be the same; of a product those are the columns of the first and the rows of the second"},
    {"values, but the requested shape has",
     "a new shape must have as many elements; -1 stands for the one length that follows from the others"},
    {"Cannot reshape a tensor with",
     "a new shape must have as many elements; -1 stands for the one length that follows from the others"},
    {"in both shapes must be equal", "the lengths of that axis must be the same in all that goes in"},
    {"Table not initialized", "the table has no values yet: run its initialiser first"},
    {"must be rank", "the op wants another number of axes: ExpandDims, Squeeze or Reshape before it"},
    {"is not in [0,", "an index lies outside of what is indexed: a table of N rows has the rows 0 to N - 1"},
    {"End of sequence", "the dataset is at its end: repeat it, or take this error for the end"},
    {"Integer division by zero",
     "a whole number has been divided by 0: DivNoNan is for real numbers, else look before"},
    {"No OpKernel was registered", "no kernel serves the op with these types: sluice ops NAME says which there are"},
    {"Dimensions of inputs should match", "what is joined must have the same lengths on all other axes"},
    {"StringToNumberOp could not correctly convert", "a text is no number: empty fields and units have to go before"},
    {"Could not find variable", "the variable has no value yet: run its initialiser first, or load a checkpoint"},
    {"Attempting to use uninitialized value",
     "the variable has no value yet: run its initialiser first, or load a checkpoint"},
    {"Input is not invertible",
     "the matrix is singular, or nearly: add a small multiple of the identity, or take a pseudo-inverse"},
    {"Cholesky decomposition was not successful",
     "the matrix is not positive definite: add a small multiple of the identity, and look whether it is symmetric"},
    {"assertion failed", "the graph checks this itself: its author has put an Assert there"},
};

/* Of watched numbers: what an op that made one ought to get. */
static const struct {
    const char *ops, *made, *advice; /* " A B " ; what the message has too */
} numbers[] = {
    {" IteratorGetNext IteratorGetNextSync OptionalGetValue DatasetToSingleElement ", "brings in",
     "the data has it: look for gaps where it comes from, or leave such elements out with a filter"},
    {" ReadVariableOp VarHandleOp Identity ", "brings in", "it was bad before this step: watch what wrote it"},
    {" ", "brings in", "what it reads has it: look for gaps or damage there, or for another type or order of bytes"},
    {" Log Log1p ", "",
     "the logarithm of 0 is infinite, of less NaN: keep what goes in above 0, or take LogSoftmax, Xlogy, or a loss of "
     "logits"},
    {" Sqrt ", "NaN", "there is no root of less than 0: Maximum(x, 0) before it, where only rounding went below"},
    {" Rsqrt SqrtGrad RsqrtGrad ", "", "it is infinite at 0: add a small number before the root"},
    {" RealDiv Div Xdivy Reciprocal Inv TruncateDiv FloorDiv FloorMod Mod TruncateMod ", "",
     "a division by 0: DivNoNan gives 0 there, or add a small number to the divisor"},
    {" Exp Expm1 Sinh Cosh ", "infinity",
     "it overflows above 88.7 in float, 11.1 in half: take the largest away before, as Softmax does, or work with "
     "logarithms; for log(1 + exp(x)) there is Softplus"},
    {" Lgamma Digamma Polygamma Zeta ", "",
     "it is infinite at 0 and at whole numbers below: keep what goes in above 0"},
    {" Pow ", "NaN", "a negative number has no power that is a fraction: Abs, or Maximum, before it"},
    {" Pow ", "input 1: float [], -",
     "0 has no power below 0, as the slope of a root has one: add a small number before it"},
    {" Cholesky LogMatrixDeterminant MatrixInverse MatrixSolve ", "",
     "the matrix is singular, or nearly: add a small multiple of the identity, or take a pseudo-inverse"},
    {" Acos Asin Atanh ", "", "it is defined from -1 to 1: ClipByValue before it, where only rounding went beyond"},
    {" Mean ", "NaN", "the mean of nothing: look at the size before, or divide by Maximum(n, 1)"},
    {" Softmax LogSoftmax ", "NaN",
     "a row that is -infinity throughout has no softmax: mask with a large finite number, or leave one place open"},
    {" Mul MatMul BatchMatMulV2 ", "NaN", "0 times infinity is NaN: bound what was infinite before"},
    {" Sub AddV2 Add ", "NaN", "infinity less infinity is NaN: bound what was infinite before"},
    {" Cast ", "infinity", "the narrower type ends before, half at 65504: scale what goes in, or take bfloat16"},
    {" ", "(half ", "half ends at 65504: compute in float, or scale what goes in"},
    {" ", "in iteration ", "it grows with each iteration: a smaller step (learning rate), or clip it"},
    {" AddV2 Add Sub Mul Square Pow MatMul BatchMatMulV2 Sum AddN Cumsum Cumprod Prod ", "infinity",
     "the numbers are too large for their type: scale them before"},
};

/* Whether the scope is that of gradients. */
static bool is_in_gradient(const char *name) {
    const char *at = strstr(name, "gradient");
    return at && (at == name || at[-1] == '/' || at[-1] == '\'');
}

/* Whether the message tells of very large numbers in an input: "\n  input 1: float [3], -2e+12 to 5". */
static bool is_large(const char *message, int input) {
    static const double large = 1e8;
    char start[24];
    snprintf(start, sizeof start, "\n  input %d: ", input);
    const char *at = strstr(message, start), *end = at ? strchr(at + 1, '\n') : NULL;
    at = at ? strstr(at, "], ") : NULL;
    if (!at || (end && at > end)) return false;
    char *rest;
    const double least = strtod(at + 3, &rest);
    const double most = !strncmp(rest, " to ", 4) ? strtod(rest + 4, NULL) : least;
    return fabs(least) > large || fabs(most) > large;
}

static bool reads_variable(TF_Output from) {
    for (int i = 0; i < 4 && !strcmp(TF_OperationOpType(from.oper), "Identity"); i++)
        from = TF_OperationInput((TF_Input){from.oper, 0});
    return !strcmp(TF_OperationOpType(from.oper), "ReadVariableOp") ||
           strstr(TF_OperationOpType(from.oper), "VariableV2");
}

/* What the numbers came from. A fused node has the name of its last; the others are told. */
static void append_sources(struct sl_error *out, struct search *s, const char *name, const char *message,
                           const struct sl_source_lines *lines) {
    TF_Operation *op = s->op;
    for (int i = 0; strstr(message, " (_Fused") && i < 6 && TF_OperationNumInputs(op); i++) {
        const char *type = TF_OperationOpType(op);
        sl_error_append(out, "it stands for node '%s' (%s)\n", TF_OperationName(op), type);
        if (strstr(type, "Conv") || strstr(type, "MatMul")) break;
        op = TF_OperationInput((TF_Input){op, 0}).oper;
    }
    for (int i = 0; i < TF_OperationNumInputs(s->op) && i < MOST_INPUTS; i++) {
        const TF_Output from = TF_OperationInput((TF_Input){s->op, i});
        const char *of = TF_OperationName(from.oper);
        const bool is_forward = is_in_gradient(name) && !is_in_gradient(of);
        const char *line = is_forward ? sl_source_line_of(lines, of) : NULL;
        sl_error_append(out, "input %d of '%s' is '%.200s:%d' (%s)%s%s%s\n", i, name, of, from.index,
                        TF_OperationOpType(from.oper), is_forward ? ", of the forward pass" : "",
                        line ? ", made at " : "", line ? line : "");
        s->has_grown |= is_large(message, i) && reads_variable(from);
    }
}

/* A Select to which what the node makes goes as a choice, maybe through a few that make one number of each; "": none. */
static void find_choice(char choice[NAME], TF_Operation *op, int depth) {
    enum { MOST_USES = 16, MOST_BETWEEN = 3 };
    static const char passing[] = " Neg Mul AddV2 Add Sub Identity Reshape Square Cast Sqrt Reciprocal RealDiv ";
    TF_Input uses[MOST_USES];
    char word[NAME + 2];
    if (TF_OperationNumOutputs(op) < 1) return;
    const int n = TF_OperationOutputConsumers((TF_Output){op, 0}, uses, MOST_USES);
    for (int i = 0; i < n && i < MOST_USES && !*choice; i++) {
        const char *type = TF_OperationOpType(uses[i].oper);
        const bool is_choice = !strcmp(type, "Select") || !strcmp(type, "SelectV2");
        snprintf(word, sizeof word, " %s ", type);
        if (is_choice && uses[i].index > 0) snprintf(choice, NAME, "%s", TF_OperationName(uses[i].oper));
        else if (depth < MOST_BETWEEN && strstr(passing, word)) find_choice(choice, uses[i].oper, depth + 1);
    }
}

static void append_numbers(struct sl_error *out, const char *message) {
    char op[NAME], word[NAME + 2];
    if (!is_watching(message) || !take_between(op, message, "' (", ") ")) return;
    snprintf(word, sizeof word, " %s ", op);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const bool is_any = numbers[i].ops[1] == 0;
        if ((!is_any && !strstr(numbers[i].ops, word)) || !strstr(message, numbers[i].made)) continue;
        sl_error_append(out, "%s\n", numbers[i].advice);
        return;
    }
}

static void append_advice(struct sl_error *out, const char *message) {
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (!strstr(message, common[i].text)) continue;
        sl_error_append(out, "%s\n", common[i].advice);
        return;
    }
}

/* The line of the node that was found: that of its function, where several have one of its name. */
static const char *line_of(const struct search *s, const struct sl_source_lines *lines) {
    char key[2 * NAME];
    const struct sl_str function = s->depth ? s->functions[s->depth - 1] : SL_STR("");
    const int n = snprintf(key, sizeof key, "%s@%.*s", TF_OperationName(s->op), SL_STR_ARG(function));
    return n > 0 && (size_t)n < sizeof key ? sl_source_line_of(lines, key) : NULL;
}

/* The text is put into `out`, as a message. */
static void tell(struct sl_error *out, TF_Graph *graph, const TF_Status *error, const struct sl_source_lines *lines) {
    const TF_Code code = TF_GetCode(error);
    const char *message = TF_Message(error), *place = sl_status_place(error);
    const bool is_about = is_of_node(code, message);
    char name[NAME];
    const bool watches = is_watching(message);
    char choice[NAME] = "";
    bool has_grown = false;
    if ((!watches && take_between(name, message, "{{node ", "}}")) || take_between(name, message, "node '", "'")) {
        struct search s = {.graph = graph};
        const char *line = code != TF_DEADLINE_EXCEEDED ? sl_source_line_of(lines, name) : NULL;
        const bool is_found = graph && (is_about || watches) && look_in(&s, graph, name);
        if (is_found && watches) append_sources(out, &s, name, message, lines);
        if (is_found && watches) find_choice(choice, s.op, 0);
        else if (is_found) append_node(out, &s, name);
        if (is_found && line_of(&s, lines)) line = line_of(&s, lines);
        has_grown = s.has_grown;
        while (s.depth > 0) TF_DeleteGraph(s.bodies[--s.depth]);
        if (line) sl_error_append(out, "it was made at %s\n", line);
    }
    if (is_about && *place) sl_error_append(out, "it ran in %s\n", place);
    if (is_about && is_in_gradient(place))
        sl_error_append(out, "the loop of a gradient goes backwards: its iteration 0 is that of the other's last\n");
    if (is_about) append_advice(out, message);
    if (has_grown)
        sl_error_append(out, "a variable has grown: a smaller step (learning rate), or clip the gradients\n");
    else append_numbers(out, message);
    if (*choice)
        sl_error_append(
            out,
            "'%s' does not help: both of its sides are computed, and their gradients; choose what goes into "
            "'%s', not what comes out\n",
            choice, name);
}

SL_API TF_Buffer *sl_explain_error(TF_Graph *graph, const TF_Status *error, const struct sl_source_lines *lines,
                                   TF_Status *status) {
    struct sl_error text = {0}, err = {0};
    if (TF_GetCode(error) != TF_OK) tell(&text, graph, error, lines);
    TF_Buffer *buffer = TF_NewBufferFromString(text.message, strlen(text.message));
    const sl_code code = buffer ? SL_OK : sl_fail_memory(&err, strlen(text.message));
    sl_status_take(status, code, &err);
    return buffer;
}
