/* Plans of functions over tasks, and their calls. */
#include "dist/spread_function.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/task_calls.h"
#include "dist/tensor_wire.h"
#include "dist/worker_state.h"
#include "os/clock.h"
#include "runtime/pipeline.h"
#include "runtime/runtime_config.h"

/* ---- all tasks */

/* A device as its task has told of it. */
static void add_device(struct sl_device_set *set, const struct sl_device_set *own,
                       const struct sl_pb_DeviceAttributes *told) {
    struct sl_device_name name;
    if (sl_device_parse(&name, told->name, NULL) != SL_OK || name.id < 0 || !name.job[0]) return;
    if (sl_device_find(set, told->name) >= 0) return;
    for (int d = 0; d < own->n; d++) {
        if (strcmp(own->items[d].parsed.type, name.type) != 0) continue;
        struct sl_device *device = &set->items[set->n++];
        *device = own->items[d];
        device->parsed = name;
        device->incarnation = told->incarnation;
        device->memory_bytes = told->memory_limit;
        sl_device_print(device->name, &device->parsed);
        return;
    }
}

/* The own devices first. */
static sl_code make_front(struct sl_spread *s, struct sl_served_context *c,
                          const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err) {
    const struct sl_device_set *own = &c->eager->runtime->devices;
    struct sl_device_set set = {.is_host_alone = true, .is_borrowed = true};
    struct sl_runtime_options options;
    sl_runtime_read_options(&options, NULL);
    options.trace = NULL;
    s->devices = sl_calloc((size_t)own->n + devices->n, sizeof *s->devices);
    if (!s->devices) return sl_fail_memory(err, ((size_t)own->n + devices->n) * sizeof *s->devices);
    set.items = s->devices;
    for (int d = 0; d < own->n; d++) set.items[set.n++] = own->items[d];
    for (size_t d = 0; d < devices->n; d++) add_device(&set, own, &devices->items[d]);
    for (int d = 0; d < set.n; d++) set.is_host_alone = set.is_host_alone && sl_device_is_host(&set.items[d]);
    return sl_runtime_new(&s->front, c->worker->options.registries, &set, &options, err);
}

sl_code sl_spread_new(struct sl_spread **out, struct sl_served_context *c,
                      const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err) {
    struct sl_spread *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    atomic_init(&s->references, 1);
    sl_mutex_init(&s->making);
    sl_mutex_init(&s->mutex);
    sl_code code = make_front(s, c, devices, err);
    if (code == SL_OK) *out = s;
    else sl_spread_unref(s);
    return code;
}

/* ---- plans */

struct part {
    int task;
    const char *device; /* of the spread */
    char *name;         /* of the component */
    int *args, *rets;   /* which of the function's */
    size_t n_args, n_rets;
};

struct sl_spread_plan {
    atomic_uint references;
    char *key;
    size_t n_key, n_name; /* the key begins with the function's name */
    struct part *parts;
    size_t n_parts;
    const char **ret_devices; /* of the spread */
    int n_rets;
};

static void plan_unref(struct sl_spread_plan *p) {
    if (!p || atomic_fetch_sub(&p->references, 1) != 1) return;
    for (size_t i = 0; i < p->n_parts; i++) {
        sl_free(p->parts[i].name);
        sl_free(p->parts[i].args);
        sl_free(p->parts[i].rets);
    }
    sl_free(p->parts);
    sl_free(p->ret_devices);
    sl_free(p->key);
    sl_free(p);
}

void sl_spread_unref(struct sl_spread *s) {
    if (!s || atomic_fetch_sub(&s->references, 1) != 1) return;
    for (struct sl_str_map_entry *e = sl_str_map_first(&s->plans); e; e = sl_str_map_next(&s->plans, e))
        plan_unref(e->value);
    sl_str_map_free(&s->plans);
    sl_runtime_free(s->front);
    sl_free(s->devices);
    sl_mutex_clear(&s->mutex);
    sl_mutex_clear(&s->making);
    sl_free(s);
}

static bool is_of(const struct sl_spread_plan *p, struct sl_str function) {
    return sl_str_eq((struct sl_str){p->key, p->n_name}, function);
}

static struct sl_spread_plan *take_of(struct sl_spread *s, struct sl_str function) {
    struct sl_spread_plan *found = NULL;
    sl_mutex_lock(&s->mutex);
    for (struct sl_str_map_entry *e = sl_str_map_first(&s->plans); e && !found; e = sl_str_map_next(&s->plans, e))
        if (is_of(e->value, function)) found = e->value;
    if (found) sl_str_map_remove(&s->plans, (struct sl_str){found->key, found->n_key});
    sl_mutex_unlock(&s->mutex);
    return found;
}

