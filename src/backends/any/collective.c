/* Instances of collectives. Called by collective_any.c.
 *
 *   sl_collective_start ── reserve ──► wait in the instance's line ── try: join, check, wait for all ──► finish
 *
 * A call reserves its membership under the groups' lock. The last member takes the instance off the list, so that
 * the next call under the same key begins another. The rest of an instance is guarded by its line. The last to
 * join puts all through at once, and its thread ends them one by one: the first of them makes what all get.
 *
 * Where members are in other processes, the last of this process begins an exchange with them, on another thread; what
 * comes of it puts all through. When all that wait here have been cancelled, so is the exchange. */
#include "backends/any/collective.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backends/any/collective_groups.h"
#include "backends/any/collective_join.h"
#include "backends/any/waiting_line.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "os/clock.h"
#include "os/task_threads.h"

enum { LINE = 0 };

struct key {
    uint64_t step, frame, iteration;
    int64_t group, subgroup, instance;
};

struct member {
    const char *device;
    uint64_t hash;           /* of the device's name */
    int64_t rank;            /* -1: by device */
    struct sl_tensor *input; /* NULL: brings nothing */
};

struct sl_collective_instance {
    struct sl_object object;
    struct sl_collective_groups *groups; /* shared */
    struct key key;
    int64_t size, n_here;                    /* members, and those in this process */
    const struct sl_collective_group *group; /* NULL: all are in this process */
    struct sl_collective_peers *peers;       /* shared; NULL: likewise */
    /* guarded by the groups' lock */
    struct sl_collective_instance *next, **at; /* `at` NULL: all its members have reserved */
    struct sl_due due;                         /* holds a reference while it waits */
    int64_t n_reserved, n_attempts;
    /* guarded by the line */
    struct sl_lines lines;
    SL_VEC(struct member) members; /* of those that have joined; by rank once all have */
    struct sl_collective_call first;
    struct sl_arena arena; /* the first call's shape */
    struct sl_error failure;
    bool is_complete, is_exchanging, has_begun, is_abandoned;
    struct sl_collective_exchange exchange; /* the peers' from the beginning until its end */
    /* once it is complete: the ending thread's */
    struct sl_tensor *result;
};

struct participant {
    struct sl_attempt attempt;
    struct sl_collective_instance *instance; /* borrowed: the attempt's object */
    struct sl_collective_call call;
    struct sl_tensor *input;
    const struct sl_collective_group *group;
    bool has_joined;
};

/* ---- instances */

static void instance_free(struct sl_object *object) {
    struct sl_collective_instance *i = (struct sl_collective_instance *)object;
    for (size_t p = 0; p < i->members.n; p++) sl_tensor_unref(i->members.items[p].input);
    sl_vec_free(&i->members);
    sl_tensor_unref(i->result);
    for (int64_t r = 0; i->exchange.inputs && r < i->size; r++) sl_tensor_unref(i->exchange.inputs[r]);
    sl_free(i->exchange.inputs);
    sl_lines_clear(&i->lines);
    sl_arena_clear(&i->arena);
    if (i->peers) sl_object_unref(&i->peers->object);
    sl_object_unref(&i->groups->object);
    sl_free(i);
}

static const struct sl_object_type instance_type = {.name = "tensorflow::CollectiveInstance", .free = instance_free};

static void unlink_instance(struct sl_collective_instance *i) {
    if (!i->at) return;
    *i->at = i->next;
    if (i->next) i->next->at = i->at;
    i->at = NULL;
}

/* Fails all that wait, and all that come. With the line's lock. */
static void fail_instance(struct sl_collective_instance *i, const struct sl_error *why) {
    if (i->failure.code == SL_OK) i->failure = *why;
}

static void time_is_over(struct sl_due *due) {
    struct sl_collective_instance *i =
        (struct sl_collective_instance *)(void *)((char *)due - offsetof(struct sl_collective_instance, due));
    struct sl_error why;
    sl_mutex_lock(&i->groups->mutex);
    bool has_group = i->key.subgroup >= 0 || sl_collective_group_is_full(i->groups, i->key.group);
    sl_mutex_unlock(&i->groups->mutex);
    sl_fail(&why, SL_DEADLINE_EXCEEDED, "%s",
            has_group ? "Collective has timed out during execution."
                      : "Collective has timed out waiting for other workers.");
    sl_lines_lock(&i->lines);
    if (!i->is_complete) fail_instance(i, &why);
    sl_lines_unlock(&i->lines);
    sl_object_unref(&i->object);
}

