/* What the files of the linear emission share: drafts of items and slots, and what is known of them, while a program
 * is written.
 *
 * Levels are frames: the root and each loop. A slot belongs to the level in which it is written; a use from an inner
 * loop counts as a use by that loop's item. Within a loop the order is condition, body, moves to the next iteration;
 * or condition, tail, exits. The calls stand in the order in which linear_emit.c makes them. When memory is out,
 * `failed` is set and the rest does nothing. Internal to the room; one owner. */
#ifndef SL_PROGRAM_LINEAR_EMITTER_H
#define SL_PROGRAM_LINEAR_EMITTER_H

#include "ops/op_effects.h"
#include "program/linear.h"

/* Of kernels of which several at a time are worth a thread each, ns for an element: products, convolutions,
 * decompositions and their like. */
#define SL_HEAVY_ELEMENT_COST 4.0F

enum sl_slot_use_kind { SL_USE_PLAIN, SL_USE_INPUT, SL_USE_MOVE, SL_USE_MERGE_INPUT, SL_USE_RET };
/* Drafts that mark the end of a block, for the uses that follow it; no items come of them. */
enum sl_mark { SL_MARK_NONE, SL_MARK_NEXTS, SL_MARK_EXITS, SL_MARK_RETS };

struct sl_slot_use {
    uint32_t slot, item;
    uint32_t index; /* input, move, merge input or result: what may take the value */
    uint8_t kind;
};

struct sl_draft {
    struct sl_item item;
    uint32_t guard;
    int level;
    uint8_t phase, mark;
    uint32_t release_first; /* while release lists are built: chain of `chains` */
    uint32_t fork, strand;  /* within a fork: its item; else SL_NO_SLOT */
};

struct sl_draft_slot {
    int level;
    uint8_t phase;
    bool is_constant, is_loop_variable;
    uint32_t defined;                                   /* item; UINT32_MAX: before all items */
    uint32_t last, last_count, last_use;                /* among condition, body, nexts (root: all) */
    uint32_t last_tail, last_tail_count, last_tail_use; /* among tail and exits */
    uint32_t order;                                     /* slots are written in this order */
};

struct sl_slot_chain {
    uint32_t slot, next;
};

/* What the order of a block is made of: a node, or a whole loop. */
struct sl_unit {
    struct sl_node *node; /* NULL: a loop */
    int loop;
    uint32_t guard, missing;
};

struct sl_unit_block { /* the units of one phase of one level, in the order of the sequence */
    SL_VEC(struct sl_unit) units;
};

/* Of a unit: within a fork (from 1 on) and strand; fork 0: none. A fork's units stand strand by strand. */
struct sl_strand_mark {
    uint32_t fork, strand;
};

struct sl_linear_emitter {
    struct sl_linear *l;
    struct sl_compilation *c;
    SL_VEC(struct sl_draft) drafts;
    SL_VEC(struct sl_slot_use) uses;
    SL_VEC(struct sl_draft_slot) slots;
    SL_VEC(struct sl_value) constants; /* in the order of their slots */
    SL_VEC(struct sl_slot_merge) merges;
    SL_VEC(struct sl_slot_merge_input) merge_inputs;
    SL_VEC(uint32_t) merge_guards; /* by merge input: guard set */
    SL_VEC(struct sl_slot_move) moves;
    SL_VEC(struct sl_loop) loops;
    SL_VEC(struct sl_fork) forks;
    SL_VEC(struct sl_strand) strands;
    SL_VEC(struct sl_slot_chain) chains;
    SL_VEC(uint32_t) lists;
    SL_VEC(struct sl_item) items;
    SL_VEC(struct sl_region) regions;
    SL_VEC(struct sl_literal) literals;
    uint32_t *slot_of_port;
    struct sl_unit_block *blocks;       /* by level * 3 + phase */
    uint32_t *loop_item, *loop_index;   /* by level */
    uint32_t *loop_back, *loop_release; /* by level: chains */
    bool *loop_is_heavy;                /* by level, as are the next two: also of loops within */
    uint8_t *loop_effects;              /* enum sl_effects */
    uint32_t *loop_resources;           /* chains of resources */
    uint32_t *resource_of_port; /* by root port: number of the array or stack that it is a handle of; else SL_NO_PORT */
    uint32_t *last_use_of;      /* scratch of linear_forks.c, by resource; zeros between */
    uint32_t finals;            /* chain */
    uint32_t *unit_of_node, *unit_of_loop; /* within the block that is being ordered */
    struct sl_program_arg *args;
    struct sl_program_ret *rets;
    uint32_t *ret_guards;
    uint32_t *final_slot;
    uint32_t dead_slot;
    uint32_t *guard_queue; /* by guard set: index of its heap + 1 while a block is ordered */
    size_t n_guard_queue;
    int level;
    uint8_t phase;
    uint32_t strand_draft; /* while strands are written: the last one that is in a strand */
    uint32_t fork, strand; /* of drafts that are made now; fork: the item, or SL_NO_SLOT */
    bool failed;           /* memory is out */
};

/* Appends to a vector of `e`, or sets `failed`. */
#define SL_EMIT_PUSH(e, vec, ...) (sl_vec_push(vec, (__VA_ARGS__)) ? (void)((e)->failed = true) : (void)0)

/* A guard without the literals that always hold while the current phase of the current level runs. */
uint32_t sl_local_guard(struct sl_linear_emitter *e, uint32_t guard);
/* Distributes the graph's sequence to the blocks; a loop comes where the last of its Enters was. */
void sl_blocks_fill(struct sl_linear_emitter *e);
/* The order in which the units of the current block are emitted: dependences first, then equal guards side by side.
 * `out`: as many as units. */
void sl_block_order(uint32_t *out, struct sl_linear_emitter *e, const struct sl_unit_block *block);
/* Finds what loops hold and which handles are of which array or stack; before any block is emitted. */
void sl_effects_find(struct sl_linear_emitter *e);
/* Whether a node's kernel may be worth a thread of its own. Merges and other nodes without a kernel are not. */
static inline bool sl_kernel_is_heavy(const struct sl_kernel_node *k) {
    return k->def && k->def->cost_element >= SL_HEAVY_ELEMENT_COST;
}
bool sl_unit_is_heavy(const struct sl_linear_emitter *e, const struct sl_unit *u);
/* What a node or a loop does besides its results, apart from arrays and stacks of the step. */
enum sl_effects sl_unit_effects(const struct sl_linear_emitter *e, const struct sl_unit *u);
/* Calls `fn` with each array and stack of the step that the unit uses, maybe more than once. */
void sl_unit_resources(const struct sl_linear_emitter *e, uint32_t unit, const struct sl_unit *u,
                       void (*fn)(void *arg, uint32_t unit, uint32_t resource), void *arg);
/* Finds which heavy units of a region may run at the same time and puts them next to each other: changes the order
 * within regions. `marks`, by position in that order, are zero before. */
void sl_block_strands(struct sl_strand_mark *marks, uint32_t *order, struct sl_linear_emitter *e,
                      const struct sl_unit_block *block);
/* Lets the last use of every slot take its value over or release it; in a loop on each of two ways, with the condition
 * true and false. Called once, when all items and uses are there. */
void sl_slots_end(struct sl_linear_emitter *e);
/* Numbers the slots and writes the program's tables. */
void sl_linear_write(struct sl_linear_emitter *e);

#endif
