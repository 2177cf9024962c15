/* Groups and runs at the leader. A call waits in the list of its group or run; whoever ends one takes the calls out of it
 * under the mutex, and answers them afterwards. A run that has failed stays for those that come late, until all have come
 * or many others have failed. */
#include "dist/collective_leader_state.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "device/device_order.h"
#include "dist/elastic_ballot.h"
#include "dist/elastic_group.h"
#include "ops/attr.h"

enum {
    GROUPS_MAX = 1 << 16,
    INSTANCES_MAX = 1 << 16,
    SEQUENCES_MAX = 1 << 12,
    MEMBERS_MAX = 1 << 16,
    FAILED_KEPT = 256,
    FOREIGN_KEPT = 4096
};
static const int64_t WAIT_NS = INT64_C(300000000000);

struct leader_sequence {
    struct leader_sequence *next;
    int64_t key, step;
};

/* ---- waiting calls */

void sl_leader_spawned_end(struct sl_collective_leader *leader) {
    sl_mutex_lock(&leader->mutex);
    if (--leader->n_spawned == 0) sl_condition_broadcast(&leader->idle);
    sl_mutex_unlock(&leader->mutex);
}

void sl_leader_waiting_release(struct leader_waiting *w) {
    if (atomic_fetch_sub(&w->holders, 1) == 1) sl_free(w);
}

void sl_leader_clear_members(struct leader_gathering *g) {
    for (size_t i = 0; i < g->n; i++) {
        sl_free(g->members[i].device);
        sl_free(g->members[i].content);
    }
    sl_free(g->members);
    g->members = NULL;
    g->n = g->room = 0;
}

struct leader_waiting *sl_leader_take_waiting(struct leader_gathering *g) {
    struct leader_waiting *all = g->waiting;
    g->waiting = NULL;
    for (struct leader_waiting *w = all; w; w = w->next) w->in = NULL;
    return all;
}

void sl_leader_fail_all(struct leader_waiting *all, const struct sl_error *why) {
    for (struct leader_waiting *w = all, *next; w; w = next) {
        next = w->next;
        sl_rpc_call_fail(w->call, why->code, why->message);
        sl_leader_waiting_release(w);
    }
}

/* With the mutex held: who waits, to be failed with `g->why`. */
static struct leader_waiting *fail_gathering(struct leader_gathering *g, const struct sl_error *why) {
    if (!g->has_failed) g->why = *why;
    g->has_failed = true;
    return sl_leader_take_waiting(g);
}

/* ---- who has not come */

bool sl_leader_has_come(const struct leader_gathering *g, const char *device) {
    for (size_t i = 0; i < g->n; i++)
        if (strcmp(g->members[i].device, device) == 0) return true;
    return false;
}

struct leader_group *sl_leader_find_group(const struct sl_collective_leader *leader, int64_t key) {
    struct leader_group *group = leader->groups;
    while (group && group->key != key) group = group->next;
    return group;
}

static void name_missing(struct sl_error *err, const struct leader_gathering *g) {
    const struct leader_instance *instance = g->is_instance ? (const struct leader_instance *)g : NULL;
    const struct leader_group *group = instance ? sl_leader_find_group(g->leader, instance->group) : NULL;
    sl_error_append(err, " %zu of %zu members have come", g->n, g->size);
    if (group && group->base.is_full) {
        int n = 0;
        for (size_t i = 0; i < group->base.n; i++)
            if (!sl_leader_has_come(g, group->base.members[i].device))
                sl_error_append(err, "%s%s", n++ ? ", " : "; missing: ", group->base.members[i].device);
        return;
    }
    for (size_t i = 0; i < g->n; i++) sl_error_append(err, "%s%s", i ? ", " : ": ", g->members[i].device);
}

/* ---- time. One timer is set to the earliest end of a wait. */

static bool is_late(const struct leader_gathering *g, int64_t now) {
    return g->waiting && !g->is_full && g->due_ns && g->due_ns <= now;
}

/* With the mutex held. */
static struct leader_gathering *take_late(struct sl_collective_leader *leader, int64_t now) {
    for (struct leader_group *group = leader->groups; group; group = group->next)
        if (is_late(&group->base, now)) return &group->base;
    for (struct leader_instance *i = leader->instances; i; i = i->next)
        if (is_late(&i->base, now)) return &i->base;
    return NULL;
}

static int64_t earlier(int64_t a, const struct leader_gathering *g) {
    return g->waiting && !g->is_full && g->due_ns && (!a || g->due_ns < a) ? g->due_ns : a;
}

/* With the mutex held. */
void sl_leader_set_timer(struct sl_collective_leader *leader) {
    int64_t at = 0;
    for (struct leader_group *group = leader->groups; group; group = group->next)
        at = sl_elastic_due(earlier(at, &group->base), group);
    for (struct leader_instance *i = leader->instances; i; i = i->next) at = earlier(at, &i->base);
    if (at) sl_net_set_timer(leader->net, &leader->timer, at);
}