static int describe(char *text, size_t size, const struct sl_lines *lines) {
    const struct sl_collective_instance *i =
        (const struct sl_collective_instance *)(const void *)((const char *)lines -
                                                              offsetof(struct sl_collective_instance, lines));
    return snprintf(text, size, "group %" PRId64 ", instance %" PRId64 ", which has %zu of %" PRId64 " members",
                    i->key.group, i->key.instance, i->members.n, i->size);
}

static sl_code instance_new(struct sl_collective_instance **out, struct sl_collective_groups *groups,
                            const struct key *key, int64_t size, const struct sl_collective_group *group,
                            struct sl_resources *resources, struct sl_error *err) {
    struct sl_collective_instance *i = sl_calloc(1, sizeof *i);
    if (!i) return sl_fail_memory(err, sizeof *i);
    sl_object_init(&i->object, &instance_type);
    sl_object_ref(&groups->object);
    i->groups = groups;
    i->key = *key;
    i->size = size;
    i->n_here = group ? group->n_own : size;
    i->group = group;
    i->peers = group ? sl_collective_peers_of(resources) : NULL;
    i->due.call = time_is_over;
    sl_arena_init(&i->arena);
    sl_lines_init(&i->lines, true);
    i->lines.describe = describe;
    i->lines.names_itself = true;
    *out = i;
    return SL_OK;
}

/* ---- reserving: with the groups' lock */

static bool same_key(const struct key *a, const struct key *b) {
    return a->step == b->step && a->instance == b->instance && a->group == b->group && a->subgroup == b->subgroup &&
           a->frame == b->frame && a->iteration == b->iteration;
}

static sl_code find_or_make(struct sl_collective_instance **out, struct sl_collective_groups *groups,
                            const struct key *key, int64_t size, const struct sl_collective_group *group,
                            struct sl_resources *resources, struct sl_error *err) {
    for (struct sl_collective_instance *i = groups->instances; i; i = i->next)
        if (same_key(&i->key, key)) {
            *out = i;
            return SL_OK;
        }
    struct sl_collective_instance *i = NULL;
    SL_TRY(instance_new(&i, groups, key, size, group, resources, err));
    i->next = groups->instances;
    if (i->next) i->next->at = &i->next;
    i->at = &groups->instances;
    groups->instances = i;
    *out = i;
    return SL_OK;
}

/* The instance ends by the earliest time that any member says. */
static sl_code wait_until(struct sl_collective_instance *i, double seconds, struct sl_error *err) {
    int64_t ns = sl_clock_ns() + (int64_t)((seconds < 1e9 ? seconds : 1e9) * 1e9);
    if (!(seconds > 0) || (i->due.at && i->due.ns <= ns)) return SL_OK;
    bool is_new = !sl_collective_due_remove(&i->due);
    i->due.ns = ns;
    SL_TRY(sl_collective_due_add(i->groups, &i->due, err)); /* cannot fail the second time: there is a thread */
    if (is_new) sl_object_ref(&i->object);
    return SL_OK;
}

/* Takes a reference of the instance for the caller, who joins or is cancelled. */
static sl_code reserve(struct sl_collective_instance **out, struct sl_collective_groups *groups, uint64_t step,
                       struct sl_kernel_context *k, const struct sl_collective_call *call,
                       const struct sl_collective_group *group) {
    const struct key key = {.step = step,
                            .frame = k->frame,
                            .iteration = k->iteration,
                            .group = call->group_key,
                            .subgroup = call->subgroup,
                            .instance = call->instance_key};
    struct sl_collective_instance *i = NULL;
    if (groups->aborted.code != SL_OK) return sl_fail(k->err, groups->aborted.code, "%s", groups->aborted.message);
    if (call->subgroup < 0 && !group)
        SL_TRY(sl_collective_group_join(groups, call->group_key, call->group_size, k->env->device, k->err));
    SL_TRY(find_or_make(&i, groups, &key, call->group_size, group, sl_collective_resources(k), k->err));
    bool is_new = i->n_attempts == 0;
    i->n_attempts++;
    if (++i->n_reserved == i->n_here) unlink_instance(i);
    else if (wait_until(i, call->timeout_seconds, k->err) != SL_OK) sl_error_clear(k->err); /* then it waits longer */
    *out = i;
    if (!is_new) sl_object_ref(&i->object); /* who made it has the first reference */
    return SL_OK;
}

