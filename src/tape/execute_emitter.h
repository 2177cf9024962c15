/* Execution as an emitter (ops/emit.h): an op that is added runs at once, and a term is a value. Types, shapes and
 * constants are those of the values, so all of them are known. Inputs may lie in any memory: an op runs on the device of
 * the first that is not on the host, when that has a kernel for it, and the others are copied.
 *
 * Tapes may listen: what runs is recorded by each of them that follows one of its inputs (tape/recording.h). Ops that call
 * functions then give what their gradient reads, too; nodes that move tokens (Switch, Enter ...) run in graphs alone.
 *
 *     struct sl_execute_emitter e;
 *     sl_execute_emitter_init(&e, &env);
 *     SL_TRY(sl_execute_bring(&x, &e, &value, 1, err));
 *     SL_TRY(e.base.add(&y, &e.base, &what, err));
 *     sl_execute_emitter_clear(&e);                     terms are gone, values live on where they are held
 *
 * Threads: an emitter has one owner; the environment is shared by emitters of one thread at a time. */
#ifndef SL_TAPE_EXECUTE_EMITTER_H
#define SL_TAPE_EXECUTE_EMITTER_H

#include "base/vec.h"
#include "grad/graph/call_gradient.h"
#include "kernel/instance_cache.h"
#include "ops/emit.h"
#include "tensor/value.h"

struct sl_recording;
struct sl_kept_call;
struct sl_emitted;
enum {
    SL_KEPT_CALLS = 128, /* how many gradients of calls an environment keeps */
    SL_KEPT_ROOMS = 4,
    SL_FEW_OUTPUTS = 4,
    SL_KEPT_OUTCOMES = 64,
    SL_HELD_INSTANCES = 64
};

/* A value that can be followed. The number is given once in a process, to this output of this execution; 0: the value
 * has none, and nobody follows it. */
struct sl_traced {
    struct sl_value value;
    uint64_t id;
};

/* What execution needs, of whoever runs ops: a session, an eager context, a test. Everything is borrowed but what
 * begins with `own_`. */
struct sl_execute_env {
    struct sl_op_registry *ops;
    struct sl_kernel_cache *kernels;
    struct sl_step_env *step; /* resources, functions, threads; its device, the host's, is where ops run */
    const char *device_type;
    /* By device of step->devices: there runs what has an input in the memory of that device and a kernel for it. NULL:
     * all values are the host's. Cancellation is that of `step`. */
    const struct sl_step_env *steps_there;
    /* Functions that ops may call; gains those that gradients are made of. */
    struct sl_graph *library;
    const struct sl_kernel_def *call_by_name; /* for ops that are functions; NULL: there are none */
    /* Called with the functions that a gradient needs, all that it reaches, the `n_own` first of which it has made:
     * `step->functions` is to know them until they are taken back. NULL: it knows what the library has, which keeps
     * them. */
    sl_code (*publish)(void *arg, struct sl_function_def *const *needed, int n_own, int n, struct sl_error *err);
    void (*take_back)(void *arg, struct sl_function_def *const *needed, int n);
    void *publish_arg;
    struct sl_str mark; /* in names of those functions: environments over one runtime have different ones */
    const struct sl_gradient_rule *(*find_rule)(struct sl_str name); /* the caller's rules; NULL: there are none */
    /* ---- made by sl_execute_env_init */
    const struct sl_rule_row **own_rules; /* by op; NULL where an op has none that needs no graph */
    struct sl_arena own_arena;
    uint64_t own_last_id, own_end_id, own_gradients;
    struct sl_kept_call *own_calls[SL_KEPT_CALLS]; /* call_cache.h */
    size_t own_next_call;
    struct sl_emitted *own_emitted; /* emission_cache.h; NULL: nothing yet */
    /* Memory of emitters and of a tape that are gone, for the next ones. */
    struct sl_emitter_room {
        struct sl_arena scratch;
        SL_VEC(struct sl_outcome *) made;
    } own_rooms[SL_KEPT_ROOMS];
    int own_n_rooms;
    struct sl_recording *own_spare;
    struct sl_outcome *own_free; /* with room for SL_FEW_OUTPUTS */
    int own_n_free;
    /* Instances that it has a reference of as long as it lives, by address: outcomes and records borrow them. */
    struct sl_kernel_instance *own_held[SL_HELD_INSTANCES];
};
/* After the members above are set. On failure there is nothing to clear. */
sl_code sl_execute_env_init(struct sl_execute_env *env, struct sl_error *err);
void sl_execute_env_clear(struct sl_execute_env *env);

