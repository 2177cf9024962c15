/* Expanding arguments to tensors and back. */
#include "ops/op_signature.h"

#include <inttypes.h>

#include "ops/op_summary.h"

/* ---- attrs to types */
static int type_of(const struct sl_op_arg *arg, const struct sl_attrs *bound) {
    if (arg->type_attr < 0) return arg->type;
    const struct sl_pb_AttrValue *value = bound->items[arg->type_attr].value;
    return value->which == SL_PB_AttrValue_type ? value->type : 0;
}

static const struct sl_pb_array_i32 *types_of(const struct sl_op_arg *arg, const struct sl_attrs *bound) {
    static const struct sl_pb_array_i32 none = {NULL, 0};
    const struct sl_pb_AttrValue *value = bound->items[arg->type_list_attr].value;
    return value->which == SL_PB_AttrValue_list && value->list ? &value->list->type : &none;
}

/* How many tensors an argument stands for; more than SL_SIGNATURE_MAX counts as one more than that. */
static int length_of(const struct sl_op_arg *arg, const struct sl_attrs *bound) {
    uint64_t n = 1;
    if (arg->number_attr >= 0) {
        const struct sl_pb_AttrValue *value = bound->items[arg->number_attr].value;
        n = value->which == SL_PB_AttrValue_i && value->i > 0 ? (uint64_t)value->i : 0;
    } else if (arg->type_list_attr >= 0) {
        n = types_of(arg, bound)->n;
    }
    return n > SL_SIGNATURE_MAX ? SL_SIGNATURE_MAX + 1 : (int)n;
}

static sl_code expand(const uint8_t **out, int *out_n, struct sl_arena *arena, const struct sl_op *op,
                      const struct sl_op_arg *args, int n_args, const struct sl_attrs *bound, struct sl_error *err) {
    int n = n_args;
    if (op->has_lists) {
        n = 0;
        for (int i = 0; i < n_args; i++) {
            n += length_of(&args[i], bound);
            if (n > SL_SIGNATURE_MAX)
                return sl_fail(err, SL_INVALID_ARGUMENT, "Argument '%.*s' of op %.*s stands for more than %d tensors",
                               SL_STR_ARG(args[i].name), SL_STR_ARG(op->name), SL_SIGNATURE_MAX);
        }
    }
    uint8_t *types = sl_arena_alloc(arena, (size_t)n), *next = types;
    if (!types) return sl_fail_memory(err, (size_t)n);
    for (int i = 0; i < n_args; i++) {
        const struct sl_op_arg *arg = &args[i];
        int ref = arg->is_ref ? SL_REF_OFFSET : 0;
        if (arg->type_list_attr >= 0) {
            const struct sl_pb_array_i32 *list = types_of(arg, bound);
            for (size_t k = 0; k < list->n; k++) *next++ = (uint8_t)(list->items[k] + ref);
            continue;
        }
        int type = type_of(arg, bound);
        for (int k = arg->number_attr < 0 ? 1 : length_of(arg, bound); k > 0; k--)
            *next++ = (uint8_t)(type ? type + ref : 0);
    }
    *out = types;
    *out_n = n;
    return SL_OK;
}

sl_code sl_op_signature(struct sl_signature *out, struct sl_arena *arena, const struct sl_op *op,
                        const struct sl_attrs *bound, struct sl_error *err) {
    SL_TRY(expand(&out->inputs, &out->n_inputs, arena, op, op->inputs, op->n_inputs, bound, err));
    return expand(&out->outputs, &out->n_outputs, arena, op, op->outputs, op->n_outputs, bound, err);
}

static void range(int *first, int *n, const struct sl_op_arg *args, int arg, const struct sl_attrs *bound) {
    *first = 0;
    for (int i = 0; i < arg; i++) *first += length_of(&args[i], bound);
    *n = length_of(&args[arg], bound);
}

void sl_op_input_range(int *first, int *n, const struct sl_op *op, int arg, const struct sl_attrs *bound) {
    range(first, n, op->inputs, arg, bound);
}

