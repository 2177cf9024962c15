/* One cursor runs over one text. A parse function that fails has left its reason in the error, and the text it
 * belongs to is added by the caller; parsing then goes on with the next text, so that one call tells all mistakes. */
#include "ops/op_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ops/op.h"
#include "proto/text_format.h"
#include "tensor/dtype.h"

struct cursor {
    struct sl_arena *arena;
    struct sl_error *err;
    struct sl_str rest;
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_spaces(struct cursor *c) {
    while (c->rest.n && is_space(*c->rest.p)) c->rest.p++, c->rest.n--;
}

/* Takes `text` and the spaces behind it, if it comes next. */
static bool take(struct cursor *c, const char *text) {
    struct sl_str wanted = sl_str_of(text);
    if (!sl_str_starts(c->rest, wanted)) return false;
    c->rest.p += wanted.n;
    c->rest.n -= wanted.n;
    skip_spaces(c);
    return true;
}

/* Takes a name of letters, digits and underscores that begins with a letter, and the spaces behind it. */
static bool take_name(struct cursor *c, struct sl_str *name, bool lower_case) {
    size_t n = 0;
    while (n < c->rest.n) {
        char ch = c->rest.p[n];
        bool fits = (lower_case ? is_lower(ch) : is_letter(ch)) || (n && (is_digit(ch) || ch == '_'));
        if (!fits) break;
        n++;
    }
    if (!n) return false;
    *name = (struct sl_str){c->rest.p, n};
    c->rest.p += n;
    c->rest.n -= n;
    skip_spaces(c);
    return true;
}

static sl_code fail_at(struct cursor *c, const char *what) {
    return sl_fail(c->err, SL_INVALID_ARGUMENT, "%s'%.*s'", what, SL_STR_ARG(c->rest));
}

/* ---- values */
static const struct {
    const char *kind, *field;
} kinds[SL_ATTR_KINDS] = {
    [SL_ATTR_STRING] = {"string", "s"},      [SL_ATTR_INT] = {"int", "i"},      [SL_ATTR_FLOAT] = {"float", "f"},
    [SL_ATTR_BOOL] = {"bool", "b"},          [SL_ATTR_TYPE] = {"type", "type"}, [SL_ATTR_SHAPE] = {"shape", "shape"},
    [SL_ATTR_TENSOR] = {"tensor", "tensor"}, [SL_ATTR_FUNC] = {"func", "func"},
};

/* The text is the value of one field of an AttrValue, and is read as such: `i: TEXT`, `list { i: TEXT }`. A list must
 * have brackets, which the text format itself would not ask for; and it has no way to write an empty one. */
static sl_code parse_default(struct sl_pb_AttrValue **out, struct cursor *c, int kind, bool is_list) {
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(c->arena, struct sl_pb_AttrValue);
    if (!value) return sl_fail_memory(c->err, sizeof *value);
    struct sl_str text = c->rest;
    while (text.n && is_space(text.p[text.n - 1])) text.n--;
    bool fits = true, is_empty = false;
    if (is_list) {
        fits = text.n >= 2 && text.p[0] == '[' && text.p[text.n - 1] == ']';
        is_empty = fits;
        for (size_t i = 1; is_empty && i + 1 < text.n; i++) is_empty = is_space(text.p[i]);
    }
    if (is_empty) {
        value->which = SL_PB_AttrValue_list;
        value->list = SL_ARENA_NEW(c->arena, struct sl_pb_AttrValue_ListValue);
        if (!value->list) return sl_fail_memory(c->err, sizeof *value->list);
    } else if (fits) {
        const char *format = is_list ? "list { %s: %.*s\n}" : "%s: %.*s";
        char *field = sl_arena_format(c->arena, format, kinds[kind].field, SL_STR_ARG(text));
        if (!field) return sl_fail_memory(c->err, text.n);
        sl_code code = sl_pb_text_parse(value, SL_PB_TYPE(AttrValue), sl_str_of(field), c->arena, NULL);
        if (code == SL_RESOURCE_EXHAUSTED) return sl_fail_memory(c->err, text.n);
        fits = code == SL_OK;
    }
    if (!fits) return fail_at(c, "Could not parse default value ");
    c->rest.n = 0;
    *out = value;
    return SL_OK;
}

/* ---- attrs */
static const uint8_t number_types[] = {SL_FLOAT,      SL_DOUBLE,    SL_INT32,  SL_UINT8,   SL_INT16,
                                       SL_INT8,       SL_COMPLEX64, SL_INT64,  SL_QINT8,   SL_QUINT8,
                                       SL_QINT32,     SL_BFLOAT16,  SL_QINT16, SL_QUINT16, SL_UINT16,
                                       SL_COMPLEX128, SL_HALF,      SL_UINT32, SL_UINT64};
static const uint8_t real_types[] = {SL_FLOAT, SL_DOUBLE,   SL_INT32,  SL_UINT8, SL_INT16,  SL_INT8,
                                     SL_INT64, SL_BFLOAT16, SL_UINT16, SL_HALF,  SL_UINT32, SL_UINT64};
static const uint8_t quantized_types[] = {SL_QINT8, SL_QUINT8, SL_QINT32, SL_QINT16, SL_QUINT16};
static const struct {
    const char *name;
    const uint8_t *types;
    size_t n;
} type_sets[] = {
    {"numbertype", number_types, sizeof number_types},
    {"numerictype", number_types, sizeof number_types},
    {"realnumbertype", real_types, sizeof real_types},
    {"quantizedtype", quantized_types, sizeof quantized_types},
};
enum { TYPE_SETS = sizeof type_sets / sizeof *type_sets };

/* Appends to an array in the arena that was made with room for `room` elements. */
static sl_code add_type(struct cursor *c, struct sl_pb_array_i32 *types, size_t room, int32_t type) {
    if (types->n == room) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Too many types in one list");
    types->items[types->n++] = type;
    return SL_OK;
}

static sl_code add_set(struct cursor *c, struct sl_pb_array_i32 *types, size_t room, int set) {
    for (size_t i = 0; i < type_sets[set].n; i++) SL_TRY(add_type(c, types, room, type_sets[set].types[i]));
    return SL_OK;
}

static int find_set(struct sl_str name) {
    for (int i = 0; i < TYPE_SETS; i++)
        if (sl_str_is(name, type_sets[i].name)) return i;
    return -1;
}

/* "float, int32}" after the brace. */
static sl_code parse_types(struct cursor *c, struct sl_pb_array_i32 *types, size_t room) {
    do {
        if (types->n && take(c, "}")) return SL_OK; /* a comma may stand before the brace */
        struct sl_str name;
        if (!take_name(c, &name, false)) return fail_at(c, "Trouble parsing type string at ");
        int set = find_set(name), type = sl_dtype_from_name(name);
        if (set >= 0) SL_TRY(add_set(c, types, room, set));
        else if (type && !sl_dtype_is_ref(type) && is_lower(*name.p)) SL_TRY(add_type(c, types, room, type));
        else return sl_fail(c->err, SL_INVALID_ARGUMENT, "Unrecognized type string '%.*s'", SL_STR_ARG(name));
    } while (take(c, ","));
    return take(c, "}") ? SL_OK : fail_at(c, "Expected , or } after types in list, not: ");
}

/* A quoted text and the spaces behind it. Escapes are those of the text format, and read by it. */
static sl_code parse_quoted(struct sl_str *out, struct cursor *c) {
    size_t n = 1;
    char quote = c->rest.n ? *c->rest.p : 0;
    if (quote == '\'' || quote == '"')
        while (n < c->rest.n && c->rest.p[n] != quote) n += c->rest.p[n] == '\\' ? 2 : 1;
    if ((quote != '\'' && quote != '"') || n >= c->rest.n) return fail_at(c, "Trouble parsing allowed string at ");
    n++;
    struct sl_pb_AttrValue value = {0};
    char *field = sl_arena_format(c->arena, "s: %.*s", (int)n, c->rest.p);
    if (!field) return sl_fail_memory(c->err, n);
    if (sl_pb_text_parse(&value, SL_PB_TYPE(AttrValue), sl_str_of(field), c->arena, NULL) != SL_OK)
        return fail_at(c, "Trouble parsing allowed string at ");
    *out = value.s;
    c->rest.p += n;
    c->rest.n -= n;
    skip_spaces(c);
    return SL_OK;
}

static sl_code parse_strings(struct cursor *c, struct sl_pb_array_str *strings, size_t room) {
    do {
        if (strings->n == room) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Too many strings in one list");
        SL_TRY(parse_quoted(&strings->items[strings->n], c));
        strings->n++;
    } while (take(c, ","));
    return take(c, "}") ? SL_OK : fail_at(c, "Expected , or } after strings in list, not: ");
}

/* An upper bound for the number of values in a list: its commas, sets counted whole. */
static size_t count_values(struct sl_str text) {
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == ',';
    return n;
}

static sl_code parse_allowed(struct sl_pb_OpDef_AttrDef *attr, int *kind, struct cursor *c, int set) {
    struct sl_pb_AttrValue *allowed = SL_ARENA_NEW(c->arena, struct sl_pb_AttrValue);
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(c->arena, struct sl_pb_AttrValue_ListValue);
    if (!allowed || !list) return sl_fail_memory(c->err, sizeof *list);
    *allowed = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_list, .list = list};
    size_t room = count_values(c->rest);
    if (set < 0 && c->rest.n && (*c->rest.p == '\'' || *c->rest.p == '"')) {
        *kind = SL_ATTR_STRING;
        list->s.items = SL_ARENA_ARRAY(c->arena, struct sl_str, room);
        if (!list->s.items) return sl_fail_memory(c->err, room * sizeof *list->s.items);
        SL_TRY(parse_strings(c, &list->s, room));
    } else {
        *kind = SL_ATTR_TYPE;
        room *= sizeof number_types;
        list->type.items = SL_ARENA_ARRAY(c->arena, int32_t, room);
        if (!list->type.items) return sl_fail_memory(c->err, room * sizeof *list->type.items);
        SL_TRY(set >= 0 ? add_set(c, &list->type, room, set) : parse_types(c, &list->type, room));
    }
    attr->allowed_values = allowed;
    return SL_OK;
}

