/* Who may begin a round of an elastic group, by who has agreed, and where a member joins; the messages of both. */
#include "dist/elastic_ballot.h"
#include "unit/unit.h"

enum { TASKS = 5, KNOWN = 4 };

/* A task, as a word: "." is silent, "x" has gone, "-" refuses; a digit: agrees, and knows that round to have begun; behind it
 * "p" and a digit: was told of that one since; "'" in the end: has been started anew. */
struct row {
    const char *tasks[TASKS];
    int n;
    bool wins;
};

static struct sl_ballot_member members[KNOWN][TASKS];
static struct sl_ballot_round rounds[KNOWN] = {{.term = 0},
                                               {.term = 1, .n = 3, .members = members[1]},  /* 0 1 2 */
                                               {.term = 2, .n = 2, .members = members[2]},  /* 1 2 */
                                               {.term = 3, .n = 4, .members = members[3]}}; /* 0 1 2 3 */

static void make_rounds(void) {
    for (int r = 1; r < KNOWN; r++)
        for (size_t m = 0; m < rounds[r].n; m++) {
            const int task = (int)m + (r == 2);
            members[r][m] = (struct sl_ballot_member){task, 100u + (unsigned)task};
        }
}

static struct sl_vote vote_of(const char *word, int task) {
    static const enum sl_vote_state states[] = {SL_VOTE_SILENT, SL_VOTE_GONE, SL_VOTE_REFUSES};
    static const char signs[] = ".x-";
    struct sl_vote v = {.state = SL_VOTE_AGREES, .answer = {.agrees = true, .incarnation = 100u + (unsigned)task}};
    const char *sign = strchr(signs, *word);
    if (sign) return (struct sl_vote){.state = states[sign - signs]};
    v.answer.begun = rounds[*word - '0'];
    if (strchr(word, 'p')) v.answer.proposed = rounds[strchr(word, 'p')[1] - '0'];
    if (strchr(word, '\'')) v.answer.incarnation = 7;
    return v;
}

static void who_may_begin(void **state) {
    static const struct row rows[] = {
        /* nobody knows of a round */
        {{"0", "0", "0"}, 3, true},
        {{"0", "x", "x"}, 3, true},
        {{".", "0", "0"}, 3, true},
        {{"0", ".", "x"}, 3, false},
        {{"0", "0", "."}, 3, true},
        {{"0", "0", ".", "."}, 4, false},
        {{"0", "-", "0"}, 3, true},
        {{"-", "-", "0"}, 3, false},
        /* the round of all three */
        {{".", "1", "1"}, 3, true},
        {{"1", ".", "."}, 3, false},
        {{"1", "x", "x"}, 3, true},
        {{"1", "x", "."}, 3, false},
        {{"1", ".", "0'"}, 3, false}, /* who has been started anew has forgotten what it agreed to */
        {{"1", "0'", "0'"}, 3, true},
        {{".", "0'", "0'"}, 3, true}, /* nobody knows of it */
        /* then that of two: half of them, with the first */
        {{".", "2", "."}, 3, true},
        {{".", ".", "2"}, 3, false},
        {{"1", ".", "2"}, 3, false},
        {{"1", ".", "1"}, 3, true}, /* as far as they know */
        {{"1", "2", "."}, 3, true},
        /* what was told, and maybe begun, counts as well */
        {{"1", ".", "1p2"}, 3, false},
        {{"1", "1p2", "."}, 3, true},
        {{".", "1p2", "."}, 3, false}, /* it has the half of the second, not of the first */
        {{"2p3", "2", ".", "2"}, 4, true},
        {{".", "2p3", ".", "2"}, 4, false},
        {{"3", "3", ".", "."}, 4, true},
        {{".", ".", "3", "3"}, 4, false},
    };
    (void)state;
    make_rounds();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct sl_vote votes[TASKS];
        for (int t = 0; t < rows[r].n; t++) votes[t] = vote_of(rows[r].tasks[t], t);
        if (sl_ballot_wins(votes, rows[r].n) != rows[r].wins) fail_msg("row %zu", r);
    }
}

