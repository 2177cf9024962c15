/* Attrs of the front end: zero stands for the default, unless the op needs the attr. */
#include "front/front_attrs.h"

#include <string.h>

static int64_t int_of(struct sl_scope *s, const char *name, int64_t value) {
    if (value == SL_ZERO_INT) return 0;
    bool is_seed = strcmp(name, "seed") == 0, is_second = strcmp(name, "seed2") == 0;
    if (value || !s->seed || (!is_seed && !is_second)) return value;
    return is_seed ? s->seed : ++s->seeds;
}

/* An attr of one value; `*is_set`: it does not keep its default. */
static sl_attr_value *value_of_one(bool *is_set, struct sl_scope *s, struct sl_arena *arena,
                                   const struct sl_attr_given *attr) {
    const void *value = attr->value;
    *is_set = true;
    switch (attr->kind) {
    case SL_GIVEN_STRING:
    case SL_GIVEN_FUNCTION: {
        const char *text = *(const char *const *)value;
        if (!text) break;
        return attr->kind == SL_GIVEN_STRING ? sl_value_of_string(arena, text, strlen(text))
                                             : sl_value_of_function(arena, text, strlen(text));
    }
    case SL_GIVEN_INT:
    case SL_GIVEN_INT_NEEDED: {
        const int64_t given = *(const int64_t *)value, number = int_of(s, attr->name, given);
        if (given || number || attr->kind == SL_GIVEN_INT_NEEDED) return sl_value_of_int(arena, number);
        break;
    }
    case SL_GIVEN_FLOAT:
    case SL_GIVEN_FLOAT_NEEDED: {
        const float number = *(const float *)value;
        if (number != 0 || __builtin_signbit(number) || attr->kind == SL_GIVEN_FLOAT_NEEDED)
            return sl_value_of_float(arena, number == 0 ? 0 : number);
        break;
    }
    case SL_GIVEN_BOOL:
    case SL_GIVEN_BOOL_NEEDED:
        if (*(const bool *)value || attr->kind == SL_GIVEN_BOOL_NEEDED)
            return sl_value_of_bool(arena, *(const bool *)value);
        break;
    case SL_GIVEN_CHOICE:
        if (*(const enum sl_choice *)value != SL_DEFAULT)
            return sl_value_of_bool(arena, *(const enum sl_choice *)value == SL_YES);
        break;
    case SL_GIVEN_TYPE:
        if (*(const TF_DataType *)value) return sl_value_of_type(arena, *(const TF_DataType *)value);
        break;
    case SL_GIVEN_SHAPE: {
        const struct sl_dims *shape = value;
        if (shape->dims) return sl_value_of_shape(arena, shape->dims, shape->n);
        break;
    }
    default: break;
    }
    *is_set = false;
    return NULL;
}

static sl_attr_value *value_of_strings(struct sl_arena *arena, const struct sl_strings *list) {
    const size_t n = list->n > 0 ? (size_t)list->n : 0;
    size_t *lengths = SL_ARENA_ARRAY(arena, size_t, n);
    const void **items = SL_ARENA_ARRAY(arena, const void *, n);
    for (size_t i = 0; i < n && lengths && items; i++) {
        items[i] = list->items[i] ? list->items[i] : "";
        lengths[i] = strlen(items[i]);
    }
    return lengths && items ? sl_value_of_strings(arena, items, lengths, list->n) : NULL;
}

static sl_attr_value *value_of_bools(struct sl_arena *arena, const struct sl_bools *list) {
    unsigned char *items = SL_ARENA_ARRAY(arena, unsigned char, list->n > 0 ? (size_t)list->n : 0);
    for (int i = 0; i < list->n && items; i++) items[i] = list->items[i];
    return items ? sl_value_of_bools(arena, items, list->n) : NULL;
}