static sl_code parse_kind(struct sl_pb_OpDef_AttrDef *attr, int *kind, struct cursor *c) {
    if (take(c, "{")) return parse_allowed(attr, kind, c, -1);
    for (int i = 0; i < TYPE_SETS; i++)
        if (take(c, type_sets[i].name)) return parse_allowed(attr, kind, c, i);
    for (int k = 0; k < SL_ATTR_KINDS; k++)
        if (take(c, kinds[k].kind)) {
            *kind = k;
            return SL_OK;
        }
    return fail_at(c, "Trouble parsing type string at ");
}

static sl_code parse_minimum(struct sl_pb_OpDef_AttrDef *attr, struct cursor *c) {
    char digits[24];
    size_t n = 0;
    while (n < c->rest.n && n < sizeof digits - 1 && (is_digit(c->rest.p[n]) || (!n && c->rest.p[n] == '-'))) {
        digits[n] = c->rest.p[n];
        n++;
    }
    digits[n] = 0;
    char *end;
    errno = 0;
    long long minimum = strtoll(digits, &end, 10);
    if (!n || *end || end == digits || errno)
        return sl_fail(c->err, SL_INVALID_ARGUMENT,
                       "Could not parse integer lower limit after '>=', found ' %.*s' instead", SL_STR_ARG(c->rest));
    attr->has_minimum = true;
    attr->minimum = minimum;
    c->rest.p += n;
    c->rest.n -= n;
    skip_spaces(c);
    return SL_OK;
}

