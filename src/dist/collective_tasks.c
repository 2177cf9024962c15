/* The peers of a session's collectives. A join and an exchange are each a chain of calls, of which one set is under way at
 * a time; nobody's thread waits. An exchange ends when its own part has, and when others have taken what it offers. Elements
 * come with the answers, or by a carrier (collective_carrier.h): the call that has a ticket has ended when they have come. */
#include "dist/collective_tasks_state.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "device/device_order.h"
#include "dist/collective_chain.h"
#include "dist/elastic_ballot.h"
#include "dist/elastic_group.h"
#include "dist/worker_state.h"
#include "tensor/tensor_proto.h"

/* Up to here, counted over all members, elements go along with CompleteInstance: one call, but everybody gets all. */
enum { FEW_BYTES = 64 * 1024 };

/* ---- groups that are known */

static const struct sl_collective_group *find_group(struct sl_collective_peers *base, int64_t key, int64_t size,
                                                    const char *device) {
    struct task_peers *peers = (struct task_peers *)base;
    const struct sl_collective_group *found = NULL;
    sl_mutex_lock(&peers->mutex);
    for (struct group_entry *e = peers->groups; e && !found; e = e->next)
        if (!e->is_left && e->group.key == key && e->group.n == size) found = &e->group;
    sl_mutex_unlock(&peers->mutex);
    for (int64_t r = 0; found && r < found->n; r++)
        if (strcmp(found->places[r].device, device) == 0) return found;
    return NULL;
}

/* The task of the group that is this one of the cluster. */
static int task_in_group(struct sl_collective_group *group, int *tasks, int task) {
    for (int t = 0; t < group->n_tasks; t++)
        if (tasks[t] == task) return t;
    tasks[group->n_tasks] = task;
    return group->n_tasks++;
}

static sl_code read_group(struct group_entry *e, const struct task_peers *peers,
                          const struct sl_pb_CompleteGroupResponse *told, struct sl_error *err) {
    const struct sl_cluster *cluster = peers->worker->options.cluster;
    struct sl_collective_group *group = &e->group;
    size_t n = told->device_attributes.n;
    int *tasks = SL_ARENA_ARRAY(&e->arena, int, n + 1);
    group->places = SL_ARENA_ARRAY(&e->arena, struct sl_collective_place, n + 1);
    if (!tasks || !group->places) return sl_fail_memory(err, n * sizeof *tasks);
    group->key = told->group_key;
    group->tasks = tasks;
    group->own = -1;
    group->is_foreign = !told->is_own_kind;
    if (group->is_foreign) {
        e->known = SL_ARENA_ARRAY(&e->arena, struct known_instance, KNOWN_KEPT);
        if (!e->known) return sl_fail_memory(err, KNOWN_KEPT * sizeof *e->known);
    }
    for (size_t r = 0; r < n; r++) {
        struct sl_str device = sl_arena_str(&e->arena, told->device_attributes.items[r].name);
        int task = sl_cluster_find(cluster, told->device_attributes.items[r].name);
        if (!device.p) return sl_fail_memory(err, device.n);
        if (task < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s of group %d is of no task of the cluster",
                           SL_STR_ARG(device), told->group_key);
        group->places[r] = (struct sl_collective_place){device.p, task_in_group(group, tasks, task),
                                                        told->device_attributes.items[r].incarnation};
        group->n++;
        if (task != cluster->own) continue;
        group->own = group->places[r].task;
        group->n_own++;
    }
    return SL_OK;
}

/* The group as it is kept; two calls may bring the same one. */
static sl_code keep_group(const struct sl_collective_group **out, struct task_peers *peers, int leader, bool is_elastic,
                          struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_pb_CompleteGroupResponse told;
    struct sl_arena arena;
    struct group_entry *e = sl_calloc(1, sizeof *e);
    if (!e) return sl_fail_memory(err, sizeof *e);
    sl_arena_init(&arena);
    sl_arena_init(&e->arena);
    sl_code code = sl_pb_decode(&told, SL_PB_TYPE_OF(CompleteGroupResponse), body->bytes, &arena, err);
    if (code == SL_OK) code = read_group(e, peers, &told, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) {
        sl_arena_clear(&e->arena);
        sl_free(e);
        return code;
    }
    sl_mutex_lock(&peers->mutex);
    for (struct group_entry *old = peers->groups; old && is_elastic; old = old->next)
        old->is_left = old->is_left || old->group.key == e->group.key; /* which had other members */
    e->leader = leader;
    e->next = peers->groups;
    peers->groups = e;
    sl_mutex_unlock(&peers->mutex);
    *out = &e->group;
    return SL_OK;
}

