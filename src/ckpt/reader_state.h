/* How far a reader of many files has come, as the bytes that ReaderSerializeState gives. Pure functions;
 * thread-safe. */
#ifndef SL_CKPT_READER_STATE_H
#define SL_CKPT_READER_STATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct sl_reader_state {
    int64_t work_started, work_finished, records_produced;
    struct sl_str current_work; /* borrowed */
};

/* In `arena`. */
sl_code sl_reader_state_encode(struct sl_str *out, const struct sl_reader_state *state, struct sl_arena *arena,
                               struct sl_error *err);
/* INVALID_ARGUMENT for other bytes and for numbers that cannot be; `name` is the reader's, for messages. Borrows
 * from `bytes`. */
sl_code sl_reader_state_decode(struct sl_reader_state *out, struct sl_str bytes, struct sl_str name,
                               struct sl_error *err);

#endif
