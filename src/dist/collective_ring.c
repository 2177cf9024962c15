/* Exchanges as TensorFlow's servers make them, for groups of which some members, or the leader, are such servers. Every
 * member tells the leader of the run (CompleteInstance); what goes between two members is a RecvBuf under a key that both
 * make, asked for by who receives:
 *
 *     sums       a ring: the elements are cut into chunks, as many as members (times subdivisions). In pass 0 chunk c begins
 *                at member c (/ subdivisions) and gathers everybody's elements on its way to the member before that; in
 *                pass 1 the sum goes on from there to all
 *                GROUP:INSTANCE:FRAME:ITERATION:PASS:CHUNK:SENDER
 *     rows       the same ring, once: a member's elements are a chunk
 *     broadcast  a tree of the members, the source at its root
 *                GROUP:INSTANCE:FRAME:ITERATION:SUBDIVISION:SENDER:RECEIVER
 *
 * All is asked for at the beginning. Each answer is a job on a thread that may compute, after which the next member is
 * offered what came of it; a member of the same task gets it by a call. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "device/device_order.h"
#include "dist/collective_chain.h"
#include "dist/collective_tasks_state.h"
#include "dist/worker_state.h"
#include "tensor/tensor_proto.h"

enum { ALIGNMENT = 64, PREFIX_ROOM = 96, CHUNK_MAX = 4 * 1024 * 1024, SLICES_MAX = 64 };

/* A task that has been offered something, and may go before it has taken it. */
struct taker {
    struct sl_task_watcher watcher;
    struct ring *ring;
    bool is_watched; /* guarded, as are the next two */
    bool has_gone;
    struct sl_error why;
};

/* What goes from a member here to one elsewhere. */
struct sending {
    struct sl_collective_offer offer;
    struct sl_tensor *tensor;
    struct ring *ring;
    int task;        /* of the group, that it is for */
    bool is_offered; /* guarded */
};

/* A RecvBuf under way: for a member here, by its place in `own`. */
struct receipt {
    struct ring *ring;
    int64_t own, chunk;
    int call, pass;
};

struct ring {
    struct sl_chain chain;
    struct sl_collective_exchange *x;
    int64_t n, n_own;        /* members; those of this task */
    int64_t *own;            /* their ranks, rising */
    int64_t n_chunks;        /* of one member's elements, of rows of all */
    size_t chunk_bytes;      /* of each but the last ones */
    size_t bytes;            /* of all chunks together */
    int source;              /* rank; -1: none */
    bool is_known;           /* the source, from a run before */
    struct sl_tensor **work; /* by own member: what has come, and sums */
    atomic_bool *has_passed; /* by own member and chunk: pass 0 has been here */
    struct sending *sendings;
    struct receipt *receipts;
    size_t n_sendings;
    struct taker *takers; /* by task of the group */
    char prefix[PREFIX_ROOM];
    atomic_int left;       /* the chain, and what is offered */
    struct sl_mutex mutex; /* guards the rest, and what is offered */
    bool has_failed;
    struct sl_error err;
};

/* ---- the end */

static void ring_end(void *arg) {
    struct ring *r = arg;
    struct sl_collective_exchange *x = r->x;
    struct task_peers *peers = r->chain.peers;
    struct sl_task_watch *watch = peers->worker->options.cluster->watch;
    for (int t = 0; r->takers && t < x->group->n_tasks; t++) sl_task_watch_leave(watch, &r->takers[t].watcher);
    struct sl_error err = r->err;
    const bool has_failed = r->has_failed;
    if (has_failed) {
        sl_tensor_unref(x->result);
        x->result = NULL;
        sl_peers_leave_group(peers, x->group);
    }
    x->done(x, has_failed ? err.code : SL_OK, &err);
    for (int64_t o = 0; r->work && o < r->n_own; o++) sl_tensor_unref(r->work[o]);
    sl_chain_clear(&r->chain);
    sl_mutex_clear(&r->mutex);
    sl_free(r->own);
    sl_free(r->work);
    sl_free(r->has_passed);
    sl_free(r->sendings);
    sl_free(r->receipts);
    sl_free(r->takers);
    sl_free(r);
    sl_peers_leave_worker(peers);
}

