/* Groups and deadlines of collectives. A group is filled by the devices that come first and does not change
 * afterwards. The thread that looks at the time is started by the first wait that has an end. */
#include "backends/any/collective_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/device_order.h"
#include "kernel/resources.h"
#include "os/clock.h"

struct member {
    const char *device;
    int64_t rank; /* once the group is full */
};

struct group {
    int64_t key, size;
    struct sl_str_map members; /* by device */
};

/* ---- the object */

static void destroy(struct sl_collective_groups *g) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&g->groups); e; e = sl_str_map_next(&g->groups, e))
        sl_str_map_free(&((struct group *)e->value)->members);
    sl_str_map_free(&g->groups);
    sl_arena_clear(&g->arena);
    sl_condition_clear(&g->changed);
    sl_mutex_clear(&g->mutex);
    sl_free(g);
}

/* The last reference may go on the groups' own thread, which then frees them when it ends. */
static void groups_free(struct sl_object *object) {
    struct sl_collective_groups *g = (struct sl_collective_groups *)object;
    bool is_own = g->has_thread && pthread_equal(pthread_self(), g->thread.native);
    sl_mutex_lock(&g->mutex);
    g->is_ending = true;
    g->frees_itself = is_own;
    sl_condition_broadcast(&g->changed);
    sl_mutex_unlock(&g->mutex);
    if (is_own) return;
    if (g->has_thread) sl_thread_join(&g->thread);
    destroy(g);
}

static const struct sl_object_type groups_type = {.name = "tensorflow::CollectiveParamResolver", .free = groups_free};

static sl_code make_groups(struct sl_object **out, void *arg, struct sl_error *err) {
    (void)arg;
    struct sl_collective_groups *g = sl_calloc(1, sizeof *g);
    if (!g) return sl_fail_memory(err, sizeof *g);
    sl_object_init(&g->object, &groups_type);
    sl_mutex_init(&g->mutex);
    sl_condition_init(&g->changed);
    sl_arena_init(&g->arena);
    sl_error_clear(&g->aborted);
    *out = &g->object;
    return SL_OK;
}

sl_code sl_collective_groups_of(struct sl_collective_groups **out, struct sl_resources *r, struct sl_error *err) {
    struct sl_object *object;
    SL_TRY(sl_resources_find_or_make(&object, r, SL_STR(""), &groups_type, SL_STR("_collective_groups"), make_groups,
                                     NULL, err));
    *out = (struct sl_collective_groups *)object;
    return SL_OK;
}

struct sl_resources *sl_collective_resources(const struct sl_kernel_context *k) {
    struct sl_resources *own = k->env->session_resources;
    struct sl_resources *meeting = own ? sl_resources_meeting(own) : NULL;
    return meeting ? meeting : own;
}

sl_code sl_collective_groups_get(struct sl_collective_groups **out, uint64_t *step, struct sl_kernel_context *k) {
    struct sl_resources *where = sl_collective_resources(k);
    if (!where) return sl_fail(k->err, SL_FAILED_PRECONDITION, "Collectives need a session to meet in");
    *step =
        sl_resources_meeting(k->env->session_resources) ? 0 : k->env->step_id; /* where steps meet, each is the same */
    return sl_collective_groups_of(out, where, k->err);
}

/* ---- groups */

static struct group *find_group(struct sl_collective_groups *g, int64_t key) {
    return sl_str_map_get(&g->groups, (struct sl_str){(const char *)&key, sizeof key});
}

static struct group *find_or_make_group(struct sl_collective_groups *g, int64_t key, int64_t size) {
    struct group *group = find_group(g, key);
    if (group) return group;
    group = SL_ARENA_NEW(&g->arena, struct group);
    if (!group) return NULL;
    group->key = key;
    group->size = size;
    return sl_str_map_put(&g->groups, (struct sl_str){(const char *)&group->key, sizeof group->key}, group) ? NULL
                                                                                                            : group;
}

static int compare_members(const void *a, const void *b) {
    return sl_device_order((*(struct member *const *)a)->device, (*(struct member *const *)b)->device);
}

