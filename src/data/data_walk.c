/* Walks. Functions that keep states have instances of the walk's own, made by the first call; each call has its own
 * TensorArrays and stacks. Called by the kernels of iterators and by iterators. */
#include "data/data_walk.h"

#include "base/alloc.h"
#include "base/env.h"
#include "base/vec.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "kernel/resources.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/page.h"

struct own_function {
    struct sl_function *shared, *own;
};
struct sl_data_walk {
    struct sl_data_walk_head head;
    atomic_uint refs;
    _Atomic(const void *) tracer; /* of the thread whose step is traced */
    int may_trace;                /* events more; of that thread alone */
    struct sl_dataset *dataset;
    struct sl_iterator *root; /* of whoever is_taken by */
    struct sl_mutex mutex;    /* guards is_taken and functions */
    struct sl_condition given_back;
    bool is_taken, is_over, is_cut_off; /* is_cut_off: a step that took from it was cancelled */
    SL_VEC(struct own_function) functions;
    _Atomic(struct sl_resources *) spare; /* empty, for the next call */
};

/* SLUICE_DATA_MEMORY, or half of the machine's memory. */
static sl_code read_most_gathered(int64_t *most, struct sl_error *err) {
    const char *text = sl_env_text(SL_ENV_DATA_MEMORY);
    size_t bytes = sl_pages_of_machine() / 2;
    if (text && !sl_size_parse(&bytes, text))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "SLUICE_DATA_MEMORY is '%s', which is no number of bytes, as in 500000000, 500M or 2G", text);
    *most = bytes == 0 || bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
    return SL_OK;
}

sl_code sl_data_walk_new_idle(struct sl_data_walk **out, struct sl_dataset *d, const struct sl_step_env *env,
                              struct sl_error *err) {
    struct sl_data_walk *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    w->head.env = (struct sl_step_env){.step_id = env->step_id,
                                       .pool = env->pool,
                                       .session_resources = env->session_resources,
                                       .functions = env->functions,
                                       .device = env->device,
                                       .devices = env->devices,
                                       .watch = env->watch,
                                       .depth = env->depth};
    atomic_init(&w->refs, 1);
    if (env->functions && env->functions->keep) env->functions->keep(env->functions);
    w->dataset = sl_dataset_ref(d);
    sl_mutex_init(&w->mutex);
    sl_condition_init(&w->given_back);
    sl_code code = sl_cancellation_new(&w->head.env.cancellation, NULL, err);
    if (code == SL_OK) code = read_most_gathered(&w->head.most_gathered, err);
    if (code == SL_OK) *out = w;
    else sl_data_walk_unref(w);
    return code;
}

sl_code sl_data_walk_new(struct sl_data_walk **out, struct sl_dataset *d, const struct sl_step_env *env,
                         struct sl_error *err) {
    struct sl_data_walk *w;
    SL_TRY(sl_data_walk_new_idle(&w, d, env, err));
    sl_code code = sl_iterator_new_root(&w->root, w, d, err);
    if (code == SL_OK) *out = w;
    else sl_data_walk_unref(w);
    return code;
}

struct sl_data_walk *sl_data_walk_ref(struct sl_data_walk *w) {
    atomic_fetch_add_explicit(&w->refs, 1, memory_order_relaxed);
    return w;
}

void sl_data_walk_unref(struct sl_data_walk *w) {
    if (!w || atomic_fetch_sub_explicit(&w->refs, 1, memory_order_acq_rel) != 1) return;
    if (w->head.env.cancellation) sl_cancellation_start(w->head.env.cancellation, SL_CANCELLED, "The iterator is gone");
    sl_iterator_free(w->root);
    for (size_t i = 0; i < w->functions.n; i++) w->head.env.functions->release(w->functions.items[i].own);
    sl_vec_free(&w->functions);
    sl_resources_free(atomic_load(&w->spare));
    sl_cancellation_free(w->head.env.cancellation);
    sl_dataset_unref(w->dataset);
    sl_condition_clear(&w->given_back);
    sl_mutex_clear(&w->mutex);
    struct sl_functions *functions = w->head.env.functions;
    sl_free(w);
    if (functions && functions->let_go) functions->let_go(functions);
}

