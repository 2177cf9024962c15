/* BatchFunction: a function called once for several executions of its node, in this step and in others. The batcher
 * (batcher.h) says which go together; here they are put into one tensor for each input, filled up to a size that is
 * allowed with copies of the first row, and the results are taken apart again. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/batcher.h"
#include "backends/any/callees.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "kernel/slices.h"
#include "os/cpu.h"

struct batched {
    struct sl_session_maker maker;
    struct sl_callees *callees;
    struct sl_batcher_spec spec;
    struct sl_str queue; /* owned */
    int64_t *allowed;    /* sizes of batches, rising; owned */
    int n_allowed, n_in; /* n_in: inputs that are batched; the others are the function's last arguments */
};

/* ---- running a batch */

static sl_code check_fits(struct sl_view first, struct sl_view v, struct sl_error *err) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    sl_shape_text(a, sl_view_shape(first));
    sl_shape_text(b, sl_view_shape(v));
    if (v.dtype != first.dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Inputs of one batch have types %s and %s", sl_dtype_name(first.dtype),
                       sl_dtype_name(v.dtype));
    if (v.rank != first.rank)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Ranks of all input tensors should match: shape[0] = %s vs. shape[1] = %s", a, b);
    for (int d = 1; d < v.rank; d++)
        if (v.dims[d] != first.dims[d])
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Dimensions of inputs should match: shape[0] = %s vs. shape[1] = %s", a, b);
    return SL_OK;
}

/* Copies `rows` rows of `v` from `first` on to row `to`. */
static sl_code put_rows(struct sl_view whole, int64_t to, struct sl_view v, int64_t first, int64_t rows,
                        struct sl_error *err) {
    int64_t row = v.dims[0] ? v.count / v.dims[0] : 0;
    size_t size = sl_dtype_size(v.dtype);
    return sl_elements_copy(v.dtype, (char *)whole.data + (size_t)(to * row) * size,
                            (const char *)v.data + (size_t)(first * row) * size, rows * row, err);
}

/* Input i of all pieces, and copies of its first row up to `rows`. */
static sl_code join_input(struct sl_value *out, struct sl_batcher_batch *batch, int i, int64_t rows,
                          struct sl_error *err) {
    struct sl_kernel_context *k = batch->first->call->k;
    struct sl_view first = sl_in(k, i);
    if (batch->first->rows == first.dims[0] && rows == first.dims[0]) { /* all there is */
        *out = sl_value_share(sl_in_value(k, i));
        return SL_OK;
    }
    int64_t dims[SL_MAX_RANK], count, at = 0;
    memcpy(dims, first.dims, (size_t)first.rank * sizeof *dims);
    dims[0] = rows;
    struct sl_shape shape = {first.rank, dims};
    SL_TRY(sl_shape_count(&count, shape, err));
    for (struct sl_batch_piece *p = batch->first; p; p = p->next) SL_TRY(check_fits(first, sl_in(p->call->k, i), err));
    struct sl_value whole = {0};
    SL_TRY(sl_value_new(&whole, first.dtype, shape, err));
    struct sl_view to = sl_value_view(&whole);
    sl_code code = SL_OK;
    for (struct sl_batch_piece *p = batch->first; p && code == SL_OK; at += p->rows, p = p->next)
        code = put_rows(to, at, sl_in(p->call->k, i), p->first, p->rows, err);
    for (; at < rows && code == SL_OK; at++) code = put_rows(to, at, first, batch->first->first, 1, err);
    if (code == SL_OK) *out = whole;
    else sl_value_clear(&whole);
    return code;
}

/* Rows of the batch with its padding. */
static int64_t padded_rows(const struct batched *s, int64_t rows) {
    for (int i = 0; i < s->n_allowed; i++)
        if (s->allowed[i] >= rows) return s->allowed[i];
    return rows;
}

/* Gives each piece its rows of result o. */
static sl_code split_result(struct sl_batcher_batch *batch, int o, struct sl_value *result, int64_t rows,
                            struct sl_error *err) {
    struct sl_view v = sl_value_view(result);
    if (v.rank == 0) return sl_fail(err, SL_FAILED_PRECONDITION, "Batched output tensor has 0 dimensions");
    if (v.dims[0] != rows)
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the "
                       "input tensors. 0th dimension size: %" PRId64 "; batch size: %" PRId64
                       "; unbatched tasks size: 0; padding size: %" PRId64,
                       v.dims[0], batch->rows, rows - batch->rows);
    if (batch->n_pieces == 1 && batch->rows == rows) {
        sl_batch_piece_outputs(batch->first)[o] = sl_value_move(result);
        return SL_OK;
    }
    int64_t dims[SL_MAX_RANK], row = v.count / rows, at = 0;
    memcpy(dims, v.dims, (size_t)v.rank * sizeof *dims);
    for (struct sl_batch_piece *p = batch->first; p; p = p->next) {
        dims[0] = p->rows;
        SL_TRY(sl_slice_take(&sl_batch_piece_outputs(p)[o], result->tensor, at * row, (struct sl_shape){v.rank, dims},
                             err));
        at += p->rows;
    }
    return SL_OK;
}