/* Who leads it may be another process by now, and know of no members. */
void sl_peers_leave_group(struct task_peers *peers, const struct sl_collective_group *group) {
    sl_mutex_lock(&peers->mutex);
    group_entry_of(group)->is_left = true;
    sl_mutex_unlock(&peers->mutex);
}

/* ---- what a join and an exchange have in common: calls that may be cancelled */

void sl_peers_hold_worker(struct task_peers *peers) {
    sl_mutex_lock(&peers->worker->mutex);
    peers->worker->n_held++;
    sl_mutex_unlock(&peers->worker->mutex);
}

void sl_peers_leave_worker(struct task_peers *peers) {
    struct sl_worker *w = peers->worker;
    sl_mutex_lock(&w->mutex);
    if (--w->n_held == 0) sl_condition_broadcast(&w->idle);
    sl_mutex_unlock(&w->mutex);
}

int64_t sl_peers_ms_of(double seconds) {
    if (!(seconds > 0)) return 0;
    double ms = seconds * 1000;
    return ms < 1 ? 1 : ms < 1e12 ? (int64_t)ms : INT64_C(1000000000000);
}

int64_t sl_peers_deadline(const struct task_peers *peers, const struct sl_collective_exchange *x) {
    struct sl_net *net = peers->worker->options.cluster->net;
    int64_t ms = sl_peers_ms_of(x->timeout_seconds);
    return ms ? sl_net_now(net) + ms * 1000000 : 0;
}

static uint64_t own_incarnation(const struct task_peers *peers) {
    return sl_worker_devices(peers->worker)->items[0].incarnation;
}

/* ---- joining */

struct join {
    struct sl_chain chain;
    struct sl_collective_joining *joining;
};

static void join_end(struct join *j, sl_code code, const struct sl_error *err) {
    struct task_peers *peers = j->chain.peers;
    j->joining->done(j->joining, code, err);
    sl_chain_clear(&j->chain);
    sl_free(j);
    sl_peers_leave_worker(peers);
}

static void group_told(struct sl_chain *chain) {
    struct join *j = (struct join *)chain;
    struct sl_error err;
    sl_code code = sl_chain_status(chain, "CompleteGroup", &err);
    if (code == SL_OK) {
        const struct sl_task_call *call = &chain->calls.calls[0];
        const bool is_elastic = j->joining->least > 0;
        code = keep_group(&j->joining->group, chain->peers, call->task, is_elastic, call->body, &err);
        if (code == SL_OK && is_elastic) sl_leader_has_begun(chain->peers->own, j->joining->group);
    }
    join_end(j, code, &err);
}

static sl_code write_join(struct sl_rpc_message *m, const struct sl_collective_joining *joining,
                          const struct task_peers *peers, struct sl_error *err) {
    struct sl_device_name name;
    SL_TRY(sl_device_parse(&name, sl_str_of(joining->device), err));
    struct sl_pb_DeviceAttributes device = {.name = sl_str_of(joining->device),
                                            .device_type = sl_str_of(name.type),
                                            .incarnation = own_incarnation(peers)};
    const struct sl_pb_CompleteGroupRequest request = {.group_key = (int32_t)joining->key,
                                                       .group_size = (int32_t)joining->size,
                                                       .device_type = sl_str_of(name.type),
                                                       .device_attributes = &device,
                                                       .timeout_in_ms = sl_peers_ms_of(joining->timeout_seconds),
                                                       .is_own_kind = peers->is_own_kind};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(CompleteGroupRequest), &request, err);
}

