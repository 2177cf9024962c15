/* Lines into rows: op, attrs, inputs, what is expected. */
#include "ops/op_rows.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/gen/messages.h"
#include "tensor/tensor_proto.h"

static sl_code wrong(struct row_text *text, const char *what) {
    return sl_fail(&text->row->err, SL_INVALID_ARGUMENT, "%s, not '%.40s'", what, text->at);
}

static sl_code no_memory(struct row_text *text) { return sl_fail_memory(&text->row->err, 0); }

/* `mark` is next, and is passed. */
static bool take(struct row_text *text, const char *mark) {
    row_skip_blanks(text);
    size_t n = strlen(mark);
    if (strncmp(text->at, mark, n) != 0) return false;
    text->at += n;
    return true;
}

/* ---- stars */

/* "*" or "{float, half}" behind "T=". */
static sl_code read_star(struct row_text *text, struct sl_str name) {
    struct op_row *row = text->row;
    if (row->n_stars == ROW_STARS) return wrong(text, "too many attrs for every type");
    struct row_star star = {.attr = name, .types = SL_SET_ALL};
    if (take(text, "*")) {
        row->stars[row->n_stars++] = star;
        return SL_OK;
    }
    star.types = 0;
    if (!take(text, "{")) return wrong(text, "expected * or {");
    while (!take(text, "}")) {
        struct sl_str word = row_word(text);
        int dtype = sl_dtype_from_name(word);
        if (!dtype) return wrong(text, "expected a type");
        star.types |= UINT64_C(1) << dtype;
        take(text, ",");
    }
    row->stars[row->n_stars++] = star;
    return SL_OK;
}

static bool is_star(struct row_text text, const struct sl_op_attr *attr) {
    row_skip_blanks(&text);
    return attr->kind == SL_ATTR_TYPE && !attr->is_list && (*text.at == '*' || *text.at == '{');
}

/* Behind an attr's value: over strings and brackets, to the blank or parenthesis that ends it. */
static void skip_value(struct row_text *text) {
    int depth = 0;
    row_skip_blanks(text);
    for (; *text->at && (depth || (*text->at != ' ' && *text->at != '(')); text->at++) {
        if (*text->at == '"') {
            for (text->at++; *text->at && *text->at != '"'; text->at++)
                if (*text->at == '\\' && text->at[1]) text->at++;
            if (!*text->at) return;
        }
        depth += (strchr("[{<", *text->at) != NULL) - (strchr("]}>", *text->at) != NULL);
    }
}

/* The name before "=", which is passed; empty when the inputs begin. */
static sl_code attr_name(struct sl_str *out, const struct sl_op_attr **attr, struct row_text *text) {
    row_skip_blanks(text);
    out->n = 0;
    if (*text->at == '(') return SL_OK;
    *out = row_word(text);
    if (!out->n || !take(text, "=")) return wrong(text, "expected attr=value or (");
    int at = sl_op_attr_index(text->row->op, *out);
    static const struct sl_op_attr free_string = {.kind = SL_ATTR_STRING};
    if (at < 0 && out->p[0] != '_') {
        text->at = out->p;
        return wrong(text, "the op has no such attr");
    }
    *attr = at < 0 ? &free_string : &text->row->op->attrs[at];
    return SL_OK;
}

sl_code row_start(struct op_row *row, struct sl_arena *arena, struct sl_op_registry *ops, const char *line) {
    memset(row, 0, sizeof *row);
    row->arena = arena;
    row->ops = ops;
    struct row_text text = {line, row};
    struct sl_str name = row_word(&text);
    SL_TRY(sl_op_find(&row->op, ops, name, &row->err));
    for (;;) {
        const struct sl_op_attr *attr = NULL;
        SL_TRY(attr_name(&name, &attr, &text));
        if (!name.n) return SL_OK;
        if (is_star(text, attr)) SL_TRY(read_star(&text, name));
        else skip_value(&text);
    }
}

/* ---- attrs */

static sl_code read_int(int64_t *out, struct row_text *text) {
    char *end;
    row_skip_blanks(text);
    *out = strtoll(text->at, &end, 10);
    if (end == text->at) return wrong(text, "expected a whole number");
    text->at = end;
    return SL_OK;
}

static sl_code read_float(float *out, struct row_text *text) {
    char *end;
    row_skip_blanks(text);
    *out = strtof(text->at, &end);
    if (end == text->at) return wrong(text, "expected a number");
    text->at = end;
    return SL_OK;
}

