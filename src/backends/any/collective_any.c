/* Collectives: kernels that read what their node brings to an instance of its group (collective.h). The groups of
 * `V3` are communicators, objects that know their own rank. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "backends/any/any_handle.h"
#include "backends/any/collective.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/checked.h"

enum { KEYS_ARE_ATTRS = -1, KEYS_OF_COMMUNICATOR = -2 };

/* ---- what a node says of itself */

struct settings {
    struct sl_collective_call call; /* what attrs say */
    struct sl_arena arena;          /* the shape */
    int keys;                       /* the first of the inputs group_size, group_key, instance_key; or one of ... */
    bool has_shape;                 /* attr: what the input must have */
};

/* Of a row: which call its nodes make. */
struct row {
    enum sl_collective_kind kind;
    int input, keys;
    const char *merge; /* attr; NULL: none */
    bool is_source, has_shape;
};

/* Into how many slices TensorFlow's ring cuts the elements of a sum. */
static sl_code read_slices(struct settings *s, const struct sl_attrs *attrs, struct sl_error *err) {
    const int64_t *offsets;
    int n = 0;
    if (!sl_attr_find(attrs, SL_STR("subdiv_offsets"))) return SL_OK;
    SL_TRY(sl_attr_int_list(&offsets, &n, attrs, "subdiv_offsets", err));
    s->call.n_slices = n;
    return SL_OK;
}

static sl_code read_merge(struct settings *s, const struct row *row, const struct sl_attrs *attrs,
                          struct sl_error *err) {
    static const char names[][4] = {
        [SL_MERGE_ADD] = "Add", [SL_MERGE_MUL] = "Mul", [SL_MERGE_MIN] = "Min", [SL_MERGE_MAX] = "Max"};
    struct sl_str merge, final;
    if (!row->merge) return SL_OK;
    SL_TRY(sl_attr_string(&merge, attrs, row->merge, err));
    for (int op = SL_MERGE_ADD; op <= SL_MERGE_MAX; op++)
        if (sl_str_eq(merge, sl_str_of(names[op]))) s->call.merge = (enum sl_merge_op)op;
    SL_TRY(read_slices(s, attrs, err));
    if (!sl_attr_find(attrs, SL_STR("final_op"))) return SL_OK;
    SL_TRY(sl_attr_string(&final, attrs, "final_op", err));
    s->call.divides = sl_str_eq(final, SL_STR("Div"));
    return SL_OK;
}

static sl_code check_size(int64_t size, struct sl_error *err) {
    return size > 0 ? SL_OK
                    : sl_fail(err, SL_INVALID_ARGUMENT, "group_size must be positive integer but got %" PRId64, size);
}

static sl_code read_settings(struct settings *s, const struct row *row, const struct sl_kernel_setup *setup) {
    struct sl_error *err = setup->err;
    float timeout;
    s->call = (struct sl_collective_call){.kind = row->kind,
                                          .subgroup = -1,
                                          .rank = -1,
                                          .is_source = row->is_source,
                                          .input = row->input,
                                          .dtype = setup->out_types[0]};
    s->keys = row->keys;
    s->has_shape = row->has_shape;
    SL_TRY(sl_attr_float(&timeout, setup->attrs, "timeout_seconds", err));
    s->call.timeout_seconds = (double)timeout;
    if (row->has_shape) SL_TRY(sl_attr_shape(&s->call.shape, &s->arena, setup->attrs, "shape", err));
    if (row->keys == KEYS_ARE_ATTRS) {
        SL_TRY(sl_attr_int(&s->call.group_size, setup->attrs, "group_size", err));
        SL_TRY(sl_attr_int(&s->call.group_key, setup->attrs, "group_key", err));
        SL_TRY(sl_attr_int(&s->call.instance_key, setup->attrs, "instance_key", err));
        SL_TRY(check_size(s->call.group_size, err));
    }
    return read_merge(s, row, setup->attrs, err);
}

