/* Sets of attrs: from given to bound. Binding is on the path of importing large graphs: one array a node, names
 * compared in the order both sides usually have, a value of the right kind checked by one comparison. */
#include "ops/attr.h"

#include <limits.h>

#include "ops/op_summary.h"
#include "proto/wire.h"

static sl_code new_items(struct sl_attr **out, struct sl_arena *arena, size_t n, struct sl_error *err) {
    *out = sl_arena_alloc(arena, n * sizeof **out);
    return *out ? SL_OK : sl_fail_memory(err, n * sizeof **out);
}

struct sl_attr sl_attr_new(struct sl_arena *arena, struct sl_str name, const struct sl_pb_AttrValue *value) {
    struct sl_pb_AttrValue *copy = SL_ARENA_NEW(arena, struct sl_pb_AttrValue);
    if (copy) *copy = *value;
    return (struct sl_attr){name, copy};
}

struct sl_attr sl_attr_new_type(struct sl_arena *arena, struct sl_str name, int dtype) {
    return sl_attr_new(arena, name, SL_ATTR_VALUE(type, sl_dtype_base(dtype)));
}

struct sl_attr sl_attr_new_list(struct sl_arena *arena, struct sl_str name,
                                const struct sl_pb_AttrValue_ListValue *list) {
    struct sl_pb_AttrValue_ListValue *copy = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    if (!copy) return (struct sl_attr){name, NULL};
    *copy = *list;
    return sl_attr_new(arena, name, SL_ATTR_VALUE(list, copy));
}

sl_code sl_attrs_of_map(struct sl_attrs *out, struct sl_arena *arena, const struct sl_pb_map_string_AttrValue *map,
                        struct sl_error *err) {
    struct sl_attr *items;
    if (map->n > INT_MAX / 2) return sl_fail(err, SL_INVALID_ARGUMENT, "NodeDef has %zu attrs", map->n);
    SL_TRY(new_items(&items, arena, map->n, err));
    for (size_t i = 0; i < map->n; i++) items[i] = (struct sl_attr){map->items[i].key, &map->items[i].value};
    *out = (struct sl_attrs){items, (int)map->n};
    return SL_OK;
}

/* ---- copying */
static sl_code copy_string(struct sl_str *s, struct sl_arena *arena, struct sl_error *err) {
    *s = sl_arena_str(arena, *s);
    return s->p ? SL_OK : sl_fail_memory(err, s->n);
}

static sl_code copy_value(struct sl_pb_AttrValue *copy, struct sl_arena *arena, const struct sl_pb_AttrValue *value,
                          struct sl_error *err) {
    if (!value->unknown) {
        *copy = *value;
        switch (value->which) {
        case 0:
        case SL_PB_AttrValue_i:
        case SL_PB_AttrValue_f:
        case SL_PB_AttrValue_b:
        case SL_PB_AttrValue_type: return SL_OK;
        case SL_PB_AttrValue_s: return copy_string(&copy->s, arena, err);
        case SL_PB_AttrValue_placeholder: return copy_string(&copy->placeholder, arena, err);
        default: break;
        }
    }
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(AttrValue), value, 0, arena, err));
    return sl_pb_decode(copy, SL_PB_TYPE(AttrValue), bytes, arena, err);
}

sl_code sl_attrs_copy(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *attrs,
                      struct sl_error *err) {
    struct sl_attr *items;
    SL_TRY(new_items(&items, arena, (size_t)attrs->n, err));
    struct sl_pb_AttrValue *values = SL_ARENA_ARRAY(arena, struct sl_pb_AttrValue, (size_t)attrs->n);
    if (!values) return sl_fail_memory(err, (size_t)attrs->n * sizeof *values);
    for (int i = 0; i < attrs->n; i++) {
        items[i].name = attrs->items[i].name;
        SL_TRY(copy_string(&items[i].name, arena, err));
        SL_TRY(copy_value(&values[i], arena, attrs->items[i].value, err));
        items[i].value = &values[i];
    }
    *out = (struct sl_attrs){items, attrs->n};
    return SL_OK;
}

sl_code sl_attrs_with(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *attrs, struct sl_str name,
                      const struct sl_pb_AttrValue *value, struct sl_error *err) {
    struct sl_attr *items;
    SL_TRY(new_items(&items, arena, (size_t)attrs->n + 1, err));
    int at = attrs->n;
    for (int i = 0; i < attrs->n; i++) {
        items[i] = attrs->items[i];
        if (sl_str_eq(items[i].name, name)) at = i;
    }
    items[at] = (struct sl_attr){name, value};
    *out = (struct sl_attrs){items, attrs->n + (at == attrs->n)};
    return SL_OK;
}