struct sl_dataset *sl_data_walk_dataset(const struct sl_data_walk *w) {
    return w->dataset;
}

/* ---- taking turns, and the cancellation of the step whose turn it is */

static void wake(void *arg) {
    struct sl_data_walk *w = arg;
    sl_mutex_lock(&w->mutex);
    sl_condition_broadcast(&w->given_back);
    sl_mutex_unlock(&w->mutex);
}

static void tell_of_turn(void *arg, struct sl_wait_listener *to) {
    const struct sl_data_walk *w = arg;
    sl_wait_say(to, "an iterator of a %s dataset waits for its turn, since another step takes an element",
                w->dataset->kind->name);
}

/* The walk becomes this caller's; not when its step is cancelled before. */
static sl_code take(struct sl_data_walk *w, struct sl_cancellation *step, struct sl_error *err) {
    sl_mutex_lock(&w->mutex);
    if (!w->is_taken) {
        w->is_taken = true;
        sl_mutex_unlock(&w->mutex);
        return SL_OK;
    }
    sl_mutex_unlock(&w->mutex);
    struct sl_cancellation_callback callback = {.fn = wake, .arg = w, .tell = tell_of_turn};
    const bool listens = step && sl_cancellation_register(step, &callback);
    const int64_t deadline = step ? sl_cancellation_deadline(step) : 0;
    bool is_cancelled = false;
    sl_mutex_lock(&w->mutex);
    while (w->is_taken && !(is_cancelled = step && sl_cancellation_is_due(step))) {
        if (deadline) sl_condition_wait_until(&w->given_back, &w->mutex, deadline);
        else sl_condition_wait(&w->given_back, &w->mutex);
    }
    if (!is_cancelled) w->is_taken = true;
    sl_mutex_unlock(&w->mutex);
    if (listens) sl_cancellation_unregister(step, &callback);
    return is_cancelled ? sl_cancellation_status(step, err) : SL_OK;
}

static void give_back(struct sl_data_walk *w) {
    sl_mutex_lock(&w->mutex);
    w->is_taken = false;
    sl_condition_signal(&w->given_back);
    sl_mutex_unlock(&w->mutex);
}

/* ---- traces */

enum { MOST_EVENTS = 4096 }; /* of one element: what skips many would fill the disk */
static _Thread_local char this_thread;

static void trace_for(struct sl_data_walk *w, const struct sl_step_env *step) {
    if (!step->trace || !w->head.env.functions || !w->head.env.functions->trace) return;
    w->may_trace = MOST_EVENTS;
    atomic_store(&w->tracer, &this_thread);
    atomic_store(&w->head.traced, step);
}

int64_t sl_data_walk_trace_begin(struct sl_data_walk *w) {
    if (!atomic_load(&w->head.traced) || atomic_load(&w->tracer) != &this_thread || w->may_trace == 0) return 0;
    w->may_trace--;
    return sl_clock_ns();
}

void sl_data_walk_trace_end(struct sl_data_walk *w, const char *name, const char *kind, int64_t begun) {
    w->head.env.functions->trace(atomic_load(&w->head.traced), name, kind, begun);
}

/* ---- an element */

struct cut {
    struct sl_data_walk *walk;
    struct sl_cancellation *step;
};

/* The step is cancelled: what the walk does for it ends. */
static void cut_off(void *arg) {
    const struct cut *cut = arg;
    struct sl_error reason = {0};
    sl_code code = sl_cancellation_status(cut->step, &reason);
    sl_cancellation_start(cut->walk->head.env.cancellation, code == SL_OK ? SL_CANCELLED : code, reason.message);
}

/* What its stages and functions wait for. */
static void tell_of_walk(void *arg, struct sl_wait_listener *to) {
    const struct sl_data_walk *w = ((const struct cut *)arg)->walk;
    const size_t before = to->n;
    sl_cancellation_tell_of_step(w->head.env.cancellation, to);
    if (to->n == before)
        sl_wait_say(to, "an iterator of a %s dataset takes an element, and nothing in its pipeline waits",
                    w->dataset->kind->name);
}