static sl_attr_value *value_of_shapes(struct sl_arena *arena, const struct sl_shapes *list) {
    const size_t n = list->n > 0 ? (size_t)list->n : 0;
    const int64_t **dims = SL_ARENA_ARRAY(arena, const int64_t *, n);
    int *ranks = SL_ARENA_ARRAY(arena, int, n);
    for (size_t i = 0; i < n && dims && ranks; i++) {
        dims[i] = list->items[i].dims;
        ranks[i] = list->items[i].dims ? list->items[i].n : -1;
    }
    return dims && ranks ? sl_value_of_shapes(arena, dims, ranks, list->n) : NULL;
}

static sl_attr_value *value_of_functions(struct sl_arena *arena, const struct sl_strings *list) {
    const size_t n = list->n > 0 ? (size_t)list->n : 0;
    sl_attr_value *value = SL_ARENA_NEW(arena, sl_attr_value);
    struct sl_pb_AttrValue_ListValue *all = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    struct sl_pb_NameAttrList *items = SL_ARENA_ARRAY(arena, struct sl_pb_NameAttrList, n);
    if (!value || !all || !items) return NULL;
    for (size_t i = 0; i < n; i++) {
        items[i].name = sl_arena_str(arena, sl_str_of(list->items[i] ? list->items[i] : ""));
        if (!items[i].name.p) return NULL;
    }
    all->func.items = items;
    all->func.n = n;
    value->which = SL_PB_AttrValue_list;
    value->list = all;
    return value;
}

/* An attr that is a list; an empty one is set when the op needs it. */
static sl_attr_value *value_of_many(bool *is_set, struct sl_scope *s, struct sl_arena *arena,
                                    const struct sl_attr_given *attr) {
    const struct sl_ints *ints = attr->value; /* all lists have their lengths there */
    const bool is_needed = attr->kind >= SL_GIVEN_STRINGS && (attr->kind - SL_GIVEN_STRINGS) % 2 == 1;
    *is_set = ints->n > 0 || is_needed;
    if (!*is_set) return NULL;
    switch ((int)attr->kind - (is_needed ? 1 : 0)) {
    case SL_GIVEN_STRINGS: return value_of_strings(arena, attr->value);
    case SL_GIVEN_INTS: return sl_value_of_ints(arena, ints->items, ints->n);
    case SL_GIVEN_FLOATS: return sl_value_of_floats(arena, ((const struct sl_floats *)attr->value)->items, ints->n);
    case SL_GIVEN_BOOLS: return value_of_bools(arena, attr->value);
    case SL_GIVEN_TYPES: return sl_value_of_types(arena, ((const struct sl_types *)attr->value)->items, ints->n);
    case SL_GIVEN_SHAPES: return value_of_shapes(arena, attr->value);
    case SL_GIVEN_FUNCTIONS: return value_of_functions(arena, attr->value);
    default:
        *is_set = false;
        sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_op: an attribute of no known kind");
        return NULL;
    }
}

sl_attr_value *sl_given_value(struct sl_scope *scope, struct sl_arena *arena, const struct sl_attr_given *attr) {
    bool is_set;
    if (attr->kind == SL_GIVEN_TENSOR || attr->kind == SL_GIVEN_TENSORS) return NULL;
    sl_attr_value *value = attr->kind < SL_GIVEN_STRINGS ? value_of_one(&is_set, scope, arena, attr)
                                                         : value_of_many(&is_set, scope, arena, attr);
    if (is_set && !value) sl_scope_fail_memory(scope);
    return value;
}

TF_Tensor *const *sl_given_tensors(int *n, bool *is_list, const struct sl_attr_given *attr) {
    static TF_Tensor *const none[] = {NULL};
    const struct sl_tensors *list = attr->value;
    *n = 1;
    *is_list = attr->kind == SL_GIVEN_TENSORS || attr->kind == SL_GIVEN_TENSORS_NEEDED;
    if (attr->kind == SL_GIVEN_TENSOR) return *(TF_Tensor *const *)attr->value ? attr->value : NULL;
    if (!*is_list || (list->n <= 0 && attr->kind == SL_GIVEN_TENSORS)) return NULL;
    *n = list->n > 0 ? list->n : 0;
    return *n ? list->items : none;
}