static void look_at_time(void *arg) {
    struct sl_collective_leader *leader = arg;
    int64_t now = sl_net_now(leader->net);
    struct sl_error why;
    sl_mutex_lock(&leader->mutex);
    for (struct leader_gathering *g; (g = take_late(leader, now));) {
        sl_fail(&why, SL_DEADLINE_EXCEEDED, "Collective has timed out waiting for other workers:");
        name_missing(&why, g);
        struct leader_waiting *all = fail_gathering(g, &why);
        sl_mutex_unlock(&leader->mutex);
        sl_leader_fail_all(all, &why);
        sl_mutex_lock(&leader->mutex);
    }
    sl_mutex_unlock(&leader->mutex);
    sl_elastic_look(leader, now);
    sl_mutex_lock(&leader->mutex);
    sl_leader_set_timer(leader);
    sl_mutex_unlock(&leader->mutex);
    sl_leader_spawned_end(leader);
}

/* The timer must not end within this. */
static void time_is_over(struct sl_net_timer *timer) {
    struct sl_collective_leader *leader = timer->arg;
    sl_mutex_lock(&leader->mutex);
    leader->n_spawned++;
    sl_mutex_unlock(&leader->mutex);
    sl_worker_spawn(leader->worker, look_at_time, leader);
}

/* With the mutex held: it has one more that waits until then at most. */
static void wait_until(struct leader_gathering *g, int64_t timeout_ms) {
    struct sl_net *net = g->leader->net;
    int64_t wait = timeout_ms > 0 && timeout_ms < INT64_MAX / 1000000 ? timeout_ms * 1000000 : g->leader->wait_ns;
    int64_t at = sl_net_now(net) + wait;
    if (!g->due_ns || at < g->due_ns) g->due_ns = at;
    sl_leader_set_timer(g->leader);
}

/* ---- members that come */

sl_code sl_leader_add_member(struct leader_gathering *g, struct sl_str device, struct sl_str content, bool is_source,
                             struct sl_error *err) {
    if (g->n == g->room) {
        size_t room = g->room ? 2 * g->room : 8;
        struct leader_member *more = sl_realloc(g->members, room * sizeof *more);
        if (!more) return sl_fail_memory(err, room * sizeof *more);
        g->members = more;
        g->room = room;
    }
    struct leader_member m = {.device = sl_malloc(device.n + 1), .content = sl_malloc(content.n + 1), .n = content.n};
    if (!m.device || !m.content) {
        sl_free(m.device);
        sl_free(m.content);
        return sl_fail_memory(err, content.n);
    }
    if (device.n) memcpy(m.device, device.p, device.n);
    m.device[device.n] = '\0';
    if (content.n) memcpy(m.content, content.p, content.n);
    m.is_source = is_source;
    g->members[g->n++] = m;
    return SL_OK;
}

int sl_leader_compare_members(const void *a, const void *b) {
    return sl_device_order(((const struct leader_member *)a)->device, ((const struct leader_member *)b)->device);
}

/* The client of a call has gone: a run cannot become complete any more; a group waits for the device to come again. */
static void leave(void *arg) {
    struct leader_waiting *w = arg;
    struct sl_collective_leader *leader = w->leader;
    struct leader_waiting *others = NULL;
    struct sl_error why;
    sl_mutex_lock(&leader->mutex);
    struct leader_gathering *g = w->in;
    w->is_gone = true;
    if (g) {
        struct leader_waiting **at = &g->waiting;
        while (*at != w) at = &(*at)->next;
        *at = w->next;
        w->in = NULL;
        sl_fail(&why, SL_ABORTED, "[_Derived_]Collective ops is aborted by: %s has left",
                w->first < g->n ? g->members[w->first].device : "a member");
        if (g->is_instance) others = fail_gathering(g, &why);
        else sl_elastic_forget(g, w);
    }
    sl_mutex_unlock(&leader->mutex);
    sl_leader_fail_all(others, &why);
    if (g) {
        sl_rpc_call_fail(w->call, SL_CANCELLED, "the collective was cancelled");
        sl_leader_waiting_release(w);
    }
    sl_leader_waiting_release(w);
    sl_leader_spawned_end(leader);
}

/* The call must not end within this. */
static void client_gone(struct sl_rpc_call *call, sl_code code) {
    struct leader_waiting *w = call->arg;
    (void)code;
    atomic_fetch_add(&w->holders, 1);
    sl_mutex_lock(&w->leader->mutex);
    w->leader->n_spawned++;
    sl_mutex_unlock(&w->leader->mutex);
    sl_worker_spawn(w->leader->worker, leave, w);
}

/* What a call waits with, before anybody knows of it; NULL: the call has failed. */
struct leader_waiting *sl_leader_waiting_new(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    static const struct sl_rpc_listener listener = {.gone = client_gone};
    struct leader_waiting *w = sl_calloc(1, sizeof *w);
    if (!w) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    w->call = call;
    w->leader = leader;
    atomic_store(&w->holders, 1);
    call->arg = w;
    sl_rpc_call_listen(call, &listener);
    return w;
}

/* With the mutex held. */
sl_code sl_leader_add_waiting(struct leader_waiting *w, struct leader_gathering *g, size_t first,
                              struct sl_error *err) {
    if (w->is_gone) return sl_fail(err, SL_CANCELLED, "the collective was cancelled");
    w->in = g;
    w->first = first;
    w->next = g->waiting;
    g->waiting = w;
    return SL_OK;
}

static void refuse(struct leader_waiting *w, const struct sl_error *why) {
    sl_rpc_call_fail(w->call, why->code, why->message);
    sl_leader_waiting_release(w);
}