static void where_a_member_joins(void **state) {
    struct sl_vote votes[3] = {{.state = SL_VOTE_SILENT}, {.state = SL_VOTE_REFUSES}, {.state = SL_VOTE_AGREES}};
    (void)state;
    assert_int_equal(sl_ballot_choose(votes, 3, 0), 1);
    assert_int_equal(sl_ballot_choose(votes, 3, 2), 2);
    votes[2].answer.role = SL_BALLOT_FORMS;
    assert_int_equal(sl_ballot_choose(votes, 3, 0), 2);
    votes[1].answer.role = SL_BALLOT_LEADER;
    votes[1].answer.begun.term = 4;
    assert_int_equal(sl_ballot_choose(votes, 3, 0), 1);
    votes[2].answer.role = SL_BALLOT_LEADER;
    votes[2].answer.begun.term = 5;
    assert_int_equal(sl_ballot_choose(votes, 3, 0), 2);
    votes[1].state = votes[2].state = SL_VOTE_GONE;
    assert_int_equal(sl_ballot_choose(votes, 3, 0), -1);
}

static struct sl_str bytes_of(const struct sl_rpc_message *m) {
    assert_int_equal(m->n, 1);
    return (struct sl_str){m->pieces[0].data, m->pieces[0].size};
}

static void assert_same_round(const struct sl_ballot_round *a, const struct sl_ballot_round *b) {
    assert_true(a->term == b->term && a->leader == b->leader && a->n == b->n);
    for (size_t m = 0; m < a->n; m++)
        assert_true(a->members[m].task == b->members[m].task && a->members[m].incarnation == b->members[m].incarnation);
}

static void messages(void **state) {
    struct sl_ballot_ask ask = {.key = -3, .kind = SL_BALLOT_ACCEPT}, ask_read;
    struct sl_ballot_answer answer = {.agrees = true,
                                      .role = SL_BALLOT_FORMS,
                                      .promised = UINT64_MAX,
                                      .incarnation = 1},
                            read;
    struct sl_rpc_message m = {.n = 0}, asked = {.n = 0};
    struct sl_arena arena;
    struct sl_error err;
    (void)state;
    make_rounds();
    sl_arena_init(&arena);
    ask.round = answer.begun = rounds[3];
    ask.round.leader = 2;
    answer.proposed = rounds[2];
    assert_ok(err, sl_ballot_write_ask(&asked, &ask, &err));
    assert_ok(err, sl_ballot_read_ask(&ask_read, bytes_of(&asked), &arena, &err));
    assert_true(ask_read.key == -3 && ask_read.kind == SL_BALLOT_ACCEPT);
    assert_same_round(&ask_read.round, &ask.round);
    assert_ok(err, sl_ballot_write_answer(&m, &answer, &err));
    assert_ok(err, sl_ballot_read_answer(&read, bytes_of(&m), &arena, &err));
    assert_true(read.agrees && read.role == SL_BALLOT_FORMS && read.promised == UINT64_MAX && read.incarnation == 1);
    assert_same_round(&read.begun, &answer.begun);
    assert_same_round(&read.proposed, &answer.proposed);
    for (size_t n = 0; n < m.size; n++)
        assert_int_equal(sl_ballot_read_answer(&read, (struct sl_str){bytes_of(&m).p, n}, &arena, &err),
                         SL_INVALID_ARGUMENT);
    for (size_t n = 0; n < asked.size; n++)
        assert_int_equal(sl_ballot_read_ask(&ask_read, (struct sl_str){bytes_of(&asked).p, n}, &arena, &err),
                         SL_INVALID_ARGUMENT);
    char wild[200]; /* numbers beyond all limits */
    memset(wild, 0xff, sizeof wild);
    assert_int_equal(sl_ballot_read_ask(&ask_read, (struct sl_str){wild, sizeof wild}, &arena, &err),
                     SL_INVALID_ARGUMENT);
    sl_rpc_message_clear(&m);
    sl_rpc_message_clear(&asked);
    sl_arena_clear(&arena);
}

static void what_is_kept(void **state) {
    struct sl_ballot *all = NULL;
    struct sl_error err;
    (void)state;
    make_rounds();
    struct sl_ballot *b = sl_ballot_find_or_make(&all, 5);
    assert_non_null(b);
    assert_ptr_equal(sl_ballot_find_or_make(&all, 5), b);
    assert_ptr_not_equal(sl_ballot_find_or_make(&all, 6), b);
    assert_ok(err, sl_ballot_keep(&b->begun, &rounds[1], &err));
    assert_ok(err, sl_ballot_keep(&b->begun, &rounds[3], &err));
    assert_same_round(&b->begun, &rounds[3]);
    assert_ptr_not_equal(b->begun.members, rounds[3].members);
    sl_ballot_free_all(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_may_begin), cmocka_unit_test(where_a_member_joins),
                                       cmocka_unit_test(messages), cmocka_unit_test(what_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