/* What a term is an output of: an execution, a constant, or values from outside. Counted, for the emitter's thread
 * alone. */
struct sl_outcome {
    unsigned refs;
    struct sl_execute_env *env;          /* where it goes back to */
    struct sl_outcome *next;             /* of those that are free */
    struct sl_kernel_instance *instance; /* NULL: no execution */
    bool owns_instance;                  /* it has a reference; else the environment holds it */
    const struct sl_attrs *attrs;        /* bound; as long as the emitter has the outcome */
    const struct sl_term *inputs;        /* the same; as many as the instance has */
    const struct sl_shape *shapes;       /* of outputs whose value is NONE: known, but not there; borrowed */
    bool is_batch;                       /* outputs are stacks of many: see execute_batch.h */
    int n;
    struct sl_traced outputs[];
};

struct sl_execute_emitter {
    struct sl_emitter base;
    struct sl_execute_env *env;
    struct sl_recording *const *tapes; /* borrowed; the innermost, whose gradient is taken first, is the last */
    int n_tapes;
    struct sl_emitter_room room; /* `scratch`: of what is emitted; `made`: one reference each */
    struct sl_tensor *lent;      /* the last answer to `constant` */
    int64_t batch;               /* how many values a stack has; 0: there are none */
};

/* Whether the gradient of the op is one of graphs: a rule of the caller's adds nodes. */
static inline bool sl_execute_has_callers_rule(const struct sl_gradient_rule *(*find_rule)(struct sl_str name),
                                               const struct sl_op *op) {
    return find_rule && find_rule(op->name);
}

/* Whether the environment holds an instance from now on; else there are too many. */
static inline bool sl_execute_holds(struct sl_execute_env *env, struct sl_kernel_instance *i) {
    const uint64_t mixed = (uint64_t)(uintptr_t)i * UINT64_C(0x9e3779b97f4a7c15);
    struct sl_kernel_instance **held = &env->own_held[(mixed >> 32) % SL_HELD_INSTANCES];
    if (!*held) *held = sl_kernel_instance_ref(i);
    return *held == i;
}

void sl_execute_emitter_init(struct sl_execute_emitter *e, struct sl_execute_env *env);
/* Empty memory of the environment's, and back. */
struct sl_emitter_room sl_execute_take_room(struct sl_execute_env *env);
void sl_execute_give_room(struct sl_execute_env *env, struct sl_emitter_room *room);
/* Terms go, but those that are kept; the emitter may go on. */
void sl_execute_emitter_release(struct sl_execute_emitter *e);
void sl_execute_emitter_clear(struct sl_execute_emitter *e);

/* Values from outside as terms {out->of, 0 ..}: shared; their numbers are kept. Of a value that is NONE type and shape
 * may be asked: `shapes` has those, and is borrowed as long as the terms live; NULL: there is no such value. */
sl_code sl_execute_bring(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_traced *values,
                         const struct sl_shape *shapes, int n, struct sl_error *err);
/* A new number; a value with one, which is taken over. */
uint64_t sl_execute_next_id(struct sl_execute_env *env);
struct sl_traced sl_execute_number(struct sl_execute_env *env, struct sl_value value);
/* The same as `add` for attrs that are bound already. */
sl_code sl_execute(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                   const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err);

/* The value of a term: borrowed. */
static inline struct sl_traced *sl_term_value(struct sl_term t) {
    return &((struct sl_outcome *)t.of)->outputs[t.index];
}

/* Whether it is a stack: questions about it are answered for one of its values. */
static inline bool sl_term_is_batch(struct sl_term t) { return ((struct sl_outcome *)t.of)->is_batch; }

/* A reference of the caller's own, until it drops it: the term outlives its emitter, and other executing emitters take
 * it. Of no term: nothing. */
static inline struct sl_term sl_term_keep(struct sl_term t) {
    if (sl_term_is(t)) ((struct sl_outcome *)t.of)->refs++;
    return t;
}
void sl_outcome_free(struct sl_outcome *o); /* called by sl_term_drop alone */
static inline void sl_term_drop(struct sl_term t) {
    struct sl_outcome *o = t.of;
    if (o && --o->refs == 0) sl_outcome_free(o);
}
/* Gives such a reference to an emitter; on failure it is dropped. */
sl_code sl_term_hand_over(struct sl_execute_emitter *e, struct sl_term t, struct sl_error *err);

#endif