static sl_code read_bool(bool *out, struct row_text *text) {
    *out = take(text, "true");
    return *out || take(text, "false") ? SL_OK : wrong(text, "expected true or false");
}

static sl_code read_tensor_proto(struct sl_pb_TensorProto **out, struct row_text *text) {
    struct row_want want = {0};
    struct sl_pb_TensorProto borrowed, *proto = SL_ARENA_NEW(text->row->arena, struct sl_pb_TensorProto);
    if (!proto) return no_memory(text);
    if (!take(text, "{")) return wrong(text, "expected {");
    sl_code code = row_tensor(&want, text, false);
    if (code == SL_OK) code = sl_tensor_to_proto(&borrowed, want.t, text->row->arena, &text->row->err);
    if (code == SL_OK && !take(text, "}")) code = wrong(text, "expected }");
    if (code == SL_OK) {
        *proto = borrowed;
        proto->tensor_content = sl_arena_str(text->row->arena, borrowed.tensor_content);
        for (size_t i = 0; i < proto->string_val.n; i++)
            proto->string_val.items[i] = sl_arena_str(text->row->arena, borrowed.string_val.items[i]);
    }
    sl_tensor_unref(want.t);
    *out = proto;
    return code;
}

/* One value of a kind, as an AttrValue (lists are made of them). */
static sl_code read_value(struct sl_pb_AttrValue *v, struct row_text *text, enum sl_attr_kind kind) {
    struct sl_shape shape;
    switch (kind) {
    case SL_ATTR_STRING: v->which = SL_PB_AttrValue_s; return row_string(&v->s, text);
    case SL_ATTR_INT: v->which = SL_PB_AttrValue_i; return read_int(&v->i, text);
    case SL_ATTR_FLOAT: v->which = SL_PB_AttrValue_f; return read_float(&v->f, text);
    case SL_ATTR_BOOL: v->which = SL_PB_AttrValue_b; return read_bool(&v->b, text);
    case SL_ATTR_TYPE:
        v->which = SL_PB_AttrValue_type;
        v->type = row_dtype(text->row, row_word(text));
        return v->type ? SL_OK : wrong(text, "expected a type");
    case SL_ATTR_SHAPE:
        v->which = SL_PB_AttrValue_shape;
        SL_TRY(row_shape(&shape, text));
        return sl_shape_to_proto(&v->shape, shape, text->row->arena, &text->row->err);
    case SL_ATTR_TENSOR: v->which = SL_PB_AttrValue_tensor; return read_tensor_proto(&v->tensor, text);
    default: return wrong(text, "functions cannot be written");
    }
}

enum { MOST_ELEMENTS = 64 };

/* "[a, b]". */
static sl_code read_list(struct sl_pb_AttrValue *v, struct row_text *text, enum sl_attr_kind kind) {
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(text->row->arena, struct sl_pb_AttrValue_ListValue);
    struct sl_pb_AttrValue one[MOST_ELEMENTS];
    size_t n = 0;
    if (!list) return no_memory(text);
    if (!take(text, "[")) return wrong(text, "expected a list");
    while (!take(text, "]")) {
        if (n == MOST_ELEMENTS) return wrong(text, "too many elements");
        SL_TRY(read_value(&one[n++], text, kind));
        take(text, ",");
    }
#define FILL(field, member)                                                                                            \
    list->field.items = sl_arena_array(text->row->arena, n + 1, sizeof *list->field.items);                            \
    if (!list->field.items) return no_memory(text);                                                                    \
    for (size_t i = 0; i < n; i++) list->field.items[i] = member;                                                      \
    list->field.n = n;
    switch (kind) {
    case SL_ATTR_STRING: FILL(s, one[i].s) break;
    case SL_ATTR_INT: FILL(i, one[i].i) break;
    case SL_ATTR_FLOAT: FILL(f, one[i].f) break;
    case SL_ATTR_BOOL: FILL(b, one[i].b) break;
    case SL_ATTR_TYPE: FILL(type, one[i].type) break;
    case SL_ATTR_SHAPE: FILL(shape, *one[i].shape) break;
    default: FILL(tensor, *one[i].tensor) break;
    }
#undef FILL
    v->which = SL_PB_AttrValue_list;
    v->list = list;
    return SL_OK;
}