static void instance_free(struct leader_instance *i) {
    sl_leader_clear_members(&i->base);
    sl_arena_clear(&i->arena);
    sl_free(i);
}

/* With the mutex held; nobody waits for it. */
static void unlist(struct sl_collective_leader *leader, struct leader_instance *instance) {
    struct leader_instance **at = &leader->instances;
    while (*at != instance) at = &(*at)->next;
    *at = instance->next;
    leader->n_instances--;
}

/* ---- runs that end before all have come */

void sl_leader_fail_runs(struct sl_collective_leader *leader,
                         bool (*needs)(const struct leader_instance *i, const void *arg), const void *arg,
                         const struct sl_error *why) {
    struct leader_waiting *all;
    do {
        all = NULL;
        sl_mutex_lock(&leader->mutex);
        for (struct leader_instance *i = leader->instances; i && !all; i = i->next)
            if (i->base.waiting && needs(i, arg)) all = fail_gathering(&i->base, why);
        sl_mutex_unlock(&leader->mutex);
        sl_leader_fail_all(all, why);
    } while (all);
}

/* Runs of programs that have no master in common, which would end their step, have the step 0. */
static bool has_stale_member(const struct leader_instance *i, const void *key) {
    const struct leader_group *group = sl_leader_find_group(i->base.leader, *(const int32_t *)key);
    if (i->step || i->group != *(const int32_t *)key) return false;
    for (size_t m = 0; group && m < group->base.n; m++)
        if (group->base.members[m].is_stale && sl_leader_has_come(&i->base, group->base.members[m].device)) return true;
    return false;
}

/* With the mutex held: who joins again does not ask for what has failed before. */
static void forget_failed(struct sl_collective_leader *leader, int64_t group) {
    for (struct leader_instance *i = leader->instances, *next; i; i = next) {
        next = i->next;
        if (i->step || i->group != group || !i->base.has_failed) continue;
        unlist(leader, i);
        instance_free(i);
    }
}

struct leader_waiting *sl_leader_drop_runs(struct sl_collective_leader *leader, int64_t group) {
    struct leader_waiting *all = NULL, *w;
    for (struct leader_instance *i = leader->instances, *next; i; i = next) {
        next = i->next;
        if (i->step || i->group != group) continue;
        for (struct leader_waiting *here = sl_leader_take_waiting(&i->base); (w = here);) {
            here = w->next;
            w->next = all;
            all = w;
        }
        unlist(leader, i);
        instance_free(i);
    }
    return all;
}

/* A member begins anew: it will not come to the runs that the others wait in. */
static void fail_runs_of(struct sl_collective_leader *leader, int32_t group, struct sl_str device) {
    struct sl_error why;
    sl_fail(&why, SL_ABORTED,
            "Collective ops is aborted by: %.*s has been started anew, or has lost what a run gave it, and joins again",
            SL_STR_ARG(device));
    sl_leader_fail_runs(leader, has_stale_member, &group, &why);
}

/* ---- groups */

sl_code sl_leader_find_or_make_group(struct leader_group **out, struct sl_collective_leader *leader,
                                     const struct sl_pb_CompleteGroupRequest *request, struct sl_error *err) {
    struct leader_group *group = sl_leader_find_group(leader, request->group_key);
    *out = group;
    if (group) return SL_OK;
    if (leader->n_groups >= GROUPS_MAX) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%d groups at most", GROUPS_MAX);
    group = sl_calloc(1, sizeof *group);
    if (!group) return sl_fail_memory(err, sizeof *group);
    group->base = (struct leader_gathering){.leader = leader, .size = (size_t)request->group_size};
    group->key = request->group_key;
    group->device_type = sl_calloc(1, request->device_type.n + 1);
    if (!group->device_type) {
        sl_free(group);
        return sl_fail_memory(err, request->device_type.n);
    }
    if (request->device_type.n) memcpy(group->device_type, request->device_type.p, request->device_type.n);
    group->next = leader->groups;
    leader->groups = group;
    leader->n_groups++;
    *out = group;
    return SL_OK;
}

sl_code sl_leader_check_group(const struct sl_collective_leader *leader,
                              const struct sl_pb_CompleteGroupRequest *request, struct sl_error *err) {
    const struct sl_pb_DeviceAttributes *device = request->device_attributes;
    if (!device || sl_cluster_find(leader->worker->options.cluster, device->name) < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a device that is of no task of the cluster joins group %d",
                       request->group_key);
    if (request->group_size <= 0 || request->group_size > MEMBERS_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "group_size must be positive integer but got %d", request->group_size);
    return SL_OK;
}

static struct sl_str task_of(struct sl_str device) {
    const struct sl_str end = SL_STR("/device:");
    for (size_t n = 0; n + end.n <= device.n; n++)
        if (memcmp(device.p + n, end.p, end.n) == 0) return (struct sl_str){device.p, n};
    return device;
}

/* The members of a task are those of one process, and join again together. Whether they begin anew: in another process,
 * or since the task knows nothing of the end of a run that the others may have had. Those have to join again as well, since
 * they may be beyond that run. */