/* ---- joining: with the line's lock */

static sl_code refuse_shape(struct participant *p, struct sl_error *err) {
    const struct sl_collective_instance *i = p->instance;
    char mine[SL_SHAPE_TEXT], theirs[SL_SHAPE_TEXT];
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Collective ops is aborted by: Shape mismatch in the collective instance %" PRId64
                   ". Op at device %s expected shape %s but another member in the group expected shape %s. This is "
                   "likely due to different input shapes at different members of the collective op.",
                   i->key.instance, p->attempt.k->env->device, sl_shape_text(mine, p->call.shape),
                   sl_shape_text(theirs, i->first.shape));
}

static sl_code check_member(struct participant *p, const struct member *member, struct sl_error *err) {
    struct sl_collective_instance *i = p->instance;
    for (size_t n = 0; n < i->members.n; n++) {
        const struct member *other = &i->members.items[n];
        if (other->hash == member->hash && strcmp(other->device, member->device) == 0)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Device %s takes part twice in the collective instance %" PRId64 " of group %" PRId64
                           ", whose members are %" PRId64 " different devices",
                           member->device, i->key.instance, i->key.group, i->size);
        if (member->rank >= 0 && other->rank == member->rank)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Device %s and device %s have the same rank %" PRId64 " in group %" PRId64, other->device,
                           member->device, member->rank, i->key.group);
    }
    return SL_OK;
}

static sl_code check_call(struct participant *p, const struct member *member, struct sl_error *err) {
    struct sl_collective_instance *i = p->instance;
    const struct sl_collective_call *call = &p->call, *first = &i->first;
    if (i->members.n == 0) {
        i->first = *call;
        i->first.shape = sl_shape_copy(&i->arena, call->shape);
        return i->first.shape.rank == call->shape.rank ? SL_OK : sl_fail_memory(err, sizeof *call);
    }
    if (call->kind != first->kind || call->dtype != first->dtype)
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Collective instance %" PRId64
                       " expected type %d and data_type %d but got type %d and data_type %d",
                       i->key.instance, (int)call->kind, call->dtype, (int)first->kind, first->dtype);
    if (!sl_shape_equal(call->shape, first->shape)) return refuse_shape(p, err);
    if (call->group_size != i->size)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Members of group %" PRId64 " say that it has %" PRId64 " and %" PRId64 " members", i->key.group,
                       i->size, call->group_size);
    return check_member(p, member, err);
}

/* ---- members in other processes */

static void exchanged(struct sl_collective_exchange *x, sl_code code, const struct sl_error *err);

static void merge_ranks(struct sl_collective_exchange *x, void *out, const void *const *in, int64_t n, int64_t count,
                        bool is_all) {
    const struct sl_collective_instance *i =
        (struct sl_collective_instance *)(void *)((char *)x - offsetof(struct sl_collective_instance, exchange));
    const struct sl_collective_merge merge = {
        in, n, count, i->first.dtype, i->first.merge, is_all && i->first.divides ? i->size : 0};
    sl_collective_merge(out, NULL, &merge);
}

static void begin_exchange(void *arg) {
    struct sl_collective_instance *i = arg;
    i->peers->methods->exchange(i->peers, &i->exchange);
    sl_lines_lock(&i->lines);
    i->has_begun = true;
    if (i->is_abandoned && i->is_exchanging) i->peers->methods->cancel_exchange(i->peers, &i->exchange);
    sl_lines_unlock(&i->lines);
    sl_object_unref(&i->object);
}

