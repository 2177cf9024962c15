/* Reading definitions: every name an argument refers to becomes a position, every kind a number, and what makes no
 * sense is refused here, so that nobody has to look at an OpDef again. */
#include "ops/op_effects.h"

#include "base/str_map.h"
#include "ops/attr.h"

static const char *const kind_names[SL_ATTR_KINDS][2] = {
    [SL_ATTR_STRING] = {"string", "list(string)"}, [SL_ATTR_INT] = {"int", "list(int)"},
    [SL_ATTR_FLOAT] = {"float", "list(float)"},    [SL_ATTR_BOOL] = {"bool", "list(bool)"},
    [SL_ATTR_TYPE] = {"type", "list(type)"},       [SL_ATTR_SHAPE] = {"shape", "list(shape)"},
    [SL_ATTR_TENSOR] = {"tensor", "list(tensor)"}, [SL_ATTR_FUNC] = {"func", "list(func)"},
};

const char *sl_attr_kind_name(enum sl_attr_kind kind, bool is_list) { return kind_names[kind][is_list]; }

int sl_op_attr_index(const struct sl_op *op, struct sl_str name) {
    for (int i = 0; i < op->n_attrs; i++)
        if (sl_str_eq(op->attrs[i].name, name)) return i;
    return -1;
}

#define BAD(def, format, ...)                                                                                          \
    sl_fail(err, SL_INVALID_ARGUMENT, format "; in OpDef: %.*s", __VA_ARGS__, SL_STR_ARG((def)->name))

/* ---- attrs */
static bool parse_kind(struct sl_op_attr *attr, struct sl_str text) {
    for (int k = 0; k < SL_ATTR_KINDS; k++)
        for (int list = 0; list < 2; list++)
            if (sl_str_is(text, kind_names[k][list])) {
                attr->kind = (uint8_t)k;
                attr->is_list = list;
                return true;
            }
    return false;
}

static sl_code read_allowed(struct sl_op_attr *attr, const struct sl_pb_OpDef_AttrDef *from,
                            const struct sl_pb_OpDef *def, struct sl_error *err) {
    const struct sl_pb_AttrValue *allowed = from->allowed_values;
    bool is_list = allowed->which == SL_PB_AttrValue_list && allowed->list;
    if (attr->kind == SL_ATTR_TYPE && is_list && allowed->list->type.n) {
        for (size_t i = 0; i < allowed->list->type.n; i++) {
            int32_t type = allowed->list->type.items[i];
            if (!sl_dtype_is_valid(type))
                return BAD(def, "Attr '%.*s' allows %d, which is no type", SL_STR_ARG(from->name), type);
            attr->types |= UINT64_C(1) << type;
        }
    } else if (attr->kind != SL_ATTR_STRING || !is_list || !allowed->list->s.n) {
        return BAD(def, "Attr '%.*s' of type %.*s has allowed values that do not fit", SL_STR_ARG(from->name),
                   SL_STR_ARG(from->type));
    }
    attr->allowed = allowed;
    return SL_OK;
}

static sl_code read_attr(struct sl_op_attr *attr, const struct sl_pb_OpDef_AttrDef *from, const struct sl_pb_OpDef *def,
                         struct sl_error *err) {
    attr->name = from->name;
    if (!parse_kind(attr, from->type))
        return BAD(def, "Unrecognized type '%.*s' in attr '%.*s'", SL_STR_ARG(from->type), SL_STR_ARG(from->name));
    attr->has_minimum = from->has_minimum;
    attr->minimum = from->minimum;
    if (from->has_minimum && !attr->is_list && attr->kind != SL_ATTR_INT)
        return BAD(def, "Attr '%.*s' has minimum for unsupported type %.*s", SL_STR_ARG(from->name),
                   SL_STR_ARG(from->type));
    if (from->has_minimum && attr->is_list && from->minimum < 0)
        return BAD(def, "Attr '%.*s' with list type must have a non-negative minimum, not %lld", SL_STR_ARG(from->name),
                   (long long)from->minimum);
    if (!from->has_minimum && from->minimum)
        return BAD(def, "Attr '%.*s' with has_minimum = false but minimum %lld not equal to default of 0",
                   SL_STR_ARG(from->name), (long long)from->minimum);
    if (from->allowed_values) SL_TRY(read_allowed(attr, from, def, err));
    if (from->default_value) {
        sl_code code = sl_attr_check(attr, from->default_value, err);
        if (code) {
            sl_error_append(err, "\n\t in Op '%.*s'", SL_STR_ARG(def->name));
            return code;
        }
        attr->default_value = from->default_value;
    }
    return SL_OK;
}

