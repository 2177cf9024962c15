/* Large values between tasks of one machine, which lie in memory that both have. RecvTensor offers a block that is as large
 * as the value was the last time, and the answer says that the value is in it:
 *
 *   RecvTensorRequest.transport_options  { "sluice/SharedBlock", struct sl_shared_offer }
 *   RecvTensorResponse.transport_options { "sluice/SharedBlock", bytes written }, and the tensor without content
 *
 * Who does not know that, or cannot reach the block, answers as ever. */
#ifndef SL_DIST_SHARED_VALUES_H
#define SL_DIST_SHARED_VALUES_H

#include "net/rpc.h"
#include "os/shared_block.h"
#include "proto/gen/messages.h"
#include "tensor/value.h"

enum { SL_SHARED_LEAST = 1 << 20 }; /* bytes of a value for which it is worth it */

/* What a program's values were the last time, by the hash of their names. Zeroed: nothing is known. */
enum { SL_SHARED_SIZES = 16 };
struct sl_shared_sizes {
    atomic_size_t size[SL_SHARED_SIZES]; /* 1: whoever has it does not write into blocks */
};
atomic_size_t *sl_shared_size_of(struct sl_shared_sizes *sizes, struct sl_str key);

/* ---- who receives */
sl_code sl_shared_offer_add(struct sl_rpc_message *request, const struct sl_shared_block *block, struct sl_error *err);
bool sl_shared_is_written(const struct sl_pb_RecvTensorResponse *answer);
/* The block is the value's; on failure it is the caller's still. INVALID_ARGUMENT for what cannot be. */
sl_code sl_shared_read(struct sl_value *out, const struct sl_pb_RecvTensorResponse *answer,
                       struct sl_shared_block *block, struct sl_error *err);

/* ---- who sends */
/* Whether there is an offer that the value fits into. */
bool sl_shared_offer_read(struct sl_shared_offer *out, const struct sl_pb_RecvTensorRequest *request);
bool sl_shared_fits(const struct sl_shared_offer *offer, const struct sl_value *value);
/* Writes the value, which fits, and the answer; on a thread that may compute. `*is_written` false: nothing of that. */
sl_code sl_shared_answer_add(bool *is_written, struct sl_rpc_message *answer, struct sl_shared_maps *maps,
                             const struct sl_shared_offer *offer, const struct sl_value *value, int64_t begun_us,
                             struct sl_error *err);

#endif
