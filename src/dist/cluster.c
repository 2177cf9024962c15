/* Tasks of a cluster. */
#include "dist/cluster.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { TASKS_MAX = 1 << 16, NAME_ROOM = SL_DEVICE_WORD + 32 };

static sl_code copy_text(char **out, struct sl_str text, struct sl_error *err) {
    *out = sl_malloc(text.n + 1);
    if (!*out) return sl_fail_memory(err, text.n);
    if (text.n) memcpy(*out, text.p, text.n);
    (*out)[text.n] = '\0';
    return SL_OK;
}

static int find(const struct sl_cluster_table *c, struct sl_str device) {
    struct sl_device_name name;
    if (sl_device_parse(&name, device, NULL) != SL_OK) return -1;
    for (int t = 0; t < c->n; t++) { /* of a job without gaps the first task says where the others are */
        const int64_t at = t + (int64_t)name.task - c->tasks[t].parsed.task;
        if (at >= 0 && at < c->n && sl_device_is_same_task(&c->tasks[at].parsed, &name)) return (int)at;
    }
    return -1;
}

static sl_code add_task(struct sl_cluster_table *c, struct sl_str job, int number, struct sl_str address,
                        struct sl_error *err) {
    struct sl_cluster_task *t = &c->tasks[c->n];
    char name[NAME_ROOM];
    if (number < 0 || job.n >= SL_DEVICE_WORD)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the cluster has a task %d of job '%.*s'", number, SL_STR_ARG(job));
    (void)snprintf(name, sizeof name, "/job:%.*s/replica:0/task:%d", SL_STR_ARG(job), number);
    SL_TRY(sl_device_parse(&t->parsed, sl_str_of(name), err));
    if (find(c, sl_str_of(name)) >= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "the cluster has task %s twice", name);
    c->n++;
    SL_TRY(copy_text(&t->name, sl_str_of(name), err));
    return copy_text(&t->address, address, err);
}

static int by_number(const void *a, const void *b) {
    const struct sl_pb_entry_int32_string *x = *(const struct sl_pb_entry_int32_string *const *)a,
                                          *y = *(const struct sl_pb_entry_int32_string *const *)b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* By number, of those with one number the first. `sorted` has room for all. */
static sl_code add_job(struct sl_cluster_table *c, const struct sl_pb_JobDef *job,
                       const struct sl_pb_entry_int32_string **sorted, struct sl_error *err) {
    for (size_t i = 0; i < job->tasks.n; i++) sorted[i] = &job->tasks.items[i];
    if (job->tasks.n) qsort(sorted, job->tasks.n, sizeof *sorted, by_number);
    for (size_t i = 0; i < job->tasks.n; i++)
        if (!i || sorted[i]->key != sorted[i - 1]->key)
            SL_TRY(add_task(c, job->name, sorted[i]->key, sorted[i]->value, err));
    return SL_OK;
}

static sl_code add_tasks(struct sl_cluster_table *c, const struct sl_pb_ClusterDef *def, struct sl_error *err) {
    size_t n = 0;
    for (size_t j = 0; def && j < def->job.n; j++) n += def->job.items[j].tasks.n;
    if (n > TASKS_MAX) return sl_fail(err, SL_INVALID_ARGUMENT, "a cluster has %d tasks at most", TASKS_MAX);
    c->tasks = sl_calloc(n + 1, sizeof *c->tasks);
    const struct sl_pb_entry_int32_string **sorted = sl_calloc(n + 1, sizeof *sorted);
    sl_code code = c->tasks && sorted ? SL_OK : sl_fail_memory(err, n * sizeof *c->tasks);
    for (size_t j = 0; code == SL_OK && def && j < def->job.n; j++) code = add_job(c, &def->job.items[j], sorted, err);
    sl_free(sorted);
    return code;
}

static sl_code find_own(struct sl_cluster *c, struct sl_str job, int task, struct sl_error *err) {
    char name[NAME_ROOM];
    (void)snprintf(name, sizeof name, "/job:%.*s/replica:0/task:%d", SL_STR_ARG(job), task);
    c->own = sl_cluster_find(c, sl_str_of(name));
    if (c->own >= 0) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Task %d was not defined in job \"%.*s\"", task, SL_STR_ARG(job));
}