void sl_spread_forget(struct sl_spread *s, struct sl_str function) {
    for (struct sl_spread_plan *p; s && (p = take_of(s, function));) plan_unref(p);
    if (!s) return;
    sl_mutex_lock(&s->making);
    sl_runtime_remove_function(s->front, function);
    sl_mutex_unlock(&s->making);
}

/* Name, device, and where each argument is. */
static char *make_key(size_t *n, const struct sl_spread_request *request) {
    size_t size = request->name.n + request->device.n + 2;
    for (size_t i = 0; i < request->n_args; i++) size += request->args[i].device.n + 1;
    char *key = sl_malloc(size), *at = key;
    if (!key) return NULL;
    at += sprintf(at, "%.*s|%.*s", SL_STR_ARG(request->name), SL_STR_ARG(request->device));
    for (size_t i = 0; i < request->n_args; i++) {
        *at++ = '|';
        if (request->args[i].device.n) memcpy(at, request->args[i].device.p, request->args[i].device.n);
        at += request->args[i].device.n;
    }
    *n = (size_t)(at - key);
    return key;
}

static struct sl_spread_plan *look_up(struct sl_spread *s, struct sl_str key) {
    sl_mutex_lock(&s->mutex);
    struct sl_spread_plan *p = sl_str_map_get(&s->plans, key);
    if (p) atomic_fetch_add(&p->references, 1);
    sl_mutex_unlock(&s->mutex);
    return p;
}

/* ---- making a plan */

/* The call's ConfigProto: what counts of it is soft placement. */
static bool is_soft(const struct sl_pb_map_string_AttrValue *attrs) {
    const struct sl_pb_AttrValue *v = attrs ? sl_pb_find_string_AttrValue(attrs, SL_STR("config_proto")) : NULL;
    struct sl_pb_ConfigProto config;
    struct sl_arena arena;
    bool soft = false;
    if (!v || v->which != SL_PB_AttrValue_s) return false;
    sl_arena_init(&arena);
    if (sl_pb_decode(&config, SL_PB_TYPE_OF(ConfigProto), v->s, &arena, NULL) == SL_OK)
        soft = config.allow_soft_placement;
    sl_arena_clear(&arena);
    return soft;
}

static const char *name_of(const struct sl_spread *s, struct sl_str device) {
    const int d = device.n ? sl_device_find(&s->front->devices, device) : 0;
    return d < 0 ? NULL : s->front->devices.items[d].name;
}

static sl_code place_args(struct sl_body *body, const struct sl_spread *s, const struct sl_spread_request *request,
                          struct sl_error *err) {
    if (request->n_args != (size_t)body->n_args)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s takes %d arguments, and got %zu", SL_STR_ARG(request->name),
                       body->n_args, request->n_args);
    for (int i = 0; i < body->n_args; i++) {
        const char *device = name_of(s, request->args[i].device);
        if (!device)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "argument %d of %.*s is on %.*s, which is no device of the cluster", i,
                           SL_STR_ARG(request->name), SL_STR_ARG(request->args[i].device));
        body->args[i]->device = sl_str_of(device);
    }
    return SL_OK;
}

static sl_code cut(struct sl_front *out, struct sl_spread *s, struct sl_served_context *c,
                   const struct sl_spread_request *request, struct sl_error *err) {
    struct sl_library_seen seen = {0, 0};
    struct sl_runtime *r = c->eager->runtime;
    const struct sl_function_place where = {.device = request->device.n
                                                          ? sl_device_find(&s->front->devices, request->device)
                                                          : 0,
                                            .is_soft = is_soft(request->attrs)};
    struct sl_body body = {.graph = NULL};
    if (where.device < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s unknown device.", SL_STR_ARG(request->device));
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_runtime_add_functions(&seen, s->front, r->library, err);
    sl_mutex_unlock(&r->library_mutex);
    SL_TRY(code);
    struct sl_function_def *f = sl_eager_find_function(c->eager, request->name);
    if (!f) return sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(request->name));
    code = sl_function_instantiate(&body, f, NULL, s->front->library, err);
    if (code == SL_OK) code = place_args(&body, s, request, err);
    if (code == SL_OK) code = sl_pipeline_spread(out, s->front, &body, &where, err);
    sl_graph_free(body.graph);
    sl_function_unref(f);
    return code;
}

