/* One step of a program in parts. The parts run at the same time, each on its device, and meet in a rendezvous: that of
 * the environment, or one that is made here. The first error wins; it cancels the step, which ends the waits of all
 * parts. The step is over when every part is. When all parts only wait for each other, the step fails; a part may wait
 * for a peer in another process.
 *
 * Whole steps and calls of functions within steps begin all parts at once (sl_parts_run, sl_parts_start). A call
 * always has a rendezvous of its own, so that its keys cannot meet those of the step around it. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"
#include "exec/part.h"
#include "kernel/cancellation.h"
#include "kernel/remote_pairs.h"
#include "os/mutex.h"

struct part {
    struct sl_step_parts *whole;
    _Atomic(struct sl_token_step *) step; /* NULL: has not begun, or could not */
    bool was_begun;                       /* set by who begins it; read when nobody begins parts any more */
    struct sl_step_env env;
    struct sl_error err;
};

struct sl_step_parts {
    struct sl_program *program;
    struct sl_step_env *env;
    struct sl_run_queue *queue;
    struct sl_rendezvous *own_rendezvous; /* NULL: it was given */
    struct sl_value *args, *rets;
    struct sl_error *err;
    sl_code code; /* guarded by `mutex`, as is `err` */
    struct sl_mutex mutex;
    struct sl_part_listener listener;
    atomic_int missing;                    /* parts that have not begun */
    atomic_int unfinished;                 /* parts, one for each who begins some, and one for who ends the step */
    void (*done)(void *arg, sl_code code); /* NULL: somebody waits */
    void *arg_of_done;
    struct part parts[];
};

/* ---- beginning and end */

static sl_code make(struct sl_step_parts **out, struct sl_program *program, struct sl_step_env *env,
                    struct sl_error *err) {
    size_t size = sizeof **out + (size_t)program->n_parts * sizeof(struct part);
    struct sl_step_parts *s = sl_calloc(1, size);
    if (!s) return sl_fail_memory(err, size);
    s->env = env;
    s->program = program;
    s->queue = sl_run_queue_new(env->pool);
    sl_code code = s->queue ? SL_OK : sl_fail_memory(err, size);
    if (code == SL_OK && !env->rendezvous)
        code = sl_rendezvous_new(&s->own_rendezvous, program->n_pairs, env->cancellation, err);
    if (code == SL_OK) {
        sl_mutex_init(&s->mutex);
        *out = s;
        return SL_OK;
    }
    if (s->queue) sl_run_queue_unref(s->queue);
    sl_free(s);
    return code;
}