struct waiting {
    struct sl_mutex mutex;
    struct sl_condition cond;
    sl_code code;
    bool is_done;
};

static void is_done(void *arg, sl_code code) {
    struct waiting *w = arg;
    sl_mutex_lock(&w->mutex);
    w->code = code;
    w->is_done = true;
    sl_condition_signal(&w->cond);
    sl_mutex_unlock(&w->mutex);
}

/* Calls the function of the batch's last node, within that node's step but with a cancellation of its own. */
static sl_code call_function(struct sl_batcher_batch *batch, struct sl_kernel_context *k, struct sl_value *args,
                             struct sl_value *rets, struct sl_error *err) {
    const struct batched *s = k->state;
    struct sl_step_env env = *k->env;
    env.cancellation = batch->cancellation;
    struct waiting w = {SL_MUTEX_INIT, SL_CONDITION_INIT, SL_OK, false};
    sl_condition_init(&w.cond);
    env.functions->call_async(s->callees->functions[0], &env, args, rets, err, is_done, &w);
    sl_mutex_lock(&w.mutex);
    while (!w.is_done) sl_condition_wait(&w.cond, &w.mutex);
    sl_mutex_unlock(&w.mutex);
    sl_condition_clear(&w.cond);
    sl_mutex_clear(&w.mutex);
    return w.code;
}

/* Nodes of one queue must be alike. */
static sl_code check_alike(struct sl_batcher_batch *batch, const struct sl_kernel_context *k, struct sl_error *err) {
    const struct batched *s = k->state;
    for (struct sl_batch_piece *p = batch->first; p; p = p->next) {
        const struct sl_kernel_node *node = p->call->k->node;
        const struct batched *other = p->call->k->state;
        if (other->n_in != s->n_in || node->n_in != k->node->n_in || node->n_out != k->node->n_out ||
            memcmp(node->out_types, k->node->out_types, node->n_out) != 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Nodes of one batching queue have other inputs or outputs: %.*s",
                           SL_STR_ARG(node->name));
    }
    return SL_OK;
}

static sl_code run(struct sl_batcher_batch *batch, struct sl_error *err) {
    struct sl_batch_piece *last = batch->first;
    while (last->next) last = last->next;
    struct sl_kernel_context *k = last->call->k;
    const struct batched *s = k->state;
    SL_TRY(check_alike(batch, k, err));
    int n_in = sl_in_count(k), n_out = sl_out_count(k);
    int64_t rows = padded_rows(batch->first->call->k->state, batch->rows);
    struct sl_value *args = sl_calloc((size_t)(n_in + n_out), sizeof *args), *rets = args + n_in;
    if (!args) return sl_fail_memory(err, (size_t)(n_in + n_out) * sizeof *args);
    sl_code code = SL_OK;
    for (int i = 0; i < s->n_in && code == SL_OK; i++) code = join_input(&args[i], batch, i, rows, err);
    for (int i = s->n_in; i < n_in && code == SL_OK; i++) args[i] = sl_value_share(sl_in_value(k, i));
    if (code == SL_OK) code = call_function(batch, k, args, rets, err);
    for (int o = 0; o < n_out && code == SL_OK; o++) code = split_result(batch, o, &rets[o], rows, err);
    for (int i = 0; i < n_in + n_out; i++) sl_value_clear(&args[i]);
    sl_free(args);
    return code;
}

/* ---- attributes */

static const int64_t LONGEST_US = INT64_C(1) << 50; /* years */

/* The sizes that batches may have; the last one is a batch's most rows. */
static sl_code read_sizes(struct batched *s, const struct sl_attrs *attrs, bool splits, struct sl_error *err) {
    const int64_t *sizes;
    int n;
    SL_TRY(sl_attr_int_list(&sizes, &n, attrs, "allowed_batch_sizes", err));
    s->spec.rows = s->spec.call_rows;
    if (n == 0) return SL_OK;
    for (int i = 0; i < n; i++)
        if (sizes[i] <= (i ? sizes[i - 1] : 0))
            return sl_fail(err, SL_INVALID_ARGUMENT, "allowed_batch_sizes entries must be monotonically increasing");
    if (!splits && sizes[n - 1] != s->spec.call_rows)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "final entry in allowed_batch_sizes must equal max_batch_size when "
                       "enable_large_batch_splitting is False");
    if (sizes[n - 1] > s->spec.call_rows)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "When enable_large_batch_splitting is true, input_batch_size_limit must be greater than or "
                       "equal to max_execution_batch_size");
    s->spec.rows = sizes[n - 1];
    s->allowed = sl_malloc((size_t)n * sizeof *s->allowed);
    if (!s->allowed) return sl_fail_memory(err, (size_t)n * sizeof *s->allowed);
    memcpy(s->allowed, sizes, (size_t)n * sizeof *s->allowed);
    s->n_allowed = n;
    return SL_OK;
}