static sl_code ask_group(struct join *j, int leader, struct sl_error *err) {
    struct task_peers *peers = j->chain.peers;
    const bool is_elastic = j->joining->least > 0;
    struct sl_rpc_message m = {.n = 0};
    sl_code code = is_elastic ? sl_elastic_write_join(&m, j->joining, own_incarnation(peers), err)
                              : write_join(&m, j->joining, peers, err);
    if (code == SL_OK) code = sl_chain_prepare(&j->chain, 1, group_told, err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    sl_task_calls_add(&j->chain.calls, leader, is_elastic ? SL_ELASTIC_JOIN : "/tensorflow.WorkerService/CompleteGroup",
                      &m, 0, false);
    return SL_OK;
}

/* Who leads the group; tasks that do not answer do not. */
static sl_code find_leader_of(int *out, const struct sl_chain *chain, struct sl_error *err) {
    const struct sl_cluster *cluster = chain->calls.cluster;
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_vote *votes = SL_ARENA_ARRAY(&arena, struct sl_vote, (size_t)cluster->n);
    *out = -1;
    for (int i = 0; votes && i < chain->calls.n; i++)
        sl_ballot_count_vote(&votes[sl_ballot_number(cluster, chain->calls.calls[i].task)], &chain->calls.calls[i],
                             &arena);
    if (votes)
        *out = sl_ballot_task(cluster,
                              sl_ballot_choose(votes, cluster->n, sl_ballot_number(cluster, chain->peers->leader)));
    sl_arena_clear(&arena);
    return *out >= 0 ? SL_OK : sl_chain_status(chain, "Ask", err);
}

static void leader_told(struct sl_chain *chain) {
    struct join *j = (struct join *)chain;
    struct sl_error err;
    int leader;
    sl_code code = find_leader_of(&leader, chain, &err);
    if (code == SL_OK) code = ask_group(j, leader, &err);
    if (code == SL_OK) sl_chain_start(chain);
    else join_end(j, code, &err);
}

static sl_code ask_who_leads(struct join *j, struct sl_error *err) {
    struct sl_cluster *cluster = j->chain.peers->worker->options.cluster;
    const struct sl_ballot_ask ask = {.key = j->joining->key, .kind = SL_BALLOT_LEADS};
    const int64_t deadline = sl_ballot_deadline(cluster);
    SL_TRY(sl_chain_prepare(&j->chain, cluster->n, leader_told, err));
    for (int t = 0; t < cluster->n; t++) {
        struct sl_rpc_message m = {.n = 0};
        sl_code code = sl_ballot_write_ask(&m, &ask, err);
        if (code != SL_OK) {
            sl_rpc_message_clear(&m);
            return code;
        }
        sl_task_calls_add(&j->chain.calls, t, SL_ELASTIC_ASK, &m, deadline, false);
    }
    return SL_OK;
}

static void join_group(struct sl_collective_peers *base, struct sl_collective_joining *joining) {
    struct task_peers *peers = (struct task_peers *)base;
    struct join *j = sl_calloc(1, sizeof *j);
    struct sl_error err;
    if (!j) {
        joining->done(joining, sl_fail_memory(&err, sizeof *j), &err);
        return;
    }
    sl_peers_hold_worker(peers);
    sl_chain_init(&j->chain, peers->worker, peers);
    j->joining = joining;
    sl_code code = joining->least > 0 ? ask_who_leads(j, &err) : ask_group(j, peers->leader, &err);
    atomic_store(&joining->state, j); /* from here on it can be cancelled; what came before is seen below */
    if (atomic_load(&joining->is_cancelled)) sl_chain_cancel(&j->chain);
    if (code == SL_OK) sl_chain_start(&j->chain);
    else join_end(j, code, &err);
}

static void cancel_join(struct sl_collective_peers *base, struct sl_collective_joining *joining) {
    struct join *j = atomic_load(&joining->state);
    (void)base;
    if (j) sl_chain_cancel(&j->chain);
}

/* ---- exchanges */

struct exchange {
    struct sl_chain chain;
    struct sl_collective_exchange *x;
    struct sl_collective_offer offers[2]; /* inputs; the sum of the own part */
    bool is_offered[2], is_few;
    struct sl_tensor **own; /* inputs of this task, by rank; borrowed */
    size_t n_own;
    size_t bytes;          /* of one member's elements */
    int source;            /* rank; -1: none */
    int *asked;            /* the task of each call under way */
    atomic_int left;       /* the chain, and offers that have not been taken */
    struct sl_mutex mutex; /* guards the rest, and what is offered */
    bool has_failed;
    struct sl_error err;
};

static void exchange_end(void *arg) {
    struct exchange *e = arg;
    struct sl_collective_exchange *x = e->x;
    struct task_peers *peers = e->chain.peers;
    if (e->has_failed) {
        sl_tensor_unref(x->result);
        x->result = NULL;
        sl_peers_leave_group(peers, x->group);
    }
    struct sl_error err = e->err;
    x->done(x, e->has_failed ? err.code : SL_OK, &err);
    sl_chain_clear(&e->chain);
    sl_mutex_clear(&e->mutex);
    sl_free(e->own);
    sl_free(e->asked);
    sl_free(e);
    sl_peers_leave_worker(peers);
}

/* From then on it does not end until it is counted down. False: it has ended. */
static bool hold(struct exchange *e) {
    int left = atomic_load(&e->left);
    while (left && !atomic_compare_exchange_weak(&e->left, &left, left + 1)) {}
    return left != 0;
}

static void count_down(struct exchange *e) {
    if (atomic_fetch_sub(&e->left, 1) == 1) sl_worker_spawn(e->chain.peers->worker, exchange_end, e);
}

static void offer_taken(struct sl_collective_offer *offer) { count_down(offer->arg); }

static void key_of(char *out, const struct sl_collective_exchange *x, int phase) {
    (void)snprintf(out, BUFFER_KEY_ROOM, "%" PRId64 ":%" PRId64 ":%" PRIu64 ":%" PRIu64 ":%d", x->group->key,
                   x->instance, x->frame, x->iteration, phase);
}

/* The first reason stays. What is offered is taken back, and who asks for it is told. */
static void fail_exchange(struct exchange *e, sl_code code, const struct sl_error *err) {
    struct sl_collective_buffers *buffers = e->chain.peers->buffers;
    char key[BUFFER_KEY_ROOM];
    bool is_offered[2];
    sl_mutex_lock(&e->mutex);
    if (!e->has_failed) {
        e->err = *err;
        e->err.code = code;
    }
    e->has_failed = true;
    memcpy(is_offered, e->is_offered, sizeof is_offered);
    sl_mutex_unlock(&e->mutex);
    for (int phase = 0; phase < 2; phase++) {
        if (is_offered[phase]) {
            if (sl_collective_withdraw(buffers, &e->offers[phase])) count_down(e);
        } else if (!e->is_few) {
            key_of(key, e->x, phase);
            sl_collective_refuse(buffers, e->x->step, key);
        }
    }
}

/* The chain's end. */
static void chain_over(struct exchange *e, sl_code code, const struct sl_error *err) {
    if (code != SL_OK) fail_exchange(e, code, err);
    count_down(e);
}

static void offer(struct exchange *e, int phase, struct sl_tensor *const *tensors, size_t n, size_t begin, size_t end,
                  int64_t takes) {
    struct sl_collective_offer *o = &e->offers[phase];
    if (takes <= 0) return;
    *o = (struct sl_collective_offer){.step = e->x->step,
                                      .tensors = tensors,
                                      .n = n,
                                      .begin = begin,
                                      .end = end,
                                      .takes = takes,
                                      .taken = offer_taken,
                                      .arg = e};
    key_of(o->key, e->x, phase);
    sl_mutex_lock(&e->mutex);
    if (!e->has_failed) {
        e->is_offered[phase] = true;
        atomic_fetch_add(&e->left, 1);
        sl_collective_offer(e->chain.peers->buffers, o);
    }
    sl_mutex_unlock(&e->mutex);
}

/* ---- parts of a sum: of each task of the group a range of the elements */

static size_t element_bytes(const struct exchange *e) { return sl_dtype_size(e->x->dtype); }

static size_t part_begin(const struct exchange *e, int task) {
    size_t count = e->bytes / element_bytes(e), n = (size_t)e->x->group->n_tasks;
    return (count / n * (size_t)task + count % n * (size_t)task / n) * element_bytes(e);
}

/* ---- asking the other tasks */

struct answer {
    struct sl_pb_RecvBufResponse response;
    struct sl_pb_RecvBufRespExtra extra;
};

/* As if they had come with the answer. */
static sl_code read_carried(struct answer *a, const struct sl_carried *carried, size_t n, size_t bytes,
                            struct sl_arena *arena, struct sl_error *err) {
    const char *data;
    SL_TRY(sl_carried_get(&data, carried, err));
    a->extra.tensor_content.items = SL_ARENA_ARRAY(arena, struct sl_str, n + 1);
    if (!a->extra.tensor_content.items) return sl_fail_memory(err, n * sizeof(struct sl_str));
    for (size_t p = 0; p < n; p++) a->extra.tensor_content.items[p] = (struct sl_str){data + p * bytes, bytes};
    return SL_OK;
}

/* The pieces that call `i` has brought. */
static sl_code read_answer(struct answer *a, const struct sl_chain *c, int i, size_t n, size_t bytes,
                           struct sl_arena *arena, struct sl_error *err) {
    const struct sl_task_call *call = &c->calls.calls[i];
    if (c->carried && c->carried[i]) return read_carried(a, c->carried[i], n, bytes, arena, err);
    SL_TRY(sl_pb_decode(&a->response, SL_PB_TYPE_OF(RecvBufResponse), call->body->bytes, arena, err));
    struct sl_str value = a->response.transport_options ? a->response.transport_options->value : SL_STR("");
    SL_TRY(sl_pb_decode(&a->extra, SL_PB_TYPE_OF(RecvBufRespExtra), value, arena, err));
    bool is_right = a->extra.tensor_content.n == n;
    for (size_t p = 0; is_right && p < n; p++) is_right = a->extra.tensor_content.items[p].n == bytes;
    if (is_right) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s answers RecvBuf with other than %zu pieces of %zu bytes",
                   call->all->cluster->tasks[call->task].name, n, bytes);
}

