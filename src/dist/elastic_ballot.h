/* Who leads an elastic group, and who may begin a round of it: so that another task leads when the first one has gone, and no
 * two groups go on side by side.
 *
 *   a member joins     it asks all tasks who leads (LEADS), and joins there; nobody: at the first task that answers
 *   a round is ready   its leader asks all tasks to agree (PREPARE, with a term higher than all before): who agrees takes part
 *                      in no round of a lower term any more. Then it tells them the members (ACCEPT), and the round begins
 *
 * It begins when every task of the cluster agrees or is known to have gone (its address refuses connections). Where some are
 * silent, they may be a group that goes on: then more than half of the members of the last round have to agree, or half with the
 * first of them; the same processes, since one that has been started anew has forgotten what it agreed to. The last round is the
 * one with the highest term that any of them knows to have begun, and each one since that was told but maybe did not begin. Where
 * nobody knows of any round, more than half of all tasks have to agree. */
#ifndef SL_DIST_ELASTIC_BALLOT_H
#define SL_DIST_ELASTIC_BALLOT_H

#include "base/arena.h"
#include "dist/task_calls.h"

#define SL_ELASTIC_ASK "/sluice.GroupService/Ask"

/* Tasks are numbered by the order of their names, which is the same in every process. */
struct sl_ballot_member {
    int task;
    uint64_t incarnation;
};
struct sl_ballot_round {
    uint64_t term; /* 0: there was none */
    int leader;
    size_t n;
    struct sl_ballot_member *members; /* by task */
};
/* What a task knows of a group. Guarded by the leader's mutex. */
struct sl_ballot {
    struct sl_ballot *next;
    int64_t key;
    uint64_t promised;                      /* no round of a lower term begins here */
    struct sl_ballot_round begun, proposed; /* owned */
};
void sl_ballot_free_all(struct sl_ballot *ballots);
/* NULL: no memory, or too many. */
struct sl_ballot *sl_ballot_find_or_make(struct sl_ballot **ballots, int64_t key);
sl_code sl_ballot_keep(struct sl_ballot_round *out, const struct sl_ballot_round *round, struct sl_error *err);

enum sl_ballot_kind { SL_BALLOT_LEADS, SL_BALLOT_PREPARE, SL_BALLOT_ACCEPT };
struct sl_ballot_ask {
    int64_t key;
    enum sl_ballot_kind kind;
    struct sl_ballot_round round; /* members: who would be in it */
};
enum sl_ballot_role { SL_BALLOT_IDLE, SL_BALLOT_FORMS, SL_BALLOT_LEADER };
struct sl_ballot_answer {
    bool agrees;
    enum sl_ballot_role role; /* has members that wait for a round, or that are in one */
    uint64_t promised, incarnation;
    struct sl_ballot_round begun, proposed;
};

sl_code sl_ballot_write_ask(struct sl_rpc_message *m, const struct sl_ballot_ask *ask, struct sl_error *err);
sl_code sl_ballot_read_ask(struct sl_ballot_ask *ask, struct sl_str from, struct sl_arena *arena, struct sl_error *err);
sl_code sl_ballot_write_answer(struct sl_rpc_message *m, const struct sl_ballot_answer *answer, struct sl_error *err);
sl_code sl_ballot_read_answer(struct sl_ballot_answer *answer, struct sl_str from, struct sl_arena *arena,
                              struct sl_error *err);

enum sl_vote_state { SL_VOTE_SILENT, SL_VOTE_GONE, SL_VOTE_REFUSES, SL_VOTE_AGREES };
struct sl_vote {
    enum sl_vote_state state;
    struct sl_ballot_answer answer; /* of the last two */
};
/* What a call of the ask has come to. */
void sl_ballot_count_vote(struct sl_vote *vote, const struct sl_task_call *call, struct sl_arena *arena);
/* `votes` by task's number, of all tasks. */
bool sl_ballot_wins(const struct sl_vote *votes, int n);
/* Where to join: who leads the round with the highest term; else who forms one; else the first that answers, of all the
 * preferred one. -1: nobody answers. */
int sl_ballot_choose(const struct sl_vote *votes, int n, int preferred);

/* The number of a task of the cluster, and the task of a number; -1: there is none. */
int sl_ballot_number(const struct sl_cluster *cluster, int task);
int sl_ballot_task(const struct sl_cluster *cluster, int number);
/* When who has not answered by now is silent. */
int64_t sl_ballot_deadline(const struct sl_cluster *cluster);

#endif
