/* Ballots: what is kept, what is sent (numbers of eight bytes, one after the other), and who wins. */
#include "dist/elastic_ballot.h"

#include "base/alloc.h"
#include "device/device_order.h"

enum { BALLOTS_MAX = 1 << 16, MEMBERS_MAX = 1 << 16, NUMBER = 8 };

/* ---- what is kept */

static void round_clear(struct sl_ballot_round *r) {
    sl_free(r->members);
    *r = (struct sl_ballot_round){.term = 0};
}

void sl_ballot_free_all(struct sl_ballot *ballots) {
    for (struct sl_ballot *b = ballots, *next; b; b = next) {
        next = b->next;
        round_clear(&b->begun);
        round_clear(&b->proposed);
        sl_free(b);
    }
}

struct sl_ballot *sl_ballot_find_or_make(struct sl_ballot **ballots, int64_t key) {
    size_t n = 0;
    for (struct sl_ballot *b = *ballots; b; b = b->next, n++)
        if (b->key == key) return b;
    struct sl_ballot *b = n < BALLOTS_MAX ? sl_calloc(1, sizeof *b) : NULL;
    if (!b) return NULL;
    b->key = key;
    b->next = *ballots;
    *ballots = b;
    return b;
}

sl_code sl_ballot_keep(struct sl_ballot_round *out, const struct sl_ballot_round *round, struct sl_error *err) {
    struct sl_ballot_member *members = sl_calloc(round->n + 1, sizeof *members);
    if (!members) return sl_fail_memory(err, round->n * sizeof *members);
    for (size_t m = 0; m < round->n; m++) members[m] = round->members[m];
    round_clear(out);
    *out = *round;
    out->members = members;
    return SL_OK;
}

/* ---- messages */

struct writing {
    char *at, *end;
};

static void put(struct writing *w, uint64_t number) {
    for (int i = 0; i < NUMBER; i++, number >>= 8) *w->at++ = (char)(number & 0xff);
}

static void put_round(struct writing *w, const struct sl_ballot_round *r) {
    put(w, r->term);
    put(w, (uint64_t)r->leader);
    put(w, r->n);
    for (size_t m = 0; m < r->n; m++) {
        put(w, (uint64_t)r->members[m].task);
        put(w, r->members[m].incarnation);
    }
}

static size_t numbers_of(const struct sl_ballot_round *r) { return 3 + 2 * r->n; }

static sl_code begin_message(struct writing *w, size_t numbers, struct sl_error *err) {
    w->at = sl_malloc(numbers * NUMBER);
    if (!w->at) return sl_fail_memory(err, numbers * NUMBER);
    w->end = w->at + numbers * NUMBER;
    return SL_OK;
}

static sl_code end_message(struct sl_rpc_message *m, const struct writing *w, size_t numbers, struct sl_error *err) {
    char *begin = w->end - numbers * NUMBER;
    sl_code code = sl_rpc_message_add_bytes(m, (struct sl_str){begin, numbers * NUMBER}, err);
    sl_free(begin);
    return code;
}

sl_code sl_ballot_write_ask(struct sl_rpc_message *m, const struct sl_ballot_ask *ask, struct sl_error *err) {
    const size_t n = 2 + numbers_of(&ask->round);
    struct writing w;
    SL_TRY(begin_message(&w, n, err));
    put(&w, (uint64_t)ask->key);
    put(&w, (uint64_t)ask->kind);
    put_round(&w, &ask->round);
    return end_message(m, &w, n, err);
}

sl_code sl_ballot_write_answer(struct sl_rpc_message *m, const struct sl_ballot_answer *a, struct sl_error *err) {
    const size_t n = 4 + numbers_of(&a->begun) + numbers_of(&a->proposed);
    struct writing w;
    SL_TRY(begin_message(&w, n, err));
    put(&w, a->agrees);
    put(&w, (uint64_t)a->role);
    put(&w, a->promised);
    put(&w, a->incarnation);
    put_round(&w, &a->begun);
    put_round(&w, &a->proposed);
    return end_message(m, &w, n, err);
}

static bool get(uint64_t *out, struct sl_str *from) {
    *out = 0;
    if (from->n < NUMBER) return false;
    for (int i = NUMBER; i-- > 0;) *out = *out << 8 | (unsigned char)from->p[i];
    *from = (struct sl_str){from->p + NUMBER, from->n - NUMBER};
    return true;
}

static bool get_below(uint64_t *out, struct sl_str *from, uint64_t limit) { return get(out, from) && *out < limit; }

static bool get_round(struct sl_ballot_round *r, struct sl_str *from, struct sl_arena *arena) {
    uint64_t leader, n, task;
    if (!get(&r->term, from) || !get_below(&leader, from, MEMBERS_MAX) || !get_below(&n, from, MEMBERS_MAX))
        return false;
    if (from->n < n * 2 * NUMBER) return false;
    r->leader = (int)leader;
    r->n = (size_t)n;
    r->members = SL_ARENA_ARRAY(arena, struct sl_ballot_member, r->n + 1);
    for (size_t m = 0; r->members && m < r->n; m++) {
        if (!get_below(&task, from, MEMBERS_MAX) || !get(&r->members[m].incarnation, from)) return false;
        r->members[m].task = (int)task;
    }
    return r->members != NULL;
}