static size_t members_at(const struct sl_collective_group *group, int task) {
    size_t n = 0;
    for (int64_t r = 0; r < group->n; r++) n += group->places[r].task == task;
    return n;
}

/* What a task sends for one question: each of its members' elements; of a broadcast the source's, of a sum the sum. */
static size_t pieces_of(const struct exchange *e, int task, int phase) {
    return e->x->is_broadcast || phase ? 1 : members_at(e->x->group, task);
}

static sl_code ask(struct exchange *e, int task, int phase, size_t begin, size_t bytes, int64_t deadline,
                   struct sl_error *err) {
    struct task_peers *peers = e->chain.peers;
    struct sl_rpc_message m = {.n = 0};
    char key[BUFFER_KEY_ROOM + 48], ticket[SL_TICKET_ROOM];
    const int call = e->chain.calls.n, to = e->x->group->tasks[task];
    key_of(key, e->x, phase);
    size_t n = strlen(key);
    (void)snprintf(key + n, sizeof key - n, ":%zu:%zu", begin, bytes);
    sl_chain_take_ticket(ticket, &e->chain, peers->buffers->carrier, to, pieces_of(e, task, phase), bytes);
    struct sl_pb_Any by = {.type_url = SL_STR(SL_CARRIER_URL), .value = sl_str_of(ticket)};
    const struct sl_pb_RecvBufRequest request = {.step_id = (int64_t)e->x->step,
                                                 .buf_rendezvous_key = sl_str_of(key),
                                                 .num_bytes = (int64_t)bytes,
                                                 .transport_options = *ticket ? &by : NULL,
                                                 .request_id = (int64_t)sl_id_source_next(&peers->worker->ids)};
    SL_TRY(sl_wire_add_message(&m, SL_PB_TYPE_OF(RecvBufRequest), &request, err));
    e->asked[call] = task;
    sl_task_calls_add(&e->chain.calls, to, "/tensorflow.WorkerService/RecvBuf", &m, deadline, false);
    return SL_OK;
}

