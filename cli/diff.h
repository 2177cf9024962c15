/* What the files of `sluice diff` share: the two sides, the nodes that are compared, what there is to tell. One thread. */
#ifndef SLUICE_CLI_DIFF_H
#define SLUICE_CLI_DIFF_H

#include "compare_values.h"
#include "initial_values.h"
#include "loop_turn.h"
#include "other_library.h"

/* One of the two. */
struct side {
    struct library library;
    TF_Graph *graph; /* of the command's library: to look at */
    TF_Graph *run;   /* of `library` */
    TF_Session *session;
    TF_Status *status; /* of `library` */
    TF_Output *inputs;
    TF_Tensor **values;
};

enum node_state { COMPARED, FED, ONLY_IN_A, OTHER_OUTPUTS, NO_VALUE, IN_LOOP, STATEFUL, AFTER_STATEFUL, ELSEWHERE };

struct diff_node {
    TF_Operation *op, *in_b;
    enum node_state state;
};

struct diff_counts {
    int64_t equal, different, values;
    int64_t iterations; /* of loops */
};

/* Two graphs; or one iteration of a loop of theirs, laid open (loop_turn.h). */
struct diff {
    struct variables_request variables;
    const char *path_b, *tags, *signature, *library;
    char **feeds;
    int n_feeds;
    int64_t batch;
    double tolerance; /* negative: by type */
    bool shows_all;
    struct side sides[2];
    struct diff_node *nodes; /* of A, inputs first */
    int n;
    TF_Output *inputs; /* of A's graph that is looked at; the last is the limit of `loop` */
    int n_inputs;
    struct diff_counts *counts;
    struct diff *outer; /* the graphs that the loop is of; NULL: these are no iterations */
    int depth;          /* how many there are of these */
    const char *loop;
    int64_t turn;               /* the iteration */
    struct turn_names turns[2]; /* in the two graphs */
    struct graph_loops *loops[2];
    struct diff **inner; /* by the loops of A: what is laid open of them; NULL: nothing yet */
};

/* diff.c: imports a graph into both libraries of the side, and makes the session. False after an error, which has been
 * printed; the graph of an iteration, which others would not have, fails without a word. */
bool side_import(struct side *s, const TF_Buffer *bytes, bool complains);
void side_close(struct side *s, int n_inputs);
void diff_add_input(struct diff *d, TF_Output input, const TF_Tensor *value);

/* diff_compare.c: compares all, up to the first that differs unless all are to be shown. */
void diff_order(struct diff *d);
void diff_compare(struct diff *d);
void diff_clear(struct diff *d); /* but for the sides */

/* diff_text.c */
void diff_print_values(const struct diff *d, const struct diff_node *n, int output, const struct seen_value *a,
                       const struct seen_value *b, const struct difference *x);
void diff_print_failure(const struct diff *d, const struct diff_node *n, const bool ok[2]);
void diff_print_summary(const struct diff *d);

#endif
