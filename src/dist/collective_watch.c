/* Tasks whose members a run waits for: nobody calls them meanwhile, so the leader watches them. Looks at what is waited for
 * begin when a run waits, come four times a second, and end when none does: a run that is quick costs nothing. */
#include "base/alloc.h"
#include "dist/collective_leader_state.h"

static const int64_t LOOK_NS = 250000000;

static bool is_of_task(const char *device, const char *task) {
    size_t n = strlen(task);
    return strncmp(device, task, n) == 0 && device[n] == '/';
}

/* Whether a run waits for the task, or has its members. */
static bool needs_task(const struct leader_instance *i, const void *task) {
    const struct leader_group *group = sl_leader_find_group(i->base.leader, i->group);
    for (size_t m = 0; m < i->base.n; m++)
        if (is_of_task(i->base.members[m].device, task)) return true;
    for (size_t m = 0; group && group->base.is_full && m < group->base.n; m++)
        if (is_of_task(group->base.members[m].device, task)) return true;
    return false;
}

static void tell_gone(void *arg) {
    struct leader_watcher *w = arg;
    struct sl_collective_leader *leader = w->leader;
    sl_leader_fail_runs(leader, needs_task, leader->worker->options.cluster->tasks[w->watcher.task].name, &w->why);
    sl_mutex_lock(&leader->mutex);
    w->is_told = false;
    sl_mutex_unlock(&leader->mutex);
    sl_leader_spawned_end(leader);
}

/* With the lock of who watches. */
static void member_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct leader_watcher *w = (struct leader_watcher *)watcher;
    struct sl_collective_leader *leader = w->leader;
    sl_mutex_lock(&leader->mutex);
    bool is_first = !w->is_told;
    if (is_first) {
        sl_fail(&w->why, code, "Collective ops is aborted by: %s", text);
        w->is_told = true;
        leader->n_spawned++;
    }
    sl_mutex_unlock(&leader->mutex);
    if (is_first) sl_worker_spawn(leader->worker, tell_gone, w);
}

/* With the mutex held: the tasks of members that a run waits for. */
static void need_members(struct sl_collective_leader *leader, const struct leader_instance *i) {
    const struct leader_group *group = sl_leader_find_group(leader, i->group);
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    for (size_t m = 0; group && group->base.is_full && m < group->base.n; m++) {
        const struct leader_member *member = &group->base.members[m];
        if (sl_leader_has_come(&i->base, member->device)) continue;
        int task = sl_cluster_find(cluster, sl_str_of(member->device));
        if (task < 0 || task == cluster->own) continue;
        leader->watchers[task].is_needed = true;
        leader->watchers[task].incarnation = group->is_foreign ? 0 : member->incarnation; /* of one of its devices */
    }
}

static void find_needed(struct sl_collective_leader *leader) {
    sl_mutex_lock(&leader->mutex);
    for (int t = 0; t < leader->worker->options.cluster->n; t++) leader->watchers[t].is_needed = false;
    for (struct leader_instance *i = leader->instances; i; i = i->next)
        if (i->base.waiting) need_members(leader, i);
    sl_mutex_unlock(&leader->mutex);
}

static bool make_watchers(struct sl_collective_leader *leader) {
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    if (leader->watchers) return true;
    leader->watchers = sl_calloc((size_t)cluster->n, sizeof *leader->watchers);
    for (int t = 0; leader->watchers && t < cluster->n; t++) {
        leader->watchers[t].leader = leader;
        leader->watchers[t].watcher.task = t;
        leader->watchers[t].watcher.gone = member_gone;
    }
    return leader->watchers != NULL;
}

/* Who has been watched and heard of it is not watched any more, so each is entered anew. */
static bool watch_members(struct sl_collective_leader *leader) {
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    sl_mutex_lock(&leader->watching);
    bool watches = make_watchers(leader);
    if (watches) find_needed(leader);
    for (int t = 0; leader->watchers && t < cluster->n; t++) {
        struct leader_watcher *w = &leader->watchers[t];
        sl_task_watch_leave(cluster->watch, &w->watcher);
        w->watcher.incarnation = w->incarnation;
        if (w->is_needed) sl_task_watch_enter(cluster->watch, &w->watcher);
    }
    sl_mutex_unlock(&leader->watching);
    return watches;
}

static void look_at_members(void *arg) {
    struct sl_collective_leader *leader = arg;
    bool waits = false, watches = watch_members(leader);
    sl_mutex_lock(&leader->mutex);
    for (struct leader_instance *i = leader->instances; i && watches; i = i->next) waits = waits || i->base.waiting;
    leader->looks = waits;
    if (waits) sl_net_set_timer(leader->net, &leader->look, sl_net_now(leader->net) + LOOK_NS);
    sl_mutex_unlock(&leader->mutex);
    sl_leader_spawned_end(leader);
}

void sl_leader_look_is_due(struct sl_net_timer *timer) {
    struct sl_collective_leader *leader = timer->arg;
    sl_mutex_lock(&leader->mutex);
    leader->n_spawned++;
    sl_mutex_unlock(&leader->mutex);
    sl_worker_spawn(leader->worker, look_at_members, leader);
}

/* With the mutex held: a run waits. */
void sl_leader_look_soon(struct sl_collective_leader *leader) {
    if (leader->looks || !leader->worker->options.cluster->watch) return;
    leader->looks = true;
    sl_net_set_timer(leader->net, &leader->look, sl_net_now(leader->net) + LOOK_NS);
}

void sl_leader_unwatch(struct sl_collective_leader *leader) {
    const struct sl_cluster *cluster = leader->worker->options.cluster;
    sl_mutex_lock(&leader->watching);
    for (int t = 0; leader->watchers && t < cluster->n; t++)
        sl_task_watch_leave(cluster->watch, &leader->watchers[t].watcher);
    sl_mutex_unlock(&leader->watching);
}
