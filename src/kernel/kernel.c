/* What kernels call: reading inputs, making outputs, splitting work. Called by every kernel of every backend. */
#include "kernel/kernel.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "device/transfer.h"
#include "kernel/cancellation.h"
#include "os/pool.h"
#include "tensor/block.h"
#include "tensor/meter.h"

/* ---- inputs */

/* Element i of an int32 or int64 view. */
static int64_t int_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}

sl_code sl_in_int(int64_t *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.count != 1 || (v.dtype != SL_INT32 && v.dtype != SL_INT64))
        return sl_invalid(k, "%s must be a scalar integer, got %s of shape %s", what, sl_dtype_name(v.dtype),
                          sl_shape_text(text, sl_view_shape(v)));
    *out = int_at(v, 0);
    return SL_OK;
}

sl_code sl_in_bool(bool *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.count != 1 || v.dtype != SL_BOOL)
        return sl_invalid(k, "%s must be a scalar bool, got %s of shape %s", what, sl_dtype_name(v.dtype),
                          sl_shape_text(text, sl_view_shape(v)));
    *out = *(const bool *)v.data;
    return SL_OK;
}

sl_code sl_in_ints(int64_t *to, int *n, int max, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank > 1 || (v.dtype != SL_INT32 && v.dtype != SL_INT64))
        return sl_invalid(k, "%s must be a vector of integers, got %s of shape %s", what, sl_dtype_name(v.dtype),
                          sl_shape_text(text, sl_view_shape(v)));
    if (v.count > max) return sl_invalid(k, "%s has %" PRId64 " elements, at most %d are possible", what, v.count, max);
    for (int64_t e = 0; e < v.count; e++) to[e] = int_at(v, e);
    *n = (int)v.count;
    return SL_OK;
}

sl_code sl_in_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i,
                    const char *what) {
    struct sl_view v = sl_in(k, i);
    int n;
    if (v.rank != 1) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "%s must be a vector of {int32,int64}, got shape %s", what,
                          sl_shape_text(text, sl_view_shape(v)));
    }
    SL_TRY(sl_in_ints(dims, &n, SL_MAX_RANK, k, i, what));
    *out = (struct sl_shape){n, dims};
    for (int d = 0; d < n; d++)
        if (dims[d] < 0) return sl_invalid(k, "Dimension %d of %s must be >= 0, got %" PRId64, d, what, dims[d]);
    int64_t count = 1;
    for (int d = 0; d < n; d++)
        if (!sl_mul_i64(&count, count, dims[d])) {
            char text[SL_SHAPE_TEXT];
            return sl_invalid(k, "Shape %s would have more than 2**63 - 1 elements", sl_shape_text(text, *out));
        }
    return SL_OK;
}

sl_code sl_in_tensor(struct sl_tensor **out, struct sl_kernel_context *k, int i) {
    return sl_value_to_tensor(out, sl_in_value(k, i), k->err);
}

/* ---- outputs */

struct sl_memory *sl_out_memory(const struct sl_kernel_context *k, int o) {
    const struct sl_kernel_node *n = k->node;
    return n->device && !n->on_host[n->n_in + (uint32_t)o] ? n->device->memory : NULL;
}

sl_code sl_out_new(struct sl_view *view, struct sl_kernel_context *k, int o, struct sl_shape shape) {
    struct sl_value *v = sl_out_value(k, o);
    SL_TRY(sl_value_new_in(v, sl_out_memory(k, o), sl_out_type(k, o), shape, k->err));
    *view = sl_value_view(v);
    return SL_OK;
}

sl_code sl_out_settle(struct sl_kernel_context *k, int o) {
    struct sl_memory *memory = sl_out_memory(k, o);
    struct sl_value *v = sl_out_value(k, o);
    return sl_value_memory(v) == memory ? SL_OK : sl_value_settle_slowly(v, memory, k->env->step_id, k->err);
}

static bool may_take(const struct sl_kernel_context *k, int i) { return i < 64 && (k->may_take >> i & 1); }

/* Moves the tensor of input i to output o under a new shape and type of as many bytes. The caller has checked that
 * the input is the sole holder. */