static int64_t rank_in_group(const struct sl_collective_group *group, const char *device) {
    for (int64_t r = 0; r < group->n; r++)
        if (strcmp(group->places[r].device, device) == 0) return r;
    return -1;
}

/* All members of this process have joined. The exchange holds two references: until it has begun, and until its end. */
static sl_code prepare_exchange(struct sl_collective_instance *i, struct sl_error *err) {
    struct sl_collective_exchange *x = &i->exchange;
    const struct sl_collective_call *call = &i->first;
    *x = (struct sl_collective_exchange){.group = i->group,
                                         .step = i->key.step,
                                         .frame = i->key.frame,
                                         .iteration = i->key.iteration,
                                         .instance = i->key.instance,
                                         .kind = (int)call->kind,
                                         .dtype = call->dtype,
                                         .shape = call->shape,
                                         .is_sum = call->kind == SL_COLLECTIVE_REDUCE,
                                         .is_broadcast = call->kind == SL_COLLECTIVE_BROADCAST,
                                         .timeout_seconds = call->timeout_seconds,
                                         .n_slices = call->n_slices,
                                         .merge = merge_ranks,
                                         .done = exchanged};
    x->inputs = sl_calloc((size_t)i->size, sizeof(struct sl_tensor *));
    if (!x->inputs) return sl_fail_memory(err, (size_t)i->size * sizeof(struct sl_tensor *));
    for (size_t n = 0; n < i->members.n; n++) {
        struct member *m = &i->members.items[n];
        x->inputs[rank_in_group(i->group, m->device)] = m->input;
        m->input = NULL;
    }
    sl_mutex_lock(&i->groups->mutex);
    bool was_due = sl_collective_due_remove(&i->due); /* from here on the peers look at the time */
    sl_mutex_unlock(&i->groups->mutex);
    i->is_exchanging = true;
    sl_object_ref(&i->object);
    if (!was_due) sl_object_ref(&i->object);
    sl_task_threads_run(begin_exchange, i);
    return SL_OK;
}

/* The members are those of all processes now. */
static sl_code take_exchanged(struct sl_collective_instance *i, struct sl_error *err) {
    struct member *all = sl_calloc((size_t)i->size, sizeof *all);
    if (!all) return sl_fail_memory(err, (size_t)i->size * sizeof *all);
    for (int64_t r = 0; r < i->size; r++) {
        const char *device = i->group->places[r].device;
        all[r] = (struct member){device, sl_hash_bytes(device, strlen(device)), r, i->exchange.inputs[r]};
        i->exchange.inputs[r] = NULL;
    }
    sl_free(i->members.items);
    i->members.items = all;
    i->members.n = i->members.cap = (size_t)i->size;
    i->result = i->exchange.result;
    i->exchange.result = NULL;
    i->is_complete = true;
    return SL_OK;
}

static void exchanged(struct sl_collective_exchange *x, sl_code code, const struct sl_error *err) {
    struct sl_collective_instance *i =
        (struct sl_collective_instance *)(void *)((char *)x - offsetof(struct sl_collective_instance, exchange));
    struct sl_error why;
    if (code != SL_OK) why = *err;
    sl_lines_lock(&i->lines);
    i->is_exchanging = false;
    if (code == SL_OK) code = take_exchanged(i, &why);
    if (code != SL_OK) fail_instance(i, &why);
    sl_lines_unlock(&i->lines);
    sl_object_unref(&i->object);
}

/* Nobody waits for it any more. */
static void abandon_exchange(struct sl_collective_instance *i) {
    sl_lines_lock(&i->lines);
    i->is_abandoned = true;
    if (i->is_exchanging && i->has_begun) i->peers->methods->cancel_exchange(i->peers, &i->exchange);
    sl_lines_unlock(&i->lines);
}

