/* Programs: what a placed graph is compiled to, once. Read-only afterwards, and shared by all steps that run it.
 *
 * A program has one of three forms (program/compile.c chooses between the first two):
 *
 *   linear   Items in a fixed order, run by one thread. Items with the same guard, next to each other, form a region;
 *            a loop is an item with blocks of regions. Nodes that only pass a value on (Identity, Switch, Enter, Exit,
 *            LoopCond, NextIteration) are no items: their outputs are other names of the slot that they read.
 *   tokens   One entry for each node, with pending counts, frames and iterations. The general form: for asynchronous
 *            kernels, and for graphs whose control flow has no block structure.
 *   parts    Several programs in token form, one for each device; values go from one to another by a rendezvous.
 *
 * The memory of a step in linear form is a slab of values, one slot for each output that is not another name of a slot:
 *
 *     slots: [ constants | arguments | outputs of items | loop variables | temporaries ]
 *
 * Constants are put into a slab when it is made. Slabs are reused, so a step writes only what it computes.
 *
 * Threads: a program is immutable; its slab cache locks itself. */
#ifndef SL_PROGRAM_PROGRAM_H
#define SL_PROGRAM_PROGRAM_H

#include <stdio.h>

#include "base/arena.h"
#include "jit/jit.h"
#include "kernel/instance.h"
#include "os/mutex.h"

enum { SL_NO_SLOT = UINT32_MAX };

/* A range of one of the program's tables. */
struct sl_table_range {
    uint32_t first, n;
};

/* ---- linear form */

enum sl_literal_kind {
    SL_LITERAL_TRUE, /* the bool scalar in `slot` is true */
    SL_LITERAL_FALSE,
    SL_LITERAL_INDEX, /* the int32 in `slot` selects `index` of `n` branches (out of range selects the last) */
    SL_LITERAL_LIVE   /* `slot` does not hold a dead token */
};
/* One condition of a guard. A guard is a range of literals, all of which must hold; they are in the order in which
 * their slots are written, so that a literal is looked at only when the ones before it hold. */
struct sl_literal {
    uint32_t slot;
    int32_t index, n;
    uint8_t kind;
    const struct sl_kernel_node *node; /* a Switch that goes by the slot, for messages */
};

enum sl_item_kind {
    SL_ITEM_KERNEL,
    SL_ITEM_SCALAR, /* a kernel whose scalar entry is called when its one or two inputs are scalars in their slots */
    SL_ITEM_MERGE,  /* out = the first live one of `merge` */
    SL_ITEM_DEREF,  /* out = what the reference in a holds now */
    SL_ITEM_LOOP,
    SL_ITEM_FORK /* the items that follow it, which belong to its strands */
};

struct sl_item {
    uint8_t kind;
    uint8_t out_dtype; /* SCALAR */
    uint32_t out, a, b;
    sl_scalar_fn scalar;
    const struct sl_kernel_node *node; /* also names the node of other kinds, for messages */
    uint64_t may_take;
    struct sl_table_range release; /* in `slot_lists`: cleared after the item */
    uint32_t detail;               /* LOOP: index in `loops`; MERGE: index in `merges`; FORK: index in `forks` */
};

/* Strands may run at the same time: none reads what another one writes, and slots that several read are released after
 * the fork. The first item of a strand is heavy. */
struct sl_strand {
    struct sl_table_range items;
    uint32_t n_heavy;
};
struct sl_fork {
    struct sl_table_range strands; /* in `strands` */
    uint32_t n_items;              /* of all strands: they follow the fork's own item, in the order of strands */
};

/* Items next to each other with the same guard. */
struct sl_region {
    struct sl_table_range items;
    struct sl_table_range guard;   /* in `literals`; empty: always live (within its block) */
    struct sl_table_range release; /* in `slot_lists`: cleared when the region is skipped */
};

struct sl_slot_merge_input {
    uint32_t slot;
    bool may_take;
    struct sl_table_range guard; /* when this input is live, given that the merge's region is */
};
struct sl_slot_merge {
    struct sl_table_range inputs; /* in `merge_inputs` */
    uint32_t value_index;         /* slot, or SL_NO_SLOT */
};

