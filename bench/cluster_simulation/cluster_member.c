#include "cluster_simulation/cluster_member.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void joined(struct sl_collective_joining *joining, sl_code code, const struct sl_error *err) {
    struct member *m = (struct member *)((char *)joining - offsetof(struct member, joining));
    m->ended(m, code, err);
}

static void exchanged(struct sl_collective_exchange *x, sl_code code, const struct sl_error *err) {
    struct member *m = (struct member *)((char *)x - offsetof(struct member, x));
    sl_tensor_unref(x->result);
    for (int64_t r = 0; r < x->group->n; r++) sl_tensor_unref(x->inputs[r]);
    free(x->inputs);
    m->ended(m, code, err);
}

static void add(struct sl_collective_exchange *x, void *out, const void *const *in, int64_t count) {
    float *to = out;
    memcpy(to, in[0], (size_t)count * sizeof *to);
    for (int64_t r = 1; r < x->group->n; r++)
        for (int64_t e = 0; e < count; e++) to[e] += ((const float *)in[r])[e];
}

void member_join(void *member) {
    struct member *m = member;
    (void)snprintf(m->device, sizeof m->device, "/job:worker/replica:0/task:%d/device:CPU:0", m->task);
    m->joining = (struct sl_collective_joining){
        .key = 1, .size = m->n, .device = m->device, .timeout_seconds = 1e6, .done = joined};
    m->peers->methods->join(m->peers, &m->joining);
}

void member_sum(void *member) {
    struct member *m = member;
    const struct sl_collective_group *group = m->joining.group;
    struct sl_error err;
    m->x = (struct sl_collective_exchange){.group = group,
                                           .instance = m->x.instance + 1,
                                           .dtype = SL_FLOAT,
                                           .shape = {1, m->dims},
                                           .is_sum = true,
                                           .timeout_seconds = 1e6,
                                           .merge = add,
                                           .done = exchanged};
    m->x.inputs = calloc((size_t)group->n, sizeof *m->x.inputs);
    for (int64_t r = 0; r < group->n; r++) {
        if (group->places[r].task != group->own) continue;
        if (sl_tensor_new(&m->x.inputs[r], SL_FLOAT, m->x.shape, &err) != SL_OK) abort();
        memset(m->x.inputs[r]->data, 0, m->x.inputs[r]->bytes);
    }
    m->peers->methods->exchange(m->peers, &m->x);
}
