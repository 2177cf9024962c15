/* One step of a program in parts: all parts run at once, each on its device, and meet in a rendezvous of the step's own. The first error wins;
 * it cancels the step, which ends the waits of all parts. The step is over when every part is. Parts that only wait for each other have come to
 * an end too: that is an error.
 *
 * Called for whole steps and for calls of functions within steps, which is why the rendezvous is not the caller's. */
#include <inttypes.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "exec/part.h"
#include "kernel/cancellation.h"
#include "kernel/rendezvous.h"
#include "os/mutex.h"

struct meeting;

struct part {
    struct meeting *meeting;
    struct sl_token_step *step; /* NULL: could not begin */
    struct sl_step_env env;
    struct sl_error err;
};

struct meeting {
    struct sl_program *program;
    struct sl_step_env *env;
    struct sl_crew *crew;
    struct sl_rendezvous *rendezvous;
    struct sl_value *rets;
    struct sl_error *err;
    sl_code code; /* guarded by `mutex`, as is `err` */
    struct sl_mutex mutex;
    atomic_int unfinished;                 /* parts, and one for who starts them */
    void (*done)(void *arg, sl_code code); /* NULL: somebody waits */
    void *arg_of_done;
    struct part parts[];
};

static struct meeting *meeting_new(struct sl_program *program, struct sl_step_env *env, struct sl_error *err) {
    struct meeting *m = sl_calloc(1, sizeof *m + (size_t)program->n_parts * sizeof(struct part));
    if (!m) {
        sl_fail_memory(err, sizeof *m);
        return NULL;
    }
    sl_mutex_init(&m->mutex);
    m->program = program;
    m->env = env;
    m->err = err;
    m->crew = sl_crew_new(env->pool);
    if (m->crew && sl_rendezvous_new(&m->rendezvous, program->n_pairs, env->cancellation, err) == SL_OK) return m;
    if (!m->crew) sl_fail_memory(err, sizeof *m);
    else sl_crew_unref(m->crew);
    sl_mutex_clear(&m->mutex);
    sl_free(m);
    return NULL;
}

/* After the last part: results of a step that has failed are nobody's. Frees all but the crew. */
static sl_code meeting_end(struct meeting *m) {
    sl_code code = m->code;
    for (int i = 0; i < m->program->n_rets && code != SL_OK; i++) sl_value_clear(&m->rets[i]);
    for (int i = 0; i < m->program->n_parts; i++) sl_part_release(m->parts[i].step);
    sl_rendezvous_free(m->rendezvous);
    sl_mutex_clear(&m->mutex);
    sl_free(m);
    return code;
}

static void fail(struct meeting *m, sl_code code, const struct sl_error *err) {
    sl_mutex_lock(&m->mutex);
    bool is_first = m->code == SL_OK;
    if (is_first) {
        m->code = code;
        if (m->err) *m->err = *err;
    }
    sl_mutex_unlock(&m->mutex);
    if (is_first && m->env->cancellation) sl_cancellation_start(m->env->cancellation, code, err->message);
}

static void leave(struct meeting *m) {
    if (atomic_fetch_sub(&m->unfinished, 1) != 1) return;
    struct sl_crew *crew = m->crew;
    if (!m->done) {
        sl_crew_end(crew);
        return;
    }
    void (*done)(void *, sl_code) = m->done;
    void *arg = m->arg_of_done;
    sl_code code = meeting_end(m);
    sl_crew_unref(crew);
    done(arg, code);
}

static void part_done(void *arg, sl_code code) {
    struct part *part = arg;
    if (code != SL_OK) fail(part->meeting, code, &part->err);
    leave(part->meeting);
}

/* When all that is left to do in any part is to wait for other parts, nobody will ever send: that is an error, and no reason to wait for ever. It
 * happens when a transfer has one end only, or when a node of a loop is reached in some iterations alone (a variable that is dead in the
 * first one is not there at all in the next). Other things that are waited for, queues say, count as work. */
static void look_for_stall(void *arg) {
    struct meeting *m = ((struct part *)arg)->meeting;
    struct sl_rendezvous_key key;
    size_t left = 0;
    for (int i = 0; i < m->program->n_parts; i++)
        if (m->parts[i].step) left += sl_part_lock(m->parts[i].step);
    size_t waiting = sl_rendezvous_waiting(m->rendezvous, &key);
    for (int i = m->program->n_parts; i-- > 0;)
        if (m->parts[i].step) sl_part_unlock(m->parts[i].step);
    if (!waiting || waiting != left) return;
    struct sl_error err = {0};
    sl_fail(&err, SL_FAILED_PRECONDITION,
            "%.*s waits for '%.*s' in iteration %" PRIu64 ", which nothing on %.*s sends any more",
            SL_STR_ARG(key.pair->recv_device), SL_STR_ARG(key.pair->tensor_name), key.iteration,
            SL_STR_ARG(key.pair->send_device));
    fail(m, err.code, &err);
}

static void start_parts(struct meeting *m, struct sl_value *args, struct sl_value *rets) {
    struct sl_program *p = m->program;
    int n = p->n_parts;
    m->rets = rets;
    atomic_store(&m->unfinished, n + 1);
    for (int i = 0; i < p->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    for (int i = 0; i < n; i++) {
        struct part *part = &m->parts[i];
        part->meeting = m;
        part->env = *m->env;
        part->env.rendezvous = m->rendezvous;
        part->env.device = p->parts[i]->device;
        const struct sl_part_owner owner = {m->crew, part_done, look_for_stall, part};
        sl_code code = sl_part_start(&part->step, p->parts[i], &part->env, args, rets, &owner, &part->err);
        if (code != SL_OK) part_done(part, code);
    }
}

static sl_code refuse(struct sl_program *program, struct sl_value *args, struct sl_value *rets) {
    for (int i = 0; i < program->n_args; i++) sl_value_clear(&args[i]);
    for (int i = 0; i < program->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    return SL_RESOURCE_EXHAUSTED;
}

sl_code sl_parts_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err) {
    struct meeting *m = meeting_new(program, env, err);
    if (!m) return refuse(program, args, rets);
    struct sl_crew *crew = m->crew;
    start_parts(m, args, rets);
    leave(m);
    sl_crew_wait(crew, env->cancellation);
    sl_code code = meeting_end(m);
    sl_crew_unref(crew);
    return code;
}

void sl_parts_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                    struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done) {
    struct meeting *m = meeting_new(program, env, err);
    if (!m) {
        done(arg_of_done, refuse(program, args, rets));
        return;
    }
    struct sl_crew *crew = sl_crew_ref(m->crew);
    m->done = done;
    m->arg_of_done = arg_of_done;
    start_parts(m, args, rets);
    leave(m);
    sl_crew_drive(crew);
    sl_crew_unref(crew);
}
