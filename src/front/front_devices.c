/* What tensors on several devices become together (sluice/devices.h). Keys of groups follow from the names of their
 * devices, those of instances grow with the graph and with each call, so that no two of a scope are the same. */
#include "sluice/devices.h"

#include <string.h>

#include "base/hash.h"
#include "front/front.h"
#include "sluice/ops.h"

static bool is_wanted(struct sl_scope *s, const void *tensors, int n) {
    if (!sl_scope_ok(s)) return false;
    if (tensors && n > 0) return true;
    sl_scope_fail(s, TF_INVALID_ARGUMENT, "there are no tensors");
    return false;
}

/* ---- collectives */

static int32_t group_key(const char *const *devices, int n) {
    uint64_t hash = (uint64_t)n;
    for (int i = 0; i < n; i++) hash = sl_hash_mix(hash, sl_hash_bytes(devices[i], strlen(devices[i])));
    return (int32_t)(hash & INT32_MAX);
}

static int32_t next_instance_key(struct sl_scope *s) {
    TF_Graph *graph = s->root.graph;
    sl_mutex_lock(&graph->mutex);
    size_t nodes = graph->graph->nodes.n;
    sl_mutex_unlock(&graph->mutex);
    return (int32_t)((nodes + (size_t)++s->n_collectives) & INT32_MAX);
}

struct collective {
    int32_t size, group, instance;
    const char *merge; /* NULL: gathers */
};

static TF_Output member(struct sl_scope *s, TF_Output in, const struct collective *c) {
    TF_Output size = sl_scalar(s, TF_INT32, c->size), group = sl_scalar(s, TF_INT32, c->group),
              instance = sl_scalar(s, TF_INT32, c->instance);
    if (!c->merge) return sl_collective_gather_v2(s, in, size, group, instance, NULL, 0);
    return sl_collective_reduce_v2(s, in, size, group, instance, NULL, 0,
                                   (struct sl_collective_reduce_v2_attrs){.merge_op = c->merge, .final_op = "Id"});
}

static void add_members(struct sl_scope *s, TF_Output *out, const TF_Output *in, const char *const *devices, int n,
                        const char *merge) {
    if (!is_wanted(s, in, n)) return;
    const struct collective c = {n, group_key(devices, n), next_instance_key(s), merge};
    for (int i = 0; i < n; i++) {
        sl_push_device(s, devices[i]);
        out[i] = member(s, in[i], &c);
        sl_pop(s);
    }
}

SL_API void sl_all_reduce(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                          int n, enum sl_reduction reduction) {
    static const char *const merges[] = {
        [SL_REDUCE_SUM] = "Add", [SL_REDUCE_PROD] = "Mul", [SL_REDUCE_MIN] = "Min", [SL_REDUCE_MAX] = "Max"};
    add_members(scope, out, in, devices, n, merges[reduction]);
}

SL_API void sl_all_gather(struct sl_scope *scope, TF_Output *out, const TF_Output *in, const char *const *devices,
                          int n) {
    add_members(scope, out, in, devices, n, NULL);
}

/* ---- by transfers */

static TF_Output merged(struct sl_scope *s, TF_Output a, TF_Output b, enum sl_reduction reduction) {
    switch (reduction) {
    case SL_REDUCE_PROD: return sl_mul(s, a, b);
    case SL_REDUCE_MIN: return sl_minimum(s, a, b);
    case SL_REDUCE_MAX: return sl_maximum(s, a, b);
    default: return sl_add_v2(s, a, b);
    }
}

static TF_Output reduced(struct sl_scope *s, const TF_Output *in, int n, enum sl_reduction reduction) {
    if (reduction == SL_REDUCE_SUM) return n == 1 ? sl_identity(s, in[0]) : sl_add_n(s, in, n);
    TF_Output all = sl_identity(s, in[0]);
    for (int i = 1; i < n; i++) all = merged(s, all, in[i], reduction);
    return all;
}

