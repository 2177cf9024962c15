/* Elements that members of this task offer to other tasks, and RecvBuf calls that wait for what is not there yet. An
 * offer has a step and a key, and is there until it has been taken as often as it was said. */
#ifndef SL_DIST_COLLECTIVE_BUFFERS_H
#define SL_DIST_COLLECTIVE_BUFFERS_H

#include "dist/collective_carrier.h"
#include "dist/service_call.h"

enum { BUFFER_KEY_ROOM = 192 };

struct sl_collective_buffers {
    struct sl_worker *worker;
    struct sl_carrier
        *carrier; /* by which elements go to who has a ticket; NULL: with the answers. Borrowed, set at first */
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition idle;
    struct sl_collective_offer *offers;
    struct parked_recv *parked;
    size_t n_parked;
    int n_spawned;
    struct withdrawn {
        uint64_t step;
        char key[BUFFER_KEY_ROOM];
    } * withdrawn; /* a ring: who comes late for these is told that they are gone */
    size_t n_withdrawn;
};

/* Of the caller from offer until `taken`, or until it was withdrawn. */
struct sl_collective_offer {
    uint64_t step;
    char key[BUFFER_KEY_ROOM];
    bool is_foreign; /* for TensorFlow's way of asking: with the whole range, under a key without BEGIN and BYTES */
    struct sl_tensor *const *tensors; /* a take gets the same range of each, one after the other */
    size_t n;
    size_t begin, end;                           /* bytes of each that may be taken */
    int64_t takes;                               /* > 0 */
    void (*taken)(struct sl_collective_offer *); /* after the last one; on any thread, which must not wait */
    void *arg;
    /* of the buffers: */
    struct sl_collective_offer *next, **at;
};

sl_code sl_collective_buffers_init(struct sl_collective_buffers *buffers, struct sl_worker *worker,
                                   struct sl_error *err);
void sl_collective_buffers_clear(struct sl_collective_buffers *buffers); /* its calls have ended */
void sl_collective_offer(struct sl_collective_buffers *buffers, struct sl_collective_offer *offer);
/* True: `taken` will not be called. Calls for it end with ABORTED, those that come later, too. */
bool sl_collective_withdraw(struct sl_collective_buffers *buffers, struct sl_collective_offer *offer);
/* Those that wait for a key under which nothing will be offered. A '*' at its end: for all that begin so. */
void sl_collective_refuse(struct sl_collective_buffers *buffers, uint64_t step, const char *key);
/* What was refused is asked for anew. */
void sl_collective_allow(struct sl_collective_buffers *buffers, uint64_t step, const char *key);
/* For sl_rpc_method; on a thread of the net. The key in the message: KEY:BEGIN:BYTES, and from who names devices, as
 * TensorFlow's servers do, KEY. */
void sl_collective_recv_buf(struct sl_collective_buffers *buffers, struct sl_rpc_call *call);

#endif