/* ---- binding */
static sl_code fail_value(sl_code code, const struct sl_op *op, struct sl_str node, struct sl_error *err) {
    char text[SL_SUMMARY_MAX];
    if (code == SL_INVALID_ARGUMENT && err)
        sl_error_append(err, "\n\t; NodeDef: {{node %.*s}}; %s", SL_STR_ARG(node), sl_op_summary(text, op));
    return code;
}

/* Names every attr without value, in alphabetical order. */
static sl_code fail_missing(const struct sl_attr *items, const struct sl_op *op, struct sl_str node,
                            struct sl_error *err) {
    int n = 0;
    for (int i = 0; i < op->n_attrs; i++) n += !items[i].value;
    sl_fail(err, SL_INVALID_ARGUMENT, "NodeDef missing attr%s ", n > 1 ? "s" : "");
    struct sl_str last = {NULL, 0};
    for (int k = 0; k < n; k++) {
        struct sl_str next = {NULL, 0};
        for (int i = 0; i < op->n_attrs; i++) {
            struct sl_str name = items[i].name;
            if (items[i].value || (k && sl_str_cmp(name, last) <= 0)) continue;
            if (!next.p || sl_str_cmp(name, next) < 0) next = name;
        }
        sl_error_append(err, "%s'%.*s'", k ? ", " : "", SL_STR_ARG(next));
        last = next;
    }
    char text[SL_SUMMARY_MAX];
    sl_error_append(err, " from %s; NodeDef: {{node %.*s}}", sl_op_summary(text, op), SL_STR_ARG(node));
    return SL_INVALID_ARGUMENT;
}

/* Position of `name` in the op, looked for from `guess` on; -1 when the op has none. */
static int find_from(const struct sl_op *op, struct sl_str name, int guess) {
    int n = op->n_attrs;
    for (int k = 0, i = guess; k < n; k++, i++) {
        if (i >= n) i = 0;
        if (sl_str_eq(op->attrs[i].name, name)) return i;
    }
    return -1;
}

sl_code sl_attrs_bind(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                      const struct sl_attrs *given, struct sl_str node, struct sl_error *err) {
    struct sl_attr *items;
    int n = op->n_attrs;
    SL_TRY(new_items(&items, arena, (size_t)n + (size_t)given->n, err));
    for (int i = 0; i < n; i++) items[i] = (struct sl_attr){op->attrs[i].name, NULL};
    for (int g = 0, guess = 0; g < given->n; g++) {
        const struct sl_attr *attr = &given->items[g];
        int i = find_from(op, attr->name, guess);
        if (!attr->value) return sl_fail_memory(err, sizeof *attr->value);
        if (i < 0) {
            items[n++] = *attr;
            continue;
        }
        guess = i + 1;
        items[i].value = attr->value;
        if (attr->value->which == SL_PB_AttrValue_placeholder) continue;
        sl_code code = sl_attr_check(&op->attrs[i], attr->value, err);
        if (code) return fail_value(code, op, node, err);
    }
    bool is_complete = true;
    for (int i = 0; i < op->n_attrs; i++) {
        if (!items[i].value) items[i].value = op->attrs[i].default_value;
        if (!items[i].value) is_complete = false;
    }
    if (!is_complete) return fail_missing(items, op, node, err);
    *out = (struct sl_attrs){items, n};
    return SL_OK;
}

static const struct sl_pb_AttrValue *default_of(const struct sl_pb_OpDef *def, struct sl_str name) {
    for (size_t i = 0; i < def->attr.n; i++)
        if (sl_str_eq(def->attr.items[i].name, name)) return def->attr.items[i].default_value;
    return NULL;
}

sl_code sl_attrs_drop_new_defaults(struct sl_attrs *out, struct sl_arena *arena, const struct sl_attrs *given,
                                   const struct sl_op *op, const struct sl_pb_OpDef *producer_op,
                                   struct sl_error *err) {
    struct sl_attr *items;
    SL_TRY(new_items(&items, arena, (size_t)given->n, err));
    int n = 0;
    for (int i = 0; i < given->n; i++) {
        struct sl_str name = given->items[i].name;
        bool is_new = !(name.n && *name.p == '_') && sl_op_attr_index(op, name) < 0;
        const struct sl_pb_AttrValue *usual = is_new ? default_of(producer_op, name) : NULL;
        if (!usual || !sl_attr_equal(usual, given->items[i].value)) items[n++] = given->items[i];
    }
    *out = (struct sl_attrs){items, n};
    return SL_OK;
}