static sl_code next_within(struct sl_data_walk *w, struct sl_value *element, bool *is_end, struct sl_cancellation *step,
                           struct sl_error *err) {
    if (!step) return sl_iterator_next(w->root, element, is_end, err);
    struct cut cut = {w, step};
    struct sl_cancellation_callback callback = {.fn = cut_off, .arg = &cut, .tell = tell_of_walk};
    if (!sl_cancellation_register(step, &callback)) return sl_cancellation_status(step, err);
    sl_cancellation_set_deadline(w->head.env.cancellation, sl_cancellation_deadline(step));
    sl_code code = sl_iterator_next(w->root, element, is_end, err);
    if (code == SL_DEADLINE_EXCEEDED && !sl_cancellation_has_waits(w->head.env.cancellation) &&
        sl_cancellation_is_on(step)) /* the step tells of the walk, while that is registered */
        code = sl_cancellation_status(step, err);
    sl_cancellation_set_deadline(w->head.env.cancellation, 0);
    sl_cancellation_unregister(step, &callback);
    w->is_cut_off = sl_cancellation_is_on(w->head.env.cancellation);
    return code;
}

sl_code sl_data_walk_next(struct sl_data_walk *w, struct sl_value *element, bool *is_end,
                          const struct sl_step_env *step, struct sl_error *err) {
    for (int i = 0; i < w->dataset->n; i++) element[i].kind = SL_VALUE_NONE;
    SL_TRY(take(w, step->cancellation, err));
    sl_code code = SL_OK;
    *is_end = w->is_cut_off || w->is_over;
    trace_for(w, step);
    if (!*is_end) code = next_within(w, element, is_end, step->cancellation, err);
    if (code == SL_OK && *is_end) w->is_over = true; /* the root stays: its position may be saved */
    atomic_store(&w->head.traced, NULL);
    give_back(w);
    return code;
}

/* ---- random access */

sl_code sl_data_walk_element(struct sl_data_walk *w, struct sl_dataset *d, int64_t index, struct sl_value *element,
                             struct sl_error *err) {
    while (d->kind == &sl_pass_data) d = d->inputs[0]; /* what is wrong is told of the dataset within */
    const int64_t n = sl_dataset_cardinality(d);
    for (int i = 0; i < d->n; i++) element[i].kind = SL_VALUE_NONE;
    if (!d->kind->element)
        return sl_fail(err, SL_UNIMPLEMENTED, "Random access is not implemented for dataset of type %s", d->kind->name);
    if (n < 0 && !d->kind->finds_last)
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "Dataset of type %s has %s cardinality, which does not support random access.", d->kind->name,
                       n == SL_INFINITE_CARDINALITY ? "infinite" : "unknown");
    if (index < 0 || (n >= 0 && index >= n))
        return sl_fail(err, SL_OUT_OF_RANGE, "Index out of range [0, %lld):%lld", (long long)n, (long long)index);
    sl_code code = d->kind->element(d, w, index, element, err);
    if (code != SL_OK) sl_element_clear(element, d->n);
    return code;
}

/* ---- saving */

sl_code sl_data_walk_save(struct sl_data_walk *w, struct sl_state *state, struct sl_error *err) {
    SL_TRY(take(w, NULL, err));
    sl_code code = sl_iterator_save(w->root, state, err);
    give_back(w);
    return code;
}

sl_code sl_data_walk_restore(struct sl_data_walk *w, const struct sl_state *state, struct sl_error *err) {
    struct sl_iterator *restored;
    SL_TRY(take(w, NULL, err));
    sl_code code = sl_iterator_new_root(&restored, w, w->dataset, err);
    if (code == SL_OK) {
        code = sl_iterator_restore(restored, state, err);
        if (code == SL_OK) {
            sl_iterator_free(w->root);
            w->root = restored;
            w->is_over = false;
        } else {
            sl_iterator_free(restored);
        }
    }
    give_back(w);
    return code;
}