static sl_code rank_members(struct group *group, struct sl_error *err) {
    struct member **all = sl_malloc(group->members.n * sizeof(struct member *));
    size_t n = 0;
    if (!all) return sl_fail_memory(err, group->members.n * sizeof(struct member *));
    for (struct sl_str_map_entry *e = sl_str_map_first(&group->members); e; e = sl_str_map_next(&group->members, e))
        all[n++] = e->value;
    qsort(all, n, sizeof(struct member *), compare_members);
    for (size_t r = 0; r < n; r++) all[r]->rank = (int64_t)r;
    sl_free(all);
    return SL_OK;
}

static bool is_full(const struct group *group) { return (int64_t)group->members.n == group->size; }

static sl_code add_member(struct sl_collective_groups *g, struct group *group, const char *device,
                          struct sl_error *err) {
    struct member *member = SL_ARENA_NEW(&g->arena, struct member);
    struct sl_str name = sl_arena_str(&g->arena, sl_str_of(device));
    if (!member || !name.p) return sl_fail_memory(err, sizeof *member);
    member->device = name.p;
    if (sl_str_map_put(&group->members, name, member)) return sl_fail_memory(err, sizeof *member);
    return is_full(group) ? rank_members(group, err) : SL_OK;
}

sl_code sl_collective_group_join(struct sl_collective_groups *g, int64_t key, int64_t size, const char *device,
                                 struct sl_error *err) {
    struct group *group = find_or_make_group(g, key, size);
    if (!group) return sl_fail_memory(err, sizeof *group);
    if (group->size != size)
        return sl_fail(err, SL_INTERNAL,
                       "Collective ops is aborted by: Device %s is joining a group with size %" PRId64
                       ", but that group has size %" PRId64 " (group_key=%" PRId64 ")",
                       device, size, group->size, key);
    if (sl_str_map_get(&group->members, sl_str_of(device))) return SL_OK;
    if (is_full(group))
        return sl_fail(
            err, SL_INTERNAL,
            "Collective ops is aborted by: Device %s is joining a group that is already full (group_key=%" PRId64 ")",
            device, key);
    return add_member(g, group, device, err);
}

bool sl_collective_group_is_full(struct sl_collective_groups *g, int64_t key) {
    const struct group *group = find_group(g, key);
    return group && is_full(group);
}

int64_t sl_collective_group_rank(struct sl_collective_groups *g, int64_t key, const char *device) {
    return ((const struct member *)sl_str_map_get(&find_group(g, key)->members, sl_str_of(device)))->rank;
}

/* ---- deadlines */

static struct sl_due *first_due(const struct sl_collective_groups *g) {
    struct sl_due *first = g->dues;
    for (struct sl_due *d = g->dues; d; d = d->next)
        if (d->ns < first->ns) first = d;
    return first;
}

static void watch(void *arg) {
    struct sl_collective_groups *g = arg;
    sl_mutex_lock(&g->mutex);
    while (!g->is_ending) {
        struct sl_due *due = first_due(g);
        if (!due) {
            sl_condition_wait(&g->changed, &g->mutex);
        } else if (sl_clock_ns() < due->ns) {
            sl_condition_wait_until(&g->changed, &g->mutex, due->ns);
        } else {
            sl_collective_due_remove(due);
            sl_mutex_unlock(&g->mutex);
            due->call(due);
            sl_mutex_lock(&g->mutex);
        }
    }
    bool frees_itself = g->frees_itself;
    sl_mutex_unlock(&g->mutex);
    if (!frees_itself) return;
    sl_thread_detach_self();
    destroy(g);
}

sl_code sl_collective_due_add(struct sl_collective_groups *g, struct sl_due *due, struct sl_error *err) {
    if (!g->has_thread) {
        SL_TRY(sl_thread_start(&g->thread, "sluice-collect", 0, watch, g, err));
        g->has_thread = true;
    }
    due->next = g->dues;
    if (due->next) due->next->at = &due->next;
    due->at = &g->dues;
    g->dues = due;
    sl_condition_signal(&g->changed);
    return SL_OK;
}

bool sl_collective_due_remove(struct sl_due *due) {
    if (!due->at) return false;
    *due->at = due->next;
    if (due->next) due->next->at = due->at;
    due->at = NULL;
    return true;
}