/* Arguments and results of a part, by position. */
struct part_ends {
    struct sl_node **body, **controls;
    struct sl_port *args, *rets; /* nodes of arguments; what the results are */
    size_t n_body, n_controls;
};

static sl_code find_ends(struct part_ends *ends, struct part *out, const struct sl_part *part, struct sl_arena *arena,
                         struct sl_error *err) {
    const size_t n = part->graph->nodes.n;
    *ends = (struct part_ends){.body = SL_ARENA_ARRAY(arena, struct sl_node *, n + 1),
                               .controls = SL_ARENA_ARRAY(arena, struct sl_node *, (size_t)part->n_targets + 1),
                               .args = SL_ARENA_ARRAY(arena, struct sl_port, n + 1),
                               .rets = SL_ARENA_ARRAY(arena, struct sl_port, n + 1)};
    out->args = sl_calloc(n + 1, sizeof *out->args);
    out->rets = sl_calloc(n + 1, sizeof *out->rets);
    if (!ends->body || !ends->controls || !ends->args || !ends->rets || !out->args || !out->rets)
        return sl_fail_memory(err, n * sizeof *ends->body);
    SL_GRAPH_EACH(node, part->graph) {
        int32_t index;
        if (!sl_node_is_arg_or_ret(node)) {
            ends->body[ends->n_body++] = node;
            continue;
        }
        SL_TRY(sl_attr_int32(&index, &node->attrs, "index", err));
        if (node->n_outputs) {
            ends->args[out->n_args] = (struct sl_port){node, 0};
            out->args[out->n_args++] = index;
        } else {
            ends->rets[out->n_rets] = node->inputs[0];
            out->rets[out->n_rets++] = index;
        }
    }
    for (int t = 0; t < part->n_targets; t++)
        if (part->targets[t] && !part->targets[t]->is_removed && !sl_node_is_arg_or_ret(part->targets[t]))
            ends->controls[ends->n_controls++] = part->targets[t];
    return SL_OK;
}

static sl_code write_component(struct sl_function_def **out, struct part *part, const struct sl_part *from,
                               struct sl_arena *arena, struct sl_error *err) {
    struct part_ends ends;
    SL_TRY(find_ends(&ends, part, from, arena, err));
    const struct sl_to_function spec = {.name = sl_str_of(part->name),
                                        .body = ends.body,
                                        .n_body = (int)ends.n_body,
                                        .inputs = ends.args,
                                        .n_inputs = (int)part->n_args,
                                        .outputs = ends.rets,
                                        .n_outputs = (int)part->n_rets,
                                        .control_outputs = ends.controls,
                                        .n_control_outputs = (int)ends.n_controls};
    return sl_graph_to_function(out, from->graph, &spec, err);
}

static sl_code write_registration(struct sl_rpc_message *m, struct sl_served_context *c, struct sl_function_def *f,
                                  struct sl_error *err) {
    struct sl_pb_FunctionDefLibrary library = {.unknown = NULL};
    struct sl_pb_eager_RegisterFunctionOp op = {.function_def = (struct sl_pb_FunctionDef *)f->def,
                                                .is_component_function = true,
                                                .library = &library};
    struct sl_pb_eager_QueueItem item = {.which = SL_PB_eager_QueueItem_register_function, .register_function = &op};
    const struct sl_pb_eager_EnqueueRequest request = {.context_id = c->id, .queue = {&item, 1}};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(eager_EnqueueRequest), &request, err);
}

/* Names of components are no one else's in the cluster. */
static sl_code name_part(struct part *part, struct sl_served_context *c, struct sl_str function, size_t number,
                         struct sl_error *err) {
    enum { ROOM = 64 };
    part->name = sl_malloc(function.n + ROOM);
    if (!part->name) return sl_fail_memory(err, function.n + ROOM);
    (void)snprintf(part->name, function.n + ROOM, "%.*s_partitioned_%" PRIu64 "_%zu", SL_STR_ARG(function),
                   sl_id_source_next(&c->worker->ids), number);
    return SL_OK;
}

