/* Where the time and the memory of runs go. profile.c runs a graph with a trace, profile_gather.c and profile_memory.c make
 * numbers of it, profile_advice.c sentences; profile_text.c and profile_files.c show them. Times are microseconds of all
 * measured steps together unless something else is said. One thread. */
#ifndef SLUICE_CLI_PROFILE_H
#define SLUICE_CLI_PROFILE_H

#include "amounts.h"
#include "job.h"
#include "machine_limits.h"
#include "sluice/explain.h"
#include "step_stats.h"
#include "trace_events.h"

/* What keeps a node, or a step, from being faster. */
enum limit {
    BY_COMPUTE,  /* it computes at a good part of the machine's rate */
    BY_MEMORY,   /* it moves bytes at a good part of the machine's rate */
    BY_DISPATCH, /* it has so little to do that starting it counts */
    BY_WAITING,  /* for something outside of the step, or for other nodes */
    BY_KERNEL,   /* neither: the kernel itself */
    N_LIMITS
};
extern const char *const limit_names[N_LIMITS];

/* A node, or what some nodes have in common. */
struct profile_row {
    const char *name, *op, *line; /* borrowed; line NULL: not known */
    int node;                     /* in the stats; -1: not there */
    size_t number;
    int64_t times, bytes; /* bytes of outputs */
    double own_us, wait_us;
    double flops, moved; /* of one time; below 0: not known */
    enum limit limit;
};
struct profile_rows {
    struct profile_row *items;
    size_t n;
};
struct profile_thread {
    long id;
    double busy_us; /* nodes ran */
};
struct profile_loop {
    const char *name;
    double us;      /* with its nodes */
    int64_t rounds; /* of all steps */
    int n_nodes;
};
/* A tensor that was there when the step held the most. */
struct profile_holder {
    const char *maker, *op, *reader; /* reader: the last one; NULL: the end of the step */
    struct stats_shape shape;
    double from_us, to_us; /* since the step began */
    double idle_us;        /* between the end of the maker and the start of the last reader */
};
struct profile_memory {
    bool is_known;
    int64_t peak, constants, variables; /* peak: of what the step made */
    double peak_us, step_us;
    struct profile_holder *holders; /* the largest first */
    int n_holders;
    struct memory_point { /* how much there is from then on */
        double us;
        int64_t bytes;
    } * points;
    int n_points;
};

struct profile {
    struct trace_events trace;     /* of the measured steps */
    struct step_stats stats;       /* of one step; empty: too many events */
    struct sl_source_lines *lines; /* NULL: none */
    struct machine_limits machine;
    int n_steps;
    double first_us, plain_us; /* the first run, and the median of one without trace */
    double wall_us;            /* of the measured, traced steps */
    double cpu_us;             /* of one step without trace: processors' time */
    double limits_us[N_LIMITS];
    struct profile_rows nodes; /* the longest first */
    struct profile_thread *threads;
    int n_threads;
    struct profile_loop *loops;
    int n_loops;
    struct profile_memory memory;
    char **advice; /* sentences, what matters most first; owned */
    int n_advice;
};

/* Rows, threads, loops, limits from trace, stats and machine. */
void profile_gather(struct profile *p);
void profile_find_memory(struct profile *p);
void profile_advise(struct profile *p);
void profile_clear(struct profile *p);

enum profile_key { PER_NODE, PER_OP, PER_LINE, PER_SCOPE };
/* Nodes that have this in common; names are the profile's. free() items. */
struct profile_rows profile_sum(const struct profile *p, enum profile_key key);
/* The scope that a node's name stands in, "" outside of any; in `text`. */
const char *scope_of(char *text, size_t size, const char *name);

void profile_print(FILE *out, const struct profile *p, int n_rows);
/* Each writes a file, or prints why it cannot: false. */
bool profile_write_page(const char *path, const struct profile *p, const char *title);
bool profile_write_flames(const char *path, const struct profile *p);    /* an SVG */
bool profile_write_collapsed(const char *path, const struct profile *p); /* a stack and its microseconds a line */
bool profile_write_timeline(const char *path, const struct profile *p);  /* trace events, for Chrome and Perfetto */
bool profile_write_xspace(const char *folder, const struct profile *p);  /* for TensorBoard */

/* sluice profile --live. */
int profile_live(const struct command *self, char **program, int64_t pid, double seconds, int64_t reports);

/* Microseconds as text. */
static inline const char *us_text(char text[AMOUNT_TEXT], double us) { return time_text(text, us * 1e3); }

#endif