static sl_code parse_attr(struct sl_pb_OpDef_AttrDef *attr, struct cursor *c) {
    if (!take_name(c, &attr->name, false) || !take(c, ":"))
        return sl_fail(c->err, SL_INVALID_ARGUMENT, "Trouble parsing '<name>:'");
    bool is_list = false;
    struct cursor before = *c;
    if (take(c, "list")) {
        is_list = take(c, "(");
        if (!is_list) *c = before;
    }
    int kind = 0;
    SL_TRY(parse_kind(attr, &kind, c));
    if (is_list && !take(c, ")")) return fail_at(c, "Expected ) to close 'list(', not: ");
    attr->type = sl_str_of(sl_attr_kind_name((enum sl_attr_kind)kind, is_list));
    if ((is_list || kind == SL_ATTR_INT) && take(c, ">=")) SL_TRY(parse_minimum(attr, c));
    if (take(c, "=")) SL_TRY(parse_default(&attr->default_value, c, kind, is_list));
    if (c->rest.n) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Extra '%.*s' unparsed at the end", SL_STR_ARG(c->rest));
    return SL_OK;
}

/* ---- arguments */
static struct sl_pb_OpDef_AttrDef *find_attr(struct sl_pb_array_OpDef_AttrDef *attrs, struct sl_str name) {
    for (size_t i = 0; i < attrs->n; i++)
        if (sl_str_eq(attrs->items[i].name, name)) return &attrs->items[i];
    return NULL;
}

