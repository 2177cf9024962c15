/* Random programs for tests: nested conditionals and loops made of the five primitives, whose nodes ask for devices
 * at random. The same program for the same seed. */
#ifndef SL_UNIT_SESSION_RANDOM_PROGRAM_H
#define SL_UNIT_SESSION_RANDOM_PROGRAM_H

#include "graph/graph.h"

enum { RANDOM_FETCHES = 24, RANDOM_DEVICES = 5 };

struct random_program {
    struct sl_graph *graph;
    struct sl_arena arena;
    int dtype;       /* SL_INT32 or SL_FLOAT: of all values, scalars */
    bool is_wild;    /* numbers are divided, and may become too large */
    uint64_t random; /* state of random_roll */
    struct sl_port fetches[RANDOM_FETCHES];
    int n;
    struct sl_port odd[RANDOM_FETCHES]; /* outputs on branches: perhaps dead */
    int n_odd;
};

void random_program_make(struct random_program *p, struct sl_op_registry *ops, long seed, int dtype);
void random_program_make_wild(struct random_program *p, struct sl_op_registry *ops, long seed); /* of SL_FLOAT */
void random_program_clear(struct random_program *p);
/* From [0, n). */
int random_roll(struct random_program *p, int n);
/* "/cpu:0" to "/cpu:4", or "" for a node that does not ask. The program's memory. */
struct sl_str random_device(struct random_program *p);

#endif