sl_code sl_step_parts_new(struct sl_step_parts **out, struct sl_program *program, struct sl_step_env *env,
                          struct sl_value *args, struct sl_value *rets, const struct sl_part_listener *listener,
                          struct sl_error *err) {
    struct sl_step_parts *s;
    sl_code code = make(&s, program, env, err);
    for (int i = 0; i < program->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    if (code != SL_OK) {
        for (int i = 0; i < program->n_args; i++) sl_value_clear(&args[i]);
        return code;
    }
    s->args = args;
    s->rets = rets;
    s->err = err;
    if (listener) s->listener = *listener;
    atomic_store(&s->missing, program->n_parts);
    atomic_store(&s->unfinished, program->n_parts + 1);
    *out = s;
    return SL_OK;
}

/* After the last part: results of a step that has failed are nobody's. Frees all but the run queue. */
static sl_code free_step(struct sl_step_parts *s) {
    sl_code code = s->code;
    for (int i = 0; i < s->program->n_args; i++) sl_value_clear(&s->args[i]); /* of a part that never began */
    for (int i = 0; i < s->program->n_rets && code != SL_OK; i++) sl_value_clear(&s->rets[i]);
    for (int i = 0; i < s->program->n_parts; i++) sl_part_release(atomic_load(&s->parts[i].step));
    sl_rendezvous_free(s->own_rendezvous);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
    return code;
}

static void fail(struct sl_step_parts *s, sl_code code, const struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    bool is_first = s->code == SL_OK;
    if (is_first) {
        s->code = code;
        if (s->err) *s->err = *err;
    }
    sl_mutex_unlock(&s->mutex);
    if (is_first && s->env->cancellation) sl_cancellation_start(s->env->cancellation, code, err->message);
}

/* The caller's count of what is unfinished goes; it must not touch the step any more. */
static void leave(struct sl_step_parts *s, int n) {
    if (atomic_fetch_sub(&s->unfinished, n) != n) return;
    struct sl_run_queue *queue = s->queue;
    if (!s->done) {
        sl_run_queue_end(queue);
        return;
    }
    void (*done)(void *, sl_code) = s->done;
    void *arg = s->arg_of_done;
    sl_code code = free_step(s);
    sl_run_queue_unref(queue);
    done(arg, code);
}

/* ---- parts that only wait */

/* Parts that have begun, stopped, in their order: what is left to do in them. */
static size_t lock_parts(struct sl_step_parts *s) {
    size_t left = 0;
    for (int i = 0; i < s->program->n_parts; i++) {
        struct sl_token_step *step = atomic_load(&s->parts[i].step);
        if (step) left += sl_part_lock(step);
    }
    return left;
}

static void unlock_parts(struct sl_step_parts *s) {
    for (int i = s->program->n_parts; i-- > 0;) {
        struct sl_token_step *step = atomic_load(&s->parts[i].step);
        if (step) sl_part_unlock(step);
    }
}

static bool is_remote(const struct sl_step_parts *s, const struct sl_wait *wait) {
    const uint8_t *sides = s->own_rendezvous ? NULL : sl_remote_pairs_sides(s->program->remote_pairs);
    return wait->pair && sides && sides[wait->pair->number] != SL_PAIR_WITHIN;
}

/* The wait for the pair of the lowest number: what the client wrote comes before what was cut. With all parts locked
 * and none at work; false when there is none. */
static bool find_wait(struct sl_wait *wait, const struct sl_step_parts *s) {
    struct sl_wait waits[64];
    wait->pair = NULL;
    for (int i = 0; i < s->program->n_parts; i++) {
        struct sl_token_step *step = atomic_load(&s->parts[i].step);
        size_t n = step ? sl_part_waits(waits, 64, step) : 0;
        for (size_t w = 0; w < n && w < 64; w++)
            if (waits[w].pair && (!wait->pair || waits[w].pair->number < wait->pair->number)) *wait = waits[w];
    }
    return wait->pair;
}

/* When all that is left to do in any part is to wait for other parts, nobody will ever send: that is an error, and
 * no reason to wait for ever. It happens when a transfer has one end only, or when a node of a loop is reached in
 * some iterations alone (a variable that is dead in the first one is not there at all in the next). Other things
 * that are waited for, queues or peers say, count as work. */
static void look_for_stall(struct sl_step_parts *s) {
    struct sl_rendezvous *rendezvous = s->own_rendezvous ? s->own_rendezvous : s->env->rendezvous;
    struct sl_rendezvous_load load;
    struct sl_wait wait;
    if (atomic_load(&s->missing) || !rendezvous->load) return;
    rendezvous->load(rendezvous, &load);
    if (!load.waiters[SL_PAIR_WITHIN]) return;
    size_t left = lock_parts(s);
    rendezvous->load(rendezvous, &load);
    bool is_stuck = left && load.waiters[SL_PAIR_WITHIN] == left && find_wait(&wait, s);
    unlock_parts(s);
    if (!is_stuck) return;
    struct sl_error err = {0};
    sl_fail(&err, SL_FAILED_PRECONDITION,
            "%.*s waits for '%.*s' in iteration %" PRIu64 ", which nothing on %.*s sends any more",
            SL_STR_ARG(wait.pair->recv_device), SL_STR_ARG(wait.pair->tensor_name), wait.iteration,
            SL_STR_ARG(wait.pair->send_device));
    fail(s, err.code, &err);
}

static void when_idle(void *arg) { look_for_stall(((struct part *)arg)->whole); }

size_t sl_step_parts_waits(struct sl_wait *out, size_t most, struct sl_step_parts *s) {
    size_t n = 0;
    for (int i = 0; i < s->program->n_parts; i++) {
        struct sl_token_step *step = atomic_load(&s->parts[i].step);
        if (!step) continue;
        size_t first = n < most ? n : most;
        if (sl_part_lock(step) < SL_PART_AT_WORK) n += sl_part_waits(out + first, most - first, step);
        sl_part_unlock(step);
    }
    for (size_t w = 0; w < n && w < most; w++) out[w].is_remote = is_remote(s, &out[w]);
    return n;
}

int sl_wait_print(char *text, size_t size, const struct sl_wait *wait) {
    int n = snprintf(text, size, "node '%.*s' (%.*s) on %s waits", SL_STR_ARG(wait->node), SL_STR_ARG(wait->op),
                     wait->device);
    if (!wait->pair) return n;
    const struct sl_rendezvous_key key = {wait->pair, wait->frame, wait->iteration};
    size_t used = (size_t)n < size ? (size_t)n : size;
    int m = snprintf(text + used, size - used, " for %s", wait->is_remote ? "a peer's " : "");
    used = (size_t)(n + m) < size ? (size_t)(n + m) : size;
    return n + m + sl_rendezvous_key_print(text + used, size - used, &key);
}

/* ---- parts that run */

static void part_done(void *arg, sl_code code) {
    struct part *part = arg;
    struct sl_step_parts *s = part->whole;
    if (code != SL_OK) fail(s, code, &part->err);
    else if (!sl_run_queue_has_tasks(s->queue)) look_for_stall(s); /* nobody asks for the others any more */
    if (s->listener.part_done) s->listener.part_done(s->listener.arg, (int)(part - s->parts), code, &part->err);
    leave(s, 1);
}

/* The caller has a count of what is unfinished. */
static void begin_part(struct sl_step_parts *s, int i) {
    struct part *part = &s->parts[i];
    struct sl_token_step *step = NULL;
    part->whole = s;
    part->was_begun = true;
    part->env = *s->env;
    part->env.device = s->program->parts[i]->device;
    if (s->own_rendezvous) part->env.rendezvous = s->own_rendezvous;
    const struct sl_part_owner owner = {s->queue, part_done, when_idle, part};
    sl_code code = sl_part_start(&step, s->program->parts[i], &part->env, s->args, s->rets, &owner, &part->err);
    atomic_store(&part->step, step);
    atomic_fetch_sub(&s->missing, 1);
    if (code != SL_OK) part_done(part, code);
}

void sl_step_parts_begin(struct sl_step_parts *s, int first, int n) {
    struct sl_run_queue *queue = sl_run_queue_ref(s->queue);
    sl_run_queue_enter(queue);
    atomic_fetch_add(&s->unfinished, 1);
    for (int i = first; i < first + n; i++) begin_part(s, i);
    if (n) look_for_stall(s); /* parts that were idle before have asked in vain */
    leave(s, 1);
    sl_run_queue_drain(queue);
    sl_run_queue_unref(queue);
}

void sl_step_parts_cancel(struct sl_step_parts *s, sl_code code, const char *message) {
    struct sl_error err = {0};
    sl_fail(&err, code, "%s", message);
    fail(s, code, &err);
}

/* Parts that were never begun are none that could send or receive. Returns the caller's count. */
static int give_up_missing(struct sl_step_parts *s) {
    int n = 0;
    for (int i = 0; i < s->program->n_parts; i++) n += !s->parts[i].was_begun;
    atomic_fetch_sub(&s->missing, n);
    if (n) look_for_stall(s);
    return n + 1;
}

static sl_code wait_for_parts(struct sl_step_parts *s) {
    struct sl_run_queue *queue = s->queue;
    leave(s, give_up_missing(s));
    sl_run_queue_wait(queue, s->env->cancellation);
    sl_code code = free_step(s);
    sl_run_queue_unref(queue);
    return code;
}

sl_code sl_step_parts_join(struct sl_step_parts *s) {
    sl_run_queue_enter(s->queue);
    return wait_for_parts(s);
}

void sl_step_parts_close(struct sl_step_parts *s, void (*done)(void *arg, sl_code code), void *arg) {
    s->done = done;
    s->arg_of_done = arg;
    leave(s, give_up_missing(s));
}

/* ---- whole steps */

sl_code sl_parts_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err) {
    struct sl_step_parts *s;
    SL_TRY(sl_step_parts_new(&s, program, env, args, rets, NULL, err));
    sl_run_queue_enter(s->queue);
    for (int i = 0; i < program->n_parts; i++) begin_part(s, i);
    return wait_for_parts(s);
}

void sl_parts_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done) {
    struct sl_step_parts *s;
    sl_code code = sl_step_parts_new(&s, program, env, args, rets, NULL, err);
    if (code != SL_OK) {
        done(arg_of_done, code);
        return;
    }
    struct sl_run_queue *queue = sl_run_queue_ref(s->queue);
    sl_run_queue_enter(queue);
    for (int i = 0; i < program->n_parts; i++) begin_part(s, i);
    sl_step_parts_close(s, done, arg_of_done);
    sl_run_queue_drain(queue);
    sl_run_queue_unref(queue);
}