/* Everybody else's elements, of a broadcast the source's; of a sum the range of the own part, or in phase 1 the parts of
 * the others. */
static sl_code ask_others(struct exchange *e, int phase, void (*ended)(struct sl_chain *chain), struct sl_error *err) {
    const struct sl_collective_group *group = e->x->group;
    const int64_t deadline = sl_peers_deadline(e->chain.peers, e->x);
    SL_TRY(sl_chain_prepare(&e->chain, group->n_tasks, ended, err));
    if (e->chain.peers->buffers->carrier) SL_TRY(sl_chain_prepare_carried(&e->chain, err));
    for (int t = 0; t < group->n_tasks; t++) {
        size_t begin = 0, end = e->bytes;
        if (t == group->own || (e->x->is_broadcast && t != group->places[e->source].task)) continue;
        if (e->x->is_sum) {
            begin = part_begin(e, phase ? t : group->own);
            end = part_begin(e, (phase ? t : group->own) + 1);
        }
        SL_TRY(ask(e, t, phase, begin, end - begin, deadline, err));
    }
    return SL_OK;
}

/* ---- what has come becomes inputs */

static sl_code new_input(struct sl_tensor **out, const struct exchange *e, struct sl_str content,
                         struct sl_error *err) {
    struct sl_collective_exchange *x = e->x;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape = x->shape;
    if (x->kind == ROWS_OF_ALL) {
        memcpy(dims, shape.dims, (size_t)shape.rank * sizeof *dims);
        dims[0] /= x->group->n;
        shape.dims = dims;
    }
    if (content.n != e->bytes)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "a member of collective instance %" PRId64 " brings %zu bytes, not %zu", x->instance, content.n,
                       e->bytes);
    SL_TRY(sl_tensor_new(out, x->dtype, shape, err));
    if (content.n) memcpy((*out)->data, content.p, content.n);
    return SL_OK;
}

static void fetched_inputs(struct sl_chain *chain) {
    struct exchange *e = (struct exchange *)chain;
    struct sl_collective_exchange *x = e->x;
    struct sl_arena arena;
    struct sl_error err;
    sl_code code = sl_chain_status(chain, "RecvBuf", &err);
    sl_arena_init(&arena);
    for (int i = 0; i < chain->calls.n && code == SL_OK; i++) {
        struct answer a;
        size_t n = x->is_broadcast ? 1 : members_at(x->group, e->asked[i]), next = 0;
        code = read_answer(&a, chain, i, n, e->bytes, &arena, &err);
        for (int64_t r = 0; r < x->group->n && code == SL_OK; r++)
            if (x->is_broadcast ? r == e->source : x->group->places[r].task == e->asked[i])
                code = new_input(&x->inputs[r], e, a.extra.tensor_content.items[next++], &err);
    }
    sl_arena_clear(&arena);
    chain_over(e, code, &err);
}

