/* Rows of several calls put together into batches, which threads of the batcher's own run.
 *
 *   call ──► pieces ──► batch (open, the last of its queue) ─ full, or its time is up ─► a thread runs it ─► calls end
 *
 * A call is one piece, or several when the batcher splits and it does not fit into one batch. Calls come in at the
 * end of the open batch of their queue, so that rows stay in order. A call that is cancelled leaves the batches that
 * do not run yet, and waits for those that run; a batch whose calls are all cancelled is cancelled itself.
 * Thread-safe. */
#ifndef SL_BACKENDS_ANY_BATCHER_H
#define SL_BACKENDS_ANY_BATCHER_H

#include "backends/any/session_object.h"
#include "kernel/cancellation.h"
#include "kernel/kernel.h"

struct sl_batcher_batch;
struct sl_batch_call;

/* Rows [first, first + rows) of a call's inputs and outputs. */
struct sl_batch_piece {
    struct sl_batch_call *call;
    struct sl_batcher_batch *batch; /* NULL once it has run */
    struct sl_batch_piece *next;
    int64_t first, rows;
};

/* One execution of a node. On the heap, made by sl_batcher_call. */
struct sl_batch_call {
    struct sl_kernel_context *k; /* its inputs stay in their slots until the end */
    /* of batcher.c */
    struct sl_batcher *batcher;
    int n_pieces, n_left;   /* n_left: pieces that have not run */
    struct sl_value *parts; /* outputs of each piece, when there are several; else they go to the node's slots */
    sl_code code;           /* the first failure; its text is in k->err */
    struct sl_cancellation_callback callback;
    bool is_registered, is_through;
    struct sl_batch_piece pieces[];
};

/* What is run as one. */
struct sl_batcher_batch {
    struct sl_batcher_batch *next;
    const char *queue;
    struct sl_batch_piece *first, **last;
    int n_pieces;
    int64_t rows;
    int64_t due_ns; /* on the clock of sl_clock_ns */
    bool is_full, is_running;
    int n_cancelled;                      /* calls, while it runs */
    int n_cancelling;                     /* threads that cancel it: it stays until they are through */
    struct sl_cancellation *cancellation; /* of what it runs */
};

struct sl_batcher_spec {
    int threads;       /* batches that may run at once; at least 1 */
    int64_t call_rows; /* of one call at most */
    int64_t rows;      /* of one batch at most; less than call_rows: calls are split */
    int64_t timeout_ns;
    int64_t queued; /* batches of one queue that may wait */
    /* Runs a batch, on a thread of the batcher, for as long as it takes: sets the outputs of every piece. */
    sl_code (*run)(struct sl_batcher_batch *batch, struct sl_error *err);
};

/* A session object. The nodes that call it hold it, so that nobody waits when it goes. */
struct sl_batcher;
extern const struct sl_object_type sl_batcher_type;
sl_code sl_batcher_new(struct sl_session_object **out, const struct sl_batcher_spec *spec, struct sl_error *err);

/* Puts `rows` > 0 rows into a queue. The kernel is done when they have run, maybe before this returns.
 * INVALID_ARGUMENT when they are too many, UNAVAILABLE when too many batches wait. */
void sl_batcher_call(struct sl_batcher *b, struct sl_kernel_context *k, struct sl_str queue, int64_t rows);

/* The outputs of a piece: one value for each output of its node. */
struct sl_value *sl_batch_piece_outputs(struct sl_batch_piece *piece);

#endif