static void need_one(struct sl_pb_OpDef_AttrDef *attr) {
    if (attr->has_minimum) return;
    attr->has_minimum = true;
    attr->minimum = 1;
}

static sl_code parse_type(struct sl_pb_OpDef_ArgDef *arg, struct cursor *c, struct sl_pb_array_OpDef_AttrDef *attrs) {
    struct sl_str name;
    struct cursor before = *c;
    if (!take_name(c, &name, false)) return fail_at(c, "Trouble parsing either a type or an attr name at ");
    if (take(c, "*")) {
        arg->number_attr = name;
        struct sl_pb_OpDef_AttrDef *number = find_attr(attrs, name);
        if (number) need_one(number);
        before = *c;
        if (!take_name(c, &name, false)) return fail_at(c, "Trouble parsing either a type or an attr name at ");
    }
    int type = is_lower(*name.p) ? sl_dtype_from_name(name) : 0;
    struct sl_pb_OpDef_AttrDef *attr = find_attr(attrs, name);
    if (type) {
        arg->type = type;
    } else if (!attr) {
        *c = before;
        return sl_fail(c->err, SL_INVALID_ARGUMENT, "Reference to unknown attr '%.*s'", SL_STR_ARG(name));
    } else if (sl_str_is(attr->type, "type")) {
        arg->type_attr = name;
    } else if (sl_str_is(attr->type, "list(type)")) {
        arg->type_list_attr = name;
        if (!arg->number_attr.n) need_one(attr);
    } else {
        return sl_fail(c->err, SL_INVALID_ARGUMENT,
                       "Reference to attr '%.*s' with type %.*s that isn't type or list(type)", SL_STR_ARG(name),
                       SL_STR_ARG(attr->type));
    }
    return SL_OK;
}

/* ---- full types */
enum { FULL_TYPE_DEPTH = 16 };

static sl_code new_args(struct sl_pb_FullTypeDef *type, struct cursor *c, size_t n) {
    type->args.items = SL_ARENA_ARRAY(c->arena, struct sl_pb_FullTypeDef, n);
    if (!type->args.items) return sl_fail_memory(c->err, n * sizeof *type->args.items);
    type->args.n = n;
    return SL_OK;
}

static void set_variable(struct sl_pb_FullTypeDef *type, struct sl_str attr) {
    type->type_id = SL_PB_TFT_VAR;
    type->which = SL_PB_FullTypeDef_s;
    type->s = attr;
}