static sl_code add_part(struct sl_spread_plan *plan, struct sl_task_calls *calls, struct sl_spread *s,
                        struct sl_served_context *c, const struct sl_part *from, struct sl_arena *arena,
                        struct sl_error *err) {
    struct part *part = &plan->parts[plan->n_parts++];
    struct sl_function_def *f;
    part->device = s->front->devices.items[from->device].name;
    part->task = sl_cluster_find(calls->cluster, sl_str_of(part->device));
    if (part->task < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%s is of no task of the cluster", part->device);
    SL_TRY(name_part(part, c, (struct sl_str){plan->key, plan->n_name}, plan->n_parts, err));
    SL_TRY(write_component(&f, part, from, arena, err));
    sl_code code;
    if (part->task == calls->cluster->own) {
        code = sl_served_add_component(c, f->def, err);
    } else {
        struct sl_rpc_message m = {.n = 0};
        code = write_registration(&m, c, f, err);
        if (code == SL_OK) sl_task_calls_add(calls, part->task, "/tensorflow.eager.EagerService/Enqueue", &m, 0, false);
        else sl_rpc_message_clear(&m);
    }
    sl_function_unref(f);
    return code;
}

/* Where each result is. */
static sl_code find_rets(struct sl_spread_plan *plan, const struct sl_spread *s, const struct sl_front *front,
                         struct sl_error *err) {
    for (size_t p = 0; p < plan->n_parts; p++) plan->n_rets += (int)plan->parts[p].n_rets;
    plan->ret_devices = sl_calloc((size_t)plan->n_rets + 1, sizeof *plan->ret_devices);
    if (!plan->ret_devices) return sl_fail_memory(err, (size_t)plan->n_rets * sizeof *plan->ret_devices);
    for (size_t p = 0; p < plan->n_parts; p++) {
        SL_GRAPH_EACH(node, front->parts[p].graph) {
            int32_t index;
            if (!sl_node_is_arg_or_ret(node) || node->n_outputs) continue;
            SL_TRY(sl_attr_int32(&index, &node->attrs, "index", err));
            if (index < 0 || index >= plan->n_rets)
                return sl_fail(err, SL_INTERNAL, "%s has no result %d", plan->key, (int)index);
            plan->ret_devices[index] = name_of(s, node->assigned);
        }
    }
    return SL_OK;
}

/* ---- calls to several tasks that a thread waits for */

struct joined {
    struct sl_task_calls calls;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition changed;
    int left;        /* the calls, and the own part */
    bool has_failed; /* one of them */
    bool is_derived; /* as far as is known, by another one's error */
    sl_code code;
    struct sl_error err;
};

static void note(struct joined *j, sl_code code, const char *text, bool is_end) {
    sl_mutex_lock(&j->mutex);
    if (code != SL_OK) {
        const bool is_derived = strstr(text, "[_Derived_]") || code == SL_CANCELLED;
        if (!j->has_failed || (j->is_derived && !is_derived)) {
            j->code = code;
            sl_fail(&j->err, code, "%s", text);
            j->is_derived = is_derived;
        }
        j->has_failed = true;
    }
    if (is_end) j->left--;
    sl_condition_broadcast(&j->changed);
    sl_mutex_unlock(&j->mutex);
}

static void one_done(struct sl_task_calls *calls, struct sl_task_call *call) {
    if (call->code != SL_OK) note(calls->arg, call->code, call->text ? call->text : "", false);
}

static void all_done(struct sl_task_calls *calls) { note(calls->arg, SL_OK, "", true); }

static sl_code joined_init(struct joined *j, struct sl_cluster *cluster, size_t room, struct sl_error *err) {
    *j = (struct joined){.left = 0};
    sl_mutex_init(&j->mutex);
    sl_condition_init(&j->changed);
    sl_code code = sl_task_calls_init(&j->calls, cluster, (int)room, err);
    j->calls.one_done = one_done;
    j->calls.done = all_done;
    j->calls.arg = j;
    return code;
}

static void joined_clear(struct joined *j) {
    sl_task_calls_clear(&j->calls);
    sl_condition_clear(&j->changed);
    sl_mutex_clear(&j->mutex);
}

static sl_code joined_status(const struct joined *j, struct sl_error *err) {
    if (!j->has_failed) return SL_OK;
    if (err) *err = j->err;
    return j->code;
}

/* What is cancelled when one has failed. */
static void end_others(struct joined *j, struct sl_component_call *own) {
    sl_task_calls_cancel(&j->calls);
    if (own) sl_component_call_cancel(own, "[_Derived_]another part of the function has failed");
}

/* An error that follows from another one's gives that a moment to come first. */
static void join(struct joined *j, struct sl_component_call *own) {
    enum { MOMENT_NS = 200000000 };
    int64_t give_up = 0;
    bool has_cancelled = false;
    sl_mutex_lock(&j->mutex);
    while (j->left) {
        if (!j->has_failed || has_cancelled) {
            sl_condition_wait(&j->changed, &j->mutex);
            continue;
        }
        if (j->is_derived && !give_up) give_up = sl_clock_ns() + MOMENT_NS;
        if (j->is_derived && sl_condition_wait_until(&j->changed, &j->mutex, give_up) && sl_clock_ns() < give_up)
            continue;
        has_cancelled = true;
        sl_mutex_unlock(&j->mutex);
        end_others(j, own);
        sl_mutex_lock(&j->mutex);
    }
    sl_mutex_unlock(&j->mutex);
}

static void start_calls(struct joined *j) {
    sl_mutex_lock(&j->mutex);
    j->left++;
    sl_mutex_unlock(&j->mutex);
    sl_task_calls_start(&j->calls);
}

/* ---- */

static sl_code fill_plan(struct sl_spread_plan *plan, struct sl_spread *s, struct sl_served_context *c,
                         struct sl_cluster *cluster, const struct sl_spread_request *request, struct sl_error *err) {
    struct sl_front front;
    struct sl_arena arena;
    struct joined j;
    SL_TRY(cut(&front, s, c, request, err));
    sl_arena_init(&arena);
    plan->parts = sl_calloc((size_t)front.n_parts + 1, sizeof *plan->parts);
    sl_code code = joined_init(&j, cluster, (size_t)front.n_parts, err);
    if (code == SL_OK && !plan->parts) code = sl_fail_memory(err, (size_t)front.n_parts * sizeof *plan->parts);
    for (int i = 0; i < front.n_parts && code == SL_OK; i++)
        code = add_part(plan, &j.calls, s, c, &front.parts[i], &arena, err);
    if (code == SL_OK) code = find_rets(plan, s, &front, err);
    if (code == SL_OK) {
        start_calls(&j);
        join(&j, NULL);
        code = joined_status(&j, err);
    }
    joined_clear(&j);
    sl_arena_clear(&arena);
    sl_front_clear(&front);
    return code;
}

/* A new reference. */
static sl_code make_plan(struct sl_spread_plan **out, struct sl_spread *s, struct sl_served_context *c,
                         struct sl_cluster *cluster, const struct sl_spread_request *request, struct sl_str key,
                         struct sl_error *err) {
    struct sl_spread_plan *plan = sl_calloc(1, sizeof *plan);
    if (!plan) return sl_fail_memory(err, sizeof *plan);
    atomic_init(&plan->references, 1);
    plan->key = sl_malloc(key.n + 1);
    plan->n_key = key.n;
    plan->n_name = request->name.n;
    sl_code code = plan->key ? SL_OK : sl_fail_memory(err, key.n);
    if (code == SL_OK) {
        memcpy(plan->key, key.p, key.n);
        plan->key[key.n] = 0;
        code = fill_plan(plan, s, c, cluster, request, err);
    }
    if (code == SL_OK) {
        sl_mutex_lock(&s->mutex);
        if (sl_str_map_put(&s->plans, (struct sl_str){plan->key, plan->n_key}, plan)) code = sl_fail_memory(err, key.n);
        else atomic_fetch_add(&plan->references, 1);
        sl_mutex_unlock(&s->mutex);
    }
    if (code == SL_OK) *out = plan;
    else plan_unref(plan);
    return code;
}

static sl_code find_plan(struct sl_spread_plan **out, struct sl_spread *s, struct sl_served_context *c,
                         struct sl_cluster *cluster, const struct sl_spread_request *request, struct sl_error *err) {
    struct sl_str key;
    key.p = make_key(&key.n, request);
    if (!key.p) return sl_fail_memory(err, request->name.n);
    sl_code code = SL_OK;
    if (!(*out = look_up(s, key))) {
        sl_mutex_lock(&s->making);
        if (!(*out = look_up(s, key))) code = make_plan(out, s, c, cluster, request, key, err);
        sl_mutex_unlock(&s->making);
    }
    sl_free((void *)key.p);
    return code;
}

/* ---- whether a function needs all this */

struct search {
    const struct sl_served_context *c;
    const struct sl_device *own;
    SL_VEC(const struct sl_function_def *) met;
};

static bool is_elsewhere(const struct search *s, struct sl_str device) {
    struct sl_device_name asked;
    const struct sl_device_name *own = &s->own->parsed;
    if (!device.n || sl_device_parse(&asked, device, NULL) != SL_OK) return false;
    return (asked.job[0] && strcmp(asked.job, own->job) != 0) || (asked.task >= 0 && asked.task != own->task) ||
           (asked.replica >= 0 && asked.replica != own->replica);
}

static void meet(struct search *s, struct sl_str name) {
    const struct sl_function_def *f = sl_graph_function(s->c->eager->runtime->library, name);
    for (size_t i = 0; f && i < s->met.n; i++)
        if (s->met.items[i] == f) f = NULL;
    if (f && sl_vec_push(&s->met, f)) return; /* the compiler will say what it does not find */
}

static void meet_attrs(struct search *s, const struct sl_pb_NodeDef *node) {
    meet(s, node->op);
    for (size_t a = 0; a < node->attr.n; a++) {
        const struct sl_pb_AttrValue *v = &node->attr.items[a].value;
        if (v->which == SL_PB_AttrValue_func) meet(s, v->func->name);
        for (size_t i = 0; v->which == SL_PB_AttrValue_list && i < v->list->func.n; i++)
            meet(s, v->list->func.items[i].name);
    }
}

static bool asks_elsewhere(struct search *s, const struct sl_function_def *f) {
    for (size_t i = 0; i < f->def->node_def.n; i++) {
        if (is_elsewhere(s, f->def->node_def.items[i].device)) return true;
        meet_attrs(s, &f->def->node_def.items[i]);
    }
    return false;
}

bool sl_spread_is_needed(struct sl_spread *spread, struct sl_served_context *c, struct sl_str name,
                         const struct sl_spread_arg *args, size_t n_args) {
    struct sl_runtime *r = c->eager->runtime;
    struct search s = {.c = c, .own = &r->devices.items[0]};
    bool needed = false;
    if (!spread) return false;
    for (size_t i = 0; i < n_args; i++)
        if (!args[i].here) return true;
    sl_mutex_lock(&r->library_mutex);
    meet(&s, name);
    for (size_t i = 0; i < s.met.n && !needed; i++) needed = asks_elsewhere(&s, s.met.items[i]);
    sl_mutex_unlock(&r->library_mutex);
    sl_vec_free(&s.met);
    return needed;
}

/* ---- calls */

struct spread_call {
    struct joined joined;
    struct sl_component_call own;
    bool has_own;
    const struct part **by_call; /* the part of each call to a task */
};

static void own_done(struct sl_component_call *component, sl_code code, const struct sl_error *err) {
    note(component->arg, code, code == SL_OK ? "" : err->message, true);
}

static sl_code write_call(struct sl_rpc_message *m, struct sl_served_context *c, const struct part *part,
                          const struct sl_spread_request *request, uint64_t step_id, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_pb_eager_RemoteTensorHandle *handles =
        SL_ARENA_ARRAY(arena, struct sl_pb_eager_RemoteTensorHandle, part->n_args + 1);
    struct sl_pb_eager_Operation_Input *inputs =
        SL_ARENA_ARRAY(arena, struct sl_pb_eager_Operation_Input, part->n_args + 1);
    int32_t *numbers = SL_ARENA_ARRAY(arena, int32_t, part->n_rets + 1);
    if (!handles || !inputs || !numbers) return sl_fail_memory(err, part->n_args * sizeof *handles);
    for (size_t i = 0; i < part->n_args; i++) {
        const struct sl_spread_arg *arg = &request->args[part->args[i]];
        handles[i] = (struct sl_pb_eager_RemoteTensorHandle){.op_id = arg->op,
                                                             .output_num = arg->output,
                                                             .device = arg->device,
                                                             .op_device = arg->device,
                                                             .dtype = arg->dtype};
        inputs[i] = (struct sl_pb_eager_Operation_Input){.which = SL_PB_eager_Operation_Input_remote_handle,
                                                         .remote_handle = &handles[i]};
    }
    for (size_t i = 0; i < part->n_rets; i++) numbers[i] = part->rets[i];
    struct sl_pb_eager_Operation op = {.id = request->op_id,
                                       .name = sl_str_of(part->name),
                                       .op_inputs = {inputs, part->n_args},
                                       .device = sl_str_of(part->device),
                                       .is_component_function = true,
                                       .func_step_id = (int64_t)step_id,
                                       .is_function = true};
    const struct sl_pb_eager_RunComponentFunctionRequest message = {.context_id = c->id,
                                                                    .operation = &op,
                                                                    .output_num = {numbers, part->n_rets}};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(eager_RunComponentFunctionRequest), &message, err);
}

