/* Gradients of loops made of Enter, Merge, Switch, NextIteration and Exit. Private to src/grad; called by the walk. */
#ifndef SL_GRAD_LOOP_GRADIENT_H
#define SL_GRAD_LOOP_GRADIENT_H

#include "grad/walk.h"

/* The frame that an Enter opens. */
int sl_loop_entered(const struct sl_walk *w, const struct sl_node *enter);
/* Whether a node is part of its frame's frame: the nodes that carry loop variables, or an Exit. */
bool sl_loop_is_border(const struct sl_walk *w, const struct sl_node *node);
/* Gradients of what enters a frame from those of what leaves it. */
sl_code sl_loop_gradient(struct sl_walk *w, struct sl_place *place, int frame);
/* A forward value of a frame, in the place of the gradient of that frame. */
sl_code sl_loop_bring(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_port port);

#endif