static void settings_destroy(void *state) {
    struct settings *s = state;
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static sl_code settings_create(void **state, struct sl_kernel_setup *setup) {
    struct settings *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    sl_code code = read_settings(s, setup->def->data, setup);
    if (code == SL_OK) *state = s;
    else settings_destroy(s);
    return code;
}

/* ---- what a run says */

static sl_code read_scalar(int64_t *out, struct sl_kernel_context *k, int i, const char *name) {
    char text[SL_SHAPE_TEXT];
    struct sl_view v = sl_in(k, i);
    if (v.rank != 0)
        return sl_invalid(k, "Unexpected dimensions on input %s, got %s", name, sl_shape_text(text, sl_view_shape(v)));
    *out = *(const int32_t *)v.data;
    return SL_OK;
}

static sl_code read_keys(struct sl_collective_call *call, struct sl_kernel_context *k, int first) {
    if (first < 0) return SL_OK;
    SL_TRY(read_scalar(&call->group_size, k, first, "group_size"));
    SL_TRY(read_scalar(&call->group_key, k, first + 1, "group_key"));
    SL_TRY(read_scalar(&call->instance_key, k, first + 2, "instance_key"));
    return check_size(call->group_size, k->err);
}

/* What members must agree about: of Gather that of the outcome, otherwise that of the input. */
static sl_code read_shape(struct sl_collective_call *call, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k) {
    char text[SL_SHAPE_TEXT];
    struct sl_view in = sl_in(k, call->input);
    call->shape = sl_view_shape(in);
    switch (call->kind) {
    case SL_COLLECTIVE_GATHER:
        if (in.rank == 0) return sl_invalid(k, "Gather needs an input of rank 1 or more");
        memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
        if (!sl_mul_i64(&dims[0], in.dims[0], call->group_size))
            return sl_invalid(k, "The outcome of gathering %" PRId64 " inputs is too large", call->group_size);
        call->shape.dims = dims;
        return SL_OK;
    case SL_COLLECTIVE_REDUCE_SCATTER:
        if (in.rank > 0 && in.dims[0] % call->group_size == 0) return SL_OK;
        return sl_invalid(k, "The first dimension of %s cannot be cut into %" PRId64 " equal parts",
                          sl_shape_text(text, call->shape), call->group_size);
    case SL_COLLECTIVE_ALL_TO_ALL:
        if (in.count % call->group_size == 0) return SL_OK;
        return sl_invalid(k, "The elements of %s cannot be cut into %" PRId64 " equal parts",
                          sl_shape_text(text, call->shape), call->group_size);
    default: return SL_OK;
    }
}

static sl_code check_declared(const struct settings *s, struct sl_kernel_context *k) {
    if (!s->has_shape || sl_shape_equal(s->call.shape, sl_view_shape(sl_in(k, 0)))) return SL_OK;
    return sl_fail(k->err, SL_INTERNAL, "Declared shape of op %.*s does not match shape of input",
                   SL_STR_ARG(k->node->name));
}

static sl_code read_call(struct sl_collective_call *call, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k) {
    const struct settings *s = k->state;
    *call = s->call;
    SL_TRY(read_keys(call, k, s->keys));
    if (call->input >= 0) {
        SL_TRY(check_declared(s, k));
        return read_shape(call, dims, k);
    }
    if (!s->has_shape) return sl_in_shape(&call->shape, dims, k, 3, "shape");
    if (sl_shape_is_known(call->shape)) return SL_OK;
    return sl_invalid(k, "A broadcast is received in a shape that is wholly known");
}

static void collective_start(struct sl_kernel_context *k) {
    struct sl_collective_call call;
    int64_t dims[SL_MAX_RANK];
    sl_code code = read_call(&call, dims, k);
    if (code == SL_OK) sl_collective_start(k, &call);
    else sl_kernel_done(k, code);
}

/* ---- communicators */

struct communicator {
    struct sl_object object;
    int64_t group_key, group_size, rank;
    atomic_llong n_calls; /* the instance key of the next one */
};

static void communicator_free(struct sl_object *object) { sl_free(object); }
static const struct sl_object_type communicator_type = {.name = "tensorflow::CollectiveOpV3Resource",
                                                        .free = communicator_free};

static sl_code communicator_new(struct communicator **out, struct sl_kernel_context *k) {
    int64_t key, rank, size;
    SL_TRY(read_scalar(&key, k, 0, "group_key"));
    SL_TRY(read_scalar(&rank, k, 1, "rank"));
    SL_TRY(read_scalar(&size, k, 2, "group_size"));
    SL_TRY(check_size(size, k->err));
    if (rank < 0 || rank >= size) return sl_invalid(k, "rank must be in [0, %" PRId64 ") but got %" PRId64, size, rank);
    struct communicator *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(k->err, sizeof *c);
    sl_object_init(&c->object, &communicator_type);
    c->group_key = key;
    c->group_size = size;
    c->rank = rank;
    *out = c;
    return SL_OK;
}

static sl_code communicator_create(void **state, struct sl_kernel_setup *setup) {
    float timeout;
    SL_TRY(sl_attr_float(&timeout, setup->attrs, "timeout_seconds", setup->err));
    double *seconds = sl_malloc(sizeof *seconds);
    if (!seconds) return sl_fail_memory(setup->err, sizeof *seconds);
    *seconds = (double)timeout;
    *state = seconds;
    return SL_OK;
}

static void communicator_destroy(void *state) { sl_free(state); }

static void communicator_start(struct sl_kernel_context *k) {
    struct communicator *c = NULL;
    sl_code code = communicator_new(&c, k);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    const struct sl_collective_call call = {.kind = SL_COLLECTIVE_JOIN,
                                            .group_size = c->group_size,
                                            .group_key = c->group_key,
                                            .instance_key = -1,
                                            .subgroup = -1,
                                            .rank = c->rank,
                                            .timeout_seconds = *(const double *)k->state,
                                            .input = -1,
                                            .shape = SL_SHAPE_SCALAR,
                                            .give = &c->object};
    sl_collective_start(k, &call);
}

/* The row of `assignment` that holds the communicator's rank, and where in it. */
static sl_code find_subgroup(struct sl_collective_call *call, struct sl_kernel_context *k, int64_t rank) {
    char text[SL_SHAPE_TEXT];
    struct sl_view v = sl_in(k, 2);
    const int32_t *ranks = v.data;
    if (v.rank != 2)
        return sl_invalid(k, "group_assignment must be a 2-d Tensor, but received tensor of shape: %s",
                          sl_shape_text(text, sl_view_shape(v)));
    for (int64_t e = 0; e < v.count; e++)
        if (ranks[e] == rank) {
            call->subgroup = e / v.dims[1];
            call->rank = e % v.dims[1];
            call->group_size = v.dims[1];
            return SL_OK;
        }
    return sl_invalid(k, "rank %" PRId64 " is not found in group_assignment", rank);
}

static sl_code read_subgroup_call(struct sl_collective_call *call, int64_t dims[SL_MAX_RANK],
                                  struct sl_kernel_context *k) {
    const struct settings *s = k->state;
    struct sl_value *v = sl_in_value(k, 1);
    if (v->kind != SL_VALUE_OBJECT || !v->object || v->object->type != &communicator_type)
        return sl_invalid(k, "Input 1 is not a communicator");
    struct communicator *c = (struct communicator *)v->object;
    *call = s->call;
    call->group_key = c->group_key;
    SL_TRY(find_subgroup(call, k, c->rank));
    if (call->group_size > c->group_size)
        return sl_invalid(k, "group_assignment has rows of %" PRId64 " ranks, the group has %" PRId64 " members",
                          call->group_size, c->group_size);
    call->instance_key = atomic_fetch_add(&c->n_calls, 1);
    return read_shape(call, dims, k);
}

static void subgroup_start(struct sl_kernel_context *k) {
    struct sl_collective_call call;
    int64_t dims[SL_MAX_RANK];
    sl_code code = read_subgroup_call(&call, dims, k);
    if (code == SL_OK) sl_collective_start(k, &call);
    else sl_kernel_done(k, code);
}

/* ---- CollectiveAssignGroupV2 */

static sl_code assign_group_run(struct sl_kernel_context *k) {
    char text[SL_SHAPE_TEXT];
    struct sl_view v = sl_in(k, 0);
    const int32_t *devices = v.data;
    int64_t device, base;
    if (v.rank != 2)
        return sl_invalid(k, "group_assignment must be a 2-d Tensor, but received tensor of shape: %s",
                          sl_shape_text(text, sl_view_shape(v)));
    SL_TRY(read_scalar(&device, k, 1, "device_index"));
    SL_TRY(read_scalar(&base, k, 2, "base_key"));
    for (int64_t e = 0; e < v.count; e++)
        if (devices[e] == device) {
            SL_TRY(sl_out_int(k, 0, v.dims[1]));
            return sl_out_int(k, 1, (int32_t)(uint32_t)(base + e / v.dims[1]));
        }
    return sl_invalid(k, "device_index %" PRId64 " is not found in group_assignment of shape %s", device,
                      sl_shape_text(text, sl_view_shape(v)));
}

/* ---- rows */

#define REDUCE(kind_, keys_, merge_)                                                                                   \
    .data = &(const struct row) { .kind = kind_, .input = 0, .keys = keys_, .merge = merge_ }
#define MOVE(kind_, keys_)                                                                                             \
    .data = &(const struct row) { .kind = kind_, .input = 0, .keys = keys_ }
#define SEND(keys_, has_shape_)                                                                                        \
    .data = &(const struct row) {                                                                                      \
        .kind = SL_COLLECTIVE_BROADCAST, .input = 0, .keys = keys_, .is_source = true, .has_shape = has_shape_         \
    }
#define RECV(keys_, has_shape_)                                                                                        \
    .data = &(const struct row) { .kind = SL_COLLECTIVE_BROADCAST, .input = -1, .keys = keys_, .has_shape = has_shape_ }
#define IN_A_GROUP                                                                                                     \
    .create = settings_create, .destroy = settings_destroy, .start = collective_start, .flags = SL_KERNEL_ASYNC
#define SUBGROUP                                                                                                       \
    .create = settings_create, .destroy = settings_destroy, .start = subgroup_start, .flags = SL_KERNEL_ASYNC

/* clang-format off */
const struct sl_kernel_def sl_any_collective_rows[] = {
    KERNEL("CollectiveReduce", NO_RULE, IN_A_GROUP, REDUCE(SL_COLLECTIVE_REDUCE, KEYS_ARE_ATTRS, "merge_op"))
    KERNEL("CollectiveReduceV2", NO_RULE, IN_A_GROUP, REDUCE(SL_COLLECTIVE_REDUCE, 1, "merge_op"))
    KERNEL("CollectiveReduceV3", NO_RULE, SUBGROUP, REDUCE(SL_COLLECTIVE_REDUCE, KEYS_OF_COMMUNICATOR, "reduction"))
    KERNEL("CollectiveReduceScatterV2", NO_RULE, IN_A_GROUP, REDUCE(SL_COLLECTIVE_REDUCE_SCATTER, 1, "merge_op"))
    KERNEL("CollectiveGather", NO_RULE, IN_A_GROUP, MOVE(SL_COLLECTIVE_GATHER, KEYS_ARE_ATTRS))
    KERNEL("CollectiveGatherV2", NO_RULE, IN_A_GROUP, MOVE(SL_COLLECTIVE_GATHER, 1))
    KERNEL("CollectiveAllToAllV2", NO_RULE, IN_A_GROUP, MOVE(SL_COLLECTIVE_ALL_TO_ALL, 1))
    KERNEL("CollectiveAllToAllV3", NO_RULE, SUBGROUP, MOVE(SL_COLLECTIVE_ALL_TO_ALL, KEYS_OF_COMMUNICATOR))
    KERNEL("CollectiveBcastSend", NO_RULE, IN_A_GROUP, SEND(KEYS_ARE_ATTRS, true))
    KERNEL("CollectiveBcastSendV2", NO_RULE, IN_A_GROUP, SEND(1, false))
    KERNEL("CollectiveBcastRecv", NO_RULE, IN_A_GROUP, RECV(KEYS_ARE_ATTRS, true))
    KERNEL("CollectiveBcastRecvV2", NO_RULE, IN_A_GROUP, RECV(0, false))
    KERNEL("CollectiveInitializeCommunicator", NO_RULE, .create = communicator_create, .destroy = communicator_destroy,
           .start = communicator_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("CollectiveAssignGroupV2", NO_RULE, .run = assign_group_run, .flags = SL_KERNEL_CHEAP)
    SL_ROWS_END
};
/* clang-format on */