static bool renew_members(struct leader_gathering *g, struct sl_str device, uint64_t incarnation) {
    bool is_anew = false;
    for (size_t i = 0; i < g->n; i++) {
        struct leader_member *m = &g->members[i];
        if (!sl_str_eq(task_of(sl_str_of(m->device)), task_of(device))) continue;
        is_anew = is_anew || m->incarnation != incarnation || m->has_run;
        m->incarnation = incarnation;
        m->has_run = m->is_stale = false;
    }
    for (size_t o = 0; o < g->n && is_anew; o++) g->members[o].is_stale = g->members[o].has_run;
    return is_anew;
}

/* `*is_anew`: the device has been a member before, and has runs behind it. */
static sl_code join_group(bool *is_anew, struct leader_group *group, const struct sl_pb_CompleteGroupRequest *request,
                          struct sl_error *err) {
    struct leader_gathering *g = &group->base;
    const struct sl_str device = request->device_attributes->name;
    if (group->forming)
        return sl_fail(err, SL_ABORTED,
                       "Collective ops is aborted by: the members of group %d change, and %.*s has to join them anew",
                       request->group_key, SL_STR_ARG(device));
    if (g->size != (size_t)request->group_size)
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Device %.*s is joining a group with size %d, but that group has "
                       "size %zu (group_key=%d)",
                       SL_STR_ARG(device), request->group_size, g->size, request->group_key);
    if (!sl_str_is(request->device_type, group->device_type))
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Device %.*s is joining a group with incompatible device type %s "
                       "(group_key=%d)",
                       SL_STR_ARG(device), group->device_type, request->group_key);
    group->is_foreign = group->is_foreign || !request->is_own_kind;
    for (size_t i = 0; i < g->n; i++)
        if (sl_str_is(device, g->members[i].device)) {
            g->members[i].is_foreign = !request->is_own_kind;
            *is_anew = renew_members(g, device, request->device_attributes->incarnation);
            forget_failed(g->leader, group->key);
            return SL_OK;
        }
    if (g->is_full)
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Device %.*s is joining a group that is already full "
                       "(group_key=%d)",
                       SL_STR_ARG(device), request->group_key);
    SL_TRY(sl_leader_add_member(g, device, SL_STR(""), false, err));
    g->members[g->n - 1].incarnation = request->device_attributes->incarnation;
    g->members[g->n - 1].is_foreign = !request->is_own_kind;
    if (g->n < g->size) return SL_OK;
    g->is_full = true;
    qsort(g->members, g->n, sizeof *g->members, sl_leader_compare_members);
    return SL_OK;
}

static int32_t count_tasks(const struct leader_gathering *g) {
    int32_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += i == 0 ||
             !sl_str_eq(task_of(sl_str_of(g->members[i].device)), task_of(sl_str_of(g->members[i - 1].device)));
    return n;
}

/* Groups stay, once they are full; so they may be read without the mutex. */
static void answer_group(const struct leader_group *group, struct sl_rpc_call *call) {
    struct sl_pb_CompleteGroupResponse answer = {.group_key = (int32_t)group->key,
                                                 .group_size = (int32_t)group->base.size,
                                                 .device_type = sl_str_of(group->device_type),
                                                 .num_tasks = count_tasks(&group->base),
                                                 .is_own_kind = !group->is_foreign};
    struct sl_arena arena;
    sl_arena_init(&arena);
    answer.device_attributes.items = SL_ARENA_ARRAY(&arena, struct sl_pb_DeviceAttributes, group->base.n + 1);
    if (answer.device_attributes.items) {
        for (size_t i = 0; i < group->base.n; i++)
            answer.device_attributes.items[answer.device_attributes.n++] =
                (struct sl_pb_DeviceAttributes){.name = sl_str_of(group->base.members[i].device),
                                                .device_type = sl_str_of(group->device_type),
                                                .incarnation = group->base.members[i].incarnation,
                                                .xla_global_id = -1};
        sl_service_answer(call, SL_PB_TYPE_OF(CompleteGroupResponse), &answer);
    } else {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
    }
    sl_arena_clear(&arena);
}

/* A group that was not full when its time was over begins anew with who comes next. */
static void begin_anew(struct leader_group *group, int32_t size) {
    struct leader_gathering *g = &group->base;
    if (!g->has_failed) return;
    sl_leader_clear_members(g);
    g->size = (size_t)size;
    g->has_failed = group->is_foreign = false;
    g->due_ns = 0;
}

void sl_leader_complete_group(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    struct sl_pb_CompleteGroupRequest request;
    struct leader_group *group = NULL;
    struct leader_waiting *ready = NULL, *w, *next;
    struct sl_arena arena;
    struct sl_error err;
    bool is_anew = false;
    sl_arena_init(&arena);
    if (!sl_service_decode(&request, SL_PB_TYPE_OF(CompleteGroupRequest), call, &arena) ||
        !(w = sl_leader_waiting_new(leader, call))) {
        sl_arena_clear(&arena);
        return;
    }
    sl_mutex_lock(&leader->mutex);
    sl_code code = sl_leader_check_group(leader, &request, &err);
    if (code == SL_OK) code = sl_leader_find_or_make_group(&group, leader, &request, &err);
    if (code == SL_OK) {
        begin_anew(group, request.group_size);
        code = join_group(&is_anew, group, &request, &err);
    }
    if (code == SL_OK) code = sl_leader_add_waiting(w, &group->base, group->base.n, &err);
    if (code == SL_OK && group->base.is_full) ready = sl_leader_take_waiting(&group->base);
    else if (code == SL_OK) wait_until(&group->base, request.timeout_in_ms);
    sl_mutex_unlock(&leader->mutex);
    if (is_anew) fail_runs_of(leader, request.group_key, request.device_attributes->name);
    sl_arena_clear(&arena);
    if (code != SL_OK) refuse(w, &err);
    for (w = ready; w; w = next) {
        next = w->next;
        answer_group(group, w->call);
        sl_leader_waiting_release(w);
    }
}