static void count_down(struct ring *r) {
    if (atomic_fetch_sub(&r->left, 1) == 1) sl_worker_spawn(r->chain.peers->worker, ring_end, r);
}

/* False: it has ended. */
static bool hold(struct ring *r) {
    int left = atomic_load(&r->left);
    while (left && !atomic_compare_exchange_weak(&r->left, &left, left + 1)) {}
    return left != 0;
}

/* The first reason stays. Who waits for something from here is told. */
static void fail_ring(struct ring *r, sl_code code, const struct sl_error *err) {
    struct sl_collective_buffers *buffers = r->chain.peers->buffers;
    char all[BUFFER_KEY_ROOM];
    sl_mutex_lock(&r->mutex);
    const bool is_first = !r->has_failed;
    if (is_first) {
        r->err = *err;
        r->err.code = code;
    }
    r->has_failed = true;
    const size_t n = r->n_sendings; /* nothing is offered from now on */
    sl_mutex_unlock(&r->mutex);
    if (!is_first) return;
    for (size_t s = 0; s < n; s++)
        if (r->sendings[s].is_offered && sl_collective_withdraw(buffers, &r->sendings[s].offer)) count_down(r);
    (void)snprintf(all, sizeof all, "%s*", r->prefix);
    sl_collective_refuse(buffers, r->x->step, all);
    sl_chain_cancel(&r->chain);
}

/* The chain's end. */
static void chain_over(struct ring *r, sl_code code, const struct sl_error *err) {
    if (code != SL_OK) fail_ring(r, code, err);
    count_down(r);
}

/* ---- chunks */

static bool is_rows(const struct ring *r) { return r->x->kind == ROWS_OF_ALL; }

static size_t chunk_begin(const struct ring *r, int64_t chunk) {
    const size_t begin = (size_t)chunk * r->chunk_bytes;
    return begin < r->bytes ? begin : r->bytes;
}

static size_t chunk_size(const struct ring *r, int64_t chunk) {
    return chunk_begin(r, chunk + 1) - chunk_begin(r, chunk);
}

/* A chunk has a multiple of 64 bytes, more than its share of the elements, but the last one that has any. */
static void cut_sum(struct ring *r, size_t element) {
    r->n_chunks = r->n * (r->x->n_slices > 0 ? r->x->n_slices : 1);
    const size_t count = r->bytes / element, n = (size_t)r->n_chunks;
    r->chunk_bytes = ((count + n - 1) / n * element / ALIGNMENT + 1) * ALIGNMENT;
}

/* Where a chunk begins, and who has its sum first: each member begins as many neighbouring chunks as there are subdivisions. */
static int64_t first_of(const struct ring *r, int64_t chunk) { return chunk / (r->n_chunks / r->n); }
static int64_t last_of(const struct ring *r, int64_t chunk) { return (first_of(r, chunk) + r->n - 1) % r->n; }

/* Whether a member receives a chunk in a pass. */
static bool receives(const struct ring *r, int64_t rank, int64_t chunk, int pass) {
    if (!chunk_size(r, chunk)) return false;
    if (is_rows(r)) return pass == 0 && rank != first_of(r, chunk);
    return rank != (pass ? last_of(r, chunk) : first_of(r, chunk));
}

static int64_t before(const struct ring *r, int64_t rank) { return (rank + r->n - 1) % r->n; }
static int64_t after(const struct ring *r, int64_t rank) { return (rank + 1) % r->n; }

static bool is_here(const struct ring *r, int64_t rank) { return r->x->group->places[rank].task == r->x->group->own; }

static int64_t own_place(const struct ring *r, int64_t rank) {
    int64_t o = 0;
    while (o < r->n_own && r->own[o] != rank) o++;
    return o;
}

/* ---- sending */

static void offer_taken(struct sl_collective_offer *offer) { count_down(((struct sending *)offer->arg)->ring); }

/* Fails if something waits to be taken by a task that has gone. */
static void look_at_taker(struct ring *r, const struct taker *t) {
    bool waits = false;
    for (size_t s = 0; s < r->n_sendings; s++) {
        struct sending *sending = &r->sendings[s];
        sl_mutex_lock(&r->mutex);
        const bool is_for = sending->is_offered && &r->takers[sending->task] == t;
        sl_mutex_unlock(&r->mutex);
        if (!is_for || !sl_collective_withdraw(r->chain.peers->buffers, &sending->offer)) continue;
        waits = true;
        count_down(r);
    }
    if (waits) fail_ring(r, t->why.code, &t->why);
}

