/* The rules of rewrites.def. Each looks at one node of its op; true when it has replaced it. Called by
 * simplify.c. */
#ifndef SL_PASSES_REWRITES_H
#define SL_PASSES_REWRITES_H

#include "passes/optimise/rewrite.h"

typedef bool sl_rewrite_rule(struct sl_rewrite *r, struct sl_node *n);

#define RULE(op, function, toggle) sl_rewrite_rule sl_rule_##function;
#include "passes/optimise/rewrites.def"
#undef RULE

#endif