static sl_code prepare_own(struct spread_call *call, struct sl_served_context *c, const struct part *part,
                           const struct sl_spread_request *request, uint64_t step_id, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_eager_handle **args = SL_ARENA_ARRAY(arena, struct sl_eager_handle *, part->n_args + 1);
    if (!args) return sl_fail_memory(err, part->n_args * sizeof *args);
    for (size_t i = 0; i < part->n_args; i++) args[i] = request->args[part->args[i]].here;
    const struct sl_component_request own = {sl_str_of(part->name), sl_str_of(part->device), step_id, args,
                                             part->n_args};
    call->has_own = true;
    call->own.done = own_done;
    call->own.arg = &call->joined;
    return sl_component_call_init(&call->own, c, &own, err);
}

static sl_code prepare(struct spread_call *call, struct sl_served_context *c, const struct sl_spread_plan *plan,
                       const struct sl_spread_request *request, uint64_t step_id, struct sl_arena *arena,
                       struct sl_error *err) {
    call->by_call = SL_ARENA_ARRAY(arena, const struct part *, plan->n_parts + 1);
    if (!call->by_call) return sl_fail_memory(err, plan->n_parts * sizeof *call->by_call);
    for (size_t p = 0; p < plan->n_parts; p++) {
        const struct part *part = &plan->parts[p];
        struct sl_rpc_message m = {.n = 0};
        if (part->task == call->joined.calls.cluster->own) {
            SL_TRY(prepare_own(call, c, part, request, step_id, arena, err));
            continue;
        }
        sl_code code = write_call(&m, c, part, request, step_id, arena, err);
        if (code != SL_OK) {
            sl_rpc_message_clear(&m);
            return code;
        }
        call->by_call[call->joined.calls.n] = part;
        sl_task_calls_add(&call->joined.calls, part->task, "/tensorflow.eager.EagerService/RunComponentFunction", &m, 0,
                          false);
    }
    return SL_OK;
}