/* ---- calls */

enum { SMALL_CALL = 16 }; /* up to so many arguments stay on the stack */

static sl_code check_args(const struct sl_dataset_function *f, const struct sl_value *args, int n,
                          struct sl_error *err) {
    if (n != f->n_args)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expects %d arguments, but %d is provided", f->n_args, n);
    for (int i = 0; i < n; i++)
        if (args[i].dtype != f->arg_types[i])
            return sl_fail(err, SL_INVALID_ARGUMENT, "Expects arg[%d] to be %s but %s is provided", i,
                           sl_dtype_name(f->arg_types[i]), sl_dtype_name(args[i].dtype));
    return SL_OK;
}

/* The walk's instance of a function. */
static sl_code own_function(struct sl_function **out, struct sl_data_walk *w, struct sl_function *shared,
                            struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&w->mutex);
    size_t i = 0;
    while (i < w->functions.n && w->functions.items[i].shared != shared) i++;
    if (i < w->functions.n) {
        *out = w->functions.items[i].own;
    } else {
        code = w->head.env.functions->with_own_states(out, shared, err);
        if (code == SL_OK && sl_vec_push(&w->functions, ((struct own_function){shared, *out}))) {
            w->head.env.functions->release(*out);
            code = sl_fail_memory(err, sizeof *w->functions.items);
        }
    }
    sl_mutex_unlock(&w->mutex);
    return code;
}

/* A call has TensorArrays and stacks of its own. */
static sl_code call_within(struct sl_value *rets, struct sl_data_walk *w, struct sl_function *f, struct sl_value *args,
                           bool is_at_end, struct sl_error *err) {
    struct sl_step_env own = w->head.env;
    if (is_at_end) own.cancellation = NULL;
    own.step_resources = atomic_exchange(&w->spare, NULL);
    if (!own.step_resources) SL_TRY(sl_resources_new(&own.step_resources, err));
    sl_code code = own.functions->call(f, &own, args, rets, err);
    if (!sl_resources_is_empty(own.step_resources)) sl_resources_clear(own.step_resources, (struct sl_str){NULL, 0});
    sl_resources_free(atomic_exchange(&w->spare, own.step_resources));
    return code;
}

static sl_code call_function(struct sl_value *rets, struct sl_data_walk *w, const struct sl_dataset *d, int which,
                             struct sl_value *args, int n, bool is_at_end, struct sl_error *err) {
    const struct sl_dataset_function *f = &d->spec->functions[which];
    struct sl_function *function = f->function;
    const int all = n + f->n_captured;
    struct sl_value small[SMALL_CALL], *whole = small;
    if (all > SMALL_CALL && !(whole = sl_malloc((size_t)all * sizeof *whole)))
        return sl_fail_memory(err, (size_t)all * sizeof *whole);
    for (int i = 0; i < n; i++) whole[i] = sl_value_move(&args[i]);
    for (int i = n; i < all; i++) whole[i] = sl_value_share(&d->values[f->captured + i - n]);
    sl_code code = check_args(f, whole, all, err);
    if (code == SL_OK && f->keeps_states) code = own_function(&function, w, f->function, err);
    if (code == SL_OK) {
        for (int i = 0; i < f->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
        code = call_within(rets, w, function, whole, is_at_end, err);
    }
    if (code != SL_OK)
        for (int i = 0; i < all; i++) sl_value_clear(&whole[i]);
    if (whole != small) sl_free(whole);
    return code;
}

sl_code sl_data_walk_call(struct sl_value *rets, struct sl_data_walk *w, const struct sl_dataset *d, int which,
                          struct sl_value *args, int n, struct sl_error *err) {
    return call_function(rets, w, d, which, args, n, false, err);
}

sl_code sl_data_walk_call_at_end(struct sl_value *rets, struct sl_data_walk *w, const struct sl_dataset *d, int which,
                                 struct sl_value *args, int n, struct sl_error *err) {
    return call_function(rets, w, d, which, args, n, true, err);
}
