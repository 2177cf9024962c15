/* Rounds of groups at the task that leads; a thread asks the others before one begins. `base` of a group has the members of the present round, `forming` those that wait for the
 * next one. The request is a CompleteGroupRequest in field 1 of a message with three numbers, which are written by hand. */
#include "dist/elastic_group.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "dist/collective_leader_state.h"
#include "dist/elastic_ballot.h"

enum { LEAST = 2, WAIT_MS = 3, REGROUPS = 4 };
static const int64_t RETRY_NS = 500000000; /* from a vote that was lost to the next */

struct leader_round {
    struct leader_gathering base; /* `due_ns`: when who waits hears that too few have come */
    size_t least;
    int64_t due_ns; /* when those who are there go on without the rest; 0: the group is full, nobody counts the time */
    int64_t retry_ns; /* no vote before: the last one was lost */
    bool votes;       /* a thread asks the others whether it may begin */
    bool regroups;    /* the last round ended by agreement: it takes nobody but its members, and who waits already */
};

struct join {
    struct sl_pb_CompleteGroupRequest group;
    uint64_t least, wait_ms, regroups;
};

/* ---- the message */

static uint64_t ms_of(double seconds) { return seconds > 0 && seconds < 1e12 ? (uint64_t)(seconds * 1000) : 0; }

sl_code sl_elastic_write_join(struct sl_rpc_message *m, const struct sl_collective_joining *joining,
                              uint64_t incarnation, struct sl_error *err) {
    struct sl_pb_DeviceAttributes device = {.name = sl_str_of(joining->device),
                                            .device_type = SL_STR("CPU"),
                                            .incarnation = incarnation};
    const struct sl_pb_CompleteGroupRequest request = {.group_key = (int32_t)joining->key,
                                                       .group_size = (int32_t)joining->size,
                                                       .device_type = SL_STR("CPU"),
                                                       .device_attributes = &device,
                                                       .timeout_in_ms = (int64_t)ms_of(joining->timeout_seconds),
                                                       .is_own_kind = true};
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(CompleteGroupRequest), &request, 0, NULL, err));
    sl_code code = sl_wire_add_text(m, 1, bytes, err);
    sl_free((void *)bytes.p);
    if (code == SL_OK) code = sl_wire_add_number(m, LEAST, (uint64_t)joining->least, err);
    if (code == SL_OK) code = sl_wire_add_number(m, WAIT_MS, ms_of(joining->wait_seconds), err);
    return code == SL_OK ? sl_wire_add_number(m, REGROUPS, joining->regroups, err) : code;
}