int sl_op_input_arg(const struct sl_op *op, int i, const struct sl_attrs *bound) {
    int arg = 0;
    if (!op->has_lists) return i;
    for (int end = 0; arg < op->n_inputs - 1; arg++) {
        end += length_of(&op->inputs[arg], bound);
        if (i < end) break;
    }
    return arg;
}

void sl_op_output_range(int *first, int *n, const struct sl_op *op, int arg, const struct sl_attrs *bound) {
    range(first, n, op->outputs, arg, bound);
}

sl_code sl_signature_check(const struct sl_signature *signature, const struct sl_op *op, int n_inputs,
                           struct sl_str node, struct sl_error *err) {
    if (n_inputs == signature->n_inputs) return SL_OK;
    sl_fail(err, SL_INVALID_ARGUMENT, "NodeDef expected inputs '");
    for (int i = 0; i < signature->n_inputs && i < 64; i++)
        sl_error_append(err, "%s%s", i ? ", " : "", sl_dtype_name(signature->inputs[i]));
    if (signature->n_inputs > 64) sl_error_append(err, ", ... (%d)", signature->n_inputs);
    char text[SL_SUMMARY_MAX];
    sl_error_append(err, "' do not match %d inputs specified; %s; NodeDef: {{node %.*s}}", n_inputs,
                    sl_op_summary(text, op), SL_STR_ARG(node));
    return SL_INVALID_ARGUMENT;
}

/* ---- types to attrs */
/* What a building session knows so far. */
struct inference {
    const struct sl_op *op;
    struct sl_arena *arena;
    struct sl_attr *items;
    int n;
    int mistakes;
    struct sl_error *err;  /* of a failed allocation */
    struct sl_error texts; /* the mistakes, a line each */
};

static void SL_PRINTF(2, 3) mistake(struct inference *inference, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct sl_error one;
    sl_fail_v(&one, SL_INVALID_ARGUMENT, format, args);
    va_end(args);
    if (inference->mistakes++) sl_error_append(&inference->texts, "\n%s", one.message);
    else inference->texts = one;
}

/* The attr is now known to have this value, which is borrowed; it may have another already. */
static void settle(struct inference *inference, struct sl_str name, const struct sl_pb_AttrValue *value) {
    for (int i = 0; i < inference->n; i++) {
        if (!sl_str_eq(inference->items[i].name, name)) continue;
        if (sl_attr_equal(inference->items[i].value, value)) return;
        char before[SL_SUMMARY_MAX], after[SL_SUMMARY_MAX];
        mistake(inference, "Inconsistent values for attr '%.*s' %s vs. %s", SL_STR_ARG(name),
                sl_attr_summary(before, inference->items[i].value), sl_attr_summary(after, value));
        return;
    }
    inference->items[inference->n++] = (struct sl_attr){name, value};
}

static struct sl_str name_of(const struct inference *inference, int attr) { return inference->op->attrs[attr].name; }

static sl_code settle_new(struct inference *inference, struct sl_attr made) {
    if (!made.value) return sl_fail_memory(inference->err, sizeof *made.value);
    settle(inference, made.name, made.value);
    return SL_OK;
}

static sl_code settle_type(struct inference *inference, int attr, int type) {
    return settle_new(inference, sl_attr_new_type(inference->arena, name_of(inference, attr), type));
}

static sl_code settle_types(struct inference *inference, int attr, const struct sl_given_input *input) {
    int32_t *types = SL_ARENA_ARRAY(inference->arena, int32_t, (size_t)input->n);
    if (!types) return sl_fail_memory(inference->err, (size_t)input->n * sizeof *types);
    for (int i = 0; i < input->n; i++) types[i] = sl_dtype_base(input->types[i]);
    const struct sl_pb_AttrValue_ListValue list = {.type = {types, (size_t)input->n}};
    return settle_new(inference, sl_attr_new_list(inference->arena, name_of(inference, attr), &list));
}

