/* Looking for what is not finite: blocks of words are tested by their exponents, which is as fast as memory; single
 * elements are looked at only when there is something to tell. */
#include "kernel/numerics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_place.h"
#include "kernel/resources.h"
#include "ops/op_row.h"
#include "tensor/float16.h"

static const char prefix[] = "Watching numbers: ";
static const sl_dtype_set watched_types = SL_SET_FLOATS | SL_SET_COMPLEX;

/* ---- whether there is anything */

typedef uint16_t words16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t words32 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t words64 __attribute__((vector_size(16), aligned(1), may_alias));

/* Adding one to an exponent of ones alone carries into the bit of the sign. */
#define IS_PLAIN(name, word, words, exponent, lowest)                                                                  \
    static bool name(const char *at, size_t bytes) {                                                                   \
        words found = {0}, other = {0};                                                                                \
        word last = 0;                                                                                                 \
        for (; bytes >= 4 * sizeof(words); at += 4 * sizeof(words), bytes -= 4 * sizeof(words)) {                      \
            const words *w = (const words *)(const void *)at;                                                          \
            found |= (w[0] & (word)(exponent)) + (word)(lowest);                                                       \
            other |= (w[1] & (word)(exponent)) + (word)(lowest);                                                       \
            found |= (w[2] & (word)(exponent)) + (word)(lowest);                                                       \
            other |= (w[3] & (word)(exponent)) + (word)(lowest);                                                       \
        }                                                                                                              \
        found |= other;                                                                                                \
        for (size_t i = 0; i < sizeof found / sizeof(word); i++) last |= found[i];                                     \
        for (; bytes; at += sizeof(word), bytes -= sizeof(word)) {                                                     \
            word w;                                                                                                    \
            memcpy(&w, at, sizeof w);                                                                                  \
            last |= (word)((w & (exponent)) + (lowest));                                                               \
        }                                                                                                              \
        return !(last >> (8 * sizeof(word) - 1));                                                                      \
    }
IS_PLAIN(halves_are_finite, uint16_t, words16, 0x7c00, 0x0400)
IS_PLAIN(bfloats_are_finite, uint16_t, words16, 0x7f80, 0x0080)
IS_PLAIN(floats_are_finite, uint32_t, words32, 0x7f800000, 0x00800000)
IS_PLAIN(doubles_are_finite, uint64_t, words64, UINT64_C(0x7ff0000000000000), UINT64_C(0x0010000000000000))

static bool bytes_are_finite(int dtype, const char *data, size_t bytes) {
    switch (dtype) {
    case SL_HALF: return halves_are_finite(data, bytes);
    case SL_BFLOAT16: return bfloats_are_finite(data, bytes);
    case SL_FLOAT:
    case SL_COMPLEX64: return floats_are_finite(data, bytes);
    default: return doubles_are_finite(data, bytes);
    }
}

bool sl_tensor_is_finite(const struct sl_tensor *t) {
    return !sl_set_has(watched_types, t->dtype) || bytes_are_finite(t->dtype, t->data, t->bytes);
}

static bool is_watched(const struct sl_value *v) {
    return (v->kind == SL_VALUE_SCALAR || v->kind == SL_VALUE_TENSOR) && sl_set_has(watched_types, v->dtype) &&
           !sl_value_memory(v);
}

struct look {
    struct sl_view view;
    atomic_bool is_bad;
};
static void look_at_range(void *arg, int64_t begin, int64_t end) {
    struct look *l = arg;
    const size_t size = sl_dtype_size(l->view.dtype);
    if (!bytes_are_finite(l->view.dtype, (const char *)l->view.data + (size_t)begin * size,
                          (size_t)(end - begin) * size))
        atomic_store_explicit(&l->is_bad, true, memory_order_relaxed);
}
static bool is_finite(struct sl_kernel_context *k, const struct sl_value *v) {
    struct look l = {.view = sl_value_view(v)};
    if (l.view.count < 4096) look_at_range(&l, 0, l.view.count);
    else sl_kernel_split(k, l.view.count, .1 * (double)sl_dtype_size(l.view.dtype) / 4, look_at_range, &l);
    return !atomic_load_explicit(&l.is_bad, memory_order_relaxed);
}

/* ---- what is there to tell */

struct range {
    struct sl_view view;             /* of the parts, when the elements are complex */
    int64_t nans, infinities, first; /* `first`: of the two kinds; -1: none */
    double least, most;              /* of the finite ones */
};

