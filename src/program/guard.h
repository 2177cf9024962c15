/* Guards at compile time: the conditions under which a node is alive. A guard is a set of literals that must all hold.
 * Sets and literals are interned, so equal guards have equal numbers. One owner, for one compilation. */
#ifndef SL_PROGRAM_GUARD_H
#define SL_PROGRAM_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum { SL_GUARD_ALWAYS = 0, SL_GUARD_NEVER = 1, SL_GUARD_OUT_OF_MEMORY = 2 };

struct sl_kernel_node;

/* A condition on the value of a port (numbered by the compiler). */
struct sl_guard_literal {
    uint32_t port;
    uint8_t kind; /* enum sl_literal_kind */
    int32_t index, n;
    const struct sl_kernel_node *node; /* the first Switch that goes by the port, for messages */
};

struct sl_guard_set {
    const uint32_t *literals; /* ascending numbers */
    uint32_t n;
};

struct sl_guards {
    struct sl_arena *arena;
    SL_VEC(struct sl_guard_literal) literals;
    SL_VEC(struct sl_guard_set) sets; /* numbers 0, 1 and 2 are as above */
    uint32_t *index;                  /* hash table of set numbers + 1 */
    size_t index_size;
    uint32_t *literal_index; /* hash table of literal numbers + 1 */
    size_t literal_index_size;
};

/* 0, or -1 when memory is out. `arena` outlives the guards. */
int sl_guards_init(struct sl_guards *g, struct sl_arena *arena);
void sl_guards_clear(struct sl_guards *g);

/* All functions give the number of a set; SL_GUARD_OUT_OF_MEMORY when memory is out, and when an argument is that. */
uint32_t sl_guard_with(struct sl_guards *g, uint32_t set, struct sl_guard_literal literal);
/* Both must hold; NEVER when they contradict each other. */
uint32_t sl_guard_and(struct sl_guards *g, uint32_t a, uint32_t b);
/* The literals that all of these sets have. */
uint32_t sl_guard_common(struct sl_guards *g, const uint32_t *sets, uint32_t n);
/* The exact guard of "at least one of these holds", when that is a set of literals: true and `*out`. */
bool sl_guard_any(uint32_t *out, struct sl_guards *g, const uint32_t *sets, uint32_t n);
/* `set` without the literals of `without`. */
uint32_t sl_guard_minus(struct sl_guards *g, uint32_t set, uint32_t without);
bool sl_guard_implies(const struct sl_guards *g, uint32_t set, uint32_t part); /* part is a subset of set */

#endif