struct sl_slot_move {
    uint32_t from, to;
    bool take; /* nobody reads `from` afterwards */
};

/* A loop over scalars as machine code (linear_code.c). Its base are the slots. It may run, after the moves of `enters`, when
 * all that it reads are scalars of these types; then the slots that it writes have to be marked as scalars of theirs. */
enum {
    SL_LOOP_CODE_DONE,
    SL_LOOP_CODE_GAVE_UP, /* the turn that `turns` has is the interpreter's */
    SL_LOOP_CODE_AGAIN    /* it is the code's again, when a stack was full, or empty, and no longer is */
};
struct sl_scalar_slot {
    uint32_t slot;
    uint8_t dtype;
};
/* A list of scalars in `list`, a variable of the loop, whose object has stack methods (tensor/object.h). The code has the
 * address of its end in the bits of slot `end`, and in those of `limit` the one beyond which it does not go. */
struct sl_scalar_stack {
    uint32_t list, end, limit;
    uint8_t dtype;
    bool grows; /* values are added; else they are taken */
};
struct sl_loop_code {
    struct sl_jit_code jit;
    struct sl_scalar_slot *reads, *writes;
    uint32_t n_reads, n_writes;
    struct sl_scalar_stack *stacks;
    uint32_t n_stacks;
    uint32_t turns;        /* slot in which it counts */
    bool leaves_marks;     /* the processor's marks tell when a NaN or an infinity was made (os/float_mode.h) */
    const uint32_t *loops; /* by the number that a poll names: index in `loops` of the program. 0: the loop itself */
    struct sl_loop_code *next;
};

/* enters; for (;;) { condition; if (!predicate) break; body; nexts; back } tail; exits; release */
struct sl_loop {
    struct sl_str name;              /* of its frame */
    struct sl_table_range enters;    /* in `moves` */
    struct sl_table_range condition; /* in `regions` */
    uint32_t predicate;
    const struct sl_kernel_node *node; /* a Switch that goes by the predicate, for messages */
    struct sl_table_range body;        /* in `regions` */
    struct sl_table_range nexts;       /* in `moves`, ordered so that no move overwrites what a later one reads */
    struct sl_table_range back;        /* in `slot_lists`: cleared at the end of every iteration but the last */
    struct sl_table_range tail;        /* in `regions`: what runs once, after the last condition */
    struct sl_table_range exits;       /* in `moves` */
    struct sl_table_range release;     /* in `slot_lists`: cleared when the loop has ended */
    const struct sl_loop_code *code;   /* NULL: the turns are interpreted */
};

struct sl_program_arg {
    uint32_t slot; /* SL_NO_SLOT: nobody reads it */
};
struct sl_program_ret {
    uint32_t slot;
    bool take;
    struct sl_table_range guard;
};

/* ---- token form */

enum sl_token_flow {
    SL_TOKEN_KERNEL,
    SL_TOKEN_NOTHING, /* NoOp */
    SL_TOKEN_CONSTANT,
    SL_TOKEN_ARG,
    SL_TOKEN_RET,
    SL_TOKEN_SWITCH, /* Switch and _SwitchN */
    SL_TOKEN_MERGE,
    SL_TOKEN_ENTER,
    SL_TOKEN_EXIT,
    SL_TOKEN_NEXT,
    SL_TOKEN_COND,
    SL_TOKEN_TRIGGER
};

