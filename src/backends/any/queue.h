/* Queues: tuples of values that are put in at one end and taken out in an order that the kind decides.
 * Threads: everything below wants the lock of `lines`; types, shapes and limits never change. */
#ifndef SL_BACKENDS_ANY_QUEUE_H
#define SL_BACKENDS_ANY_QUEUE_H

#include "backends/any/session_object.h"
#include "backends/any/waiting_line.h"
#include "base/arena.h"
#include "kernel/philox.h"

enum sl_queue_kind {
    SL_QUEUE_FIFO,
    SL_QUEUE_PADDING, /* first in, first out; shapes may be partly known, batches are padded */
    SL_QUEUE_SHUFFLE, /* any, at random */
    SL_QUEUE_PRIORITY /* the smallest first component, an int64 scalar */
};

/* What a node says of its queue. */
struct sl_queue_spec {
    enum sl_queue_kind kind;
    int n;                         /* components */
    const uint8_t *types;          /* n */
    const struct sl_shape *shapes; /* n, or none */
    int n_shapes;                  /* n or 0 */
    int64_t capacity;              /* INT64_MAX: no limit */
    int64_t min_after_dequeue;     /* shuffling ones */
    int64_t seed[2];
};

enum { SL_QUEUE_ENQUEUES, SL_QUEUE_DEQUEUES }; /* its lines */

struct sl_queue {
    struct sl_session_object base;
    struct sl_lines lines;
    struct sl_arena arena; /* of the spec */
    struct sl_queue_spec spec;
    bool is_closed;
    /* Tuples of spec.n values, a ring: tuple i is at items[(first + i) % room * spec.n]. */
    struct sl_value *items;
    int64_t n, first, room;
    struct sl_philox_words random;
};

extern const struct sl_object_type sl_queue_type;

/* "FIFOQueue" and so on. */
const char *sl_queue_kind_name(enum sl_queue_kind kind);
/* One reference, the caller's, of an object without names. Copies the spec. */
sl_code sl_queue_new(struct sl_queue **out, const struct sl_queue_spec *spec, struct sl_error *err);
/* INVALID_ARGUMENT when the queue is not what the spec says; `op` is what asks. */
sl_code sl_queue_check(const struct sl_queue *q, const struct sl_queue_spec *spec, const char *op,
                       struct sl_error *err);

/* Puts a tuple in; takes the values over on success. Does not mind the capacity. */
sl_code sl_queue_put(struct sl_queue *q, const struct sl_value *tuple, struct sl_error *err);
/* Takes the next tuple out, to `tuple`. There must be one. */
void sl_queue_take(struct sl_value *tuple, struct sl_queue *q);
/* Puts back a tuple that was taken last. */
sl_code sl_queue_put_back(struct sl_queue *q, const struct sl_value *tuple, struct sl_error *err);

#endif