static sl_code parse_full_type(struct sl_pb_FullTypeDef *type, struct cursor *c, int depth) {
    struct sl_str name;
    if (depth > FULL_TYPE_DEPTH) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Full type is nested too deeply");
    bool is_variable = take(c, "$");
    if (!take_name(c, &name, false)) return fail_at(c, "Trouble parsing full type at ");
    if (is_variable) {
        set_variable(type, name);
        return SL_OK;
    }
    if (sl_str_is(name, "each")) { /* for_each[product, tensor[$x], $x] */
        if (!take(c, "$") || !take_name(c, &name, false)) return fail_at(c, "Trouble parsing full type at ");
        type->type_id = SL_PB_TFT_FOR_EACH;
        SL_TRY(new_args(type, c, 3));
        type->args.items[0].type_id = SL_PB_TFT_PRODUCT;
        type->args.items[1].type_id = SL_PB_TFT_TENSOR;
        SL_TRY(new_args(&type->args.items[1], c, 1));
        set_variable(&type->args.items[1].args.items[0], name);
        set_variable(&type->args.items[2], name);
        return SL_OK;
    }
    char upper[48] = "TFT_";
    if (name.n > sizeof upper - 5) return fail_at(c, "Trouble parsing full type at ");
    for (size_t i = 0; i < name.n; i++) upper[4 + i] = (char)(is_lower(name.p[i]) ? name.p[i] - 'a' + 'A' : name.p[i]);
    if (!sl_pb_enum_number(&type->type_id, &sl_pb_enums[SL_PB_ENUM_INDEX_FullTypeId], sl_str_of(upper)))
        return sl_fail(c->err, SL_INVALID_ARGUMENT, "No full type '%.*s'", SL_STR_ARG(name));
    if (!take(c, "[")) return SL_OK;
    SL_TRY(new_args(type, c, count_values(c->rest)));
    type->args.n = 0;
    do SL_TRY(parse_full_type(&type->args.items[type->args.n++], c, depth + 1));
    while (take(c, ","));
    return take(c, "]") ? SL_OK : fail_at(c, "Expected , or ] in full type, not: ");
}

static sl_code parse_arg(struct sl_pb_OpDef_ArgDef *arg, struct cursor *c, struct sl_pb_array_OpDef_AttrDef *attrs,
                         bool may_say_more) {
    if (!take_name(c, &arg->name, true) || !take(c, ":"))
        return sl_fail(c->err, SL_INVALID_ARGUMENT, "Trouble parsing 'name:'");
    struct cursor before = *c;
    if (take(c, "Ref")) {
        arg->is_ref = take(c, "(");
        if (!arg->is_ref) *c = before;
    }
    SL_TRY(parse_type(arg, c, attrs));
    if (arg->is_ref && !take(c, ")")) return fail_at(c, "Did not find closing ')' for 'Ref(', instead found: ");
    if (may_say_more && take(c, "as ")) {
        arg->experimental_full_type = SL_ARENA_NEW(c->arena, struct sl_pb_FullTypeDef);
        if (!arg->experimental_full_type) return sl_fail_memory(c->err, sizeof *arg->experimental_full_type);
        SL_TRY(parse_full_type(arg->experimental_full_type, c, 0));
    }
    if (c->rest.n) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Extra '%.*s' unparsed at the end", SL_STR_ARG(c->rest));
    return SL_OK;
}

/* ---- whole definitions */
/* What went wrong in each text, a line each; the code of the first. */
struct complaints {
    sl_code code;
    struct sl_error *all;
    struct sl_error one;
};

static void complain(struct complaints *complaints, sl_code code, const char *what, struct sl_str text,
                     struct sl_str name) {
    if (complaints->code) sl_error_append(complaints->all, "\n");
    else sl_fail(complaints->all, code, "%s", "");
    complaints->code = complaints->code ? complaints->code : code;
    sl_error_append(complaints->all, "%s from %s(\"%.*s\") for Op %.*s", complaints->one.message, what,
                    SL_STR_ARG(text), SL_STR_ARG(name));
}