static void need_type(struct inference *inference, const struct sl_op_arg *arg, int wanted, int given) {
    if (arg->is_ref && !sl_dtype_is_ref(given))
        mistake(inference, "Input '%.*s' passed %s expected ref type", SL_STR_ARG(arg->name), sl_dtype_name(given));
    else if (wanted && wanted != sl_dtype_base(given))
        mistake(inference, "Input '%.*s' passed %s expected %s", SL_STR_ARG(arg->name), sl_dtype_name(given),
                sl_dtype_name(wanted));
}

static sl_code infer_list(struct inference *inference, const struct sl_op_arg *arg,
                          const struct sl_given_input *input) {
    if (!input->is_list) {
        mistake(inference, "Single tensor passed to '%.*s', expected list", SL_STR_ARG(arg->name));
        return SL_OK;
    }
    if (arg->type_list_attr >= 0) {
        for (int i = 0; i < input->n; i++) need_type(inference, arg, 0, input->types[i]);
        return settle_types(inference, arg->type_list_attr, input);
    }
    struct sl_str number = name_of(inference, arg->number_attr);
    SL_TRY(settle_new(inference, sl_attr_new(inference->arena, number, SL_ATTR_VALUE(i, input->n))));
    if (!input->n) return SL_OK;
    int wanted = arg->type;
    if (arg->type_attr >= 0) {
        wanted = sl_dtype_base(input->types[0]);
        SL_TRY(settle_type(inference, arg->type_attr, wanted));
    }
    for (int i = 0; i < input->n; i++) need_type(inference, arg, wanted, input->types[i]);
    return SL_OK;
}

static sl_code infer_input(struct inference *inference, const struct sl_op_arg *arg,
                           const struct sl_given_input *input) {
    if (sl_op_arg_is_list(arg)) return infer_list(inference, arg, input);
    if (input->is_list) {
        mistake(inference, "List provided to input '%.*s' when single Tensor expected", SL_STR_ARG(arg->name));
        return SL_OK;
    }
    need_type(inference, arg, arg->type, input->types[0]);
    return arg->type_attr >= 0 ? settle_type(inference, arg->type_attr, input->types[0]) : SL_OK;
}

sl_code sl_attrs_infer(struct sl_attrs *out, struct sl_arena *arena, const struct sl_op *op,
                       const struct sl_given_input *inputs, int n_inputs, const struct sl_attrs *given,
                       struct sl_str node, struct sl_error *err) {
    struct inference inference = {.op = op, .arena = arena, .err = err};
    inference.items = SL_ARENA_ARRAY(arena, struct sl_attr, (size_t)op->n_attrs + (size_t)given->n);
    if (!inference.items) return sl_fail_memory(err, sizeof *inference.items);
    for (int i = 0; i < n_inputs; i++) {
        if (i < op->n_inputs) SL_TRY(infer_input(&inference, &op->inputs[i], &inputs[i]));
        else mistake(&inference, "More Input() calls than the %d input_args", op->n_inputs);
    }
    for (int i = 0; i < given->n; i++) settle(&inference, given->items[i].name, given->items[i].value);
    if (n_inputs < op->n_inputs) mistake(&inference, "%d inputs specified of %d inputs in Op", n_inputs, op->n_inputs);
    *out = (struct sl_attrs){inference.items, inference.n};
    if (!inference.mistakes) return SL_OK;
    char text[SL_SUMMARY_MAX];
    sl_op_summary(text, op);
    if (inference.mistakes == 1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s while building NodeDef '%.*s' using %s", inference.texts.message,
                       SL_STR_ARG(node), text);
    return sl_fail(err, SL_INVALID_ARGUMENT, "%d errors while building NodeDef '%.*s' using %s:\n%s",
                   inference.mistakes, SL_STR_ARG(node), text, inference.texts.message);
}

sl_code sl_op_check_version(const struct sl_op *op, int producer, struct sl_error *err) {
    if (!op->deprecated || producer < op->deprecated) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED,
                   "Op %.*s is not available in GraphDef version %d. It has been removed in version %d. %.*s.",
                   SL_STR_ARG(op->name), producer, op->deprecated, SL_STR_ARG(op->def->deprecation->explanation));
}