/* Members in the order of their ranks. */
static sl_code order_members(struct sl_collective_instance *i, struct sl_error *err) {
    struct member *ordered = sl_calloc(i->members.n, sizeof *ordered);
    if (!ordered) return sl_fail_memory(err, i->members.n * sizeof *ordered);
    sl_mutex_lock(&i->groups->mutex);
    for (size_t n = 0; n < i->members.n; n++) {
        struct member *p = &i->members.items[n];
        if (p->rank < 0) p->rank = sl_collective_group_rank(i->groups, i->key.group, p->device);
        ordered[p->rank] = *p;
    }
    sl_mutex_unlock(&i->groups->mutex);
    sl_free(i->members.items);
    i->members.items = ordered;
    i->members.cap = i->members.n;
    return SL_OK;
}

static sl_code check_source(const struct sl_collective_instance *i, struct sl_error *err) {
    int64_t source = -1;
    for (size_t n = 0; n < i->members.n; n++) {
        if (!i->members.items[n].input) continue;
        if (source >= 0)
            return sl_fail(err, SL_INTERNAL,
                           "Collective ops is aborted by: Instance %" PRId64 " already has source %" PRId64
                           ", received second claim from %zu",
                           i->key.instance, source, n);
        source = (int64_t)n;
    }
    return source >= 0 ? SL_OK
                       : sl_fail(err, SL_INTERNAL,
                                 "Collective ops is aborted by: Instance %" PRId64
                                 " found no source for broadcast.  This could mean that there were group_size=%" PRId64
                                 " BcastRecvs but no BcastSend.",
                                 i->key.instance, i->size);
}

static sl_code join(struct participant *p, struct sl_error *err) {
    struct sl_collective_instance *i = p->instance;
    const char *device = p->attempt.k->env->device;
    struct member member = {device, sl_hash_bytes(device, strlen(device)), p->call.rank, NULL};
    SL_TRY(check_call(p, &member, err));
    if (sl_vec_push(&i->members, member)) return sl_fail_memory(err, sizeof member);
    i->members.items[i->members.n - 1].input = p->input;
    p->input = NULL;
    if ((int64_t)i->members.n < i->n_here) return SL_OK;
    if (i->group) return prepare_exchange(i, err);
    SL_TRY(order_members(i, err));
    if (i->first.kind == SL_COLLECTIVE_BROADCAST) SL_TRY(check_source(i, err));
    i->is_complete = true;
    return SL_OK;
}

static enum sl_attempt_result collective_try(struct sl_attempt *a) {
    struct participant *p = (struct participant *)a;
    struct sl_collective_instance *i = p->instance;
    bool joins = !p->has_joined;
    p->has_joined = true;
    if (joins && i->failure.code == SL_OK) {
        struct sl_error why;
        if (join(p, &why) != SL_OK) fail_instance(i, &why);
    }
    if (i->failure.code != SL_OK) return sl_attempt_fail(a, i->failure.code, "%s", i->failure.message);
    if (i->is_complete) return SL_ATTEMPT_THROUGH;
    return joins ? SL_ATTEMPT_MOVED : SL_ATTEMPT_WAITS;
}

/* ---- outcomes: on the thread that ends all, one after the other */

static int64_t rank_of(const struct participant *p) {
    const struct sl_collective_instance *i = p->instance;
    const char *device = p->attempt.k->env->device;
    uint64_t hash = sl_hash_bytes(device, strlen(device));
    for (size_t n = 0; n < i->members.n; n++)
        if (i->members.items[n].hash == hash && strcmp(i->members.items[n].device, device) == 0) return (int64_t)n;
    return 0;
}

static void drop_inputs(struct sl_collective_instance *i) {
    for (size_t n = 0; n < i->members.n; n++) {
        sl_tensor_unref(i->members.items[n].input);
        i->members.items[n].input = NULL;
    }
}

/* The reduction of `count` elements from `begin` on. */
static sl_code reduce(void *out, struct participant *p, int64_t begin, int64_t count) {
    struct sl_collective_instance *i = p->instance;
    const struct sl_collective_call *call = &i->first;
    const void **in = sl_malloc(i->members.n * sizeof *in);
    if (!in) return sl_fail_memory(p->attempt.k->err, i->members.n * sizeof *in);
    size_t skip = (size_t)begin * sl_dtype_size(call->dtype);
    for (size_t n = 0; n < i->members.n; n++) in[n] = (const char *)i->members.items[n].input->data + skip;
    const struct sl_collective_merge merge = {in,          i->size,     count,
                                              call->dtype, call->merge, call->divides ? i->size : 0};
    sl_collective_merge(out, p->attempt.k, &merge);
    sl_free(in);
    return SL_OK;
}

