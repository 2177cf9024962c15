/* Flames: nodes by the scopes that their names stand in, as wide as they take time. One thread. */
#ifndef SLUICE_CLI_PROFILE_FLAMES_H
#define SLUICE_CLI_PROFILE_FLAMES_H

#include "profile.h"

struct flame {
    char *name;              /* of the scope or the node; owned */
    const char *op;          /* of a node; NULL: a scope */
    double us;               /* with what is within */
    int parent, first, next; /* numbers; -1: none. `first` and `next`: what is within */
    int depth;
};
struct flames {
    struct flame *items; /* the first is all of it */
    int n, deepest;
};
void flames_make(struct flames *out, const struct profile *p);
void flames_clear(struct flames *f);

#endif