static double element(const struct sl_view *v, int64_t i) {
    switch (v->dtype) {
    case SL_HALF: return (double)sl_float_of_half(((const sl_half *)v->data)[i]);
    case SL_BFLOAT16: return (double)sl_float_of_bfloat16(((const sl_bfloat16 *)v->data)[i]);
    case SL_FLOAT: return (double)((const float *)v->data)[i];
    case SL_DOUBLE: return ((const double *)v->data)[i];
    case SL_INT32: return (double)((const int32_t *)v->data)[i];
    default: return (double)((const int64_t *)v->data)[i];
    }
}

static struct range range_of(const struct sl_value *v) {
    struct range r = {.view = sl_value_view(v), .first = -1, .least = INFINITY, .most = -INFINITY};
    const bool is_complex = sl_set_has(SL_SET_COMPLEX, r.view.dtype);
    struct sl_view parts = r.view;
    if (is_complex) parts.dtype = r.view.dtype == SL_COMPLEX64 ? SL_FLOAT : SL_DOUBLE, parts.count *= 2;
    for (int64_t i = 0; i < parts.count; i++) {
        const double x = element(&parts, i);
        if (isfinite(x)) {
            if (x < r.least) r.least = x;
            if (x > r.most) r.most = x;
            continue;
        }
        if (isnan(x)) r.nans++;
        else r.infinities++;
        if (r.first < 0) r.first = is_complex ? i / 2 : i;
    }
    return r;
}

static void append_value(struct sl_error *err, const struct sl_value *v) {
    char text[SL_SHAPE_TEXT];
    const struct sl_view view = sl_value_view(v);
    sl_error_append(err, "%s %s", sl_dtype_name(view.dtype), sl_shape_text(text, sl_view_shape(view)));
}

/* Six digits; more where these would make a whole number of what is none, which may be what matters (Acos of 1.0000001). */
static void append_number(struct sl_error *err, double x) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", x);
    const double shown = strtod(text, NULL);
    if (shown != x && shown == nearbyint(shown) && fabs(x) < 1e5) sl_error_append(err, "%.9g", x);
    else sl_error_append(err, "%s", text);
}

/* "-1 to 2.5, 3 NaN, 1 infinite" */
static void append_range(struct sl_error *err, const struct range *r) {
    const char *comma = "";
    if (r->least <= r->most) append_number(err, r->least), comma = ", ";
    if (r->least < r->most) sl_error_append(err, " to "), append_number(err, r->most);
    if (r->nans) sl_error_append(err, "%s%" PRId64 " NaN", comma, r->nans), comma = ", ";
    if (r->infinities) sl_error_append(err, "%s%" PRId64 " infinite", comma, r->infinities);
}

static void append_input(struct sl_error *err, struct sl_kernel_context *k, uint32_t i, struct sl_value *v) {
    struct sl_str container, name;
    struct sl_arena arena;
    const bool is_number = (v->kind == SL_VALUE_SCALAR || v->kind == SL_VALUE_TENSOR) && !sl_value_memory(v) &&
                           sl_set_has(watched_types | SL_SET(INT32) | SL_SET(INT64), v->dtype);
    if (v->kind == SL_VALUE_OBJECT && v->object && k->env->session_resources) {
        sl_arena_init(&arena);
        if (sl_resources_name_of(&container, &name, k->env->session_resources, v->object, &arena, NULL) == SL_OK &&
            name.n)
            sl_error_append(err, "\n  input %u: '%.*s'", (unsigned)i, SL_STR_ARG(name));
        sl_arena_clear(&arena);
    }
    if (!is_number) return;
    const struct range r = range_of(v);
    sl_error_append(err, "\n  input %u: ", (unsigned)i);
    append_value(err, v);
    sl_error_append(err, r.view.count ? ", " : ", empty");
    append_range(err, &r);
}

/* The node of which this one computes the gradient, by the names of scopes: gradients/X_grad/... of TensorFlow's
 * graphs, gradient_tape/X/... of its tapes. Empty: it is in none. */