/* ---- sums of many elements */

static void fetched_parts(struct sl_chain *chain) {
    struct exchange *e = (struct exchange *)chain;
    struct sl_arena arena;
    struct sl_error err;
    sl_code code = sl_chain_status(chain, "RecvBuf", &err);
    sl_arena_init(&arena);
    for (int i = 0; i < chain->calls.n && code == SL_OK; i++) {
        struct answer a;
        size_t begin = part_begin(e, e->asked[i]), bytes = part_begin(e, e->asked[i] + 1) - begin;
        code = read_answer(&a, chain, i, 1, bytes, &arena, &err);
        if (code == SL_OK && bytes)
            memcpy((char *)e->x->result->data + begin, a.extra.tensor_content.items[0].p, bytes);
    }
    sl_arena_clear(&arena);
    chain_over(e, code, &err);
}

/* Elements for arithmetic lie at a multiple of their size. */
static const void *aligned(const struct exchange *e, struct sl_str content, struct sl_arena *arena) {
    if ((uintptr_t)content.p % element_bytes(e) == 0) return content.p;
    void *copy = sl_arena_alloc(arena, content.n + 1);
    if (copy) memcpy(copy, content.p, content.n);
    return copy;
}

static sl_code sum_part(struct exchange *e, struct sl_arena *arena, struct sl_error *err) {
    struct sl_collective_exchange *x = e->x;
    const struct sl_collective_group *group = x->group;
    size_t begin = part_begin(e, group->own), bytes = part_begin(e, group->own + 1) - begin;
    const void **in = SL_ARENA_ARRAY(arena, const void *, (size_t)group->n);
    if (!in) return sl_fail_memory(err, (size_t)group->n * sizeof *in);
    for (int64_t r = 0; r < group->n; r++)
        if (group->places[r].task == group->own) in[r] = (const char *)x->inputs[r]->data + begin;
    for (int i = 0; i < e->chain.calls.n; i++) {
        struct answer a;
        size_t next = 0;
        SL_TRY(read_answer(&a, &e->chain, i, members_at(group, e->asked[i]), bytes, arena, err));
        for (int64_t r = 0; r < group->n; r++) {
            if (group->places[r].task != e->asked[i]) continue;
            in[r] = aligned(e, a.extra.tensor_content.items[next++], arena);
            if (!in[r]) return sl_fail_memory(err, bytes);
        }
    }
    SL_TRY(sl_tensor_new(&x->result, x->dtype, x->shape, err));
    if (bytes) x->merge(x, (char *)x->result->data + begin, in, group->n, (int64_t)(bytes / element_bytes(e)), true);
    return SL_OK;
}

static void fetched_slices(struct sl_chain *chain) {
    struct exchange *e = (struct exchange *)chain;
    const struct sl_collective_group *group = e->x->group;
    struct sl_arena arena;
    struct sl_error err;
    sl_code code = sl_chain_status(chain, "RecvBuf", &err);
    sl_arena_init(&arena);
    if (code == SL_OK) code = sum_part(e, &arena, &err);
    sl_arena_clear(&arena);
    if (code == SL_OK) {
        offer(e, 1, &e->x->result, 1, part_begin(e, group->own), part_begin(e, group->own + 1), group->n_tasks - 1);
        code = ask_others(e, 1, fetched_parts, &err);
    }
    if (code == SL_OK) sl_chain_start(chain);
    else chain_over(e, code, &err);
}

/* ---- meeting */

/* Everybody's elements have come along. */
static sl_code take_parts(struct exchange *e, const struct sl_pb_CompleteInstanceResponse *told, struct sl_error *err) {
    struct sl_collective_exchange *x = e->x;
    for (int64_t r = 0; r < x->group->n; r++)
        if (!x->inputs[r] && (!x->is_broadcast || r == e->source))
            SL_TRY(new_input(&x->inputs[r], e, told->part.items[r].content, err));
    return SL_OK;
}

