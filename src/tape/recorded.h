/* What a tape is made of. Private to src/tape.
 *
 *   slot      a value that the tape follows: 0, 1 ... in the order in which they came
 *   record    an op that ran: items [ inputs | outputs ] as they were, and the slot of each; -1: it is not followed */
#ifndef SL_TAPE_RECORDED_H
#define SL_TAPE_RECORDED_H

#include "tape/recording.h"

struct sl_recorded_op {
    const struct sl_op *op;              /* NULL: the record has been let go */
    struct sl_kernel_instance *instance; /* attrs may be its own; NULL: nothing ran */
    bool owns_instance;                  /* it has a reference; else the environment holds it */
    struct sl_call_gradient *call;       /* a reference; see struct sl_ran */
    struct sl_custom_rule *custom;       /* the same */
    const struct sl_error *refusal;
    const struct sl_attrs *attrs; /* NULL for a call, and with a rule of the caller's own */
    uint32_t reads;               /* of the rule's row */
    int n_inputs, n_outputs;
    int32_t *slots;
    struct sl_traced *items;
    struct sl_shape *shapes; /* of items that no rule reads, whose values are NONE; NULL: all values are there */
};

struct sl_slot_entry {
    uint64_t id; /* 0: free */
    int32_t slot;
};

struct sl_recording {
    struct sl_execute_env *env;
    struct sl_arena arena; /* of the records */
    SL_VEC(struct sl_recorded_op *) records;
    struct sl_slot_entry *slots; /* by id: open addressing, `cap_slots` a power of two or 0 */
    size_t cap_slots;
    int32_t n_slots;
    bool is_persistent, is_used;
    bool gives_once; /* it is persistent for a while: sl_recording_begin_many */
};

/* The slot of a value, -1 when it is not followed. */
int32_t sl_recording_slot(const struct sl_recording *tape, uint64_t id);

#endif
