/* What is told of a difference, and what of the node itself is not the same. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "diff.h"

enum { TEXT = 256 };

static const char *const state_texts[ELSEWHERE] = {
    NULL, NULL, "only in A", "with other outputs in B", "of handles", "in loops", "stateful", "behind stateful ones",
};

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
    else if (v[0] == floor(v[0]) && fabs(v[0]) < 0x1p53) printf("%.0f", v[0]);
    else printf("%.9g", v[0]);
}

/* The name that the node has in the graph. */
static const char *bare_name(char text[TEXT], const TF_Operation *op) {
    const char *name = TF_OperationName((TF_Operation *)(uintptr_t)op);
    snprintf(text, TEXT, "%.*s", turn_bare_length(name), name);
    return text;
}

/* Its op in the graph, where what stands for it in an iteration may be another. */
static const char *op_type(const struct diff *d, int side, TF_Operation *op) {
    char name[TEXT];
    while (d->outer) d = d->outer;
    TF_Operation *first = TF_GraphOperationByName(d->sides[side].graph, bare_name(name, op));
    return TF_OperationOpType(first ? first : op);
}

static void print_node(const struct diff *d, const struct diff_node *n) {
    char name[TEXT];
    const char *a = op_type(d, 0, n->op), *b = op_type(d, 1, n->in_b), *between = " in iteration";
    printf("%s (%s%s%s%s) differs", bare_name(name, n->op), a, strcmp(a, b) ? " in A, " : "", strcmp(a, b) ? b : "",
           strcmp(a, b) ? " in B" : "");
    for (; d->outer; d = d->outer, between = ", in iteration")
        printf("%s %" PRId64 " of loop '%.*s'", between, d->turn, turn_bare_length(d->loop), d->loop);
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
    char left[TEXT], right[TEXT];
    int n = 0;
    if (in_a != in_b) return printf("  it has %d inputs in A, %d in B\n", in_a, in_b);
    for (int i = 0; i < in_a; i++) {
        const TF_Output x = TF_OperationInput((TF_Input){a, i}), y = TF_OperationInput((TF_Input){b, i});
        bare_name(left, x.oper);
        bare_name(right, y.oper);
        if (!strcmp(left, right) && x.index == y.index) continue;
        printf("  input %d is '%s:%d' in A, '%s:%d' in B\n", i, left, x.index, right, y.index);
        n++;
    }
    return n;
}

/* What a constant is there for. */
static void print_reader(TF_Operation *op) {
    TF_Input use;
    char name[TEXT];
    if (TF_OperationOutputConsumers((TF_Output){op, 0}, &use, 1) < 1) return;
    bare_name(name, use.oper);
    printf("  it is input %d of '%s' (%s)\n", use.index, name, TF_OperationOpType(use.oper));
}

static void print_cause(const struct diff *d, const struct diff_node *n) {
    if (!strcmp(TF_OperationOpType(n->op), "Const")) print_reader(n->op);
    const bool same_op = !strcmp(TF_OperationOpType(n->op), TF_OperationOpType(n->in_b));
    if (!same_op || !strcmp(TF_OperationOpType(n->op), "Const") ||
        print_attrs(n->op, n->in_b) + print_inputs(n->op, n->in_b) || d->shows_all)
        return;
    if (d->library) printf("  the node and its inputs are the same: the libraries compute it in different ways\n");
    else printf("  the node is the same in both: an input that was not compared differs\n");
}

void diff_print_values(const struct diff *d, const struct diff_node *n, int output, const struct seen_value *a,
                       const struct seen_value *b, const struct difference *x) {
    char text[TEXT], other[TEXT];
    print_node(d, n);
    if (x->is_shape) {
        printf(": output %d is %s in A, %s in B\n", output, shape_text(text, a), shape_text(other, b));
        print_cause(d, n);
        return;
    }
    printf(": output %d, %s\n  %" PRId64 " of %" PRId64 " elements", output, shape_text(text, a), x->n, a->count);
    if (!is_number_type(a->type)) {
        printf(", the first at %s\n", place_text(text, a, x->at));
        print_cause(d, n);
        return;
    }
    if (isnan(x->largest)) printf(", one of them NaN");
    else printf(", by %.3g at most", x->largest);
    printf(", at %s: ", place_text(text, a, x->at));
    print_number(x->a, a->type);
    printf(" in A, ");
    print_number(x->b, b->type);
    printf(" in B\n");
    print_cause(d, n);
}

void diff_print_failure(const struct diff *d, const struct diff_node *n, const bool ok[2]) {
    const struct side *a = &d->sides[0], *b = &d->sides[1];
    print_node(d, n);
    printf(":\n  A %s%s\n", ok[0] ? "gives a value" : "fails: ", ok[0] ? "" : a->library.TF_Message(a->status));
    printf("  B %s%s\n", ok[1] ? "gives a value" : "fails: ", ok[1] ? "" : b->library.TF_Message(b->status));
    print_cause(d, n);
}

void diff_print_summary(const struct diff *d) {
    int counts[ELSEWHERE + 1] = {0}, only_in_b = 0, said = 0;
    size_t at = 0;
    for (int i = 0; i < d->n; i++) counts[d->nodes[i].state]++;
    for (TF_Operation *op; (op = TF_GraphNextOperation(d->sides[1].graph, &at));)
        only_in_b += !TF_GraphOperationByName(d->sides[0].graph, TF_OperationName(op));
    printf("outputs: %" PRId64 " equal", d->counts->equal);
    if (d->shows_all || !d->counts->different) printf(", %" PRId64 " different", d->counts->different);
    else printf(" before the one that differs");
    printf("; %" PRId64 " values compared", d->counts->values);
    if (d->counts->iterations)
        printf(", in %" PRId64 " iteration%s of loops", d->counts->iterations, d->counts->iterations == 1 ? "" : "s");
    for (int i = 0; i < ELSEWHERE; i++)
        if (state_texts[i] && counts[i])
            printf("%s %d %s", said++ ? "," : "; not compared: nodes", counts[i], state_texts[i]);
    if (only_in_b) printf("%s %d only in B", said++ ? "," : "; not compared: nodes", only_in_b);
    putchar('\n');
}