/* What is to be asked next; `*is_over`: nothing. */
static sl_code go_on(bool *is_over, struct exchange *e, struct sl_error *err) {
    struct sl_collective_exchange *x = e->x;
    struct sl_pb_CompleteInstanceResponse told;
    struct sl_arena arena;
    SL_TRY(sl_chain_status(&e->chain, "CompleteInstance", err));
    sl_arena_init(&arena);
    sl_code code =
        sl_pb_decode(&told, SL_PB_TYPE_OF(CompleteInstanceResponse), e->chain.calls.calls[0].body->bytes, &arena, err);
    for (int64_t r = 0; code == SL_OK && r < x->group->n; r++)
        if (told.part.n != (size_t)x->group->n || !sl_str_is(told.part.items[r].device, x->group->places[r].device))
            code = sl_fail(err, SL_INTERNAL,
                           "Collective ops is aborted by: the members of instance %" PRId64 " are not those of group "
                           "%" PRId64,
                           x->instance, x->group->key);
    e->source = code == SL_OK ? told.source_rank : -1;
    if (code == SL_OK && x->is_broadcast && (e->source < 0 || e->source >= x->group->n))
        code = sl_fail(err, SL_INTERNAL, "instance %" PRId64 " has the source %d", x->instance, e->source);
    *is_over = e->is_few || (x->is_broadcast && x->group->places[e->source].task == x->group->own);
    if (code == SL_OK && e->is_few) code = take_parts(e, &told, err);
    sl_arena_clear(&arena);
    if (code != SL_OK || *is_over) return code;
    return ask_others(e, 0, x->is_sum ? fetched_slices : fetched_inputs, err);
}

static void met(struct sl_chain *chain) {
    struct exchange *e = (struct exchange *)chain;
    struct sl_error err;
    bool is_over = false;
    sl_code code = go_on(&is_over, e, &err);
    if (code == SL_OK && !is_over) sl_chain_start(chain);
    else chain_over(e, code, &err);
}

static sl_code write_meeting(struct sl_rpc_message *m, const struct exchange *e, struct sl_arena *arena,
                             struct sl_error *err) {
    const struct sl_collective_exchange *x = e->x;
    const struct sl_collective_group *group = x->group;
    struct sl_pb_CompleteInstanceRequest request = {.type = x->kind,
                                                    .data_type = x->dtype,
                                                    .group_key = (int32_t)group->key,
                                                    .group_size = (int32_t)group->n,
                                                    .instance_key = (int32_t)x->instance,
                                                    .step_id = (int64_t)x->step,
                                                    .frame = x->frame,
                                                    .iteration = x->iteration,
                                                    .incarnation = own_incarnation(e->chain.peers),
                                                    .timeout_in_ms = sl_peers_ms_of(x->timeout_seconds)};
    SL_TRY(sl_shape_to_proto(&request.shape, x->shape, arena, err));
    request.part.items = SL_ARENA_ARRAY(arena, struct sl_pb_CollectivePart, (size_t)group->n_own + 1);
    if (!request.part.items) return sl_fail_memory(err, (size_t)group->n_own * sizeof *request.part.items);
    for (int64_t r = 0; r < group->n; r++) {
        const struct sl_tensor *t = x->inputs[r];
        if (group->places[r].task != group->own) continue;
        if (!request.part.n) request.device = sl_str_of(group->places[r].device);
        request.part.items[request.part.n++] =
            (struct sl_pb_CollectivePart){.device = sl_str_of(group->places[r].device),
                                          .content = e->is_few && t ? (struct sl_str){t->data, t->bytes} : SL_STR(""),
                                          .is_source = x->is_broadcast && t};
    }
    return sl_wire_add_message(m, SL_PB_TYPE_OF(CompleteInstanceRequest), &request, err);
}

static sl_code prepare(struct exchange *e, struct sl_error *err) {
    struct sl_collective_exchange *x = e->x;
    const struct sl_collective_group *group = x->group;
    struct sl_rpc_message m = {.n = 0};
    struct sl_arena arena;
    int64_t count, bytes, all;
    SL_TRY(sl_shape_count(&count, x->shape, err));
    if (x->kind == ROWS_OF_ALL) count /= group->n;
    if (!sl_mul_i64(&bytes, count, (int64_t)element_bytes(e)) || !sl_mul_i64(&all, bytes, group->n))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a collective of too many elements");
    e->bytes = (size_t)bytes;
    e->is_few = all <= FEW_BYTES;
    e->own = sl_calloc((size_t)group->n_own, sizeof(struct sl_tensor *));
    e->asked = sl_calloc((size_t)group->n_tasks, sizeof *e->asked);
    if (!e->own || !e->asked) return sl_fail_memory(err, (size_t)group->n_own * sizeof *e->own);
    for (int64_t r = 0; r < group->n; r++)
        if (group->places[r].task == group->own && x->inputs[r]) e->own[e->n_own++] = x->inputs[r];
    sl_arena_init(&arena);
    sl_code code = write_meeting(&m, e, &arena, err);
    if (code == SL_OK) code = sl_chain_prepare(&e->chain, 1, met, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) sl_rpc_message_clear(&m);
    else
        sl_task_calls_add(&e->chain.calls, group_entry_of(group)->leader, "/tensorflow.WorkerService/CompleteInstance",
                          &m, 0, false);
    return code;
}