static sl_code take_over(struct sl_kernel_context *k, int o, int i, struct sl_shape shape) {
    struct sl_value *from = sl_in_value(k, i), *to = sl_out_value(k, o);
    struct sl_tensor *t = from->tensor;
    int dtype = sl_out_type(k, o);
    if (t->rank == shape.rank && sl_dtype_size(t->dtype) == sl_dtype_size(dtype)) {
        if (shape.rank) memcpy(t->dims, shape.dims, (size_t)shape.rank * sizeof *t->dims);
        t->dtype = (uint8_t)dtype;
        *to = sl_value_move(from);
        to->dtype = (uint8_t)dtype;
        return SL_OK;
    }
    struct sl_tensor *view;
    SL_TRY(sl_tensor_view(&view, t, dtype, shape, 0, k->err));
    *to = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = (uint8_t)dtype, .tensor = view};
    sl_value_clear(from);
    return SL_OK;
}

sl_code sl_out_reuse(struct sl_view *view, struct sl_kernel_context *k, int o, struct sl_shape shape, int first,
                     int n) {
    int dtype = sl_out_type(k, o);
    struct sl_memory *memory = sl_out_memory(k, o);
    if ((shape.rank > 0 || memory) && sl_dtype_is_plain(dtype)) {
        int64_t count;
        SL_TRY(sl_shape_count(&count, shape, k->err));
        for (int i = first; i < first + n; i++) {
            const struct sl_value *v = sl_in_value(k, i);
            if (!may_take(k, i) || v->kind != SL_VALUE_TENSOR || !sl_dtype_is_plain(v->dtype) ||
                v->tensor->count != count || sl_dtype_size(v->dtype) != sl_dtype_size(dtype) ||
                sl_tensor_memory(v->tensor) != memory || !sl_tensor_is_sole(v->tensor))
                continue;
            SL_TRY(take_over(k, o, i, shape));
            *view = sl_value_view(sl_out_value(k, o));
            return SL_OK;
        }
    }
    return sl_out_new(view, k, o, shape);
}

void sl_out_forward(struct sl_kernel_context *k, int o, int i) {
    struct sl_value *from = sl_in_value(k, i);
    *sl_out_value(k, o) = may_take(k, i) ? sl_value_move(from) : sl_value_share(from);
}

sl_code sl_out_reshape(struct sl_kernel_context *k, int o, int i, struct sl_shape shape) {
    const struct sl_value *v = sl_in_value(k, i);
    int dtype = sl_out_type(k, o);
    if (v->kind != SL_VALUE_TENSOR || (shape.rank == 0 && !sl_tensor_memory(v->tensor))) {
        struct sl_view from = sl_value_on_host(v), to;
        SL_TRY(sl_out_new(&to, k, o, shape));
        if ((to.dtype != from.dtype || to.count != from.count) &&
            to.count * (int64_t)sl_dtype_size(to.dtype) != from.count * (int64_t)sl_dtype_size(from.dtype))
            return sl_fail(k->err, SL_INTERNAL, "reshape to another number of bytes");
        return sl_elements_copy(from.dtype, to.data, from.data, from.count, k->err);
    }
    if (may_take(k, i) && sl_tensor_is_sole(v->tensor) && !v->tensor->owner) return take_over(k, o, i, shape);
    struct sl_tensor *view;
    SL_TRY(sl_tensor_view(&view, v->tensor, dtype, shape, 0, k->err));
    sl_out_tensor(k, o, view);
    return SL_OK;
}

void sl_out_tensor(struct sl_kernel_context *k, int o, struct sl_tensor *t) {
    *sl_out_value(k, o) = sl_value_of_tensor(t);
}

void sl_out_object(struct sl_kernel_context *k, int o, struct sl_object *object) {
    *sl_out_value(k, o) =
        (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = (uint8_t)sl_out_type(k, o), .object = object};
}

sl_code sl_out_int(struct sl_kernel_context *k, int o, int64_t value) {
    struct sl_view v;
    SL_TRY(sl_out_new(&v, k, o, SL_SHAPE_SCALAR));
    if (v.dtype == SL_INT64) *(int64_t *)v.data = value;
    else if (v.dtype == SL_INT32) *(int32_t *)v.data = (int32_t)value;
    else return sl_fail(k->err, SL_INTERNAL, "output %d is no integer", o);
    return SL_OK;
}

/* ---- errors, work */

void sl_error_name_node(struct sl_error *err, struct sl_str node) {
    if (!err || strstr(err->message, "[[{{node ")) return;
    sl_error_append(err, "\n\t [[{{node %.*s}}]]", SL_STR_ARG(node));
}

