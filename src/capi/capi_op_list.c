/* What is registered, as messages: ops, kernels. */
#include <stdlib.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "kernel/table.h"
#include "root/root.h"
#include "tensorflow/c/c_api_experimental.h"

/* ---- ops */
static int by_name(const void *a, const void *b) {
    const struct sl_pb_OpDef *x = a, *y = b;
    return sl_str_cmp(x->name, y->name);
}

/* Names that begin with '_' are the system's and are left out. */
static sl_code list_ops(struct sl_pb_OpList *out, const struct sl_registries *registries, struct sl_arena *arena,
                        struct sl_error *err) {
    size_t n = sl_op_count(registries->ops);
    out->op.items = SL_ARENA_ARRAY(arena, struct sl_pb_OpDef, n);
    if (!out->op.items) return sl_fail_memory(err, n * sizeof *out->op.items);
    for (size_t i = 0; i < n; i++) {
        const struct sl_op *op;
        SL_TRY(sl_op_at(&op, registries->ops, i, err));
        if (op->name.n && op->name.p[0] != '_') out->op.items[out->op.n++] = *op->def;
    }
    qsort(out->op.items, out->op.n, sizeof *out->op.items, by_name);
    return SL_OK;
}

TF_Buffer *TF_GetAllOpList(void) {
    const struct sl_registries *registries;
    struct sl_arena arena;
    struct sl_pb_OpList list = {0};
    TF_Buffer *buffer = NULL;
    if (sl_root_registries(&registries, NULL) != SL_OK) return NULL;
    sl_arena_init(&arena);
    if (list_ops(&list, registries, &arena, NULL) == SL_OK)
        sl_buffer_new_encoded(&buffer, SL_PB_TYPE(OpList), &list, NULL);
    sl_arena_clear(&arena);
    return buffer;
}

/* ---- kernels */
static sl_code add_constraint(struct sl_pb_KernelDef *def, const struct sl_type_rule *rule, struct sl_arena *arena) {
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(arena, struct sl_pb_AttrValue);
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    int32_t *types = SL_ARENA_ARRAY(arena, int32_t, SL_DTYPE_COUNT);
    if (!value || !list || !types) return SL_RESOURCE_EXHAUSTED;
    for (int type = 1; type < SL_DTYPE_COUNT; type++)
        if (sl_set_has(rule->allowed, type)) types[list->type.n++] = type;
    list->type.items = types;
    value->which = SL_PB_AttrValue_list;
    value->list = list;
    def->constraint.items[def->constraint.n].name = sl_str_of(rule->attr);
    def->constraint.items[def->constraint.n++].allowed_values = value;
    return SL_OK;
}

static sl_code describe(struct sl_pb_KernelDef *out, const struct sl_kernel_def *row, struct sl_arena *arena) {
    *out = (struct sl_pb_KernelDef){.op = sl_str_of(row->op),
                                    .device_type = sl_str_of(row->device ? row->device : SL_HOST_DEVICE),
                                    .label = sl_str_of(row->label ? row->label : ""),
                                    .priority = row->priority};
    out->constraint.items = SL_ARENA_ARRAY(arena, struct sl_pb_KernelDef_AttrConstraint, SL_KERNEL_RULES);
    if (!out->constraint.items) return SL_RESOURCE_EXHAUSTED;
    for (int i = 0; i < SL_KERNEL_RULES && row->types[i].attr; i++) SL_TRY(add_constraint(out, &row->types[i], arena));
    return SL_OK;
}

struct kernel_list {
    const struct sl_registries *registries;
    struct sl_arena arena;
    SL_VEC(struct sl_pb_KernelDef) kernels;
};

static sl_code list_kernels_of(struct kernel_list *list, struct sl_str op, struct sl_error *err) {
    size_t at = 0;
    const struct sl_kernel_def *row;
    SL_TRY(sl_kernel_table_index(list->registries->kernels, op, err));
    while ((row = sl_kernel_table_next(list->registries->kernels, op, &at))) {
        struct sl_pb_KernelDef def;
        if (describe(&def, row, &list->arena) != SL_OK || sl_vec_push(&list->kernels, def))
            return sl_fail_memory(err, sizeof def);
    }
    return SL_OK;
}

static sl_code list_kernels(struct kernel_list *list, const char *name, struct sl_error *err) {
    SL_TRY(sl_root_registries(&list->registries, err));
    if (name) return list_kernels_of(list, sl_str_of(name), err);
    for (size_t i = 0; i < sl_op_count(list->registries->ops); i++) {
        const struct sl_op *op;
        SL_TRY(sl_op_at(&op, list->registries->ops, i, err));
        SL_TRY(list_kernels_of(list, op->name, err));
    }
    return SL_OK;
}

/* `name` NULL: of all ops. */
static TF_Buffer *kernel_list(const char *name, TF_Status *status) {
    struct sl_error err;
    struct kernel_list list = {0};
    TF_Buffer *buffer = NULL;
    sl_arena_init(&list.arena);
    sl_code code = list_kernels(&list, name, &err);
    if (code == SL_OK) {
        struct sl_pb_KernelList message = {.kernel = {list.kernels.items, list.kernels.n}};
        code = sl_buffer_new_encoded(&buffer, SL_PB_TYPE(KernelList), &message, &err);
    }
    sl_vec_free(&list.kernels);
    sl_arena_clear(&list.arena);
    sl_status_take(status, code, &err);
    return buffer;
}

TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status) { return kernel_list(NULL, status); }

TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name, TF_Status *status) {
    return kernel_list(name ? name : "", status);
}

/* ---- facts about one op */
static sl_code find_op(const struct sl_op **op, const char *name, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    return sl_op_find(op, registries->ops, sl_str_of(name), err);
}

static sl_code number_attr(const char **out, const char *op_name, int input, struct sl_error *err) {
    const struct sl_op *op;
    SL_TRY(find_op(&op, op_name, err));
    if (input < 0 || input >= op->n_inputs)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%d out of range for %s", input, op_name);
    int attr = op->inputs[input].number_attr;
    if (attr < 0) return sl_fail(err, SL_NOT_FOUND, "%s does not have number_attr() defined.", op_name);
    *out = sl_root_keep(op->attrs[attr].name);
    return *out ? SL_OK : sl_fail_memory(err, op->attrs[attr].name.n);
}

const char *TF_GetNumberAttrForOpListInput(const char *op_name, int input_index, TF_Status *status) {
    struct sl_error err;
    const char *name = NULL;
    sl_status_take(status, number_attr(&name, op_name, input_index, &err), &err);
    return name;
}

int TF_OpIsStateful(const char *op_type, TF_Status *status) {
    struct sl_error err;
    const struct sl_op *op;
    return sl_status_take(status, find_op(&op, op_type, &err), &err) ? sl_op_is_stateful(op) : 0;
}