static void tell_gone(void *arg) {
    const struct taker *t = arg;
    struct ring *r = t->ring;
    look_at_taker(r, t);
    count_down(r);
}

/* With the lock of who watches. */
static void taker_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct taker *t = (struct taker *)watcher;
    struct ring *r = t->ring;
    if (!hold(r)) return;
    sl_mutex_lock(&r->mutex);
    sl_fail(&t->why, code, "Collective ops is aborted by: %s", text);
    t->has_gone = true;
    sl_mutex_unlock(&r->mutex);
    sl_worker_spawn(r->chain.peers->worker, tell_gone, t);
}

static void watch_taker(struct ring *r, int task) {
    struct taker *t = &r->takers[task];
    struct sl_cluster *cluster = r->chain.peers->worker->options.cluster;
    sl_mutex_lock(&r->mutex);
    const bool is_first = !t->is_watched, has_gone = t->has_gone;
    t->is_watched = true;
    sl_mutex_unlock(&r->mutex);
    if (is_first) {
        t->ring = r;
        t->watcher = (struct sl_task_watcher){.task = r->x->group->tasks[task], .gone = taker_gone};
        sl_task_watch_enter(cluster->watch, &t->watcher);
    }
    if (has_gone) look_at_taker(r, t);
}

static void offer(struct ring *r, size_t slot, int64_t to, struct sl_tensor *tensor, size_t begin, size_t end,
                  const char *key) {
    struct sending *s = &r->sendings[slot];
    s->ring = r;
    s->task = r->x->group->places[to].task;
    s->tensor = tensor;
    s->offer = (struct sl_collective_offer){.step = r->x->step,
                                            .is_foreign = true,
                                            .tensors = &s->tensor,
                                            .n = 1,
                                            .begin = begin,
                                            .end = end,
                                            .takes = 1,
                                            .taken = offer_taken,
                                            .arg = s};
    (void)snprintf(s->offer.key, sizeof s->offer.key, "%s", key);
    sl_mutex_lock(&r->mutex);
    if (!r->has_failed) {
        s->is_offered = true;
        atomic_fetch_add(&r->left, 1);
        sl_collective_offer(r->chain.peers->buffers, &s->offer);
    }
    sl_mutex_unlock(&r->mutex);
    watch_taker(r, s->task);
}

static void ring_key(char out[BUFFER_KEY_ROOM], const struct ring *r, int pass, int64_t chunk, int64_t sender) {
    (void)snprintf(out, BUFFER_KEY_ROOM, "%s%d:%" PRId64 ":%" PRId64, r->prefix, pass, chunk, sender);
}

static void arrived(struct ring *r, int64_t own, int64_t chunk, int pass);

/* A member's chunk, which lies at `begin` of a tensor, goes on to the next member if that wants it. */
static void pass_on(struct ring *r, int64_t own, int64_t chunk, int pass, struct sl_tensor *tensor, size_t begin) {
    const int64_t rank = r->own[own], next = after(r, rank);
    const size_t size = chunk_size(r, chunk);
    char key[BUFFER_KEY_ROOM];
    if (!receives(r, next, chunk, pass)) return;
    if (is_here(r, next)) {
        const int64_t to = own_place(r, next);
        memcpy((char *)r->work[to]->data + chunk_begin(r, chunk), (const char *)tensor->data + begin, size);
        arrived(r, to, chunk, pass);
        return;
    }
    ring_key(key, r, pass, chunk, rank);
    offer(r, (size_t)((own * r->n_chunks + chunk) * 2 + pass), next, tensor, begin, begin + size, key);
}

/* ---- receiving: a chunk lies in the member's work */

