/* Gradients of loops made of Enter, Merge, Switch, NextIteration and Exit. Private to src/grad/graph; called by the
 * walk. */
#ifndef SL_GRAD_GRAPH_LOOP_GRADIENT_H
#define SL_GRAD_GRAPH_LOOP_GRADIENT_H

#include "grad/graph/walk.h"

/* The frame that an Enter opens; -1: none. */
int sl_loop_entered(const struct sl_walk *w, const struct sl_node *enter);
/* Whether a node is one of its loop's own control flow: carries a loop variable, or the condition. */
bool sl_loop_is_control(const struct sl_walk *w, const struct sl_node *node);
/* Gradients of what enters a frame from those of what leaves it; `scope` is where the gradient of the loop stands. */
sl_code sl_loop_gradient(struct sl_walk *w, struct sl_grad_scope *scope, int frame);
/* A term, whatever scope it is of, in `scope`. */
sl_code sl_loop_bring(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_port port);
/* The scope of the forward graph that a term is computed in, when it has to be brought from there; else NULL. */
struct sl_grad_scope *sl_loop_home(struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term term);

#endif