/* ---- runs */

enum { BROADCAST = 1 };

static bool is_of(const struct leader_instance *i, const struct sl_pb_CompleteInstanceRequest *r) {
    return i->step == (uint64_t)r->step_id && i->key == r->instance_key && i->group == r->group_key &&
           i->frame == r->frame && i->iteration == r->iteration;
}

static bool is_forgettable(const struct leader_instance *i, bool is_foreign) {
    return is_foreign ? i->is_foreign && !i->base.has_failed && !i->base.waiting : i->base.has_failed;
}

/* The oldest goes when there are many: of those that have failed; or of those of foreign groups whose members have been
 * answered without waiting for others. */
static void drop_oldest(struct sl_collective_leader *leader, bool is_foreign, size_t kept) {
    struct leader_instance *oldest = NULL;
    size_t n = 0;
    for (struct leader_instance *i = leader->instances; i; i = i->next) {
        if (!is_forgettable(i, is_foreign)) continue;
        oldest = i;
        n++;
    }
    if (n <= kept) return;
    unlist(leader, oldest);
    instance_free(oldest);
}

static sl_code find_or_make_instance(struct leader_instance **out, struct sl_collective_leader *leader,
                                     const struct sl_pb_CompleteInstanceRequest *r, struct sl_error *err) {
    for (*out = leader->instances; *out; *out = (*out)->next)
        if (is_of(*out, r)) return SL_OK;
    if (r->group_size <= 0 || r->group_size > MEMBERS_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "group_size must be positive integer but got %d", r->group_size);
    if (leader->n_instances >= INSTANCES_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%d collectives at most are under way", INSTANCES_MAX);
    struct leader_instance *i = sl_calloc(1, sizeof *i);
    if (!i) return sl_fail_memory(err, sizeof *i);
    i->base = (struct leader_gathering){.leader = leader, .size = (size_t)r->group_size, .is_instance = true};
    i->step = (uint64_t)r->step_id;
    i->frame = r->frame;
    i->iteration = r->iteration;
    i->group = r->group_key;
    i->key = r->instance_key;
    i->type = r->type;
    i->is_foreign = !r->part.n;
    i->source = -1;
    i->dtype = r->data_type;
    sl_arena_init(&i->arena);
    sl_code code = sl_shape_from_proto(&i->shape, r->shape, &i->arena, err);
    if (code != SL_OK) {
        instance_free(i);
        return code;
    }
    i->next = leader->instances;
    leader->instances = i;
    leader->n_instances++;
    drop_oldest(leader, false, FAILED_KEPT);
    drop_oldest(leader, true, FOREIGN_KEPT);
    *out = i;
    return SL_OK;
}

static sl_code check_instance(const struct leader_instance *i, const struct sl_pb_CompleteInstanceRequest *r,
                              struct sl_arena *arena, struct sl_error *err) {
    char mine[SL_SHAPE_TEXT], theirs[SL_SHAPE_TEXT];
    struct sl_shape shape;
    SL_TRY(sl_shape_from_proto(&shape, r->shape, arena, err));
    if (r->type != i->type || r->data_type != i->dtype)
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Collective instance %d expected type %d and data_type %d but got "
                       "type %d and data_type %d",
                       i->key, r->type, r->data_type, i->type, i->dtype);
    if (!sl_shape_equal(shape, i->shape))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Collective ops is aborted by: Shape mismatch in the collective instance %d. Op at device %.*s "
                       "expected shape %s but another member in the group expected shape %s. This is likely due to "
                       "different input shapes at different members of the collective op.",
                       i->key, SL_STR_ARG(r->device), sl_shape_text(mine, shape), sl_shape_text(theirs, i->shape));
    if ((size_t)r->group_size != i->base.size)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Members of group %d say that it has %zu and %d members", i->group,
                       i->base.size, r->group_size);
    return SL_OK;
}

/* The group's member of a device, or NULL. */
static struct leader_member *find_member(struct leader_group *group, struct sl_str device) {
    for (size_t m = 0; group && m < group->base.n; m++)
        if (sl_str_is(device, group->base.members[m].device)) return &group->base.members[m];
    return NULL;
}

/* Programs that have no master in common: who is no member here is of a process that is gone, or asks one that knows
 * nothing of its group; and who comes from before another member was started anew would wait for what that does not know. */