static void arrived(struct ring *r, int64_t own, int64_t chunk, int pass) {
    struct sl_collective_exchange *x = r->x;
    const size_t begin = chunk_begin(r, chunk), size = chunk_size(r, chunk);
    const int64_t rank = r->own[own];
    if (!is_rows(r) && pass == 0) {
        char *sum = (char *)r->work[own]->data + begin;
        const void *in[2] = {sum, (const char *)x->inputs[rank]->data + begin};
        const bool is_last = rank == last_of(r, chunk);
        x->merge(x, sum, in, 2, (int64_t)(size / sl_dtype_size(x->dtype)), is_last);
        atomic_store(&r->has_passed[own * r->n_chunks + chunk], true);
        pass = is_last;
    }
    pass_on(r, own, chunk, pass, r->work[own], begin);
}

static void begin_own(struct ring *r) {
    for (int64_t o = 0; o < r->n_own; o++)
        for (int64_t c = 0; c < r->n_chunks; c++) {
            struct sl_tensor *input = r->x->inputs[r->own[o]];
            if (r->own[o] != first_of(r, c)) continue;
            atomic_store(&r->has_passed[o * r->n_chunks + c], true);
            if (is_rows(r)) memcpy((char *)r->work[o]->data + chunk_begin(r, c), input->data, chunk_size(r, c));
            pass_on(r, o, c, 0, input, is_rows(r) ? 0 : chunk_begin(r, c));
        }
}

/* The bytes of an answer, of however many pieces. */
static sl_code read_pieces(char *to, size_t bytes, const struct sl_task_call *call, struct sl_error *err) {
    struct sl_pb_RecvBufResponse response;
    struct sl_pb_RecvBufRespExtra extra = {.unknown = NULL};
    struct sl_arena arena;
    size_t at = 0;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&response, SL_PB_TYPE_OF(RecvBufResponse), call->body->bytes, &arena, err);
    if (code == SL_OK && response.transport_options)
        code = sl_pb_decode(&extra, SL_PB_TYPE_OF(RecvBufRespExtra), response.transport_options->value, &arena, err);
    for (size_t p = 0; p < extra.tensor_content.n && code == SL_OK; p++) {
        const struct sl_str piece = extra.tensor_content.items[p];
        if (piece.n <= bytes - at && piece.n) memcpy(to + at, piece.p, piece.n);
        else if (piece.n) break;
        at += piece.n;
    }
    sl_arena_clear(&arena);
    if (code != SL_OK || at == bytes) return code;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s answers RecvBuf with other than %zu bytes",
                   call->all->cluster->tasks[call->task].name, bytes);
}

static sl_code call_status(const struct sl_task_call *call, const char *what, struct sl_error *err) {
    const char *task = call->all->cluster->tasks[call->task].name, *text = call->text ? call->text : "";
    if (call->code == SL_OK) return SL_OK;
    if (call->code == SL_UNAVAILABLE)
        return sl_fail(err, call->code, "Collective ops is aborted by: %s from %s: %s", what, task, text);
    return sl_fail(err, call->code, "%s", text);
}

static void send_down(struct ring *r, int64_t own);

static sl_code take(struct receipt *receipt, struct sl_error *err) {
    struct ring *r = receipt->ring;
    const struct sl_task_call *call = &r->chain.calls.calls[receipt->call];
    SL_TRY(call_status(call, "RecvBuf", err));
    if (receipt->pass && !r->x->is_broadcast &&
        !atomic_load(&r->has_passed[receipt->own * r->n_chunks + receipt->chunk]))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s sends a sum before the elements of %s are in it",
                       call->all->cluster->tasks[call->task].name, r->x->group->places[r->own[receipt->own]].device);
    char *to = (char *)r->work[receipt->own]->data + chunk_begin(r, receipt->chunk);
    SL_TRY(read_pieces(to, chunk_size(r, receipt->chunk), call, err));
    if (r->x->is_broadcast) send_down(r, receipt->own);
    else arrived(r, receipt->own, receipt->chunk, receipt->pass);
    return SL_OK;
}

static void receive(void *arg) {
    struct receipt *receipt = arg;
    struct ring *r = receipt->ring;
    struct sl_error err;
    sl_code code = take(receipt, &err);
    if (code != SL_OK) fail_ring(r, code, &err);
    sl_chain_answer_over(&r->chain);
}

static void answered(struct sl_chain *chain, int call) {
    struct ring *r = (struct ring *)chain;
    sl_worker_spawn(chain->worker, receive, &r->receipts[call]);
}