/* ---- results */

void sl_spread_ret_clear(struct sl_spread_ret *ret) {
    sl_eager_handle_unref(ret->here);
    sl_free((void *)ret->shape.p);
    *ret = (struct sl_spread_ret){.here = NULL};
}

static sl_code read_shapes(struct sl_spread_ret *rets, const struct sl_task_call *call, const struct part *part,
                           struct sl_error *err) {
    for (size_t i = 0; i < part->n_rets; i++) {
        struct sl_str shape, *out = &rets[part->rets[i]].shape;
        if (!sl_pb_field_bytes(&shape, SL_PB_TYPE_OF(eager_RunComponentFunctionResponse), call->body->bytes, 1, i))
            return sl_fail(err, SL_INTERNAL, "%s has not told the shape of result %d", part->device, part->rets[i]);
        char *bytes = sl_malloc(shape.n + 1);
        if (!bytes) return sl_fail_memory(err, shape.n);
        if (shape.n) memcpy(bytes, shape.p, shape.n);
        *out = (struct sl_str){bytes, shape.n};
    }
    return SL_OK;
}

static const struct part *own_part(const struct sl_spread_plan *plan, const struct sl_cluster *cluster) {
    size_t p = 0;
    while (p < plan->n_parts && plan->parts[p].task != cluster->own) p++;
    return p < plan->n_parts ? &plan->parts[p] : NULL;
}