static bool take_number(uint64_t *out, struct sl_str *from) {
    *out = 0;
    for (unsigned shift = 0; shift < 64 && from->n; shift += 7) {
        const unsigned char byte = (unsigned char)*from->p;
        *from = (struct sl_str){from->p + 1, from->n - 1};
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

static sl_code read_join(struct join *j, struct sl_str from, struct sl_arena *arena, struct sl_error *err) {
    uint64_t tag, number;
    struct sl_str group = {NULL, 0};
    *j = (struct join){.least = 0};
    while (from.n) {
        if (!take_number(&tag, &from) || !take_number(&number, &from) || (tag == 10 && number > from.n))
            return sl_fail(err, SL_INVALID_ARGUMENT, "the request of who joins a group is malformed");
        if (tag == 10) {
            group = (struct sl_str){from.p, (size_t)number};
            from = (struct sl_str){from.p + number, from.n - (size_t)number};
        } else if (tag == LEAST << 3) j->least = number;
        else if (tag == WAIT_MS << 3) j->wait_ms = number;
        else if (tag == REGROUPS << 3) j->regroups = number;
    }
    SL_TRY(sl_pb_decode(&j->group, SL_PB_TYPE_OF(CompleteGroupRequest), group, arena, err));
    if (j->least >= 1 && (int64_t)j->least <= j->group.group_size && j->wait_ms < INT64_MAX / 1000000 &&
        j->group.timeout_in_ms < INT64_MAX / 1000000)
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "group %d of %d members cannot need %lld", j->group.group_key,
                   j->group.group_size, (long long)j->least);
}

/* ---- rounds; with the mutex held */

static size_t find(const struct leader_gathering *g, struct sl_str device) {
    size_t at = 0;
    while (at < g->n && !sl_str_is(device, g->members[at].device)) at++;
    return at;
}

static void remove_member(struct leader_gathering *g, size_t at) {
    sl_free(g->members[at].device);
    sl_free(g->members[at].content);
    for (g->n--; at < g->n; at++) g->members[at] = g->members[at + 1];
}

void sl_elastic_forget(struct leader_gathering *g, const struct leader_waiting *w) {
    for (size_t at = 0; at < g->n; at++)
        if (g->members[at].by == w) remove_member(g, at--);
}

void sl_elastic_clear(struct leader_group *group) {
    if (group->forming) sl_leader_clear_members(&group->forming->base);
    sl_free(group->forming);
}

static int64_t earlier(int64_t a, int64_t b) { return b && (!a || b < a) ? b : a; }

int64_t sl_elastic_due(int64_t at, const struct leader_group *group) {
    const struct leader_round *round = group->forming;
    if (!round || !round->due_ns || !round->base.waiting) return at;
    at = earlier(at, round->base.due_ns);
    if (round->votes || round->base.n < round->least) return at;
    return earlier(at, round->retry_ns > round->due_ns ? round->retry_ns : round->due_ns);
}

static sl_code find_or_make(struct leader_group **out, struct sl_collective_leader *leader, const struct join *j,
                            struct sl_error *err) {
    if (!j->group.is_own_kind)
        return sl_fail(err, SL_UNIMPLEMENTED, "TensorFlow's own servers in a group whose members come and go");
    SL_TRY(sl_leader_check_group(leader, &j->group, err));
    SL_TRY(sl_leader_find_or_make_group(out, leader, &j->group, err));
    struct leader_group *group = *out;
    if (!group->forming && !group->base.n && !group->base.waiting) {
        group->forming = sl_calloc(1, sizeof *group->forming);
        if (!group->forming) return sl_fail_memory(err, sizeof *group->forming);
        group->forming->base = (struct leader_gathering){.leader = leader, .size = (size_t)j->group.group_size};
    }
    struct leader_round *round = group->forming;
    if (!round || (round->base.size != (size_t)j->group.group_size && (round->base.n || group->base.is_full)))
        return sl_fail(err, SL_INTERNAL, "Collective ops is aborted by: members of group %d say that it has others",
                       j->group.group_key);
    round->base.size = (size_t)j->group.group_size;
    return SL_OK;
}

static int64_t after(const struct leader_group *group, int64_t ms) {
    return sl_net_now(group->base.leader->net) + ms * 1000000;
}

/* From now on the time of those who wait is counted. */
static void begin_round(struct leader_group *group, const struct join *j) {
    struct leader_round *round = group->forming;
    if (round->due_ns) return;
    round->due_ns = after(group, (int64_t)j->wait_ms);
    round->base.due_ns = j->group.timeout_in_ms > 0 ? after(group, j->group.timeout_in_ms)
                                                    : after(group, 0) + group->base.leader->wait_ns;
}

/* A member of the round joins again: nobody is a member any more. Those whose runs end by that, to be failed. */
static struct leader_waiting *leave_round(struct leader_group *group, const struct join *j) {
    if (!group->base.is_full || find(&group->base, j->group.device_attributes->name) == group->base.n) return NULL;
    group->base.is_full = false;
    group->forming->regroups = j->regroups != 0;
    return sl_leader_drop_runs(group->base.leader, group->key);
}

static sl_code come(struct leader_group *group, const struct join *j, struct leader_waiting *w, struct sl_error *err) {
    struct leader_gathering *g = &group->forming->base;
    const struct sl_pb_DeviceAttributes *device = j->group.device_attributes;
    size_t at = find(g, device->name);
    if (at < g->n) remove_member(g, at);
    SL_TRY(sl_leader_add_member(g, device->name, SL_STR(""), false, err));
    g->members[g->n - 1].incarnation = device->incarnation;
    g->members[g->n - 1].by = w;
    if (j->least > group->forming->least) group->forming->least = (size_t)j->least;
    SL_TRY(sl_leader_add_waiting(w, g, g->n - 1, err));
    if (!group->base.is_full) begin_round(group, j);
    return SL_OK;
}

static bool all_are_back(const struct leader_group *group) {
    for (size_t m = 0; m < group->base.n; m++)
        if (!sl_leader_has_come(&group->forming->base, group->base.members[m].device)) return false;
    return true;
}

static bool is_ready(const struct leader_group *group, int64_t now) {
    const struct leader_round *round = group->forming;
    if (!round || round->votes || (round->retry_ns && round->retry_ns > sl_net_now(group->base.leader->net)) ||
        group->base.is_full || !round->base.waiting || round->base.n < round->least)
        return false;
    return round->base.n >= round->base.size || (round->regroups && all_are_back(group)) ||
           (round->due_ns && round->due_ns <= now);
}

/* What a round that begins tells its members, after the mutex has been given back. */
struct told {
    struct sl_arena arena;
    struct sl_pb_CompleteGroupResponse answer;
    struct leader_waiting *all;
};

static void begin(struct told *told, struct leader_group *group) {
    struct leader_gathering *g = &group->base, *next = &group->forming->base;
    sl_leader_clear_members(g);
    g->members = next->members;
    g->n = g->size = next->n;
    g->room = next->room;
    g->is_full = true;
    qsort(g->members, g->n, sizeof *g->members, sl_leader_compare_members);
    next->members = NULL;
    next->n = next->room = 0;
    next->due_ns = group->forming->due_ns = group->forming->retry_ns = 0;
    group->forming->least = 0;
    group->forming->regroups = false;
    told->all = sl_leader_take_waiting(next);
    told->answer = (struct sl_pb_CompleteGroupResponse){.is_own_kind = true,
                                                        .group_key = (int32_t)group->key,
                                                        .group_size = (int32_t)g->n,
                                                        .device_type = SL_STR("CPU")};
    told->answer.device_attributes.items = SL_ARENA_ARRAY(&told->arena, struct sl_pb_DeviceAttributes, g->n + 1);
    for (size_t m = 0; m < g->n && told->answer.device_attributes.items; m++)
        told->answer.device_attributes.items[told->answer.device_attributes.n++] =
            (struct sl_pb_DeviceAttributes){.name = sl_arena_str(&told->arena, sl_str_of(g->members[m].device)),
                                            .device_type = SL_STR("CPU")};
    for (size_t m = 0; m < g->n; m++) g->members[m].by = NULL;
}

/* ---- without the mutex */

static void tell(struct told *told) {
    bool is_short = told->answer.device_attributes.n != (size_t)told->answer.group_size;
    for (size_t m = 0; m < told->answer.device_attributes.n; m++)
        is_short = is_short || !told->answer.device_attributes.items[m].name.p;
    for (struct leader_waiting *w = told->all, *next; w; w = next) {
        next = w->next;
        if (is_short) sl_rpc_call_fail(w->call, SL_RESOURCE_EXHAUSTED, "out of memory");
        else sl_service_answer(w->call, SL_PB_TYPE_OF(CompleteGroupResponse), &told->answer);
        sl_leader_waiting_release(w);
    }
    sl_arena_clear(&told->arena);
}

int64_t sl_leader_newcomers(struct sl_collective_leader *leader, int64_t key) {
    sl_mutex_lock(&leader->mutex);
    const struct leader_group *group = sl_leader_find_group(leader, key);
    const int64_t n = group && group->forming && group->base.is_full ? (int64_t)group->forming->base.n : 0;
    sl_mutex_unlock(&leader->mutex);
    return n;
}

/* ---- what others ask (elastic_ballot.h) */

static enum sl_ballot_role role_of(const struct leader_group *group, const struct sl_ballot *b, int own) {
    if (!group || !group->forming) return SL_BALLOT_IDLE;
    if (group->base.is_full && b->begun.term == b->promised && b->begun.leader == own) return SL_BALLOT_LEADER;
    return group->forming->base.waiting ? SL_BALLOT_FORMS : SL_BALLOT_IDLE;
}

/* One of those who would be in another round is in this one: it has left. */
static bool is_left_by(const struct sl_ballot_round *begun, const struct sl_ballot_round *others) {
    for (size_t o = 0; o < others->n; o++)
        for (size_t m = 0; m < begun->n; m++)
            if (begun->members[m].task == others->members[o].task &&
                begun->members[m].incarnation == others->members[o].incarnation)
                return true;
    return false;
}

/* With the mutex held: whether this task agrees that another one begins a round. What waits here is `*left` then. */
static bool agree(struct leader_waiting **left, struct leader_waiting **joins, struct sl_collective_leader *leader,
                  struct sl_ballot *b, const struct sl_ballot_ask *ask, int own) {
    struct leader_group *group = sl_leader_find_group(leader, ask->key);
    const bool accepts = ask->kind == SL_BALLOT_ACCEPT, is_own = ask->round.leader == own;
    if (accepts ? ask->round.term < b->promised : ask->round.term <= b->promised) return false;
    if (!is_own && role_of(group, b, own) == SL_BALLOT_LEADER && !is_left_by(&b->begun, &ask->round)) return false;
    if (accepts && sl_ballot_keep(&b->proposed, &ask->round, NULL) != SL_OK) return false;
    b->promised = ask->round.term;
    if (is_own || !group || !group->forming) return true;
    if (group->base.is_full) *left = sl_leader_drop_runs(leader, group->key);
    group->base.is_full = false;
    *joins = sl_leader_take_waiting(&group->forming->base);
    sl_leader_clear_members(&group->forming->base);
    group->forming->due_ns = group->forming->base.due_ns = 0;
    return true;
}

void sl_leader_ask(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    const int own = sl_ballot_number(cluster, cluster->own);
    struct leader_waiting *left = NULL, *joins = NULL;
    struct sl_ballot_answer answer = {.agrees = false};
    struct sl_rpc_message m = {.n = 0};
    struct sl_ballot_ask ask;
    struct sl_arena arena;
    struct sl_error err, why;
    sl_arena_init(&arena);
    sl_code code = sl_ballot_read_ask(&ask, call->body ? call->body->bytes : SL_STR(""), &arena, &err);
    sl_mutex_lock(&leader->mutex);
    struct sl_ballot *b = code == SL_OK ? sl_ballot_find_or_make(&leader->ballots, ask.key) : NULL;
    if (b) {
        if (ask.kind != SL_BALLOT_LEADS) answer.agrees = agree(&left, &joins, leader, b, &ask, own);
        answer.role = role_of(sl_leader_find_group(leader, ask.key), b, own);
        answer.promised = b->promised;
        answer.incarnation = sl_worker_devices(leader->worker)->items[0].incarnation;
        answer.begun = b->begun;
        answer.proposed = b->proposed;
        code = sl_ballot_write_answer(&m, &answer, &err);
    } else if (code == SL_OK) code = sl_fail(&err, SL_RESOURCE_EXHAUSTED, "too many groups, or no memory for them");
    sl_mutex_unlock(&leader->mutex);
    if (left || joins) {
        const int by = sl_ballot_task(cluster, ask.round.leader);
        sl_fail(&why, SL_ABORTED, "Collective ops is aborted by: %s leads the group from now on",
                by < 0 ? "another task" : cluster->tasks[by].name);
        sl_leader_fail_all(left, &why);
        sl_leader_fail_all(joins, &why);
    }
    sl_arena_clear(&arena);
    sl_service_end(call, &m, code, &err);
}

/* What was proposed last may be another round. */
static bool are_members(const struct sl_ballot_round *r, const struct sl_collective_group *group,
                        const struct sl_cluster *cluster) {
    bool are = r->n == (size_t)group->n;
    for (size_t m = 0; are && m < r->n; m++)
        are = r->members[m].task ==
              sl_ballot_number(cluster, sl_cluster_find(cluster, sl_str_of(group->places[m].device)));
    return are;
}

void sl_leader_has_begun(struct sl_collective_leader *leader, const struct sl_collective_group *group) {
    sl_mutex_lock(&leader->mutex);
    struct sl_ballot *b = sl_ballot_find_or_make(&leader->ballots, group->key);
    if (b && b->proposed.term > b->begun.term && are_members(&b->proposed, group, leader->worker->options.cluster))
        (void)sl_ballot_keep(&b->begun, &b->proposed, NULL);
    sl_mutex_unlock(&leader->mutex);
}

/* ---- votes. A thread asks all tasks whether a round that is ready may begin, and waits for them. */

struct vote {
    struct sl_collective_leader *leader;
    struct sl_ballot_ask ask;
    struct sl_arena arena; /* of the members */
    struct sl_vote *votes; /* by task's number */
    struct sl_mutex mutex; /* guards the next */
    struct sl_condition come;
    bool has_come;
};

static void vote_free(struct vote *v) {
    sl_arena_clear(&v->arena);
    sl_mutex_clear(&v->mutex);
    sl_condition_clear(&v->come);
    sl_free(v);
}

static struct vote *vote_new(const struct leader_group *group) {
    struct sl_collective_leader *leader = group->base.leader;
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    const struct leader_gathering *g = &group->forming->base;
    struct vote *v = sl_calloc(1, sizeof *v);
    if (!v) return NULL;
    sl_arena_init(&v->arena);
    sl_mutex_init(&v->mutex);
    sl_condition_init(&v->come);
    v->leader = leader;
    v->ask.key = group->key;
    v->ask.round.leader = sl_ballot_number(cluster, cluster->own);
    v->ask.round.n = g->n;
    v->ask.round.members = SL_ARENA_ARRAY(&v->arena, struct sl_ballot_member, g->n + 1);
    v->votes = SL_ARENA_ARRAY(&v->arena, struct sl_vote, (size_t)cluster->n + 1);
    if (!v->votes || !v->ask.round.members) {
        vote_free(v);
        return NULL;
    }
    for (size_t m = 0; m < g->n; m++) {
        const int task = sl_cluster_find(cluster, sl_str_of(g->members[m].device));
        v->ask.round.members[m] = (struct sl_ballot_member){sl_ballot_number(cluster, task), g->members[m].incarnation};
    }
    return v;
}

static int compare_numbers(const void *a, const void *b) {
    const int x = ((const struct sl_ballot_member *)a)->task, y = ((const struct sl_ballot_member *)b)->task;
    return (x > y) - (x < y);
}

/* With the mutex held: what the caller spawns when it has given it back; NULL: nothing is to be begun. */
static struct vote *begin_vote(struct leader_group *group, int64_t now) {
    struct vote *v = is_ready(group, now) ? vote_new(group) : NULL;
    if (!v) return NULL;
    qsort(v->ask.round.members, v->ask.round.n, sizeof *v->ask.round.members, compare_numbers);
    group->forming->votes = true;
    v->leader->n_spawned++;
    return v;
}

static void all_answered(struct sl_task_calls *calls) {
    struct vote *v = calls->arg;
    sl_mutex_lock(&v->mutex);
    v->has_come = true;
    sl_condition_broadcast(&v->come);
    sl_mutex_unlock(&v->mutex);
}

/* Asks each task, or those alone that have agreed before. */
static sl_code ask_all(struct vote *v, enum sl_ballot_kind kind, struct sl_error *err) {
    struct sl_cluster *cluster = v->leader->worker->options.cluster;
    const int64_t deadline = sl_ballot_deadline(cluster);
    struct sl_task_calls calls;
    sl_code code = sl_task_calls_init(&calls, cluster, cluster->n, err);
    v->ask.kind = kind;
    v->has_come = false;
    calls.done = all_answered;
    calls.arg = v;
    for (int t = 0; t < cluster->n && code == SL_OK; t++) {
        struct sl_rpc_message m = {.n = 0};
        const struct sl_vote *vote = &v->votes[sl_ballot_number(cluster, t)];
        if (kind == SL_BALLOT_ACCEPT && vote->state != SL_VOTE_AGREES) continue;
        code = sl_ballot_write_ask(&m, &v->ask, err);
        if (code == SL_OK) sl_task_calls_add(&calls, t, SL_ELASTIC_ASK, &m, deadline, false);
        else sl_rpc_message_clear(&m);
    }
    if (code == SL_OK) {
        sl_task_calls_start(&calls);
        sl_mutex_lock(&v->mutex);
        while (!v->has_come) sl_condition_wait(&v->come, &v->mutex);
        sl_mutex_unlock(&v->mutex);
        for (int c = 0; c < calls.n; c++)
            sl_ballot_count_vote(&v->votes[sl_ballot_number(cluster, calls.calls[c].task)], &calls.calls[c], &v->arena);
    }
    sl_task_calls_clear(&calls);
    return code;
}

/* A term that nobody has heard of, as far as this task knows. */
static void choose_term(struct vote *v) {
    sl_mutex_lock(&v->leader->mutex);
    const struct sl_ballot *b = sl_ballot_find_or_make(&v->leader->ballots, v->ask.key);
    v->ask.round.term = b ? b->promised + 1 : 1;
    sl_mutex_unlock(&v->leader->mutex);
}

/* The task, of those that have answered, that leads already; -1: none. */
static int other_leader(const struct vote *v) {
    const struct sl_cluster *cluster = v->leader->worker->options.cluster;
    for (int t = 0; t < cluster->n; t++)
        if (t != v->ask.round.leader && v->votes[t].state == SL_VOTE_REFUSES &&
            v->votes[t].answer.role == SL_BALLOT_LEADER)
            return sl_ballot_task(cluster, t);
    return -1;
}

static bool wins(struct vote *v) {
    const struct sl_cluster *cluster = v->leader->worker->options.cluster;
    struct sl_error err;
    choose_term(v);
    if (ask_all(v, SL_BALLOT_PREPARE, &err) != SL_OK || !sl_ballot_wins(v->votes, cluster->n)) return false;
    bool all_accept = ask_all(v, SL_BALLOT_ACCEPT, &err) == SL_OK;
    for (int t = 0; t < cluster->n; t++)
        all_accept = all_accept && (v->votes[t].state == SL_VOTE_AGREES || v->votes[t].state == SL_VOTE_GONE ||
                                    v->votes[t].state == SL_VOTE_SILENT);
    return all_accept && sl_ballot_wins(v->votes, cluster->n);
}

/* With the mutex held: those who would be in the round have not changed. */
static bool are_there(const struct leader_gathering *g, const struct vote *v) {
    const struct sl_cluster *cluster = v->leader->worker->options.cluster;
    if (g->n != v->ask.round.n) return false;
    for (size_t m = 0; m < g->n; m++) {
        const struct sl_ballot_member *member = &v->ask.round.members[m];
        bool is_there = false;
        for (size_t o = 0; o < g->n; o++)
            is_there =
                is_there ||
                (g->members[o].incarnation == member->incarnation &&
                 sl_ballot_number(cluster, sl_cluster_find(cluster, sl_str_of(g->members[o].device))) == member->task);
        if (!is_there) return false;
    }
    return true;
}

/* With the mutex held: after a vote that was won. False: something has changed meanwhile. */
static bool begin_round_of(struct told *told, struct vote *v, struct leader_group *group) {
    struct sl_ballot *b = sl_ballot_find_or_make(&v->leader->ballots, v->ask.key);
    if (!b || b->promised != v->ask.round.term || !are_there(&group->forming->base, v)) return false;
    if (sl_ballot_keep(&b->begun, &v->ask.round, NULL) != SL_OK) return false;
    begin(told, group);
    return true;
}

/* With the mutex held. The next term is higher than all that were heard of. */
static void lose(struct vote *v, struct leader_group *group) {
    struct sl_ballot *b = sl_ballot_find_or_make(&v->leader->ballots, v->ask.key);
    const struct sl_cluster *cluster = v->leader->worker->options.cluster;
    for (int t = 0; b && t < cluster->n; t++)
        if (v->votes[t].state >= SL_VOTE_REFUSES && v->votes[t].answer.promised > b->promised)
            b->promised = v->votes[t].answer.promised;
    group->forming->retry_ns = sl_net_now(v->leader->net) + RETRY_NS;
}

static void run_vote(void *arg) {
    struct vote *v = arg;
    struct sl_collective_leader *leader = v->leader;
    struct told told = {.all = NULL};
    struct leader_waiting *elsewhere = NULL;
    struct sl_error why;
    sl_arena_init(&told.arena);
    const bool won = wins(v);
    const int other = won ? -1 : other_leader(v);
    sl_mutex_lock(&leader->mutex);
    struct leader_group *group = sl_leader_find_group(leader, v->ask.key);
    group->forming->votes = false;
    if (!won || !begin_round_of(&told, v, group)) lose(v, group);
    if (other >= 0) {
        elsewhere = sl_leader_take_waiting(&group->forming->base);
        sl_leader_clear_members(&group->forming->base);
        group->forming->due_ns = group->forming->base.due_ns = 0;
        sl_fail(&why, SL_ABORTED, "Collective ops is aborted by: %s leads the group",
                leader->worker->options.cluster->tasks[other].name);
    }
    sl_leader_set_timer(leader);
    sl_mutex_unlock(&leader->mutex);
    sl_leader_fail_all(elsewhere, &why);
    tell(&told);
    vote_free(v);
    sl_leader_spawned_end(leader);
}

void sl_leader_join_elastic(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    struct leader_group *group = NULL;
    struct leader_waiting *w, *left = NULL;
    struct sl_arena arena;
    struct sl_error err, why;
    struct vote *vote = NULL;
    struct join j;
    sl_arena_init(&arena);
    sl_code code = read_join(&j, call->body ? call->body->bytes : SL_STR(""), &arena, &err);
    if (code != SL_OK || !(w = sl_leader_waiting_new(leader, call))) {
        if (code != SL_OK) sl_rpc_call_fail(call, code, err.message);
        sl_arena_clear(&arena);
        return;
    }
    sl_mutex_lock(&leader->mutex);
    code = find_or_make(&group, leader, &j, &err);
    if (code == SL_OK) {
        left = leave_round(group, &j);
        code = come(group, &j, w, &err);
        if (code != SL_OK) sl_elastic_forget(&group->forming->base, w);
        vote = begin_vote(group, 0);
        sl_leader_set_timer(leader);
    }
    sl_mutex_unlock(&leader->mutex);
    if (vote) sl_worker_spawn(leader->worker, run_vote, vote);
    if (left)
        sl_fail(&why, SL_ABORTED, "Collective ops is aborted by: %.*s joins its group again",
                SL_STR_ARG(j.group.device_attributes->name));
    sl_leader_fail_all(left, &why);
    sl_arena_clear(&arena);
    if (code != SL_OK) {
        sl_rpc_call_fail(call, code, err.message);
        sl_leader_waiting_release(w);
    }
}

/* Who has waited too long, with the mutex held. They may come again. */
static struct leader_waiting *take_late(struct sl_error *why, struct leader_group *group, int64_t now) {
    struct leader_round *round = group->forming;
    if (!round || !round->due_ns || !round->base.waiting || !round->base.due_ns || round->base.due_ns > now)
        return NULL;
    sl_fail(why, SL_DEADLINE_EXCEEDED,
            "Collective has timed out waiting for other workers: %zu of %zu members have come, at least %zu are needed",
            round->base.n, round->base.size, round->least);
    for (size_t m = 0; m < round->base.n; m++)
        sl_error_append(why, "%s%s", m ? ", " : ": ", round->base.members[m].device);
    struct leader_waiting *late = sl_leader_take_waiting(&round->base);
    sl_leader_clear_members(&round->base);
    round->due_ns = round->base.due_ns = 0;
    return late;
}

void sl_elastic_look(struct sl_collective_leader *leader, int64_t now) {
    bool found;
    do {
        struct leader_waiting *late = NULL;
        struct vote *vote = NULL;
        struct sl_error why;
        sl_mutex_lock(&leader->mutex);
        for (struct leader_group *group = leader->groups; group && !late && !vote; group = group->next) {
            vote = begin_vote(group, now);
            if (!vote) late = take_late(&why, group, now);
        }
        sl_mutex_unlock(&leader->mutex);
        found = late || vote;
        if (vote) sl_worker_spawn(leader->worker, run_vote, vote);
        sl_leader_fail_all(late, &why);
    } while (found);
}