static sl_code ask(struct ring *r, const struct receipt *what, int64_t sender, const char *key, struct sl_error *err) {
    struct sl_collective_exchange *x = r->x;
    struct task_peers *peers = r->chain.peers;
    const struct sl_collective_place *from = &x->group->places[sender];
    const struct sl_pb_RecvBufRequest request = {.step_id = (int64_t)x->step,
                                                 .buf_rendezvous_key = sl_str_of(key),
                                                 .num_bytes = (int64_t)chunk_size(r, what->chunk),
                                                 .src_device = sl_str_of(from->device),
                                                 .dst_device = sl_str_of(x->group->places[r->own[what->own]].device),
                                                 .src_incarnation = from->incarnation,
                                                 .request_id = (int64_t)sl_id_source_next(&peers->worker->ids)};
    struct sl_rpc_message m = {.n = 0};
    sl_code code = sl_wire_add_message(&m, SL_PB_TYPE_OF(RecvBufRequest), &request, err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    const int call = r->chain.calls.n;
    r->receipts[call] = *what;
    r->receipts[call].call = call;
    sl_task_calls_add(&r->chain.calls, x->group->tasks[from->task], "/tensorflow.WorkerService/RecvBuf", &m,
                      sl_peers_deadline(peers, x), false);
    return SL_OK;
}

static sl_code ask_ring(struct ring *r, struct sl_error *err) {
    char key[BUFFER_KEY_ROOM];
    for (int64_t o = 0; o < r->n_own; o++) {
        const int64_t sender = before(r, r->own[o]);
        if (is_here(r, sender)) continue;
        for (int64_t c = 0; c < r->n_chunks; c++)
            for (int pass = 0; pass < 2; pass++) {
                const struct receipt what = {.ring = r, .own = o, .chunk = c, .pass = pass};
                if (!receives(r, r->own[o], c, pass)) continue;
                ring_key(key, r, pass, c, sender);
                SL_TRY(ask(r, &what, sender, key, err));
            }
    }
    return SL_OK;
}

/* ---- broadcasts: a tree of one member of each task, and a tree of each task's members below its own */

enum { CHILDREN = 4 };

/* The members below one, as TensorFlow has them: a binary tree by rank, above which the source stands once more unless its rank is 0. */
static int children_of(int64_t out[CHILDREN], const struct ring *r, int64_t rank) {
    const int64_t first = 2 * rank + (r->source ? 2 : 1);
    const int64_t all[CHILDREN] = {first, first + 1, 0, 1};
    int n = 0;
    for (int i = 0; i < (r->source && rank == r->source ? 4 : 2); i++)
        if (all[i] < r->n && all[i] != r->source) out[n++] = all[i];
    return n;
}

/* Of a member that is not the source. */
static int64_t parent_of(const struct ring *r, int64_t rank) {
    if (!r->source) return (rank - 1) / 2;
    return rank < 2 ? r->source : (rank - 2) / 2;
}

static void tree_key(char out[BUFFER_KEY_ROOM], const struct ring *r, int64_t sender, int64_t receiver) {
    (void)snprintf(out, BUFFER_KEY_ROOM, "%s0:%" PRId64 ":%" PRId64, r->prefix, sender, receiver);
}

static struct sl_tensor *copy_of(const struct ring *r, int64_t own) {
    return r->own[own] == r->source ? r->x->inputs[r->source] : r->work[own];
}

/* To the members below one here that has the elements. */
static void send_down(struct ring *r, int64_t own) {
    char key[BUFFER_KEY_ROOM];
    int64_t children[CHILDREN];
    const int n = r->bytes ? children_of(children, r, r->own[own]) : 0;
    for (int c = 0; c < n; c++) {
        if (is_here(r, children[c])) {
            const int64_t to = own_place(r, children[c]);
            memcpy(r->work[to]->data, copy_of(r, own)->data, r->bytes);
            send_down(r, to);
            continue;
        }
        tree_key(key, r, r->own[own], children[c]);
        offer(r, (size_t)(own * CHILDREN + c), children[c], copy_of(r, own), 0, r->bytes, key);
    }
}

static sl_code ask_tree(struct ring *r, struct sl_error *err) {
    char key[BUFFER_KEY_ROOM];
    for (int64_t o = 0; o < r->n_own && r->bytes; o++) {
        const struct receipt what = {.ring = r, .own = o};
        if (r->own[o] == r->source) continue;
        const int64_t sender = parent_of(r, r->own[o]);
        if (is_here(r, sender)) continue;
        tree_key(key, r, sender, r->own[o]);
        SL_TRY(ask(r, &what, sender, key, err));
    }
    return SL_OK;
}

/* ---- what goes between members, once the leader knows of the run */

static sl_code new_work(struct ring *r, struct sl_error *err) {
    const struct sl_collective_exchange *x = r->x;
    for (int64_t o = 0; o < r->n_own; o++)
        if (!x->is_broadcast || r->own[o] != r->source) SL_TRY(sl_tensor_new(&r->work[o], x->dtype, x->shape, err));
    return SL_OK;
}

static sl_code make_room(struct ring *r, struct sl_error *err) {
    const size_t n = (size_t)(r->n_own * r->n_chunks) * (r->x->is_broadcast ? CHILDREN / 2 : 1);
    r->work = sl_calloc((size_t)r->n_own + 1, sizeof(struct sl_tensor *));
    r->has_passed = sl_calloc(n + 1, sizeof *r->has_passed);
    struct sending *sendings = sl_calloc(2 * n + 1, sizeof *sendings);
    r->receipts = sl_calloc(2 * n + 1, sizeof *r->receipts);
    r->takers = sl_calloc((size_t)r->x->group->n_tasks, sizeof *r->takers);
    sl_mutex_lock(&r->mutex); /* somebody may cancel meanwhile */
    r->sendings = sendings;
    r->n_sendings = sendings ? 2 * n : 0;
    sl_mutex_unlock(&r->mutex);
    if (!r->work || !r->has_passed || !sendings || !r->receipts || !r->takers)
        return sl_fail_memory(err, 2 * n * sizeof *sendings);
    return new_work(r, err);
}

/* What all members of this task get: one of them has it. */
static void give(struct ring *r) {
    struct sl_collective_exchange *x = r->x;
    const int64_t source = x->is_broadcast ? own_place(r, r->source) : r->n_own;
    x->result = sl_tensor_ref(source < r->n_own ? x->inputs[r->source] : r->work[0]);
}

static void exchanged(struct sl_chain *chain) {
    struct ring *r = (struct ring *)chain;
    struct sl_error err;
    sl_code code = SL_OK;
    for (int i = 0; i < chain->calls.n && code == SL_OK; i++)
        code = call_status(&chain->calls.calls[i], "RecvBuf", &err);
    if (code == SL_OK) give(r);
    chain_over(r, code, &err);
}

static sl_code begin_exchange(struct ring *r, struct sl_error *err) {
    struct sl_collective_exchange *x = r->x;
    SL_TRY(make_room(r, err));
    SL_TRY(sl_chain_prepare(&r->chain, (int)r->n_sendings, exchanged, err));
    r->chain.answered = answered;
    SL_TRY(x->is_broadcast ? ask_tree(r, err) : ask_ring(r, err));
    if (!x->is_broadcast) begin_own(r);
    else if (own_place(r, r->source) < r->n_own) send_down(r, own_place(r, r->source));
    return SL_OK;
}

static void go_on(struct ring *r) {
    struct sl_error err;
    sl_code code = begin_exchange(r, &err);
    if (code == SL_OK) sl_chain_start(&r->chain);
    else chain_over(r, code, &err);
}

/* ---- meeting */

static bool find_known(struct ring *r) {
    const struct sl_collective_exchange *x = r->x;
    struct task_peers *peers = r->chain.peers;
    const struct group_entry *e = group_entry_of(x->group);
    bool is_found = false;
    sl_mutex_lock(&peers->mutex);
    for (size_t i = 0; i < e->n_known && i < KNOWN_KEPT && !is_found; i++) {
        is_found = e->known[i].instance == x->instance && e->known[i].kind == x->kind;
        if (is_found) r->source = e->known[i].source;
    }
    sl_mutex_unlock(&peers->mutex);
    return is_found;
}

static void keep_known(struct ring *r) {
    const struct sl_collective_exchange *x = r->x;
    struct task_peers *peers = r->chain.peers;
    struct group_entry *e = group_entry_of(x->group);
    sl_mutex_lock(&peers->mutex);
    e->known[e->n_known++ % KNOWN_KEPT] = (struct known_instance){x->instance, x->kind, r->source};
    sl_mutex_unlock(&peers->mutex);
}

/* Whose elements go to all is said once for an instance. */
static sl_code check_source(const struct ring *r, struct sl_error *err) {
    const struct sl_collective_exchange *x = r->x;
    if (r->source < 0 || r->source >= r->n || (is_here(r, r->source) && !x->inputs[r->source]))
        return sl_fail(err, SL_INTERNAL, "Collective ops is aborted by: instance %" PRId64 " has the source %d",
                       x->instance, r->source);
    for (int64_t o = 0; o < r->n_own; o++)
        if (x->inputs[r->own[o]] && r->own[o] != r->source)
            return sl_fail(err, SL_INTERNAL,
                           "Collective ops is aborted by: Instance %" PRId64
                           " already has source %d, received second claim from %" PRId64,
                           x->instance, r->source, r->own[o]);
    return SL_OK;
}

static sl_code read_meeting(struct ring *r, struct sl_error *err) {
    struct sl_pb_CompleteInstanceResponse told;
    struct sl_arena arena;
    for (int i = 0; i < r->chain.calls.n; i++) SL_TRY(call_status(&r->chain.calls.calls[i], "CompleteInstance", err));
    sl_arena_init(&arena);
    sl_code code =
        sl_pb_decode(&told, SL_PB_TYPE_OF(CompleteInstanceResponse), r->chain.calls.calls[0].body->bytes, &arena, err);
    if (code == SL_OK) r->source = told.source_rank;
    sl_arena_clear(&arena);
    if (code == SL_OK && r->x->is_broadcast) code = check_source(r, err);
    if (code == SL_OK) keep_known(r);
    return code;
}

static void met(struct sl_chain *chain) {
    struct ring *r = (struct ring *)chain;
    struct sl_error err;
    sl_code code = read_meeting(r, &err);
    if (code == SL_OK) go_on(r);
    else chain_over(r, code, &err);
}

static sl_code write_meeting(struct sl_rpc_message *m, const struct ring *r, int64_t rank, struct sl_arena *arena,
                             struct sl_error *err) {
    static const char *const names[] = {"CollectiveReduce", "CollectiveBroadcast", "CollectiveGather"};
    const struct sl_collective_exchange *x = r->x;
    struct sl_device_name device;
    int32_t offsets[SLICES_MAX] = {0}; /* all the same where no task has several members */
    const int64_t n_slices = x->n_slices;
    if (n_slices > SLICES_MAX)
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "a sum in %" PRId64 " subdivisions, of %d at most, with members at TensorFlow's own servers",
                       n_slices, SLICES_MAX);
    SL_TRY(sl_device_parse(&device, sl_str_of(x->group->places[rank].device), err));
    struct sl_pb_CompleteInstanceRequest request = {.name = sl_str_of(names[x->kind]),
                                                    .type = x->kind,
                                                    .data_type = x->dtype,
                                                    .group_key = (int32_t)x->group->key,
                                                    .group_size = (int32_t)r->n,
                                                    .instance_key = (int32_t)x->instance,
                                                    .device_type = sl_str_of(device.type),
                                                    .subdiv_offset = {.items = offsets,
                                                                      .n = n_slices > 0 ? (size_t)n_slices : 1},
                                                    .device = sl_str_of(x->group->places[rank].device),
                                                    .is_source = x->is_broadcast && x->inputs[rank],
                                                    .timeout_in_ms = sl_peers_ms_of(x->timeout_seconds)};
    SL_TRY(sl_shape_to_proto(&request.shape, x->shape, arena, err));
    return sl_wire_add_message(m, SL_PB_TYPE_OF(CompleteInstanceRequest), &request, err);
}