static sl_code check_fresh(struct leader_group *group, const struct sl_pb_CompleteInstanceRequest *r,
                           struct sl_error *err) {
    for (size_t p = 0; p < r->part.n && !r->step_id; p++) {
        const struct leader_member *member = find_member(group, r->part.items[p].device);
        if (!member || !group->base.is_full || r->incarnation != member->incarnation)
            return sl_fail(
                err, SL_ABORTED,
                "Collective ops is aborted by: %.*s of this incarnation is no member of group %d: it, or who "
                "leads the group, has been started anew",
                SL_STR_ARG(r->part.items[p].device), r->group_key);
        if (member->is_stale)
            return sl_fail(err, SL_ABORTED,
                           "Collective ops is aborted by: another member of group %d than %s has been started anew, "
                           "or has lost what a run gave it, and has joined again",
                           r->group_key, member->device);
    }
    return SL_OK;
}

static sl_code add_parts(struct leader_instance *i, const struct sl_pb_CompleteInstanceRequest *r,
                         struct sl_error *err) {
    struct leader_gathering *g = &i->base;
    const struct leader_group *group = sl_leader_find_group(g->leader, i->group);
    if (group && group->is_foreign)
        return sl_fail(
            err, SL_ABORTED,
            "Collective ops is aborted by: group %d has members at TensorFlow's servers by now, and %.*s has "
            "to join it again",
            i->group, SL_STR_ARG(r->device));
    for (size_t p = 0; p < r->part.n; p++) {
        const struct sl_pb_CollectivePart *part = &r->part.items[p];
        for (size_t m = 0; m < g->n; m++)
            if (sl_str_is(part->device, g->members[m].device))
                return sl_fail(err, SL_INVALID_ARGUMENT,
                               "Device %.*s takes part twice in the collective instance %d of group %d, whose members "
                               "are %zu different devices",
                               SL_STR_ARG(part->device), i->key, i->group, g->size);
        SL_TRY(sl_leader_add_member(g, part->device, part->content, part->is_source, err));
    }
    if (g->n <= g->size) return check_fresh(sl_leader_find_group(g->leader, i->group), r, err);
    return sl_fail(err, SL_INVALID_ARGUMENT, "%zu members have come to the collective instance %d of group %d, not %zu",
                   g->n, i->key, i->group, g->size);
}

/* All have come. */
static sl_code complete(struct leader_instance *i, int *source, struct sl_error *err) {
    struct leader_gathering *g = &i->base;
    g->is_full = true;
    qsort(g->members, g->n, sizeof *g->members, sl_leader_compare_members);
    *source = -1;
    for (size_t m = 0; m < g->n; m++) {
        if (!g->members[m].is_source) continue;
        if (*source >= 0)
            return sl_fail(
                err, SL_INTERNAL,
                "Collective ops is aborted by: Instance %d already has source %d, received second claim from "
                "%zu",
                i->key, *source, m);
        *source = (int)m;
    }
    if (i->type != BROADCAST || *source >= 0) return SL_OK;
    return sl_fail(
        err, SL_INTERNAL,
        "Collective ops is aborted by: Instance %d found no source for broadcast.  This could mean that there "
        "were group_size=%zu BcastRecvs but no BcastSend.",
        i->key, g->size);
}

static void answer_instance(const struct leader_instance *i, int source, struct leader_waiting *all) {
    struct sl_pb_CompleteInstanceResponse answer = {.instance_key = i->key, .source_rank = source};
    struct sl_arena arena;
    sl_arena_init(&arena);
    answer.part.items = SL_ARENA_ARRAY(&arena, struct sl_pb_CollectivePart, i->base.n + 1);
    for (size_t m = 0; answer.part.items && m < i->base.n; m++)
        answer.part.items[answer.part.n++] =
            (struct sl_pb_CollectivePart){.device = sl_str_of(i->base.members[m].device),
                                          .content = {i->base.members[m].content, i->base.members[m].n},
                                          .is_source = i->base.members[m].is_source};
    for (struct leader_waiting *w = all, *next; w; w = next) {
        next = w->next;
        if (answer.part.items) sl_service_answer(w->call, SL_PB_TYPE_OF(CompleteInstanceResponse), &answer);
        else sl_rpc_call_fail(w->call, SL_RESOURCE_EXHAUSTED, "out of memory");
        sl_leader_waiting_release(w);
    }
    sl_arena_clear(&arena);
}

/* With the mutex held. `*done`: it is off the list, and the caller's. `*others` fail with `err`. */
static sl_code enter_instance(struct leader_instance **done, int *source, struct leader_waiting **others,
                              struct leader_waiting *w, struct sl_collective_leader *leader,
                              const struct sl_pb_CompleteInstanceRequest *r, struct sl_arena *arena,
                              struct sl_error *err) {
    struct leader_instance *i;
    struct leader_group *group = sl_leader_find_group(leader, r->group_key);
    if (group && group->forming) SL_TRY(check_fresh(group, r, err)); /* who is no member spoils no run */
    SL_TRY(find_or_make_instance(&i, leader, r, err));
    if (i->base.has_failed) return sl_fail(err, i->base.why.code, "%s", i->base.why.message);
    size_t first = i->base.n;
    sl_code code = check_instance(i, r, arena, err);
    if (code == SL_OK) code = add_parts(i, r, err);
    if (code == SL_OK) code = sl_leader_add_waiting(w, &i->base, first, err);
    if (code == SL_OK && i->base.n == i->base.size) {
        code = complete(i, source, err);
        if (code == SL_OK) {
            for (size_t m = 0; group && m < group->base.n; m++) group->base.members[m].has_run = true;
            unlist(leader, i);
            *done = i;
            return SL_OK;
        }
        i->base.is_full = false;
    }
    if (code == SL_OK) {
        wait_until(&i->base, r->timeout_in_ms);
        sl_leader_look_soon(leader);
        return SL_OK;
    }
    *others = fail_gathering(&i->base, err); /* maybe `w` among them */
    return code;
}