sl_code sl_invalid(struct sl_kernel_context *k, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_fail_v(k->err, SL_INVALID_ARGUMENT, format, args);
    va_end(args);
    return SL_INVALID_ARGUMENT;
}

sl_code sl_fail_choice(const struct sl_value *choice, struct sl_error *err) {
    char text[SL_SHAPE_TEXT];
    return sl_fail(err, SL_INVALID_ARGUMENT, "The second input must be a scalar, but it has shape %s",
                   sl_shape_text(text, sl_view_shape(sl_value_view(choice))));
}

struct split {
    void (*work)(void *arg, int64_t begin, int64_t end);
    void *arg;
    int64_t n, parts;
    struct sl_kernel_context *k;  /* may be cut short; NULL: is done to its end */
    struct sl_meter_scope *scope; /* who pays for what is made; NULL: nobody */
};

/* Long parts begin at whole lines of the cache, as the vectors of a loop should not lie across two. */
static int64_t begin_of_part(const struct split *s, int64_t part) {
    enum { LINE = 64, LONG = 64 * LINE };
    if (part == s->parts) return s->n;
    const int64_t each = s->n / s->parts, more = s->n % s->parts, begin = part * each + (part < more ? part : more);
    return each < LONG ? begin : begin & -LINE;
}

static void run_part(void *arg, int64_t part) {
    const struct split *s = arg;
    struct sl_meter_scope *outer = s->scope ? sl_meter_enter(s->scope) : NULL;
    if (s->k && sl_cancellation_is_on(s->k->env->cancellation))
        atomic_store_explicit(&s->k->is_cut, true, memory_order_relaxed);
    else s->work(s->arg, begin_of_part(s, part), begin_of_part(s, part + 1));
    if (s->scope) sl_meter_enter(outer);
}

/* What lives longer than the step must not be left half changed. */
static bool may_be_cut(const struct sl_kernel_context *k) {
    if (!k->env || !k->env->cancellation || !k->node) return false;
    for (uint32_t i = 0; i < k->node->n_in; i++)
        if (k->node->in_types[i] == SL_RESOURCE || k->node->in_types[i] > SL_REF_OFFSET) return false;
    return true;
}

bool sl_pace_asks(struct sl_pace *pace) {
    struct sl_kernel_context *k = pace->k;
    pace->left_ns = SL_PACE_NS;
    if (!may_be_cut(k) || !sl_cancellation_is_on(k->env->cancellation)) return false;
    atomic_store_explicit(&k->is_cut, true, memory_order_relaxed);
    pace->left_ns = -1; /* it stays so */
    return true;
}

sl_code sl_kernel_cut_status(struct sl_kernel_context *k, sl_code code) {
    atomic_store_explicit(&k->is_cut, false, memory_order_relaxed); /* the context may be used again */
    sl_code reason = sl_cancellation_status(k->env->cancellation, k->err);
    return reason == SL_OK ? code : reason;
}

/* Less than LEAST_NS is not worth sharing between threads, less than WAKING_NS not worth waking one; nor, where a
 * single element is soon done (SHORT_NS), is less than SHORT_LEAST_NS: elements may have to move from one thread's cache
 * to another's. Parts are far shorter, so that all threads end at about the same time, and none takes longer than a few
 * milliseconds, as between parts somebody asks whether the step is cancelled. */
enum {
    LEAST_NS = 12000,
    SHORT_LEAST_NS = 30000,
    WAKING_NS = 60000,
    SHORT_NS = 100,
    PART_NS = 6000,
    LEAST_PARTS = 4,
    MANY_PARTS = 64
};
static const double LONGEST_PART_NS = 4e6, MOST_PARTS = 1 << 24;

static int64_t parts_of(double ns, double ns_each) {
    const double longest = ns / LONGEST_PART_NS, parts = ns / PART_NS;
    if (ns < (ns_each < SHORT_NS ? SHORT_LEAST_NS : LEAST_NS)) return 1;
    if (longest > MANY_PARTS) return longest < MOST_PARTS ? (int64_t)longest : (int64_t)MOST_PARTS;
    return parts < LEAST_PARTS ? LEAST_PARTS : parts > MANY_PARTS ? MANY_PARTS : (int64_t)parts;
}