static sl_code read_rets(struct sl_spread_ret *rets, struct spread_call *call, const struct sl_spread_plan *plan,
                         struct sl_error *err) {
    const struct part *own = call->has_own ? own_part(plan, call->joined.calls.cluster) : NULL;
    for (int i = 0; i < plan->n_rets; i++) rets[i].device = plan->ret_devices[i];
    for (size_t i = 0; own && i < own->n_rets; i++)
        SL_TRY(sl_component_call_ret(&rets[own->rets[i]].here, &call->own, (int)i, err));
    for (int i = 0; i < call->joined.calls.n; i++)
        SL_TRY(read_shapes(rets, &call->joined.calls.calls[i], call->by_call[i], err));
    return SL_OK;
}

/* ---- the end of a step: nobody waits for it */

struct cleanup {
    struct sl_task_calls calls;
    struct sl_worker_session *session; /* a reference: it has the cluster */
};

static void free_cleanup(void *arg) {
    struct cleanup *u = arg;
    sl_task_calls_clear(&u->calls);
    sl_worker_session_unref(u->session);
    sl_free(u);
}

static void cleaned(struct sl_task_calls *calls) {
    struct cleanup *u = calls->arg;
    sl_worker_spawn(u->session->worker, free_cleanup, u);
}

static sl_code write_cleanup(struct sl_rpc_message *m, uint64_t context_id, uint64_t step_id, struct sl_error *err) {
    struct sl_pb_eager_CleanupFunctionOp op = {.step_id = (int64_t)step_id};
    struct sl_pb_eager_QueueItem item = {.which = SL_PB_eager_QueueItem_cleanup_function, .cleanup_function = &op};
    const struct sl_pb_eager_EnqueueRequest request = {.context_id = context_id, .queue = {&item, 1}};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(eager_EnqueueRequest), &request, err);
}