sl_code sl_ballot_read_ask(struct sl_ballot_ask *ask, struct sl_str from, struct sl_arena *arena,
                           struct sl_error *err) {
    uint64_t key, kind;
    *ask = (struct sl_ballot_ask){.key = 0};
    if (!get(&key, &from) || !get_below(&kind, &from, SL_BALLOT_ACCEPT + 1) || !get_round(&ask->round, &from, arena) ||
        from.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the question of who leads a group is malformed");
    ask->key = (int64_t)key;
    ask->kind = (enum sl_ballot_kind)kind;
    return SL_OK;
}

sl_code sl_ballot_read_answer(struct sl_ballot_answer *a, struct sl_str from, struct sl_arena *arena,
                              struct sl_error *err) {
    uint64_t agrees, role;
    *a = (struct sl_ballot_answer){.agrees = false};
    if (!get_below(&agrees, &from, 2) || !get_below(&role, &from, SL_BALLOT_LEADER + 1) || !get(&a->promised, &from) ||
        !get(&a->incarnation, &from) || !get_round(&a->begun, &from, arena) || !get_round(&a->proposed, &from, arena) ||
        from.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the answer of who leads a group is malformed");
    a->agrees = agrees;
    a->role = (enum sl_ballot_role)role;
    return SL_OK;
}

/* ---- votes */

/* Nobody listens at the address, as its own machine says: what was there has ended. */
static bool says_gone(const struct sl_task_call *call) {
    return call->code == SL_UNAVAILABLE && call->text &&
           (strstr(call->text, "Connection refused") || strstr(call->text, "No such file or directory"));
}

void sl_ballot_count_vote(struct sl_vote *vote, const struct sl_task_call *call, struct sl_arena *arena) {
    *vote = (struct sl_vote){.state = says_gone(call) ? SL_VOTE_GONE : SL_VOTE_SILENT};
    if (call->code != SL_OK || sl_ballot_read_answer(&vote->answer, call->body->bytes, arena, NULL) != SL_OK) return;
    vote->state = vote->answer.agrees ? SL_VOTE_AGREES : SL_VOTE_REFUSES;
}

static bool agrees(const struct sl_vote *votes, int n, const struct sl_ballot_member *m) {
    return m->task < n && votes[m->task].state == SL_VOTE_AGREES && votes[m->task].answer.incarnation == m->incarnation;
}

static bool has_majority(const struct sl_ballot_round *r, const struct sl_vote *votes, int n) {
    size_t agreed = 0;
    for (size_t m = 0; m < r->n; m++) agreed += agrees(votes, n, &r->members[m]);
    return 2 * agreed > r->n || (r->n && 2 * agreed == r->n && agrees(votes, n, &r->members[0]));
}

bool sl_ballot_wins(const struct sl_vote *votes, int n) {
    const struct sl_ballot_round *last = NULL;
    int agreed = 0, known = 0;
    for (int t = 0; t < n; t++) {
        agreed += votes[t].state == SL_VOTE_AGREES;
        known += votes[t].state == SL_VOTE_AGREES || votes[t].state == SL_VOTE_GONE;
        if (votes[t].state != SL_VOTE_AGREES) continue;
        const struct sl_ballot_round *begun = &votes[t].answer.begun;
        if (begun->term && (!last || begun->term > last->term)) last = begun;
    }
    if (known == n) return true;
    bool wins = last ? has_majority(last, votes, n) : 2 * agreed > n;
    for (int t = 0; t < n && wins; t++) {
        const struct sl_ballot_round *proposed = &votes[t].answer.proposed;
        if (votes[t].state == SL_VOTE_AGREES && proposed->term > (last ? last->term : 0))
            wins = has_majority(proposed, votes, n);
    }
    return wins;
}

static bool answers(const struct sl_vote *vote) {
    return vote->state == SL_VOTE_AGREES || vote->state == SL_VOTE_REFUSES;
}

int sl_ballot_choose(const struct sl_vote *votes, int n, int preferred) {
    int leads = -1, forms = -1, first = -1;
    for (int k = 0; k <= n; k++) {
        const int t = k ? k - 1 : preferred; /* that one first */
        if (t < 0 || t >= n || !answers(&votes[t])) continue;
        const struct sl_ballot_answer *a = &votes[t].answer;
        if (a->role == SL_BALLOT_LEADER && (leads < 0 || a->begun.term > votes[leads].answer.begun.term)) leads = t;
        if (a->role == SL_BALLOT_FORMS && forms < 0) forms = t;
        if (first < 0) first = t;
    }
    return leads >= 0 ? leads : forms >= 0 ? forms : first;
}

/* ---- tasks */

int sl_ballot_number(const struct sl_cluster *cluster, int task) {
    int number = 0;
    if (task < 0) return -1;
    for (int t = 0; t < cluster->n; t++)
        number += sl_device_order(cluster->tasks[t].name, cluster->tasks[task].name) < 0;
    return number;
}

int sl_ballot_task(const struct sl_cluster *cluster, int number) {
    for (int t = 0; t < cluster->n; t++)
        if (sl_ballot_number(cluster, t) == number) return t;
    return -1;
}

int64_t sl_ballot_deadline(const struct sl_cluster *cluster) {
    const int64_t bound = cluster->bound_ms > 0 ? cluster->bound_ms : SL_HEARTBEAT_MS;
    return sl_net_now(cluster->net) + bound * 1000000 / 2;
}