/* ---- runs of groups with members at TensorFlow's servers. Each comes for itself, once for a step and an instance whatever
 * the loops; only who receives a broadcast has to wait for something: until the source has come. */

static sl_code note_source(struct leader_instance *i, const struct leader_group *group,
                           const struct leader_member *member, struct sl_error *err) {
    const int rank = (int)(member - group->base.members);
    if (i->source < 0 || i->source == rank) {
        i->source = rank;
        return SL_OK;
    }
    return sl_fail(err, SL_INTERNAL,
                   "Collective ops is aborted by: Instance %d already has source %d, received second claim from %d",
                   i->key, i->source, rank);
}

static sl_code add_foreign(struct leader_instance *i, const struct leader_group *group,
                           const struct leader_member *member, const struct sl_pb_CompleteInstanceRequest *r,
                           struct sl_error *err) {
    struct leader_gathering *g = &i->base;
    bool has_come = false;
    for (size_t m = 0; m < g->n; m++) has_come = has_come || sl_str_is(r->device, g->members[m].device);
    if (!has_come) SL_TRY(sl_leader_add_member(g, r->device, SL_STR(""), r->is_source, err));
    if (r->is_source) SL_TRY(note_source(i, group, member, err));
    if (g->n > g->size)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "%zu members have come to the collective instance %d of group %d, not %zu", g->n, i->key,
                       i->group, g->size);
    if (i->type != BROADCAST || i->source >= 0 || g->n < g->size) return SL_OK;
    return sl_fail(
        err, SL_INTERNAL,
        "Collective ops is aborted by: Instance %d found no source for broadcast.  This could mean that there "
        "were group_size=%zu BcastRecvs but no BcastSend.",
        i->key, g->size);
}

/* With the mutex held. `*ready` are answered with `*source`, `*done` is off the list and freed; `*others` fail with `err`. */
static sl_code enter_foreign(struct leader_instance **done, struct leader_waiting **ready, int *source,
                             struct leader_waiting **others, struct leader_waiting *w,
                             struct sl_collective_leader *leader, const struct sl_pb_CompleteInstanceRequest *r,
                             struct sl_arena *arena, struct sl_error *err) {
    struct leader_group *group = sl_leader_find_group(leader, r->group_key);
    const struct leader_member *member = find_member(group, r->device);
    struct leader_instance *i;
    if (!member || !group->base.is_full || group->forming)
        return sl_fail(err, SL_ABORTED,
                       "Collective ops is aborted by: %.*s is no member of group %d: it, or who leads the group, has "
                       "been started anew",
                       SL_STR_ARG(r->device), r->group_key);
    SL_TRY(find_or_make_instance(&i, leader, r, err));
    if (i->base.has_failed) return sl_fail(err, i->base.why.code, "%s", i->base.why.message);
    const size_t first = i->base.n;
    sl_code code = check_instance(i, r, arena, err);
    if (code == SL_OK) code = add_foreign(i, group, member, r, err);
    if (code == SL_OK) code = sl_leader_add_waiting(w, &i->base, first, err);
    if (code != SL_OK) {
        *others = fail_gathering(&i->base, err);
        return code;
    }
    *source = i->source;
    if (i->type == BROADCAST && i->source < 0) {
        wait_until(&i->base, r->timeout_in_ms);
        sl_leader_look_soon(leader);
        return SL_OK;
    }
    *ready = sl_leader_take_waiting(&i->base);
    if (i->base.n < i->base.size || i->source >= 0)
        return SL_OK; /* who has been started anew asks again for the source */
    unlist(leader, i);
    *done = i;
    return SL_OK;
}

static void answer_foreign(struct leader_waiting *all, int32_t key, int source) {
    const struct sl_pb_CompleteInstanceResponse answer = {.instance_key = key, .source_rank = source};
    for (struct leader_waiting *w = all, *next; w; w = next) {
        next = w->next;
        sl_service_answer(w->call, SL_PB_TYPE_OF(CompleteInstanceResponse), &answer);
        sl_leader_waiting_release(w);
    }
}

static void complete_foreign(struct sl_collective_leader *leader, struct leader_waiting *w,
                             const struct sl_pb_CompleteInstanceRequest *request, struct sl_arena *arena) {
    struct leader_waiting *ready = NULL, *others = NULL;
    struct leader_instance *done = NULL;
    const int32_t key = request->instance_key;
    struct sl_error err;
    int source = -1;
    sl_mutex_lock(&leader->mutex);
    sl_code code = enter_foreign(&done, &ready, &source, &others, w, leader, request, arena, &err);
    bool is_refused = code != SL_OK;
    for (struct leader_waiting *o = others; o; o = o->next) is_refused = is_refused && o != w;
    sl_mutex_unlock(&leader->mutex);
    sl_arena_clear(arena);
    if (is_refused) refuse(w, &err);
    sl_leader_fail_all(others, &err);
    answer_foreign(ready, key, source);
    if (done) instance_free(done);
}

