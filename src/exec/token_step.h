/* A step in token form as its files share it:
 *
 *   token_flow.c    what arrives where: counts, frames, iterations, dead tokens
 *   token_node.c    running one node
 *   token_workers.c the threads that run its nodes: handing over, asking for help, kernels that complete
 *   run_tokens.c    how a step begins and ends
 *
 * A thread that runs nodes of a step is one of its workers. It has a queue of ready nodes that no other thread reads.
 * While one worker is in the step, counts are not atomic and frames are not locked. While there are more (`is_shared`),
 * counts are atomic and each frame has a lock; nodes that a worker leaves to others are in the step's queue, which the
 * step's lock guards. Locks are taken in this order: a frame's, then the step's. Internal to the room. */
#ifndef SL_EXEC_TOKEN_STEP_H
#define SL_EXEC_TOKEN_STEP_H

#include <stdatomic.h>

#include "base/vec.h"
#include "exec/part.h"
#include "exec/ready_queue.h"
#include "os/mutex.h"

/* What has arrived at a node: in the lower half how many inputs, in the upper half how many of them were dead. Of
 * a Merge see token_flow.c. */
typedef _Atomic uint64_t sl_arrivals;

struct sl_iteration {
    uint64_t index;
    atomic_uint running; /* nodes ready or running; not counted in the root */
    uint32_t n_children;
    struct sl_live_frame *children;
    struct sl_iteration *next; /* idle ones of the frame */
    sl_arrivals *counts;
    struct sl_value slots[];
};

struct sl_waiting_value { /* a value kept for later: a NextIteration above the limit, or a constant Enter */
    const struct sl_token_node *node;
    struct sl_value value;
};

struct sl_live_frame {
    uint32_t number; /* in program->token_frames */
    uint64_t id; /* the same in all parts and processes: of its name, its parent and the parent's iteration; 0: root */
    struct sl_live_frame *parent;
    struct sl_iteration *parent_iteration;
    struct sl_live_frame *next; /* sibling; or idle one of the step */
    uint32_t ring_size;
    struct sl_mutex mutex; /* when the step is shared: for what follows, and the children of its iterations */
    uint64_t newest;
    uint32_t alive; /* iterations */
    uint32_t missing_enters;
    SL_VEC(struct sl_waiting_value) nexts;
    SL_VEC(struct sl_waiting_value) invariants;
    SL_VEC(const struct sl_token_node *) dead_exits;
    struct sl_iteration *idle;
    struct sl_iteration *ring[]; /* parallel_iterations + 1 */
};

/* An asynchronous kernel under way. */
struct sl_token_call {
    struct sl_kernel_context k;
    struct sl_step_env env;      /* of a kernel in a turn of a loop that is traced in another way than the step */
    struct sl_token_call *next;  /* idle, or completed */
    struct sl_token_call *older; /* of all calls of the step */
    struct sl_token_step *step;
    struct sl_ready_node ready;
    atomic_int stage; /* token_workers.c */
    sl_code code;
    struct sl_error err;
    int64_t start_ns, end_ns; /* for the trace; 0 when there is none */
};

struct sl_open_step {
    struct sl_token_step *step;
    struct sl_value *args, *rets;
    bool *is_fed, *is_there; /* by argument, by result */
    struct sl_error err;
};

struct sl_token_step {
    struct sl_program *program;
    struct sl_step_env *env;
    uintptr_t watched; /* not 0: there is a trace, memory is counted, or numbers are looked at */
    struct sl_value *args, *rets;
    struct sl_error *err;
    void (*done)(void *arg, sl_code code);
    void *done_arg;
    struct sl_open_step *open;    /* NULL: all arguments are there from the start */
    struct sl_run_queue *queue;   /* of a part: who works on it; NULL: a step by itself */
    void (*when_idle)(void *arg); /* of a part: see sl_part_owner; its argument is that of `done` */
    struct sl_live_frame *root;

    /* what workers look at, at any time */
    atomic_int code;                       /* sl_code; set once, with the lock held */
    atomic_bool is_shared;                 /* set when every worker knows; token_workers.c */
    atomic_bool has_events;                /* calls have completed, or the step has failed */
    atomic_int busy;                       /* workers within something that may take long */
    atomic_size_t n_offered;               /* nodes in `offered` */
    _Atomic(struct sl_token_call *) calls; /* all that were ever made */

    struct sl_mutex mutex; /* for what follows */
    struct sl_condition finished_or_ready;
    struct sl_ready_queue offered;   /* for any worker */
    struct sl_token_call *completed; /* asynchronous kernels that are through */
    struct sl_token_call *idle_calls;
    struct sl_live_frame **idle; /* by frame number */
    int working, asked;          /* workers, and threads that were asked to become some */
    bool is_sleeping;            /* the thread that waits for the step's end, or for a result */
    ptrdiff_t n_waiting;         /* asynchronous kernels under way; true when nobody works */
    struct sl_run_task turn;     /* of a part */
    bool is_queued;              /* in the run queue */
    int references;              /* who works on the step or will end it; with the last one the step is over */
    int holders;      /* who may still touch this struct: the step itself, and helpers that have been asked for */
    bool is_held;     /* one reference stands for the end that is still to come */
    bool is_late;     /* its deadline has passed */
    bool must_cancel; /* it has failed, and those that wait do not know yet */
};