/* When a leader that says nothing is waited for no longer. Ours says who is missing when the time of the run is over; TensorFlow's waits
 * without end. */
static int64_t meeting_deadline(const struct ring *r) {
    static const int64_t answer_ms = 10000, usual_ms = 300000;
    const int64_t ms = sl_peers_ms_of(r->x->timeout_seconds);
    return sl_net_now(r->chain.worker->options.cluster->net) + ((ms ? ms : usual_ms) + answer_ms) * 1000000;
}

static sl_code tell_leader(struct ring *r, struct sl_error *err) {
    const int64_t deadline = meeting_deadline(r);
    struct sl_arena arena;
    sl_code code = sl_chain_prepare(&r->chain, (int)r->n_own, met, err);
    sl_arena_init(&arena);
    for (int64_t o = 0; o < r->n_own && code == SL_OK; o++) {
        struct sl_rpc_message m = {.n = 0};
        code = write_meeting(&m, r, r->own[o], &arena, err);
        if (code == SL_OK)
            sl_task_calls_add(&r->chain.calls, group_entry_of(r->x->group)->leader,
                              "/tensorflow.WorkerService/CompleteInstance", &m, deadline, false);
        else sl_rpc_message_clear(&m);
    }
    sl_arena_clear(&arena);
    return code;
}