static struct sl_str forward_of(struct sl_str name) {
    static const char tape[] = "gradient_tape/", grad[] = "_grad/";
    struct sl_str none = {"", 0};
    for (size_t i = 0; i < name.n; i++) {
        const char *at = name.p + i;
        const size_t rest = name.n - i;
        if (i && at[-1] != '/') continue;
        if (rest > sizeof tape && !memcmp(at, tape, sizeof tape - 1)) {
            const struct sl_str inner = {at + sizeof tape - 1, rest - sizeof tape + 1};
            size_t end = inner.n;
            while (end && inner.p[end - 1] != '/') end--; /* the last part is the op within the gradient */
            return end > 1 ? (struct sl_str){inner.p, end - 1} : inner;
        }
        if (rest <= 9 || memcmp(at, "gradients", 9) != 0) continue;
        const char *slash = memchr(at, '/', rest);
        if (!slash) return none;
        const struct sl_str inner = {slash + 1, (size_t)(name.p + name.n - slash - 1)};
        for (size_t j = 0; j + sizeof grad - 1 <= inner.n; j++)
            if (!memcmp(inner.p + j, grad, sizeof grad - 1)) return (struct sl_str){inner.p, j};
        return none;
    }
    return none;
}

/* The node that is told of: that which ran, or a step of it. */
struct culprit {
    const struct sl_numerics_steps *steps; /* NULL: no step */
    int step, operands[2];
    struct sl_str name, op;
};

static bool run_step(struct sl_kernel_context *k, const struct sl_numerics_steps *steps, int i) {
    struct sl_error ignored;
    struct sl_kernel_context again = {
        .node = k->node, .state = k->state, .slots = k->slots, .env = k->env, .err = &ignored};
    sl_value_clear(sl_out_value(k, 0));
    return steps->run(&again, i) == SL_OK && is_watched(sl_out_value(k, 0));
}

/* The first step that makes such a number; its value is output 0 then. The inputs have none, but for infinities. */
static void find_step(struct culprit *c, struct range *r, struct sl_kernel_context *k, bool had_infinities) {
    const struct sl_numerics_steps *steps = k->node->def ? k->node->def->data : NULL;
    if (!sl_str_is(k->node->op->name, "_ElementwiseProgram") || !steps) return;
    const int n = steps->count(k->state);
    const bool counts_infinities = !had_infinities && (k->env->watch & SL_WATCHES_INFINITY);
    for (int i = 0; i < n; i++) {
        if (!run_step(k, steps, i)) return;
        const struct range made = range_of(sl_out_value(k, 0));
        if (!made.nans && !(counts_infinities && made.infinities)) continue;
        const char *op;
        steps->describe(&c->name, &op, c->operands, k->state, i);
        c->steps = steps;
        c->step = i;
        c->op = sl_str_of(op);
        *r = made;
        return;
    }
}

static void append_operands(struct sl_error *err, struct sl_kernel_context *k, const struct culprit *c) {
    for (int o = 0; o < 2 && c->operands[o] >= 0; o++) {
        const int from = c->operands[o], n_in = (int)k->node->n_in;
        if (from < n_in) append_input(err, k, (uint32_t)o, sl_in_value(k, from));
        else if (run_step(k, c->steps, from - n_in)) append_input(err, k, (uint32_t)o, sl_out_value(k, 0));
    }
}

static sl_code tell(struct sl_kernel_context *k, uint32_t output, const struct range *last, bool is_source,
                    bool had_infinities) {
    const struct sl_kernel_node *node = k->node;
    struct culprit c = {.name = node->name, .op = node->op->name};
    struct range made = *last;
    const struct range *r = &made;
    find_step(&c, &made, k, had_infinities);
    const struct sl_str forward = forward_of(c.name);
    struct sl_error *err = k->err;
    sl_fail(err, SL_INVALID_ARGUMENT, "%snode '%.*s' (%.*s) %s %s: of the %" PRId64 " values of output %u (", prefix,
            SL_STR_ARG(c.name), SL_STR_ARG(c.op), is_source ? "brings in" : "makes", r->nans ? "a NaN" : "an infinity",
            r->view.count, (unsigned)output);
    append_value(err, sl_out_value(k, (int)output));
    sl_error_append(err, ") ");
    if (r->nans)
        sl_error_append(err, "%" PRId64 " %s NaN%s", r->nans, r->nans == 1 ? "is" : "are",
                        r->infinities ? " and " : "");
    if (r->infinities)
        sl_error_append(err, "%" PRId64 " %s infinite", r->infinities, r->infinities == 1 ? "is" : "are");
    sl_error_append(err, ", the first at %" PRId64 ".", r->first);
    if (c.steps) append_operands(err, k, &c);
    else
        for (uint32_t i = 0; i < node->n_in; i++) append_input(err, k, i, sl_in_value(k, (int)i));
    if (forward.n) sl_error_append(err, "\n  in the gradient of node '%.*s'", SL_STR_ARG(forward));
    return SL_INVALID_ARGUMENT;
}

