/* Groups of nodes for pictures of plans with too many of them. */
#ifndef SLUICE_CLI_PLAN_GROUPS_H
#define SLUICE_CLI_PLAN_GROUPS_H

#include "plan.h"

/* groups[node] is the smallest node that it shares a box with; hidden nodes are left out. Never are nodes of two
 * devices together, nor transfers with others or of different kinds. Returns what makes a group: 0: every node
 * alone, when they are few; n > 0: n levels of name scopes; -1: the op; -2: the op, over all loops, however many
 * boxes that is. */
int groups_find(int *groups, const struct plan *p);
/* What to write on a group of so many nodes, of which `n` is one; NULL for a single node. The caller's. */
char *group_title(const struct plan_node *n, int n_nodes, int levels);

#endif