static sl_code make_sum(struct participant *p) {
    struct sl_collective_instance *i = p->instance;
    struct sl_tensor *first = i->members.items[0].input, *sum;
    SL_TRY(sl_tensor_new(&sum, i->first.dtype, sl_tensor_shape(first), p->attempt.k->err));
    sl_code code = reduce(sum->data, p, 0, first->count);
    if (code == SL_OK) i->result = sum;
    else sl_tensor_unref(sum);
    return code;
}

static sl_code make_row(struct participant *p) {
    struct sl_collective_instance *i = p->instance;
    struct sl_tensor *row;
    SL_TRY(sl_tensor_new(&row, i->first.dtype, i->first.shape, p->attempt.k->err));
    char *at = row->data;
    for (size_t n = 0; n < i->members.n; n++) {
        const struct sl_tensor *in = i->members.items[n].input;
        memcpy(at, in->data, in->bytes);
        at += in->bytes;
    }
    i->result = row;
    return SL_OK;
}

static sl_code make_copy(struct participant *p) {
    struct sl_collective_instance *i = p->instance;
    for (size_t n = 0; n < i->members.n && !i->result; n++)
        if (i->members.items[n].input) i->result = sl_tensor_ref(i->members.items[n].input);
    return SL_OK;
}

/* All get the same tensor. */
static sl_code give_shared(struct participant *p, sl_code (*make)(struct participant *p)) {
    struct sl_collective_instance *i = p->instance;
    if (!i->result) {
        SL_TRY(make(p));
        drop_inputs(i);
    }
    sl_out_tensor(p->attempt.k, 0, sl_tensor_ref(i->result));
    return SL_OK;
}

/* Of the parts that all members' elements are cut into, by rank: my own, reduced. */
static sl_code give_scattered(struct participant *p) {
    struct sl_kernel_context *k = p->attempt.k;
    struct sl_collective_instance *i = p->instance;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape in = i->first.shape;
    memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
    dims[0] /= i->size;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){in.rank, dims}));
    return reduce(out.data, p, rank_of(p) * out.count, out.count);
}

/* Mine of each member's parts, side by side. */
static sl_code give_exchanged(struct participant *p) {
    struct sl_kernel_context *k = p->attempt.k;
    struct sl_collective_instance *i = p->instance;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, i->first.shape));
    size_t part = (size_t)(out.count / i->size) * sl_dtype_size(out.dtype), mine = (size_t)rank_of(p) * part;
    for (size_t n = 0; n < i->members.n; n++)
        memcpy((char *)out.data + n * part, (const char *)i->members.items[n].input->data + mine, part);
    return SL_OK;
}

static sl_code collective_finish(struct sl_attempt *a) {
    struct participant *p = (struct participant *)a;
    switch (p->call.kind) {
    case SL_COLLECTIVE_REDUCE: return give_shared(p, make_sum);
    case SL_COLLECTIVE_BROADCAST: return give_shared(p, make_copy);
    case SL_COLLECTIVE_GATHER: return give_shared(p, make_row);
    case SL_COLLECTIVE_ALL_TO_ALL: return give_exchanged(p);
    case SL_COLLECTIVE_REDUCE_SCATTER: return give_scattered(p);
    case SL_COLLECTIVE_JOIN: break;
    }
    sl_out_object(a->k, 0, p->call.give);
    p->call.give = NULL;
    return SL_OK;
}

/* ---- the beginning and the end of a call */

static void drop_call(struct participant *p) {
    sl_tensor_unref(p->input);
    sl_object_unref(p->call.give);
}

static void collective_clear(struct sl_attempt *a) {
    struct participant *p = (struct participant *)a;
    struct sl_collective_instance *i = p->instance;
    sl_mutex_lock(&i->groups->mutex);
    bool was_due = false, is_last = --i->n_attempts == 0;
    if (is_last) unlink_instance(i);
    if (is_last || i->n_reserved == i->n_here) was_due = sl_collective_due_remove(&i->due);
    sl_mutex_unlock(&i->groups->mutex);
    if (was_due) sl_object_unref(&i->object); /* not the last: the attempt holds one */
    if (is_last && i->group) abandon_exchange(i);
    drop_call(p);
}