/* ---- for executors */

static __attribute__((noinline)) sl_code judge(struct sl_kernel_context *k, uint32_t output) {
    const struct range made = range_of(sl_out_value(k, (int)output));
    int64_t nans = 0, infinities = 0;
    bool is_source = true;
    for (uint32_t i = 0; i < k->node->n_in; i++) {
        const struct sl_value *v = sl_in_value(k, (int)i);
        if (!is_watched(v)) continue;
        const struct range r = range_of(v);
        is_source = false;
        nans += r.nans;
        infinities += r.infinities;
    }
    const bool wants_nan = k->env->watch & SL_WATCHES_NAN, wants_infinity = k->env->watch & SL_WATCHES_INFINITY;
    const bool is_cause =
        (wants_nan && made.nans && !nans) || (wants_infinity && made.infinities && !infinities && !nans && !is_source);
    return is_cause ? tell(k, output, &made, is_source, infinities > 0) : SL_OK;
}

/* Whether it makes no numbers: what it puts out are numbers of its inputs, of a constant or of a list, and zeros. Those
 * that were bad before it were told of. */
static bool only_moves(const struct sl_op *op) {
    switch (op->index) {
    case SL_ROW_Const:
    case SL_ROW__Arg:
    case SL_ROW_Identity:
    case SL_ROW_IdentityN:
    case SL_ROW_Reshape:
    case SL_ROW_ExpandDims:
    case SL_ROW_Squeeze:
    case SL_ROW_Transpose:
    case SL_ROW_Slice:
    case SL_ROW_StridedSlice:
    case SL_ROW_StridedSliceGrad:
    case SL_ROW_Split:
    case SL_ROW_SplitV:
    case SL_ROW_Concat:
    case SL_ROW_ConcatV2:
    case SL_ROW_Pack:
    case SL_ROW_Unpack:
    case SL_ROW_Pad:
    case SL_ROW_Tile:
    case SL_ROW_BroadcastTo:
    case SL_ROW_Relu:
    case SL_ROW_ZerosLike:
    case SL_ROW_TensorListPopBack:
    case SL_ROW_TensorListGetItem:
    case SL_ROW_TensorListStack:
    case SL_ROW_TensorArrayReadV3: return true;
    default: return false;
    }
}

uint64_t sl_numerics_keep(const struct sl_kernel_context *k, uint64_t may_take) {
    if (only_moves(k->node->op)) return may_take;
    for (uint32_t i = 0; i < k->node->n_in && i < 64; i++)
        if (is_watched(&k->slots[k->node->in[i]])) may_take &= ~(UINT64_C(1) << i);
    return may_take;
}

sl_code sl_numerics_check(struct sl_kernel_context *k) {
    if (only_moves(k->node->op)) return SL_OK;
    for (uint32_t o = 0; o < k->node->n_out; o++) {
        const struct sl_value *v = sl_out_value(k, (int)o);
        if (!is_watched(v) || is_finite(k, v)) continue;
        SL_TRY(judge(k, o));
    }
    return SL_OK;
}

static bool is_ours(const struct sl_error *err) { return err && strstr(err->message, prefix); }

void sl_error_name_loop(struct sl_error *err, struct sl_str loop, uint64_t iteration) {
    static const char scope[] = "/while_context"; /* which TensorFlow 1 adds to a loop's name */
    const size_t tail = sizeof scope - 1;
    if (!err) return;
    if (loop.n > tail && !memcmp(loop.p + loop.n - tail, scope, tail)) loop.n -= tail;
    if (is_ours(err)) sl_error_append(err, "\n  in iteration %" PRIu64 " of loop '%.*s'", iteration, SL_STR_ARG(loop));
    else
        sl_error_add_place(err, "%siteration %" PRIu64 " of loop '%.*s'", *sl_error_place(err) ? ", in " : "",
                           iteration, SL_STR_ARG(loop));
}

sl_code sl_numerics_settle(struct sl_kernel_context *k, sl_code code) {
    if (code == SL_OK) return sl_numerics_check(k);
    if (is_ours(k->err))
        sl_error_append(k->err, "\n  in a call by node '%.*s' (%.*s)", SL_STR_ARG(k->node->name),
                        SL_STR_ARG(k->node->op->name));
    return code;
}
