/* Finding rules. Those of rules.def need no more than an emitter; who applies rules may know more of them
 * (grad/graph/node_rules.h). */
#ifndef SL_GRAD_RULES_H
#define SL_GRAD_RULES_H

#include "grad/rule.h"

/* Nothing is known; none by design; a rule. */
enum sl_differentiable { SL_GRADIENT_MISSING, SL_GRADIENT_NONE, SL_GRADIENT_RULE };
enum sl_differentiable sl_rule_kind(const struct sl_rule_row *row); /* NULL: nothing is known */

/* The row of an op (enum sl_row), or NULL; looks at all rows. */
const struct sl_rule_row *sl_rule_row_find(uint32_t op);
/* The rows by op, for frequent look-ups; NULL where an op has none. In `arena`. */
sl_code sl_rules_index(const struct sl_rule_row ***out, struct sl_arena *arena, struct sl_error *err);

#endif