struct sl_token_edge {
    uint32_t to;     /* node */
    int32_t input;   /* of `to`; -1: control */
    uint32_t output; /* of the producer; not used for control */
    bool is_last;    /* of this output's edges: the value may be moved */
};
struct sl_token_node {
    const struct sl_kernel_node *kernel; /* slots are relative to the iteration; `def` only for KERNEL */
    uint8_t flow;                        /* enum sl_token_flow */
    bool is_constant_enter;
    bool runs_dead;              /* its row has SL_KERNEL_DEAD */
    int64_t light_most;          /* the node is light when no input has more elements; 0: never light */
    uint32_t frame;              /* the frame it runs in */
    uint32_t child_frame;        /* ENTER: the frame it opens */
    uint32_t count;              /* index of its pending count in an iteration of the frame */
    uint32_t pending;            /* initial count: inputs + controls; MERGE: 1 + 2 * controls */
    uint32_t in, out;            /* slots of input 0 and output 0 */
    uint32_t detail;             /* CONSTANT, ARG, RET: index */
    struct sl_table_range edges; /* in `token_edges` */
};
struct sl_token_frame {
    uint32_t n_slots, n_counts; /* size of one iteration */
    uint32_t n_enters;
    uint32_t parallel_iterations;
    uint64_t name_hash; /* sl_hash64 of its name: the same in all processes */
};

/* ---- the program */

struct sl_slab {
    struct sl_slab *next;
    struct sl_value slots[];
};

struct sl_program {
    struct sl_arena arena; /* everything below lives here */
    bool is_linear;
    int n_args, n_rets;
    const uint8_t *arg_types, *ret_types; /* base types */
    const char *device;

    struct sl_kernel_instance **instances; /* references: one for each node with a kernel */
    size_t n_instances;

    /* linear */
    struct sl_table_range root;   /* in `regions` */
    struct sl_table_range finals; /* in `slot_lists`: cleared when the results have been given out */
    const struct sl_item *items;
    const struct sl_region *regions;
    const struct sl_literal *literals;
    const struct sl_slot_merge *merges;
    const struct sl_slot_merge_input *merge_inputs;
    const struct sl_loop *loops;
    const struct sl_fork *forks;
    const struct sl_strand *strands;
    const struct sl_slot_move *moves;
    const uint32_t *slot_lists;
    const struct sl_program_arg *args;
    const struct sl_program_ret *rets;
    uint32_t n_items, n_regions, n_slots;
    uint32_t n_constants; /* linear: slots [0, n_constants) */
    const struct sl_value *constants;
    struct sl_loop_code *loop_codes; /* owned */

    /* tokens */
    const struct sl_token_node *token_nodes;
    const struct sl_token_edge *token_edges;
    const struct sl_token_frame *token_frames;
    uint32_t n_token_nodes, n_token_frames;
    const uint32_t *token_roots; /* nodes that wait for nothing */
    uint32_t n_token_roots;
    const uint32_t *token_args; /* by argument: its node; SL_NO_SLOT when nobody reads it */

    /* parts; owned */
    struct sl_program *const *parts;
    int n_parts;                          /* 0: another form */
    int part_of_args;                     /* the part that has all arguments and results */
    uint32_t n_pairs;                     /* of _Send and _Recv */
    struct sl_remote_pairs *remote_pairs; /* pairs with an end in another process; NULL: there is none */

    /* recycled slabs */
    struct sl_mutex slab_mutex;
    struct sl_slab *slabs;
    uint32_t n_slabs;
};

void sl_program_free(struct sl_program *p); /* NULL is fine */
/* Makes one program in parts of several programs, which it takes over, also on failure. Its arguments and results
 * are those of `parts[part_of_args]`. */
sl_code sl_program_join(struct sl_program **out, struct sl_program *const *parts, int n, int part_of_args,
                        uint32_t n_pairs, struct sl_error *err);
/* Of a program in token form that is not to be a part: finds its pairs, whose other ends are all elsewhere. Once, before
 * it runs. */
sl_code sl_program_find_pairs(struct sl_program *program, struct sl_error *err);
/* A slab with the constants in their slots and all other slots empty; NULL when memory is out. Give it back in the same
 * state. */
struct sl_slab *sl_program_take_slab(struct sl_program *p);
void sl_program_give_slab(struct sl_program *p, struct sl_slab *slab);

/* Prints the program as text, for SLUICE_DUMP=program. */
void sl_program_print(const struct sl_program *p, FILE *out);

#endif