static sl_code read_spec(struct batched *s, const struct sl_attrs *attrs, struct sl_error *err) {
    int64_t threads, timeout_us;
    bool splits;
    SL_TRY(sl_attr_int(&threads, attrs, "num_batch_threads", err));
    SL_TRY(sl_attr_int(&s->spec.call_rows, attrs, "max_batch_size", err));
    SL_TRY(sl_attr_int(&timeout_us, attrs, "batch_timeout_micros", err));
    SL_TRY(sl_attr_int(&s->spec.queued, attrs, "max_enqueued_batches", err));
    SL_TRY(sl_attr_bool(&splits, attrs, "enable_large_batch_splitting", err));
    if (s->spec.call_rows <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "input_batch_size_limit must be positive; was %" PRId64,
                       s->spec.call_rows);
    if (timeout_us < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "batch_timeout_micros must be non-negative; was %" PRId64, timeout_us);
    if (threads <= 0) threads = sl_cpu_count(); /* as many as there is capacity for */
    s->spec.threads = threads > INT32_MAX ? INT32_MAX : (int)threads;
    s->spec.timeout_ns = timeout_us > LONGEST_US ? LONGEST_US * 1000 : timeout_us * 1000;
    s->spec.run = run;
    return read_sizes(s, attrs, splits, err);
}

static sl_code read_queue(struct batched *s, struct sl_kernel_setup *setup) {
    struct sl_str queue;
    SL_TRY(sl_attr_string(&queue, setup->attrs, "batching_queue", setup->err));
    if (!queue.n) queue = setup->resource_name;
    char *copy = sl_malloc(queue.n + 1);
    if (!copy) return sl_fail_memory(setup->err, queue.n);
    memcpy(copy, queue.p, queue.n);
    s->queue = (struct sl_str){copy, queue.n};
    return SL_OK;
}

static sl_code bind_function(struct batched *s, struct sl_kernel_setup *setup) {
    const struct sl_callee_types types = {setup->in_types, setup->out_types, setup->n_in, setup->n_out};
    s->callees = sl_callees_new(1, setup->functions, setup->err);
    if (!s->callees) return SL_RESOURCE_EXHAUSTED;
    return sl_callees_keep_error(s->callees, setup, sl_callee_bind(s->callees, 0, setup, "f", types));
}

static void free_parts(struct batched *s) {
    sl_callees_free(s->callees);
    sl_free((char *)s->queue.p);
    sl_free(s->allowed);
    sl_free(s);
}

static sl_code batched_create(void **state, struct sl_kernel_setup *setup) {
    struct batched *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    const int32_t *types;
    sl_code code = sl_attr_type_list(&types, &s->n_in, setup->attrs, "Tin", setup->err);
    if (code == SL_OK) code = read_spec(s, setup->attrs, setup->err);
    if (code == SL_OK) code = read_queue(s, setup);
    if (code == SL_OK) code = bind_function(s, setup);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_BY_NODE);
    if (code == SL_OK) *state = s;
    else free_parts(s);
    return code;
}

static void batched_destroy(void *state) {
    struct batched *s = state;
    sl_session_maker_clear(&s->maker);
    free_parts(s);
}

/* ---- one execution */

static sl_code make(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    return sl_batcher_new(out, arg, err);
}

static sl_code check_inputs(int64_t *rows, struct sl_kernel_context *k) {
    const struct batched *s = k->state;
    for (int i = 0; i < s->n_in; i++) {
        struct sl_view v = sl_in(k, i);
        if (v.rank == 0) return sl_invalid(k, "Batching input tensors must have at least one dimension.");
        if (i == 0) *rows = v.dims[0];
        if (v.dims[0] != *rows)
            return sl_invalid(k, "Batching input tensors supplied in a given op invocation must have equal "
                                 "0th-dimension size.");
    }
    return SL_OK;
}

/* What no rows give: vectors without elements. */
static sl_code give_nothing(struct sl_kernel_context *k) {
    struct sl_view v;
    for (int o = 0; o < sl_out_count(k); o++) SL_TRY(sl_out_new(&v, k, o, (struct sl_shape){1, (const int64_t[]){0}}));
    return SL_OK;
}

static void batched_start(struct sl_kernel_context *k) {
    struct batched *s = k->state;
    struct sl_session_object *o = NULL;
    int64_t rows = 0;
    sl_code code = sl_callees_status(s->callees, k->err);
    if (code == SL_OK) code = check_inputs(&rows, k);
    if (code == SL_OK && rows == 0) {
        sl_kernel_done(k, give_nothing(k));
        return;
    }
    if (code == SL_OK) code = sl_session_object_get(&o, k, &s->maker, &sl_batcher_type, make, NULL, &s->spec);
    if (code == SL_OK) sl_batcher_call((struct sl_batcher *)o, k, s->queue, rows);
    else sl_kernel_done(k, code);
}

/* clang-format off */
const struct sl_kernel_def sl_any_batch_function_rows[] = {
    KERNEL("BatchFunction", NO_RULE, .create = batched_create, .destroy = batched_destroy, .start = batched_start,
           .flags = SL_KERNEL_ASYNC)
    SL_ROWS_END
};
/* clang-format on */
