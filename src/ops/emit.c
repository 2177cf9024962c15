/* How the inputs of an emission spread over the arguments of its op (single arguments take one each, lists share the
 * rest), and the attrs that follow from that. */
#include "ops/emit.h"

#include "base/alloc.h"

/* The length that the attrs tell of a list argument; -1 when they do not. */
static int told_length(const struct sl_op *op, const struct sl_op_arg *arg, const struct sl_attrs *attrs) {
    int at = arg->number_attr >= 0 ? arg->number_attr : arg->type_list_attr;
    const struct sl_pb_AttrValue *value = sl_attr_find(attrs, op->attrs[at].name);
    if (!value) return -1;
    if (arg->number_attr >= 0)
        return value->which == SL_PB_AttrValue_i && value->i <= SL_SIGNATURE_MAX ? (int)value->i : -1;
    return value->which == SL_PB_AttrValue_list && value->list->type.n <= SL_SIGNATURE_MAX ? (int)value->list->type.n
                                                                                           : -1;
}

sl_code sl_emit_spread(struct sl_given_input *given, const struct sl_op *op, const struct sl_attrs *attrs,
                       const uint8_t *types, int n, struct sl_error *err) {
    int open = 0, left = n, at = 0;
    for (int i = 0; i < op->n_inputs; i++) {
        bool is_list = sl_op_arg_is_list(&op->inputs[i]);
        int length = is_list ? told_length(op, &op->inputs[i], attrs) : 1;
        given[i] = (struct sl_given_input){.is_list = is_list, .n = length};
        if (length < 0) open++;
        else left -= length;
    }
    if (left < 0 || (open ? left % open != 0 : left != 0))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%d inputs do not fit the arguments of op %.*s", n,
                       SL_STR_ARG(op->name));
    for (int i = 0; i < op->n_inputs; i++) {
        if (given[i].n < 0) given[i].n = left / open;
        given[i].types = types + at;
        at += given[i].n;
    }
    return SL_OK;
}

sl_code sl_emit_attrs(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                      const struct sl_emission *what, struct sl_emitter *emitter, struct sl_str node,
                      struct sl_error *err) {
    const struct sl_attrs attrs = {what->attrs, what->n_attrs};
    struct sl_given_input *given = SL_ARENA_ARRAY(arena, struct sl_given_input, (size_t)op->n_inputs + 1);
    uint8_t *types = SL_ARENA_ARRAY(arena, uint8_t, (size_t)what->n_inputs + 1);
    if (!given || !types) return sl_fail_memory(err, (size_t)what->n_inputs);
    for (int i = 0; i < what->n_inputs; i++) types[i] = (uint8_t)emitter->dtype(emitter, what->inputs[i]);
    SL_TRY(sl_emit_spread(given, op, &attrs, types, what->n_inputs, err));
    /* A reference is asked for as one. */
    return sl_attrs_infer(out, arena, op, given, op->n_inputs, &attrs, node, err);
}