static sl_code measure(struct ring *r, struct sl_error *err) {
    const struct sl_collective_exchange *x = r->x;
    const size_t element = sl_dtype_size(x->dtype);
    int64_t count, bytes;
    SL_TRY(sl_shape_count(&count, x->shape, err));
    if (!sl_mul_i64(&bytes, count, (int64_t)element) || bytes > INT64_MAX - ALIGNMENT * r->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a collective of too many elements");
    r->bytes = (size_t)bytes;
    r->n_chunks = is_rows(r) ? r->n : 1;
    r->chunk_bytes = r->bytes / (size_t)r->n_chunks;
    if (!x->is_sum) return SL_OK;
    cut_sum(r, element);
    if (x->group->n == x->group->n_tasks || (x->n_slices <= 1 && r->chunk_bytes <= CHUNK_MAX)) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED,
                   "a sum in several subdivisions (subdiv_offsets, or more than 4 MiB for each member) over tasks with "
                   "several members, of which some are TensorFlow's own servers");
}

static sl_code prepare(struct ring *r, struct sl_error *err) {
    const struct sl_collective_exchange *x = r->x;
    const struct sl_collective_group *group = x->group;
    if (!x->is_sum && !x->is_broadcast && !is_rows(r))
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "ReduceScatter and AllToAll over tasks of which some are TensorFlow's own servers");
    r->own = sl_calloc((size_t)group->n_own + 1, sizeof *r->own);
    if (!r->own) return sl_fail_memory(err, (size_t)group->n_own * sizeof *r->own);
    for (int64_t rank = 0; rank < group->n; rank++)
        if (is_here(r, rank)) r->own[r->n_own++] = rank;
    (void)snprintf(r->prefix, sizeof r->prefix, "%" PRId64 ":%" PRId64 ":%" PRIu64 ":%" PRIu64 ":", group->key,
                   x->instance, x->frame, x->iteration);
    SL_TRY(measure(r, err));
    char all[BUFFER_KEY_ROOM];
    (void)snprintf(all, sizeof all, "%s*", r->prefix);
    sl_collective_allow(r->chain.peers->buffers, x->step, all);
    r->is_known = find_known(r);
    if (!r->is_known) return tell_leader(r, err);
    return x->is_broadcast ? check_source(r, err) : SL_OK;
}

void sl_ring_exchange(struct task_peers *peers, struct sl_collective_exchange *x) {
    struct ring *r = sl_calloc(1, sizeof *r);
    struct sl_error err;
    if (!r) {
        x->done(x, sl_fail_memory(&err, sizeof *r), &err);
        return;
    }
    sl_peers_hold_worker(peers);
    sl_chain_init(&r->chain, peers->worker, peers);
    sl_mutex_init(&r->mutex);
    atomic_store(&r->left, 1);
    r->x = x;
    r->n = x->group->n;
    r->source = -1;
    x->state = r;
    sl_code code = prepare(r, &err);
    if (code != SL_OK) chain_over(r, code, &err);
    else if (r->is_known) go_on(r);
    else sl_chain_start(&r->chain);
}

void sl_ring_cancel(struct sl_collective_exchange *x) {
    struct ring *r = x->state;
    struct sl_error err;
    if (!r || !hold(r)) return;
    sl_fail(&err, SL_CANCELLED, "Collective operation was cancelled");
    fail_ring(r, SL_CANCELLED, &err);
    count_down(r);
}