/* ---- arguments */
/* The attr that an argument names must be of the given kind. */
static sl_code find_attr(int16_t *out, const struct sl_op *op, struct sl_str name, enum sl_attr_kind kind, bool is_list,
                         const char *role, const char *side, const struct sl_pb_OpDef_ArgDef *from,
                         struct sl_error *err) {
    int i = sl_op_attr_index(op, name);
    if (i < 0)
        return BAD(op->def, "No attr with name '%.*s' for %s '%.*s'", SL_STR_ARG(name), side, SL_STR_ARG(from->name));
    if (op->attrs[i].kind != kind || op->attrs[i].is_list != is_list)
        return BAD(op->def, "Attr '%.*s' used as %s for %s '%.*s' has type %s, not %s", SL_STR_ARG(name), role, side,
                   SL_STR_ARG(from->name), sl_attr_kind_name(op->attrs[i].kind, op->attrs[i].is_list),
                   sl_attr_kind_name(kind, is_list));
    *out = (int16_t)i;
    return SL_OK;
}

static sl_code read_arg(struct sl_op_arg *arg, struct sl_op *op, const struct sl_pb_OpDef_ArgDef *from,
                        const char *side, struct sl_error *err) {
    *arg = (struct sl_op_arg){
        .name = from->name, .is_ref = from->is_ref, .type_attr = -1, .number_attr = -1, .type_list_attr = -1};
    if (from->number_attr.n && from->type_list_attr.n)
        return BAD(op->def, "Can't have both number_attr and type_list_attr for %s '%.*s'", side,
                   SL_STR_ARG(from->name));
    if ((from->type != 0) + (from->type_attr.n != 0) + (from->type_list_attr.n != 0) != 1)
        return BAD(op->def, "Exactly one of type, type_attr, type_list_attr must be set for %s '%.*s'", side,
                   SL_STR_ARG(from->name));
    if (sl_dtype_is_ref(from->type))
        return BAD(op->def, "Illegal use of ref type '%s'. Use 'Ref(type)' instead for %s '%.*s'",
                   sl_dtype_name(from->type), side, SL_STR_ARG(from->name));
    if (from->type && !sl_dtype_is_valid(from->type))
        return BAD(op->def, "Invalid type %d for %s '%.*s'", from->type, side, SL_STR_ARG(from->name));
    arg->type = (uint8_t)from->type;
    if (from->number_attr.n) {
        SL_TRY(find_attr(&arg->number_attr, op, from->number_attr, SL_ATTR_INT, false, "length", side, from, err));
        const struct sl_op_attr *number = &op->attrs[arg->number_attr];
        if (!number->has_minimum || number->minimum < 0)
            return BAD(op->def, "Attr '%.*s' used as length for %s '%.*s' must have minimum >= 0",
                       SL_STR_ARG(number->name), side, SL_STR_ARG(from->name));
    }
    if (from->type_attr.n)
        SL_TRY(find_attr(&arg->type_attr, op, from->type_attr, SL_ATTR_TYPE, false, "type", side, from, err));
    if (from->type_list_attr.n)
        SL_TRY(find_attr(&arg->type_list_attr, op, from->type_list_attr, SL_ATTR_TYPE, true, "types", side, from, err));
    op->has_lists |= sl_op_arg_is_list(arg);
    return SL_OK;
}

/* ---- effects */
bool sl_op_takes_functions(const struct sl_op *op) {
    for (int i = 0; i < op->n_attrs; i++)
        if (op->attrs[i].kind == SL_ATTR_FUNC) return true;
    return false;
}

static bool may_be_handle(const struct sl_op *op, const struct sl_op_arg *arg) {
    const int attr = arg->type_attr >= 0 ? arg->type_attr : arg->type_list_attr;
    const sl_dtype_set types = attr < 0 ? UINT64_C(1) << arg->type : op->attrs[attr].types;
    return !types || sl_set_has(types, SL_RESOURCE) || sl_set_has(types, SL_VARIANT);
}

/* Of an op that no row tells of. One that is not stateful only passes on what may be a handle. */
static void assume_effects(struct sl_op *op) {
    for (int i = 0; i < op->n_inputs; i++) {
        const struct sl_op_arg *arg = &op->inputs[i];
        if (arg->is_ref || arg->type == SL_RESOURCE || (sl_op_is_stateful(op) && may_be_handle(op, arg)))
            op->writes |= (uint16_t)(1U << (i < SL_OP_MASK_BITS ? i : SL_OP_MASK_BITS - 1));
    }
    if (sl_op_is_stateful(op))
        op->facts |=
            SL_OP_NAMES | SL_OP_HIDDEN | SL_OP_DRAWS | SL_OP_READS_OUTSIDE | SL_OP_WRITES_OUTSIDE | SL_OP_WAITS;
    if (sl_op_takes_functions(op)) op->facts |= SL_OP_CALLS;
}