static void unref(struct sl_cluster_table *table) {
    if (!table || atomic_fetch_sub_explicit(&table->refs, 1, memory_order_acq_rel) != 1) return;
    for (int t = 0; t < table->n; t++) {
        sl_free(table->tasks[t].name);
        sl_free(table->tasks[t].address);
    }
    sl_free(table->tasks);
    sl_free(table);
}

/* Takes the reference to the table, also on failure. */
static sl_code new_of_table(struct sl_cluster **out, struct sl_net *net, struct sl_cluster_table *table,
                            struct sl_str job, int task, struct sl_error *err) {
    struct sl_cluster *c = sl_calloc(1, sizeof *c);
    if (!c) {
        unref(table);
        return sl_fail_memory(err, sizeof *c);
    }
    c->net = net;
    c->table = table;
    c->tasks = table->tasks;
    c->n = table->n;
    sl_mutex_init(&c->mutex);
    c->lanes = sl_calloc((size_t)c->n + 1, sizeof *c->lanes);
    sl_code code = c->lanes ? find_own(c, job, task, err) : sl_fail_memory(err, (size_t)c->n * sizeof *c->lanes);
    if (code == SL_OK) *out = c;
    else sl_cluster_free(c);
    return code;
}

sl_code sl_cluster_new(struct sl_cluster **out, struct sl_net *net, const struct sl_pb_ClusterDef *def,
                       struct sl_str job, int task, struct sl_error *err) {
    struct sl_cluster_table *table = sl_calloc(1, sizeof *table);
    if (!table) return sl_fail_memory(err, sizeof *table);
    atomic_init(&table->refs, 1);
    sl_code code = add_tasks(table, def, err);
    if (code == SL_OK) return new_of_table(out, net, table, job, task, err);
    unref(table);
    return code;
}

sl_code sl_cluster_new_like(struct sl_cluster **out, struct sl_net *net, const struct sl_cluster *like,
                            struct sl_str job, int task, struct sl_error *err) {
    atomic_fetch_add_explicit(&like->table->refs, 1, memory_order_relaxed);
    return new_of_table(out, net, like->table, job, task, err);
}

void sl_cluster_free(struct sl_cluster *c) {
    if (!c) return;
    for (int t = 0; c->lanes && t < c->n; t++)
        for (int lane = 0; lane < SL_CLUSTER_LANES; lane++) sl_rpc_channel_free(c->lanes[t].channels[lane]);
    sl_free(c->lanes);
    unref(c->table);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

int sl_cluster_find(const struct sl_cluster *c, struct sl_str device) { return find(c->table, device); }

/* With the lock. */
static sl_code dial(struct sl_rpc_channel **out, struct sl_cluster *c, int task, unsigned lane, struct sl_error *err) {
    struct sl_rpc_channel **channel = &c->lanes[task].channels[lane];
    sl_code code = SL_OK;
    if (!*channel) code = sl_net_dial_lane(channel, c->net, c->tasks[task].address, lane, c->tls, err);
    *out = *channel;
    return code;
}

sl_code sl_cluster_channel(struct sl_rpc_channel **out, struct sl_cluster *c, int task, struct sl_error *err) {
    sl_mutex_lock(&c->mutex);
    sl_code code = dial(out, c, task, 0, err);
    sl_mutex_unlock(&c->mutex);
    return code;
}

sl_code sl_cluster_value_channel(struct sl_rpc_channel **out, struct sl_cluster *c, int task, struct sl_error *err) {
    sl_mutex_lock(&c->mutex);
    sl_code code = dial(out, c, task, 1 + c->next_lane++ % (SL_CLUSTER_LANES - 1), err);
    sl_mutex_unlock(&c->mutex);
    return code;
}
