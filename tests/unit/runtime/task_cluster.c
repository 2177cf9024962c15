/* Workers, their threads, and what is carried between them. */
#include "unit/runtime/task_cluster.h"

#include "base/alloc.h"
#include "runtime/part_message.h"

/* A value on its way from one worker to another. */
struct carried {
    struct sl_waiter waiter;
    struct worker *to;
    char name[512];
};

/* As a connection would: whoever sends reads the elements, on the host. */
static void send_as_bytes(struct sl_value *value) {
    struct sl_value received;
    struct sl_error err = {0};
    if (value->kind != SL_VALUE_SCALAR && value->kind != SL_VALUE_TENSOR) return;
    struct sl_view from = sl_value_on_host(value);
    assert_ok(err, sl_value_new(&received, from.dtype, sl_view_shape(from), &err));
    assert_ok(err, sl_elements_copy(from.dtype, sl_value_view(&received).data, from.data, from.count, &err));
    sl_value_clear(value);
    *value = received;
}

static void arrive(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct carried *c = (struct carried *)waiter;
    if (code == SL_OK) send_as_bytes(&waiter->value);
    if (code == SL_OK) sl_step_rendezvous_put(c->to->step, sl_str_of(c->name), &waiter->value, NULL);
    else sl_step_rendezvous_abort(c->to->step, code, err->message);
    sl_free(c);
}

/* A node of worker `arg` waits for a value: the sender's task is in the key. */
static void ask_peer(void *arg, const struct sl_rendezvous_key *key) {
    struct worker *w = arg;
    struct sl_device_name sender;
    struct carried *c = sl_calloc(1, sizeof *c);
    sl_device_parse(&sender, key->pair->send_device, NULL);
    sl_rendezvous_key_print(c->name, sizeof c->name, key);
    c->waiter.done = arrive;
    c->to = w;
    sl_step_rendezvous_take(w->cluster->workers[sender.task].step, sl_str_of(c->name), &c->waiter);
}

static void *run_worker(void *arg) {
    struct worker *w = arg;
    struct cluster *all = w->cluster;
    w->code = sl_runtime_run_step(&w->env, w->program, NULL, all->rets, &w->err);
    if (w->code == SL_OK) return NULL;
    pthread_mutex_lock(&all->mutex);
    if (all->code == SL_OK) {
        all->code = w->code;
        all->err = w->err;
    }
    pthread_mutex_unlock(&all->mutex);
    for (int t = 0; t < TASKS; t++) sl_step_rendezvous_abort(all->workers[t].step, w->code, w->err.message);
    return NULL;
}

static void begin_worker(struct worker *w) {
    assert_ok(w->err, sl_runtime_begin_step(&w->env, w->runtime, NULL, 20000, &w->err));
    if (!w->program) return;
    const struct sl_rendezvous_opening opening = {w->program->n_pairs, w->program->remote_pairs, w->env.cancellation,
                                                  ask_peer, w};
    assert_ok(w->err, sl_step_rendezvous_open(&w->env.rendezvous, w->step, &opening, &w->err));
}

sl_code cluster_run(struct cluster *all) {
    all->code = SL_OK;
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        assert_ok(w->err, sl_rendezvous_table_new(&w->table, NULL, &w->err));
        assert_ok(w->err, sl_rendezvous_table_find(&w->step, w->table, 1, false, &w->err));
    }
    for (int t = 0; t < TASKS; t++) begin_worker(&all->workers[t]);
    for (int t = 0; t < TASKS; t++)
        if (all->workers[t].program) pthread_create(&all->workers[t].thread, NULL, run_worker, &all->workers[t]);
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        if (!w->program) continue;
        pthread_join(w->thread, NULL);
        sl_step_rendezvous_leave(w->step);
    }
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        sl_rendezvous_table_drop(w->table, 1);
        sl_step_rendezvous_unref(w->step);
        sl_rendezvous_table_free(w->table);
        sl_runtime_end_step(&w->env);
    }
    return all->code;
}

void cluster_init(struct cluster *all, struct graph_fixture *f, const struct sl_device_request *own,
                  const struct sl_device_request *seen, int n) {
    struct sl_device_set devices;
    memset(all, 0, sizeof *all);
    pthread_mutex_init(&all->mutex, NULL);
    devices_of_tasks(&devices, f, TASKS, seen, n);
    all->master = runtime_on(f, &devices);
    for (int t = 0; t < TASKS; t++) {
        struct sl_device_set set;
        struct sl_str task = sl_str_of(sl_arena_format(&f->arena, "/job:worker/replica:0/task:%d", t));
        assert_ok(f->err, sl_device_set_open(&set, task, own, n, (uint64_t)(5 + t), &f->err));
        all->workers[t] = (struct worker){.cluster = all, .runtime = runtime_on(f, &set)};
    }
}

void cluster_drop_programs(struct cluster *all) {
    for (int t = 0; t < TASKS; t++) {
        sl_program_free(all->workers[t].program);
        all->workers[t].program = NULL;
    }
}

void cluster_clear(struct cluster *all) {
    cluster_drop_programs(all);
    for (int t = 0; t < TASKS; t++) sl_runtime_free(all->workers[t].runtime);
    sl_runtime_free(all->master);
    pthread_mutex_destroy(&all->mutex);
}

int cluster_compile(struct cluster *all, struct graph_fixture *f, const struct sl_port *fetches, int n,
                    size_t n_nodes) {
    const struct sl_prune_request request = {.fetches = fetches, .n_fetches = n, .n_nodes = n_nodes};
    struct sl_front front;
    assert_ok(f->err, sl_pipeline_front(&front, all->master, &request, false, &f->err));
    int n_parts = front.n_parts;
    for (int i = 0; i < n_parts; i++) {
        struct worker *w = &all->workers[all->master->devices.items[front.parts[i].device].parsed.task];
        struct sl_part part;
        struct sl_pb_GraphDef *def;
        assert_ok(f->err, sl_part_export(&def, &front.parts[i], all->master, &f->arena, &f->err));
        assert_ok(f->err, sl_part_import(&part, w->runtime, def, &f->err));
        w->program = back_of(f, w->runtime, &part);
        sl_part_clear(&part);
    }
    sl_front_clear(&front);
    return n_parts;
}

int cluster_compile_fetch(struct cluster *all, struct graph_fixture *f, const char *graph, const char *fetch) {
    import_client(f, graph);
    struct sl_port port = port_of(f, fetch, 0);
    return cluster_compile(all, f, &port, 1, f->graph->nodes.n);
}