sl_code sl_op_from_def(struct sl_op *out, struct sl_arena *arena, const struct sl_pb_OpDef *def, struct sl_error *err) {
    if (def->attr.n > INT16_MAX || def->input_arg.n > INT16_MAX || def->output_arg.n > INT16_MAX)
        return BAD(def, "More than %d arguments or attrs", INT16_MAX);
    struct sl_op_attr *attrs = SL_ARENA_ARRAY(arena, struct sl_op_attr, def->attr.n);
    struct sl_op_arg *inputs = SL_ARENA_ARRAY(arena, struct sl_op_arg, def->input_arg.n);
    struct sl_op_arg *outputs = SL_ARENA_ARRAY(arena, struct sl_op_arg, def->output_arg.n);
    struct sl_str name = sl_arena_str(arena, def->name);
    if (!attrs || !inputs || !outputs || !name.p) return sl_fail_memory(err, def->attr.n * sizeof *attrs);
    struct sl_op op = {.name = name,
                       .inputs = inputs,
                       .outputs = outputs,
                       .attrs = attrs,
                       .n_inputs = (uint16_t)def->input_arg.n,
                       .n_outputs = (uint16_t)def->output_arg.n,
                       .n_attrs = (uint16_t)def->attr.n,
                       .deprecated = def->deprecation ? def->deprecation->version : 0,
                       .index = SL_OP_NO_ROW,
                       .def = def};
    op.facts = (def->is_stateful ? SL_OP_STATEFUL : 0) | (def->is_commutative ? SL_OP_COMMUTATIVE : 0) |
               (def->is_aggregate ? SL_OP_AGGREGATE : 0) |
               (def->allows_uninitialized_input ? SL_OP_ALLOWS_UNINITIALIZED : 0) |
               (def->is_distributed_communication ? SL_OP_DISTRIBUTED : 0);
    for (size_t i = 0; i < def->attr.n; i++) SL_TRY(read_attr(&attrs[i], &def->attr.items[i], def, err));
    for (size_t i = 0; i < def->input_arg.n; i++)
        SL_TRY(read_arg(&inputs[i], &op, &def->input_arg.items[i], "input", err));
    for (size_t i = 0; i < def->output_arg.n; i++)
        SL_TRY(read_arg(&outputs[i], &op, &def->output_arg.items[i], "output", err));
    assume_effects(&op);
    *out = op;
    return SL_OK;
}

/* ---- rules for names */
/* CamelCase parts joined by '>', or anything of the same characters behind an underscore. */
static bool name_is_valid(struct sl_str name) {
    bool starts = true, is_internal = name.n && *name.p == '_';
    for (size_t i = is_internal; i < name.n; i++) {
        char c = name.p[i];
        bool is_upper = c >= 'A' && c <= 'Z', is_other = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (!is_upper && (starts || c != '>') && (!is_other || (starts && !is_internal))) return false;
        starts = c == '>';
    }
    return is_internal || (name.n && !starts);
}

static sl_code check_unused(struct sl_str_map *names, struct sl_str name, const struct sl_pb_OpDef *def,
                            struct sl_error *err) {
    if (sl_str_map_get(names, name)) return BAD(def, "Duplicate name: %.*s", SL_STR_ARG(name));
    return sl_str_map_put(names, name, names) ? sl_fail_memory(err, sizeof(struct sl_str_map_entry)) : SL_OK;
}

static sl_code check_names(struct sl_str_map *names, const struct sl_pb_OpDef *def, struct sl_error *err) {
    for (size_t i = 0; i < def->attr.n; i++) {
        struct sl_str name = def->attr.items[i].name;
        SL_TRY(check_unused(names, name, def, err));
        if (sl_dtype_from_name(name) && !sl_str_starts(name, SL_STR("DT_")))
            return BAD(def, "Attr can't have name %.*s that matches a data type", SL_STR_ARG(name));
    }
    for (size_t i = 0; i < def->input_arg.n; i++) SL_TRY(check_unused(names, def->input_arg.items[i].name, def, err));
    for (size_t i = 0; i < def->output_arg.n; i++) SL_TRY(check_unused(names, def->output_arg.items[i].name, def, err));
    return SL_OK;
}

sl_code sl_op_def_check(const struct sl_pb_OpDef *def, struct sl_error *err) {
    if (!name_is_valid(def->name))
        return BAD(def, "Invalid name: %.*s (Did you use CamelCase?)", SL_STR_ARG(def->name));
    struct sl_str_map names = {0};
    sl_code code = check_names(&names, def, err);
    sl_str_map_free(&names);
    SL_TRY(code);
    struct sl_arena arena;
    struct sl_op op;
    sl_arena_init(&arena);
    code = sl_op_from_def(&op, &arena, def, err);
    sl_arena_clear(&arena);
    return code;
}