void sl_leader_complete_instance(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    struct sl_pb_CompleteInstanceRequest request;
    struct leader_instance *done = NULL;
    struct leader_waiting *others = NULL, *ready = NULL, *w;
    struct sl_arena arena;
    struct sl_error err;
    int source = -1;
    sl_arena_init(&arena);
    if (!sl_service_decode(&request, SL_PB_TYPE_OF(CompleteInstanceRequest), call, &arena) ||
        !(w = sl_leader_waiting_new(leader, call))) {
        sl_arena_clear(&arena);
        return;
    }
    if (!request.part.n) {
        complete_foreign(leader, w, &request, &arena);
        return;
    }
    sl_mutex_lock(&leader->mutex);
    sl_code code = enter_instance(&done, &source, &others, w, leader, &request, &arena, &err);
    bool is_refused = code != SL_OK;
    for (struct leader_waiting *o = others; o; o = o->next) is_refused = is_refused && o != w;
    if (done) ready = sl_leader_take_waiting(&done->base);
    sl_mutex_unlock(&leader->mutex);
    sl_arena_clear(&arena);
    if (is_refused) refuse(w, &err);
    sl_leader_fail_all(others, &err);
    if (!done) return;
    answer_instance(done, source, ready);
    instance_free(done);
}

/* ---- step ids */

static struct leader_sequence *find_or_make_sequence(struct sl_collective_leader *leader, int64_t key) {
    struct leader_sequence *s = leader->sequences;
    while (s && s->key != key) s = s->next;
    if (s || leader->n_sequences >= SEQUENCES_MAX) return s;
    s = sl_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->key = key;
    s->step = (int64_t)(sl_id_source_next(&leader->worker->ids) & ((UINT64_C(1) << 56) - 1));
    s->next = leader->sequences;
    leader->sequences = s;
    leader->n_sequences++;
    return s;
}

void sl_leader_step_sequence(struct sl_collective_leader *leader, struct sl_rpc_call *call) {
    struct sl_pb_GetStepSequenceRequest request;
    struct sl_pb_GetStepSequenceResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    bool is_short = false;
    sl_arena_init(&arena);
    if (!sl_service_decode(&request, SL_PB_TYPE_OF(GetStepSequenceRequest), call, &arena)) {
        sl_arena_clear(&arena);
        return;
    }
    answer.step_sequence.items = SL_ARENA_ARRAY(&arena, struct sl_pb_StepSequence, request.graph_key.n + 1);
    sl_mutex_lock(&leader->mutex);
    for (size_t i = 0; answer.step_sequence.items && i < request.graph_key.n; i++) {
        struct leader_sequence *s = find_or_make_sequence(leader, request.graph_key.items[i]);
        is_short = is_short || !s;
        answer.step_sequence.items[answer.step_sequence.n++] =
            (struct sl_pb_StepSequence){.graph_key = request.graph_key.items[i], .next_step_id = s ? s->step : 0};
    }
    sl_mutex_unlock(&leader->mutex);
    if (is_short || !answer.step_sequence.items)
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "too many graph keys, or no memory for them");
    else sl_service_answer(call, SL_PB_TYPE_OF(GetStepSequenceResponse), &answer);
    sl_arena_clear(&arena);
}

/* ---- the end */

void sl_collective_leader_init(struct sl_collective_leader *leader, struct sl_worker *worker) {
    *leader = (struct sl_collective_leader){.worker = worker, .net = worker->options.cluster->net, .wait_ns = WAIT_NS};
    leader->timer = (struct sl_net_timer){.due = time_is_over, .arg = leader};
    leader->look = (struct sl_net_timer){.due = sl_leader_look_is_due, .arg = leader};
    sl_mutex_init(&leader->watching);
    sl_mutex_init(&leader->mutex);
    sl_condition_init(&leader->idle);
}

void sl_collective_leader_stop(struct sl_collective_leader *leader) {
    for (int round = 0; round < 2; round++) { /* those that are under way may set a timer once more */
        sl_net_cancel_timer(leader->net, &leader->timer);
        sl_net_cancel_timer(leader->net, &leader->look);
        sl_leader_unwatch(leader);
        sl_mutex_lock(&leader->mutex);
        while (leader->n_spawned) sl_condition_wait(&leader->idle, &leader->mutex);
        sl_mutex_unlock(&leader->mutex);
    }
}

void sl_collective_leader_clear(struct sl_collective_leader *leader) {
    sl_free(leader->watchers);
    for (struct leader_group *g = leader->groups, *next; g; g = next) {
        next = g->next;
        sl_leader_clear_members(&g->base);
        sl_elastic_clear(g);
        sl_free(g->device_type);
        sl_free(g);
    }
    for (struct leader_instance *i = leader->instances, *next; i; i = next) {
        next = i->next;
        instance_free(i);
    }
    sl_ballot_free_all(leader->ballots);
    for (struct leader_sequence *s = leader->sequences, *next; s; s = next) {
        next = s->next;
        sl_free(s);
    }
    sl_condition_clear(&leader->idle);
    sl_mutex_clear(&leader->mutex);
    sl_mutex_clear(&leader->watching);
}
