/* A step in token form as its two files share it: frames and iterations with what has arrived in them (token_flow.c), threads and kernels
 * that work on it (run_tokens.c). Everything here is guarded by the step's lock, which the callers of the functions below hold. Internal to
 * the room. */
#ifndef SL_EXEC_TOKEN_STEP_H
#define SL_EXEC_TOKEN_STEP_H

#include "base/vec.h"
#include "exec/part.h"

struct sl_arrivals {
    uint32_t pending, dead;
};

struct sl_iteration {
    uint64_t index;
    uint32_t running; /* nodes ready or running */
    struct sl_live_frame *children;
    uint32_t n_children;
    struct sl_iteration *next; /* in the pool of idle ones */
    struct sl_arrivals *counts;
    struct sl_value slots[];
};

struct sl_waiting_value { /* a value kept for later: a NextIteration above the limit, or a constant Enter */
    const struct sl_token_node *node;
    struct sl_value value;
};

struct sl_live_frame {
    uint32_t number; /* in program->token_frames */
    uint64_t id; /* the same in all parts of a program: of its name, its parent and the parent's iteration; 0: root */
    struct sl_live_frame *parent;
    struct sl_iteration *parent_iteration;
    struct sl_live_frame *next_sibling;
    struct sl_iteration **ring; /* parallel_iterations + 1 */
    uint32_t ring_size;
    uint64_t newest;
    uint32_t alive; /* iterations */
    uint32_t missing_enters;
    SL_VEC(struct sl_waiting_value) nexts;
    SL_VEC(struct sl_waiting_value) invariants;
    SL_VEC(const struct sl_token_node *) dead_exits;
};

struct sl_ready_node {
    const struct sl_token_node *node;
    struct sl_live_frame *frame;
    struct sl_iteration *iteration;
    bool is_dead;
};

struct sl_token_step {
    struct sl_program *program;
    struct sl_step_env *env;
    struct sl_value *args, *rets;
    struct sl_error *err;
    void (*done)(void *arg, sl_code code);
    void *done_arg;
    struct sl_mutex mutex;
    struct sl_cond finished_or_ready;
    struct {
        struct sl_ready_node *items;
        size_t first, n, cap; /* a ring */
    } queue;
    size_t outstanding;           /* ready + running */
    struct sl_open_step *open;    /* NULL: all arguments are there from the start */
    int workers;                  /* threads in work(), or asked for */
    int working;                  /* threads in work() */
    struct sl_crew *crew;         /* of a part: who works on it; NULL: a step by itself */
    struct sl_crew_task turn;     /* of a part */
    void (*when_idle)(void *arg); /* of a part: see sl_part_owner; its argument is that of `done` */
    bool is_on_list;              /* of the crew */
    int references;               /* who works on the step or will end it; with the last one the step is over */
    int holders; /* who may still touch this struct: the step itself, and helpers that have been asked for */
    bool is_finished;
    bool is_held;     /* one reference stands for the end that is still to come */
    bool is_late;     /* its deadline has passed */
    bool must_cancel; /* it has failed, and those that wait do not know yet */
    sl_code code;
    struct sl_live_frame *root;
    struct sl_iteration **idle;       /* by frame number */
    struct sl_token_call *idle_calls; /* of asynchronous kernels (run_tokens.c) */
};

/* The first error of a step stays; those that wait are told by the caller, once it may give up the lock (`must_cancel`). */
void sl_token_step_fail(struct sl_token_step *s, const struct sl_error *err);
void sl_token_step_fail_memory(struct sl_token_step *s);

/* A frame with its iteration 0. `parent` NULL: the root. NULL when memory is out; the step has failed then. */
struct sl_live_frame *sl_live_frame_new(struct sl_token_step *s, uint32_t number, struct sl_live_frame *parent,
                                        struct sl_iteration *in);
/* With all frames inside of it. */
void sl_live_frame_free(struct sl_token_step *s, struct sl_live_frame *f);

/* Puts a node that waits for nothing more on the queue. */
void sl_node_make_ready(struct sl_token_step *s, const struct sl_token_node *node, struct sl_live_frame *f,
                        struct sl_iteration *it, bool is_dead);
/* Gives the outputs of a node that is through to all that read them. What is last read is moved out of `values`. */
void sl_tokens_propagate(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_value *values, bool is_dead);
/* Ends iterations in order, from `it` on, as long as nothing of them is left to do; and frames with their last one. */
void sl_iterations_finish(struct sl_token_step *s, struct sl_live_frame *f, struct sl_iteration *it);

#endif
