/* Gradients of loops. */
#include "grad/loop_gradient.h"

int sl_loop_entered(const struct sl_walk *w, const struct sl_node *enter) {
    struct sl_str name;
    if (sl_attr_string(&name, &enter->attrs, "frame_name", NULL) != SL_OK) return -1;
    for (int i = 1; i < w->frames.n; i++)
        if (sl_str_eq(w->frames.frames[i].name, name)) return i;
    return -1;
}

bool sl_loop_is_border(const struct sl_walk *w, const struct sl_node *node) {
    (void)w;
    (void)node;
    return false;
}

sl_code sl_loop_gradient(struct sl_walk *w, struct sl_place *place, int frame) {
    (void)place;
    return sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of loop '%.*s'", SL_STR_ARG(w->frames.frames[frame].name));
}

sl_code sl_loop_bring(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_port port) {
    (void)out;
    (void)place;
    (void)port;
    return sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of a loop");
}