void sl_kernel_split(struct sl_kernel_context *k, int64_t n, double ns_each,
                     void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (n <= 0) return;
    const double ns = (double)n * ns_each;
    struct split s = {work, arg, n, parts_of(ns, ns_each), NULL, NULL};
    if (s.parts > n) s.parts = n;
    if (s.parts == 1) {
        work(arg, 0, n);
        return;
    }
    struct sl_pool *pool = k->env ? k->env->pool : NULL;
    if (may_be_cut(k)) s.k = k;
    s.scope = sl_meter_current();
    if (pool) sl_pool_parallel_as(pool, s.parts, run_part, &s, ns < WAKING_NS ? SL_POOL_AWAKE : 0);
    else
        for (int64_t p = 0; p < s.parts; p++) run_part(&s, p);
}

enum { COLUMNS = 64 };
static void run_columns(void *arg, int64_t begin, int64_t end) {
    const struct split *s = arg;
    s->work(s->arg, begin * COLUMNS, end * COLUMNS < s->n ? end * COLUMNS : s->n);
}

void sl_kernel_split_columns(struct sl_kernel_context *k, int64_t n, double ns_each,
                             void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    struct split columns = {work, arg, n, 0, NULL, NULL};
    if (n > 0) sl_kernel_split(k, (n - 1) / COLUMNS + 1, ns_each * COLUMNS, run_columns, &columns);
}

void sl_kernel_done(struct sl_kernel_context *k, sl_code code) { k->done(k, sl_kernel_status(k, code)); }

/* ---- outputs that come from another memory */

struct copy_under_way {
    struct sl_device_waiter waiter;
    struct sl_transfer transfer;
    struct sl_kernel_context *k;
};

static void copy_is_there(struct sl_device_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct copy_under_way *c = (struct copy_under_way *)waiter;
    struct sl_kernel_context *k = c->k;
    struct sl_value value = sl_transfer_value(&c->transfer);
    sl_free(c);
    if (code == SL_OK) *sl_out_value(k, 0) = value;
    else sl_value_clear(&value);
    sl_kernel_done(k, code == SL_OK ? SL_OK : sl_fail(k->err, code, "%s", err->message));
}

static void give_copy(struct sl_kernel_context *k, const struct sl_value *value, struct sl_memory *memory) {
    struct copy_under_way *c = sl_malloc(sizeof *c);
    sl_code code =
        c ? sl_transfer_start(&c->transfer, value, memory, k->env->step_id, k->err) : sl_fail_memory(k->err, sizeof *c);
    if (code == SL_OK && c->transfer.busy) {
        struct sl_device *device = c->transfer.busy;
        c->k = k;
        c->waiter.done = copy_is_there;
        device->type->when_done(device, c->transfer.mark, k->env->step_id, &c->waiter);
        return;
    }
    if (code == SL_OK) *sl_out_value(k, 0) = sl_transfer_value(&c->transfer);
    sl_free(c);
    sl_kernel_done(k, code);
}

void sl_kernel_give(struct sl_kernel_context *k, struct sl_value value) {
    struct sl_memory *memory = sl_out_memory(k, 0);
    bool is_plain = value.kind == SL_VALUE_SCALAR || value.kind == SL_VALUE_TENSOR;
    if (!is_plain || sl_value_memory(&value) == memory) {
        *sl_out_value(k, 0) = value;
        sl_kernel_done(k, SL_OK);
        return;
    }
    give_copy(k, &value, memory);
    sl_value_clear(&value);
}

bool sl_kernel_is_cancelled(struct sl_kernel_context *k) {
    return k->env && k->env->cancellation && sl_cancellation_is_on(k->env->cancellation);
}

/* In a step whose memory has a limit. */
static __attribute__((noinline)) void *charged_scratch(size_t bytes) {
    struct sl_charge *charge;
    if (sl_meter_charge(&charge, bytes, NULL) != SL_OK) return NULL;
    void *p = sl_block_alloc(bytes);
    if (p) *sl_block_word(p) = charge;
    else sl_charge_drop(charge);
    return p;
}

void *sl_scratch_new(size_t bytes) {
    return bytes >= SL_BLOCK_LARGE && sl_meter_current() ? charged_scratch(bytes) : sl_block_alloc(bytes);
}

void sl_scratch_free(void *p, size_t bytes) {
    if (!p) return;
    if (bytes >= SL_BLOCK_LARGE) sl_charge_drop(*sl_block_word(p));
    sl_block_free(p, bytes);
}