static void begin_exchange(struct sl_collective_peers *base, struct sl_collective_exchange *x) {
    struct task_peers *peers = (struct task_peers *)base;
    struct sl_error err;
    if (x->group->is_foreign) {
        sl_ring_exchange(peers, x);
        return;
    }
    struct exchange *e = sl_calloc(1, sizeof *e);
    if (!e) {
        x->done(x, sl_fail_memory(&err, sizeof *e), &err);
        return;
    }
    sl_peers_hold_worker(peers);
    sl_chain_init(&e->chain, peers->worker, peers);
    sl_mutex_init(&e->mutex);
    atomic_store(&e->left, 1);
    e->x = x;
    x->state = e;
    sl_code code = prepare(e, &err);
    if (code != SL_OK) {
        chain_over(e, code, &err);
        return;
    }
    if (!e->is_few) offer(e, 0, e->own, e->n_own, 0, e->bytes, e->n_own ? x->group->n_tasks - 1 : 0);
    sl_chain_start(&e->chain);
}

static void cancel_exchange(struct sl_collective_peers *base, struct sl_collective_exchange *x) {
    struct sl_error err;
    (void)base;
    if (x->group->is_foreign) {
        sl_ring_cancel(x);
        return;
    }
    struct exchange *e = x->state;
    if (!e || !hold(e)) return;
    sl_chain_cancel(&e->chain);
    sl_fail(&err, SL_CANCELLED, "Collective operation was cancelled");
    fail_exchange(e, SL_CANCELLED, &err);
    count_down(e);
}

/* ---- making and ending */

static void peers_free(struct sl_collective_peers *base) {
    struct task_peers *peers = (struct task_peers *)base;
    for (struct group_entry *e = peers->groups, *next; e; e = next) {
        next = e->next;
        sl_arena_clear(&e->arena);
        sl_free(e);
    }
    sl_mutex_clear(&peers->mutex);
    sl_free(peers);
}

static int64_t newcomers(struct sl_collective_peers *base, int64_t key) {
    return sl_leader_newcomers(((struct task_peers *)base)->own, key);
}

static const struct sl_collective_peers_methods methods = {.free = peers_free,
                                                           .find = find_group,
                                                           .join = join_group,
                                                           .exchange = begin_exchange,
                                                           .cancel_join = cancel_join,
                                                           .cancel_exchange = cancel_exchange,
                                                           .newcomers = newcomers};

/* As the server's config has it; else the first by name. */
static sl_code find_leader(int *out, const struct sl_worker *w, struct sl_error *err) {
    const struct sl_cluster *cluster = w->options.cluster;
    const struct sl_pb_ConfigProto *config = w->options.config;
    struct sl_str named = config && config->experimental ? config->experimental->collective_group_leader : SL_STR("");
    *out = 0;
    for (int t = 1; t < cluster->n; t++)
        if (sl_device_order(cluster->tasks[t].name, cluster->tasks[*out].name) < 0) *out = t;
    if (named.n) *out = sl_cluster_find(cluster, named);
    if (*out >= 0) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "collective_group_leader '%.*s' is no task of the cluster",
                   SL_STR_ARG(named));
}

static sl_code make_peers(struct sl_collectives *c, struct sl_worker *worker, struct sl_error *err) {
    struct task_peers *peers = sl_calloc(1, sizeof *peers);
    if (!peers) return sl_fail_memory(err, sizeof *peers);
    sl_collective_peers_init(&peers->base, &methods);
    peers->worker = worker;
    peers->buffers = &c->buffers;
    peers->own = &c->leader;
    peers->is_own_kind = !sl_carrier_is_ring();
    sl_mutex_init(&peers->mutex);
    c->peers = &peers->base;
    return find_leader(&peers->leader, worker, err);
}

sl_code sl_collectives_new(struct sl_collectives **out, struct sl_worker *worker, struct sl_error *err) {
    struct sl_collectives *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    sl_collective_leader_init(&c->leader, worker);
    sl_code code = sl_collective_buffers_init(&c->buffers, worker, err);
    if (code == SL_OK) code = sl_carrier_new(&c->buffers.carrier, worker->options.cluster, err);
    if (code == SL_OK) code = make_peers(c, worker, err);
    if (code == SL_OK) *out = c;
    else sl_collectives_free(c);
    return code;
}

void sl_collectives_stop(struct sl_collectives *c) {
    if (!c) return;
    sl_collective_leader_stop(&c->leader);
    sl_carrier_stop(c->buffers.carrier);
}

void sl_collectives_free(struct sl_collectives *c) {
    if (!c) return;
    if (c->peers) sl_object_unref(&c->peers->object);
    sl_collective_leader_clear(&c->leader);
    sl_collective_buffers_clear(&c->buffers);
    sl_carrier_free(c->buffers.carrier);
    sl_free(c);
}