static sl_code read_attrs(struct row_text *text) {
    struct op_row *row = text->row;
    struct sl_attr *items = SL_ARENA_ARRAY(row->arena, struct sl_attr, MOST_ELEMENTS);
    if (!items) return no_memory(text);
    row->given = (struct sl_attrs){items, 0};
    for (;;) {
        struct sl_pb_AttrValue *v = SL_ARENA_NEW(row->arena, struct sl_pb_AttrValue);
        const struct sl_op_attr *attr = NULL;
        struct sl_str name;
        if (!v) return no_memory(text);
        SL_TRY(attr_name(&name, &attr, text));
        if (!name.n) return SL_OK;
        if (is_star(*text, attr)) {
            *v = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = row_dtype(row, name)};
            skip_value(text);
        } else if (attr->is_list) SL_TRY(read_list(v, text, attr->kind));
        else SL_TRY(read_value(v, text, attr->kind));
        if (row->given.n == MOST_ELEMENTS) return wrong(text, "too many attrs");
        items[row->given.n++] = (struct sl_attr){name, v};
    }
}

/* ---- inputs and results */

static sl_code read_input(struct row_text *text, uint8_t *types) {
    struct op_row *row = text->row;
    struct row_want one;
    if (row->n_in == ROW_TENSORS) return wrong(text, "too many tensors");
    sl_code code = row_tensor(&one, text, false);
    if (one.t) {
        row->in[row->n_in] = one.t;
        types[row->n_in++] = (uint8_t)one.dtype;
    }
    return code;
}

static sl_code read_inputs(struct row_text *text) {
    struct op_row *row = text->row;
    uint8_t *types = sl_arena_alloc(row->arena, ROW_TENSORS);
    if (!types) return no_memory(text);
    if (!take(text, "(")) return wrong(text, "expected (");
    while (!take(text, ")")) {
        if (row->n_arguments == ROW_TENSORS) return wrong(text, "too many inputs");
        struct sl_given_input *argument = &row->arguments[row->n_arguments++];
        *argument = (struct sl_given_input){.is_list = take(text, "["), .n = 1, .types = types + row->n_in};
        if (argument->is_list) {
            argument->n = 0;
            while (!take(text, "]")) {
                SL_TRY(read_input(text, types));
                argument->n++;
                take(text, ",");
            }
        } else SL_TRY(read_input(text, types));
        row_skip_blanks(text);
        if (*text->at != ')' && !take(text, ";")) return wrong(text, "expected ; or )");
    }
    return SL_OK;
}

/* Lists among results are flat: brackets may be there or not. */
static sl_code read_results(struct row_text *text) {
    struct op_row *row = text->row;
    if (!take(text, "(")) return wrong(text, "expected (");
    while (!take(text, ")")) {
        if (row->n_want == ROW_TENSORS) return wrong(text, "too many results");
        while (take(text, "[") || take(text, "]")) {}
        row_skip_blanks(text);
        if (*text->at == ')') continue;
        struct row_want *want = &row->want[row->n_want++];
        SL_TRY(row_tensor(want, text, true));
        while (take(text, "]") || take(text, ",") || take(text, ";")) {}
    }
    return SL_OK;
}

static sl_code code_of(struct sl_str name) {
#define SL_CODE(code, number)                                                                                          \
    if (sl_str_is(name, #code)) return SL_##code;
#include "base/code.def"
    return SL_OK;
}

static sl_code read_expected(struct row_text *text) {
    struct op_row *row = text->row;
    if (take(text, "!!")) {
        row->kind = ROW_FAILS;
        if (take(text, "?")) {
            row->kind = ROW_UNFILLED;
            return SL_OK;
        }
        row->code = code_of(row_word(text));
        if (row->code == SL_OK) return wrong(text, "expected an error code");
        row_skip_blanks(text);
        return *text->at ? row_string(&row->part, text) : SL_OK;
    }
    if (!take(text, "->")) return wrong(text, "expected -> or !!");
    row->kind = take(text, "?") ? ROW_UNFILLED : take(text, "*") ? ROW_ANYTHING : ROW_GIVES;
    return row->kind == ROW_GIVES ? read_results(text) : SL_OK;
}

sl_code row_read(struct op_row *row, const char *line) {
    struct row_text text = {line, row};
    row_word(&text);
    row_clear(row);
    SL_TRY(read_attrs(&text));
    SL_TRY(read_inputs(&text));
    SL_TRY(read_expected(&text));
    row_skip_blanks(&text);
    return *text.at && *text.at != '#' ? wrong(&text, "expected the end of the line") : SL_OK;
}

void row_clear(struct op_row *row) {
    row_drop(row->in, row->n_in);
    for (int i = 0; i < row->n_want; i++) sl_tensor_unref(row->want[i].t);
    row->n_in = row->n_want = row->n_arguments = 0;
    row->part = (struct sl_str){NULL, 0};
    row->code = SL_OK;
}