/* The attempt's memory is `p`'s; on failure it is still the caller's. */
static sl_code begin(struct participant *p) {
    struct sl_kernel_context *k = p->attempt.k;
    struct sl_collective_groups *groups;
    struct sl_collective_instance *i = NULL;
    uint64_t step;
    if (p->call.input >= 0) SL_TRY(sl_in_tensor(&p->input, k, p->call.input));
    SL_TRY(sl_collective_groups_get(&groups, &step, k));
    sl_mutex_lock(&groups->mutex);
    sl_code code = reserve(&i, groups, step, k, &p->call, p->group);
    sl_mutex_unlock(&groups->mutex);
    sl_object_unref(&groups->object);
    if (code != SL_OK) return code;
    p->instance = i;
    p->attempt.try = collective_try;
    p->attempt.finish = collective_finish;
    p->attempt.clear = collective_clear;
    p->attempt.cancelled = "Collective operation was cancelled";
    sl_attempt_start(&p->attempt, &i->object, &i->lines, LINE);
    sl_object_unref(&i->object);
    return SL_OK;
}

static void start(struct sl_kernel_context *k, const struct sl_collective_call *call,
                  const struct sl_collective_group *group) {
    struct participant *p = sl_attempt_new(sizeof *p, k);
    if (!p) {
        sl_object_unref(call->give);
        sl_kernel_done(k, SL_RESOURCE_EXHAUSTED);
        return;
    }
    p->call = *call;
    p->group = group;
    sl_code code = begin(p);
    if (code == SL_OK) return;
    drop_call(p);
    sl_free(p);
    sl_kernel_done(k, code);
}

static void start_in_group(struct sl_kernel_context *k, const struct sl_collective_call *call,
                           const struct sl_collective_group *group) {
    if (group->n_own == group->n) {
        start(k, call, NULL);
    } else if (call->kind == SL_COLLECTIVE_JOIN) {
        sl_object_unref(call->give);
        sl_kernel_done(k, sl_fail(k->err, SL_UNIMPLEMENTED, "a communicator over several tasks"));
    } else {
        start(k, call, group);
    }
}

void sl_collective_start(struct sl_kernel_context *k, const struct sl_collective_call *call) {
    struct sl_resources *own = sl_collective_resources(k);
    struct sl_collective_peers *peers = own && call->subgroup < 0 ? sl_collective_peers_of(own) : NULL;
    if (!peers) {
        start(k, call, NULL);
        return;
    }
    const struct sl_collective_group *group =
        peers->methods->find(peers, call->group_key, call->group_size, k->env->device);
    if (!group) {
        sl_collective_join_first(k, call, peers, start_in_group);
        return;
    }
    sl_object_unref(&peers->object);
    start_in_group(k, call, group);
}

/* What is taken from the list is found by nobody any more, so that each is failed once. */
sl_code sl_collective_abort(struct sl_resources *r, sl_code why, const char *message, struct sl_error *err) {
    struct sl_collective_groups *groups;
    struct sl_error reason;
    SL_TRY(sl_collective_groups_of(&groups, r, err));
    sl_mutex_lock(&groups->mutex);
    if (groups->aborted.code == SL_OK) sl_fail(&groups->aborted, why, "Collective ops is aborted by: %s", message);
    reason = groups->aborted;
    for (struct sl_collective_instance *i; (i = groups->instances);) {
        unlink_instance(i);
        sl_object_ref(&i->object);
        sl_mutex_unlock(&groups->mutex);
        sl_lines_lock(&i->lines);
        if (!i->is_complete) fail_instance(i, &reason);
        sl_lines_unlock(&i->lines);
        sl_object_unref(&i->object);
        sl_mutex_lock(&groups->mutex);
    }
    sl_mutex_unlock(&groups->mutex);
    sl_object_unref(&groups->object);
    return SL_OK;
}