sl_code sl_op_spec_parse(struct sl_pb_OpDef *out, struct sl_arena *arena, const struct sl_op_spec *spec,
                         struct sl_error *err) {
    struct sl_pb_OpDef def = {
        .name = spec->name,
        .attr.items = SL_ARENA_ARRAY(arena, struct sl_pb_OpDef_AttrDef, spec->n_attrs),
        .input_arg.items = SL_ARENA_ARRAY(arena, struct sl_pb_OpDef_ArgDef, spec->n_inputs),
        .output_arg.items = SL_ARENA_ARRAY(arena, struct sl_pb_OpDef_ArgDef, spec->n_outputs),
        .is_stateful = spec->flags & SL_OP_STATEFUL,
        .is_commutative = spec->flags & SL_OP_COMMUTATIVE,
        .is_aggregate = spec->flags & SL_OP_AGGREGATE,
        .allows_uninitialized_input = spec->flags & SL_OP_ALLOWS_UNINITIALIZED,
        .is_distributed_communication = spec->flags & SL_OP_DISTRIBUTED,
    };
    if (!def.attr.items || !def.input_arg.items || !def.output_arg.items) return sl_fail_memory(err, sizeof def);
    if (spec->deprecated) {
        def.deprecation = SL_ARENA_NEW(arena, struct sl_pb_OpDeprecation);
        if (!def.deprecation) return sl_fail_memory(err, sizeof *def.deprecation);
        *def.deprecation = (struct sl_pb_OpDeprecation){.version = spec->deprecated, .explanation = spec->explanation};
    }
    struct complaints complaints = {.all = err};
    struct cursor c = {.arena = arena, .err = &complaints.one};
    for (size_t i = 0; i < spec->n_attrs; i++) {
        c.rest = spec->attrs[i];
        sl_code code = parse_attr(&def.attr.items[def.attr.n++], &c);
        if (code) complain(&complaints, code, "Attr", spec->attrs[i], spec->name);
    }
    for (size_t i = 0; i < spec->n_inputs; i++) {
        c.rest = spec->inputs[i];
        sl_code code = parse_arg(&def.input_arg.items[def.input_arg.n++], &c, &def.attr, false);
        if (code) complain(&complaints, code, "Input", spec->inputs[i], spec->name);
    }
    for (size_t i = 0; i < spec->n_outputs; i++) {
        c.rest = spec->outputs[i];
        sl_code code = parse_arg(&def.output_arg.items[def.output_arg.n++], &c, &def.attr, spec->may_say_more);
        if (code) complain(&complaints, code, "Output", spec->outputs[i], spec->name);
    }
    *out = def;
    return complaints.code;
}

/* The end of the part that begins at `text`. */
static const char *part_end(const char *text, char separator) {
    int depth = 0;
    char quote = 0;
    for (; *text; text++) {
        if (quote) {
            if (*text == '\\' && text[1]) text++;
            else if (*text == quote) quote = 0;
        } else if (*text == '\'' || *text == '"') quote = *text;
        else if (*text == '{' || *text == '[') depth++;
        else if (*text == '}' || *text == ']') depth--;
        else if (*text == separator && depth <= 0) break;
    }
    return text;
}

sl_code sl_op_spec_split(const struct sl_str **out, size_t *n, struct sl_arena *arena, const char *text, char separator,
                         struct sl_error *err) {
    size_t room = 1;
    for (const char *p = text; *p; p++) room += *p == separator;
    struct sl_str *parts = SL_ARENA_ARRAY(arena, struct sl_str, room);
    if (!parts) return sl_fail_memory(err, room * sizeof *parts);
    size_t found = 0;
    while (is_space(*text)) text++;
    while (*text) {
        const char *end = part_end(text, separator), *last = end;
        while (last > text && is_space(last[-1])) last--;
        parts[found++] = (struct sl_str){text, (size_t)(last - text)};
        text = *end ? end + 1 : end;
        while (is_space(*text)) text++;
    }
    *out = parts;
    *n = found;
    return SL_OK;
}