/* Without memory a task keeps what it has of the step until the context is closed. */
static void clean_up(struct sl_served_context *c, struct sl_worker_session *session, const struct sl_task_calls *calls,
                     uint64_t step_id) {
    sl_served_cleanup(c, step_id);
    struct cleanup *u = calls->n ? sl_calloc(1, sizeof *u) : NULL;
    if (!u || sl_task_calls_init(&u->calls, calls->cluster, calls->n, NULL) != SL_OK) {
        sl_free(u);
        return;
    }
    u->session = sl_worker_session_ref(session);
    u->calls.done = cleaned;
    u->calls.arg = u;
    for (int i = 0; i < calls->n; i++) {
        struct sl_rpc_message m = {.n = 0};
        if (write_cleanup(&m, c->id, step_id, NULL) == SL_OK)
            sl_task_calls_add(&u->calls, calls->calls[i].task, "/tensorflow.eager.EagerService/Enqueue", &m,
                              sl_net_now(calls->cluster->net) + INT64_C(10000000000), false);
        else sl_rpc_message_clear(&m);
    }
    sl_task_calls_start(&u->calls);
}

/* ---- */

static void cancel_call(void *arg) { note(arg, SL_CANCELLED, "The call of a function was cancelled.", false); }

static void run(struct spread_call *call, const struct sl_spread_request *request) {
    struct sl_cancellation_callback callback = {.fn = cancel_call, .arg = &call->joined};
    call->joined.left += call->has_own;
    start_calls(&call->joined);
    if (call->has_own) sl_component_call_start(&call->own);
    const bool follows = request->cancellation && sl_cancellation_register(request->cancellation, &callback);
    if (request->cancellation && !follows) cancel_call(&call->joined);
    join(&call->joined, call->has_own ? &call->own : NULL);
    if (follows) sl_cancellation_unregister(request->cancellation, &callback);
}

static sl_code call_plan(struct sl_spread_ret *rets, struct sl_served_context *c, struct sl_worker_session *session,
                         const struct sl_spread_plan *plan, const struct sl_spread_request *request,
                         struct sl_error *err) {
    const uint64_t step_id = sl_id_source_next(&c->worker->ids);
    struct spread_call call = {.has_own = false};
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = joined_init(&call.joined, sl_worker_session_cluster(session), plan->n_parts, err);
    if (code == SL_OK) code = prepare(&call, c, plan, request, step_id, &arena, err);
    if (code == SL_OK) {
        run(&call, request);
        code = joined_status(&call.joined, err);
        if (code == SL_OK) code = read_rets(rets, &call, plan, err);
        clean_up(c, session, &call.joined.calls, step_id);
    } else if (call.own.has_step) {
        sl_worker_step_abandon(&call.own.step);
        call.own.has_step = false;
    }
    if (call.has_own) sl_component_call_clear(&call.own);
    joined_clear(&call.joined);
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_spread_call(struct sl_spread_ret **out, int *n_rets, struct sl_spread *s, struct sl_served_context *c,
                       const struct sl_spread_request *request, struct sl_error *err) {
    struct sl_worker_session *session = sl_served_session(c);
    struct sl_spread_plan *plan = NULL;
    struct sl_spread_ret *rets = NULL;
    sl_code code = find_plan(&plan, s, c, sl_worker_session_cluster(session), request, err);
    if (code == SL_OK) {
        rets = sl_calloc((size_t)plan->n_rets + 1, sizeof *rets);
        code = rets ? call_plan(rets, c, session, plan, request, err)
                    : sl_fail_memory(err, (size_t)plan->n_rets * sizeof *rets);
    }
    for (int i = 0; rets && code != SL_OK && i < plan->n_rets; i++) sl_spread_ret_clear(&rets[i]);
    if (code == SL_OK) {
        *out = rets;
        *n_rets = plan->n_rets;
    } else {
        sl_free(rets);
    }
    plan_unref(plan);
    sl_worker_session_unref(session);
    return code;
}