/* A thread that runs nodes of a step; what it alone touches. */
struct sl_token_worker {
    struct sl_token_step *step;
    bool is_shared;              /* other workers may be at work too */
    struct sl_ready_queue ready; /* its own */
    struct sl_iteration *credit; /* counts one more running node than it has: the next that is ready in it is counted */
    struct sl_token_call *idle_calls, *completed;
    ptrdiff_t n_waiting; /* kernels it began less those that completed in it */
    uint32_t looks;
    size_t least_ready; /* since the last look around */
    int64_t look_ns;    /* when it last looked, if others could have worked since then; else 0 */
    int long_times;
};

static inline bool sl_token_step_has_failed(const struct sl_token_step *s) {
    return atomic_load_explicit(&s->code, memory_order_relaxed) != SL_OK;
}

/* ---- token_flow.c */

/* The root frame with its only iteration; NULL when memory is out. */
struct sl_live_frame *sl_live_frame_new_root(const struct sl_program *program);
/* The root with all that is in it, and idle frames; nobody works on the step any more. */
void sl_live_frames_free(struct sl_token_step *s);
/* Gives the outputs of a node that is through to all that read them; ends iterations and frames that have nothing
 * left to do. `values`: the outputs; what is last read is moved out, the rest is cleared. */
void sl_tokens_propagate(struct sl_token_worker *worker, const struct sl_ready_node *r, struct sl_value *values);

/* ---- token_node.c */

/* Whether the node is light, by its kernel and the size of its inputs: it takes less time than another thread needs to
 * take it over. */
bool sl_ready_node_is_light(const struct sl_ready_node *r);
/* Runs it. False: the kernel goes on by itself and calls `done`; `call` is its memory, used by asynchronous kernels
 * alone. */
bool sl_ready_node_run(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_token_call *call,
                       void (*done)(struct sl_kernel_context *k, sl_code code), sl_code *code, struct sl_error *err);
/* For those who look; not called else. For how many nodes alike the events of this one stand, 0: it has none; and the
 * time at which it begins, 0: it has none. */
uint64_t sl_ready_node_weight(const struct sl_token_step *s, const struct sl_ready_node *r);
int64_t sl_ready_node_start(const struct sl_token_step *s, const struct sl_ready_node *r);
/* Tells the step's cancellation, if it is on, that this node has begun and was not through. Its inputs are still there. */
void sl_ready_node_note_wait(const struct sl_token_step *s, const struct sl_ready_node *r);
/* Adds the loops that the node is in to its error. */
void sl_ready_node_add_loops(const struct sl_token_step *s, const struct sl_ready_node *r, struct sl_error *err);
/* Writes to the trace; only called when there is one. A node has run, or has begun to: for one that waits,
 * sl_token_call_trace follows. */
void sl_ready_node_trace(const struct sl_token_step *s, const struct sl_ready_node *r, int64_t start, bool has_outputs);
/* What a kernel waited for has come, at c->end_ns. Its outputs are still there. */
void sl_token_call_trace(const struct sl_token_call *c);

/* ---- token_workers.c */

/* Fails the step, unless it has failed: workers stop, and then waits are ended. With the step's lock held; and
 * without. */
void sl_token_step_fail_locked(struct sl_token_step *s, const struct sl_error *err);
void sl_token_step_fail(struct sl_token_step *s, const struct sl_error *err);
void sl_token_step_fail_memory(struct sl_token_step *s);
/* The caller of the rest holds the step's lock, before and after, and a reference. */
/* Runs nodes, if the thread may be a worker, until nothing is ready for it. */
void sl_token_step_work(struct sl_token_step *s);
/* What keeps the step from ending, 0 when nothing does: how many workers there are or, without workers, how many
 * kernels are under way and nodes are offered. */
size_t sl_token_step_outstanding(const struct sl_token_step *s);
/* Ends the waits of a step that has failed. Workers do this, too. */
void sl_token_step_cancel(struct sl_token_step *s);
/* Puts a part that has work into the run queue, unless it is there or has a worker. True: the caller must drain the
 * queue. */
bool sl_token_step_enqueue(struct sl_token_step *s);
/* Gives up the caller's hold or reference, and unlocks the step. */
void sl_token_step_drop_holder(struct sl_token_step *s);
void sl_token_step_drop_reference(struct sl_token_step *s);
/* The task of a part in the run queue: works on it. No lock held. */
void sl_token_step_take_turn(struct sl_run_task *turn);

/* ---- run_tokens.c */

/* The last reference is gone; no lock held. */
void sl_token_step_end(struct sl_token_step *s);

#endif