SL_API TF_Output sl_reduce_to(struct sl_scope *scope, const char *device, const TF_Output *in, int n,
                              enum sl_reduction reduction) {
    if (!is_wanted(scope, in, n)) return sl_op_first(NULL);
    sl_push_device(scope, device);
    TF_Output all = reduced(scope, in, n, reduction);
    sl_pop(scope);
    return all;
}

SL_API void sl_send_to_all(struct sl_scope *scope, TF_Output *out, TF_Output in, const char *const *devices, int n) {
    for (int i = 0; i < n; i++) {
        sl_push_device(scope, devices[i]);
        out[i] = sl_identity(scope, in);
        sl_pop(scope);
    }
}

/* ---- gradients of towers */

/* What the towers say of variable v. */
struct votes {
    TF_Output *values, *indices;
    TF_Output dense_shape;
    int n, n_rows, n_towers;
};

static bool collect(struct votes *votes, struct sl_scope *s, const struct sl_slices *const *towers, int n_towers,
                    int v) {
    *votes = (struct votes){.n_towers = n_towers,
                            .values = SL_ARENA_ARRAY(&s->arena, TF_Output, (size_t)n_towers),
                            .indices = SL_ARENA_ARRAY(&s->arena, TF_Output, (size_t)n_towers)};
    if (!votes->values || !votes->indices) {
        sl_scope_fail_memory(s);
        return false;
    }
    for (int t = 0; t < n_towers; t++) {
        const struct sl_slices *g = &towers[t][v];
        if (!g->values.oper) continue;
        if (g->indices.oper) {
            votes->indices[votes->n_rows++] = g->indices;
            votes->dense_shape = g->dense_shape;
        }
        votes->values[votes->n++] = g->values;
    }
    return votes->n > 0;
}

static TF_Output joined(struct sl_scope *s, const TF_Output *in, int n) {
    return n == 1 ? in[0] : sl_concat_v2(s, in, n, sl_scalar(s, TF_INT32, 0));
}

/* Rows are dense when others are. */
static void make_dense(struct sl_scope *s, struct votes *votes, const struct sl_slices *const *towers, int v) {
    int at = 0;
    for (int t = 0; t < votes->n_towers; t++) {
        const struct sl_slices *g = &towers[t][v];
        if (!g->values.oper) continue;
        if (g->indices.oper)
            votes->values[at] =
                sl_unsorted_segment_sum(s, g->values, g->indices,
                                        sl_strided_slice_with(s, g->dense_shape, sl_int_vector(s, SL_INTS(0)),
                                                              sl_int_vector(s, SL_INTS(1)),
                                                              sl_int_vector(s, SL_INTS(1)),
                                                              (struct sl_strided_slice_attrs){.shrink_axis_mask = 1}));
        at++;
    }
}

static struct sl_slices average(struct sl_scope *s, struct votes *votes, const struct sl_slices *const *towers, int v) {
    bool are_rows = votes->n_rows == votes->n;
    struct sl_slices mean = {.dense_shape = {NULL, 0}};
    if (!are_rows && votes->n_rows > 0) make_dense(s, votes, towers, v);
    TF_Output sum = are_rows ? joined(s, votes->values, votes->n) : reduced(s, votes->values, votes->n, SL_REDUCE_SUM);
    mean.values = sl_real_div(s, sum, sl_scalar_like(s, sum, votes->n_towers));
    if (are_rows) {
        mean.indices = joined(s, votes->indices, votes->n);
        mean.dense_shape = votes->dense_shape;
    }
    return mean;
}

SL_API void sl_average_gradients(struct sl_scope *scope, struct sl_slices *averages,
                                 const struct sl_slices *const *towers, int num_towers, int n, const char *device) {
    if (!is_wanted(scope, towers, num_towers)) return;
    sl_push_device(scope, device);
    for (int v = 0; v < n; v++) {
        struct votes votes;
        struct sl_slices mean = {.values = {NULL, 0}};
        if (collect(&votes, scope, towers, num_towers, v)) mean = average(scope, &votes, towers, v);
        averages[v] = mean;
    }
    sl_pop(scope);
}
