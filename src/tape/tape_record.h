/* What a tape is made of. Private to src/tape.
 *
 *   slot      a value that the tape follows: 0, 1 ... in the order in which they came
 *   record    an op that ran: items [ inputs | outputs ] as they were, and the slot of each; -1: it is not followed */
#ifndef SL_TAPE_TAPE_RECORD_H
#define SL_TAPE_TAPE_RECORD_H

#include "tape/tape.h"

struct sl_record {
    struct sl_kernel_instance *instance; /* a reference; NULL: the record has been let go */
    struct sl_call_gradient *call;       /* a reference; see struct sl_ran */
    const struct sl_error *refusal;
    const struct sl_attrs *attrs; /* NULL for a call */
    int n_inputs, n_outputs;
    int32_t *slots;
    struct sl_traced *items;
    struct sl_shape *shapes; /* of items that no rule reads, whose values are NONE; NULL: all values are there */
};

struct sl_slot_entry {
    uint64_t id; /* 0: free */
    int32_t slot;
};

struct sl_tape {
    struct sl_execute_env *env;
    struct sl_arena arena; /* of the records */
    SL_VEC(struct sl_record *) records;
    struct sl_slot_entry *slots; /* by id: open addressing, `cap_slots` a power of two or 0 */
    size_t cap_slots;
    int32_t n_slots;
    bool is_persistent, is_used;
};

/* The slot of a value, -1 when it is not followed. */
int32_t sl_tape_slot(const struct sl_tape *tape, uint64_t id);
/* Drops what a record holds. */
void sl_record_let_go(struct sl_record *r);

#endif
