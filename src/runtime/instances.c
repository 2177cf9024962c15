/* Function instances. The store implements the hook of kernel/functions.h by the functions of instances.h. An
 * instance holds its body as a graph until it is compiled. */
#include "runtime/instances.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "exec/trace.h"
#include "kernel/cancellation.h"
#include "ops/op_row.h"
#include "runtime/external_state.h"
#include "runtime/function_fingerprint.h"
#include "runtime/pipeline.h"
#include "runtime/rowwise.h"

enum { MOST_CALLS_DEEP = 256 };

enum waiting { NOT_KNOWN, BEING_ASKED, WAITS, NEVER_WAITS };

struct sl_function {
    struct sl_runtime *runtime;
    struct sl_mutex mutex; /* guards compilation */
    _Atomic(struct sl_program *) program;
    struct sl_body body; /* until it is compiled; so is */
    struct sl_library_snapshot *snapshot;
    int n_args, n_rets;
    struct sl_function_place place;
    struct sl_arena arena;                /* attrs */
    struct sl_attrs attrs;                /* with keeps_states: what it was made with */
    struct sl_rowwise rowwise;            /* in `arena` */
    bool keeps_states;                    /* some node's op has effects or a memory */
    _Atomic(const char *) external_state; /* of runtime/external_state.h, "" for none; NULL: nobody has asked */
    uint8_t *arg_types, *ret_types;
    int16_t *ret_devices; /* once it is compiled */
    atomic_int waits;     /* enum waiting; changed with the store's ask_mutex held */
    char *key;            /* the function's name and 8 bytes */
    size_t key_length;
    atomic_int refs;
    struct sl_function *taken;      /* the next of those that are taken from the map at once */
    bool is_listed;                 /* among all that the store knows; changed by who makes and who frees it, */
    struct sl_function *next, **at; /* these also by its neighbours, with the store's all_mutex held */
};

/* ---- snapshots: bodies look functions up in a library that nobody changes. It is copied when it has grown, not for
 * each body. */
struct sl_library_snapshot {
    struct sl_graph *functions;
    size_t n_functions, n_gradients;
    atomic_int refs;
};

static void snapshot_unref(struct sl_library_snapshot *s) {
    if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1) return;
    sl_graph_free(s->functions);
    sl_free(s);
}

static struct sl_library_snapshot *snapshot_ref(struct sl_library_snapshot *s) {
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

static sl_code snapshot_new(struct sl_library_snapshot **out, const struct sl_graph *library, struct sl_error *err) {
    struct sl_library_snapshot *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    atomic_init(&s->refs, 1);
    s->n_functions = library->functions.n;
    s->n_gradients = library->gradients.n;
    sl_code code = sl_graph_new(&s->functions, library->registry, err);
    if (code == SL_OK) s->functions->evaluator = library->evaluator;
    if (code == SL_OK) code = sl_graph_share_library(s->functions, library, err);
    if (code == SL_OK) *out = s;
    else snapshot_unref(s);
    return code;
}

/* With the library's mutex held; the reference is the caller's. */
static sl_code snapshot_take(struct sl_library_snapshot **out, struct sl_runtime *r, struct sl_error *err) {
    struct sl_library_snapshot **last = &r->functions.snapshot;
    if (!*last || (*last)->n_functions != r->library->functions.n || (*last)->n_gradients != r->library->gradients.n) {
        snapshot_unref(*last);
        *last = NULL;
        SL_TRY(snapshot_new(last, r->library, err));
    }
    *out = snapshot_ref(*last);
    return SL_OK;
}

static void body_free(struct sl_function *f) {
    sl_graph_free(f->body.graph);
    snapshot_unref(f->snapshot);
    f->body = (struct sl_body){0};
    f->snapshot = NULL;
}

static void function_free(struct sl_function *f) {
    sl_program_free(atomic_load(&f->program));
    body_free(f);
    sl_mutex_clear(&f->mutex);
    sl_free(f->arg_types);
    sl_free(f->ret_devices);
    sl_free(f->key);
    sl_arena_clear(&f->arena);
    sl_free(f);
}

/* ---- who holds an instance: the store's map, kernels of nodes that call it (so a recursive one holds itself), eager
 * kernels, datasets. */
static void function_link(struct sl_function_store *store, struct sl_function *f) {
    sl_mutex_lock(&store->all_mutex);
    f->next = store->all;
    f->at = &store->all;
    if (f->next) f->next->at = &f->next;
    store->all = f;
    store->n_all++;
    f->is_listed = true;
    sl_mutex_unlock(&store->all_mutex);
}

static void function_unlink(struct sl_function *f) {
    if (!f->is_listed) return;
    struct sl_function_store *store = &f->runtime->functions;
    sl_mutex_lock(&store->all_mutex);
    *f->at = f->next;
    if (f->next) f->next->at = f->at;
    f->is_listed = false;
    store->n_all--;
    sl_mutex_unlock(&store->all_mutex);
}

static void function_hold(struct sl_function *f) { atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed); }

void sl_instance_unref(struct sl_function *f) {
    if (atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1) return;
    function_unlink(f);
    function_free(f);
}

/* Function name, then a hash of attrs and place: equal instances have equal keys. */
static sl_code make_key(char **key, size_t *n, struct sl_str name, const struct sl_attrs *attrs,
                        const struct sl_function_place *place, bool is_gradient, struct sl_error *err) {
    uint64_t sum = 0;
    for (int i = 0; attrs && i < attrs->n; i++) {
        if (attrs->items[i].name.n && attrs->items[i].name.p[0] == '_') continue;
        sum += sl_hash_mix(sl_hash_bytes(attrs->items[i].name.p, attrs->items[i].name.n),
                           sl_attr_hash(attrs->items[i].value));
    }
    if (place->device || place->is_soft) sum = sl_hash_mix(sum, 2 * (uint64_t)place->device + place->is_soft);
    if (is_gradient) sum = ~sum;
    *n = name.n + sizeof sum;
    *key = sl_malloc(*n);
    if (!*key) return sl_fail_memory(err, *n);
    memcpy(*key, name.p, name.n);
    memcpy(*key + name.n, &sum, sizeof sum);
    return SL_OK;
}

/* Makes the body of an instance: sl_function_instantiate, or the gradient's. */
typedef sl_code body_function(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                              const struct sl_graph *library, struct sl_error *err);

/* A body that was made, not written, may call functions that were made with it. */
static sl_code publish(struct sl_graph *library, const struct sl_graph *body, struct sl_error *err) {
    for (size_t i = 0; i < body->functions.n; i++)
        if (!sl_graph_function(library, body->functions.items[i]->name))
            SL_TRY(sl_graph_add_function(library, body->functions.items[i], err));
    return SL_OK;
}

/* Gradients of gradients of what gradients made grow without bound. */
static sl_code count_made(struct sl_runtime *r, size_t more, struct sl_str name, struct sl_error *err) {
    enum { MOST_MADE = 1 << 16, MOST_MADE_EACH = 256 };
    const size_t most = MOST_MADE + MOST_MADE_EACH * r->written_nodes;
    r->made_nodes += more;
    if (r->made_nodes <= most) return SL_OK;
    return sl_fail(err, SL_RESOURCE_EXHAUSTED,
                   "The gradient of function '%.*s': with it gradients would have made more than %zu nodes",
                   SL_STR_ARG(name), most);
}

/* With the library's mutex held. */
static sl_code look_up(struct sl_function *f, struct sl_str name, const struct sl_attrs *attrs,
                       body_function *make_body, struct sl_error *err) {
    struct sl_graph *library = f->runtime->library;
    const struct sl_function_def *def = sl_graph_function(library, name);
    if (!def) return sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(name));
    if (make_body != sl_function_instantiate) SL_TRY(count_made(f->runtime, 0, name, err)); /* too late for any work */
    SL_TRY(snapshot_take(&f->snapshot, f->runtime, err));
    SL_TRY(make_body(&f->body, def, attrs, f->snapshot->functions, err));
    if (make_body == sl_function_instantiate) return SL_OK;
    SL_TRY(count_made(f->runtime, f->body.graph->live + f->body.graph->function_nodes, name, err));
    return publish(library, f->body.graph, err);
}

/* What its body tells before passes change it. Attrs are kept of functions of which somebody may want another instance. */
static sl_code look_at_body(struct sl_function *f, const struct sl_attrs *attrs, struct sl_error *err) {
    SL_GRAPH_EACH(n, f->body.graph) {
        if (sl_node_is_arg_or_ret(n)) continue; /* which count as stateful for form's sake */
        const bool is_stateful = sl_op_is_stateful(n->op) && n->op->name.p[0] != '_';
        f->keeps_states = f->keeps_states || is_stateful || n->op->index == SL_OP_NO_ROW;
    }
    SL_TRY(sl_rowwise_of(&f->rowwise, &f->body, &f->arena, err));
    return f->keeps_states && attrs ? sl_attrs_copy(&f->attrs, &f->arena, attrs, err) : SL_OK;
}

static sl_code function_new(struct sl_function **out, struct sl_runtime *r, const struct sl_function_place *place,
                            struct sl_error *err) {
    struct sl_function *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    f->runtime = r;
    f->place = *place;
    atomic_init(&f->refs, 1);
    sl_arena_init(&f->arena);
    sl_mutex_init(&f->mutex);
    *out = f;
    return SL_OK;
}

/* What it takes and gives, by its body. */
static sl_code sign(struct sl_function *f, struct sl_error *err) {
    f->n_args = f->body.n_args;
    f->n_rets = f->body.n_rets;
    f->arg_types = sl_calloc((size_t)f->n_args + (size_t)f->n_rets + 1, 1);
    f->ret_devices = sl_calloc((size_t)f->n_rets + 1, sizeof *f->ret_devices);
    if (!f->arg_types || !f->ret_devices) return sl_fail_memory(err, (size_t)f->n_args);
    f->ret_types = f->arg_types + f->n_args;
    for (int i = 0; i < f->n_args; i++) f->arg_types[i] = (uint8_t)sl_dtype_base(f->body.args[i]->out_types[0]);
    for (int i = 0; i < f->n_rets; i++) f->ret_types[i] = (uint8_t)sl_dtype_base(f->body.rets[i]->in_types[0]);
    return SL_OK;
}

static sl_code make(struct sl_function **out, struct sl_runtime *r, struct sl_str name, const struct sl_attrs *attrs,
                    const struct sl_function_place *place, body_function *make_body, struct sl_error *err) {
    struct sl_function *f;
    SL_TRY(function_new(&f, r, place, err));
    sl_mutex_lock(&r->library_mutex);
    sl_code code = look_up(f, name, attrs, make_body, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code == SL_OK) code = sign(f, err);
    if (code == SL_OK && make_body == sl_function_instantiate) code = look_at_body(f, attrs, err);
    if (code == SL_OK) *out = f;
    else function_free(f);
    return code;
}

static sl_code find_or_make(struct sl_function **out, struct sl_function_store *store, struct sl_str name,
                            const struct sl_attrs *attrs, struct sl_str device, bool is_soft, body_function *make_body,
                            struct sl_error *err) {
    char *key;
    size_t n;
    struct sl_function_place place = {sl_device_find(&store->runtime->devices, device), is_soft};
    if (place.device < 0) place.device = 0;
    SL_TRY(make_key(&key, &n, name, attrs, &place, make_body != sl_function_instantiate, err));
    sl_code code = SL_OK;
    sl_mutex_lock(&store->mutex);
    struct sl_function *f = sl_str_map_get(&store->by_key, (struct sl_str){key, n});
    if (!f) {
        code = make(&f, store->runtime, name, attrs, &place, make_body, err);
        if (code == SL_OK) {
            f->key = key;
            f->key_length = n;
            key = NULL;
            if (sl_str_map_put(&store->by_key, (struct sl_str){f->key, n}, f)) {
                function_free(f);
                code = sl_fail_memory(err, n);
            } else function_link(store, f);
        }
    }
    if (code == SL_OK) {
        function_hold(f);
        *out = f;
    }
    sl_mutex_unlock(&store->mutex);
    sl_free(key);
    return code;
}

sl_code sl_instance_find(struct sl_function **out, struct sl_runtime *r, struct sl_str name,
                         const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    return sl_instance_find_placed(out, r, name, attrs, device, r->options.is_soft_placement, err);
}

sl_code sl_instance_find_placed(struct sl_function **out, struct sl_runtime *r, struct sl_str name,
                                const struct sl_attrs *attrs, struct sl_str device, bool is_soft,
                                struct sl_error *err) {
    return find_or_make(out, &r->functions, name, attrs, device, is_soft, sl_function_instantiate, err);
}

static sl_code instantiate(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                           const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    const struct sl_function_calls *calls = (const struct sl_function_calls *)self;
    return sl_instance_find_placed(out, calls->store->runtime, name, attrs, device, calls->is_soft, err);
}

static void keep(struct sl_functions *self) {
    atomic_fetch_add(&((struct sl_function_calls *)self)->store->runtime->holders, 1);
}

static void let_go(struct sl_functions *self) { sl_runtime_unref(((struct sl_function_calls *)self)->store->runtime); }

/* With the library's mutex held. */
static sl_code take_written(struct sl_function *f, const struct sl_pb_GraphDef *graph, struct sl_error *err) {
    SL_TRY(snapshot_take(&f->snapshot, f->runtime, err));
    SL_TRY(sl_graph_body(&f->body, graph, f->snapshot->functions, err));
    return publish(f->runtime->library, f->body.graph, err);
}

static sl_code instantiate_graph(struct sl_function **out, struct sl_functions *self,
                                 const struct sl_pb_GraphDef *graph, struct sl_error *err) {
    const struct sl_function_calls *calls = (const struct sl_function_calls *)self;
    struct sl_runtime *r = calls->store->runtime;
    const struct sl_function_place place = {0, calls->is_soft};
    struct sl_function *f;
    SL_TRY(function_new(&f, r, &place, err));
    atomic_store(&f->external_state, ""); /* it has no name under which the library could be asked */
    sl_mutex_lock(&r->library_mutex);
    sl_code code = take_written(f, graph, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code == SL_OK) code = sign(f, err);
    if (code == SL_OK) {
        function_link(calls->store, f);
        *out = f;
    } else {
        function_free(f);
    }
    return code;
}

static sl_code write_library(struct sl_str *bytes, struct sl_functions *self, const struct sl_str *names, int n,
                             struct sl_arena *arena, struct sl_error *err) {
    struct sl_runtime *r = ((const struct sl_function_calls *)self)->store->runtime;
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_write_library(bytes, r->library, names, n, arena, err);
    sl_mutex_unlock(&r->library_mutex);
    return code;
}

/* The gradient function that the library names for it, or one made by the gradient rules. */
static sl_code instantiate_gradient(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                                    const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    const struct sl_function_calls *calls = (const struct sl_function_calls *)self;
    struct sl_runtime *r = calls->store->runtime;
    sl_mutex_lock(&r->library_mutex);
    struct sl_str gradient = sl_graph_gradient(r->library, name);
    const bool is_there = sl_graph_function(r->library, name) != NULL;
    sl_mutex_unlock(&r->library_mutex);
    if (gradient.n) return sl_instance_find_placed(out, r, gradient, attrs, device, calls->is_soft, err);
    if (!is_there) return sl_fail(err, SL_NOT_FOUND, "No gradient defined for op: %.*s", SL_STR_ARG(name));
    if (!r->registries->function_gradient)
        return sl_fail(err, SL_UNIMPLEMENTED, "SymbolicGradient of function %.*s", SL_STR_ARG(name));
    return find_or_make(out, &r->functions, name, attrs, device, calls->is_soft, r->registries->function_gradient, err);
}

static struct sl_str function_name(const struct sl_function *f) {
    return (struct sl_str){f->key, f->key_length - sizeof(uint64_t)};
}

/* ---- instances of which the store knows nothing: they end before the runtime */

static bool keeps_states(const struct sl_function *f) { return f->keeps_states; }

static bool is_rowwise(uint8_t *groups, const struct sl_function *f, int n_rows) {
    return sl_rowwise_groups(groups, &f->rowwise, f->n_args, n_rows);
}

static const char *stateful_op(struct sl_function *f) {
    const char *known = atomic_load(&f->external_state);
    if (!known) {
        known = sl_external_state(f->runtime, function_name(f));
        if (!known) known = "";
        atomic_store(&f->external_state, known);
    }
    return *known ? known : NULL;
}

static sl_code function_fingerprint(uint64_t *out, struct sl_function *f, struct sl_error *err) {
    return sl_function_fingerprint(out, f->runtime, function_name(f), err);
}

static sl_code with_own_states(struct sl_function **out, struct sl_function *f, struct sl_error *err) {
    return make(out, f->runtime, function_name(f), &f->attrs, &f->place, sl_function_instantiate, err);
}

void sl_instance_signature(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                           const uint8_t **ret_types) {
    *n_args = f->n_args;
    *arg_types = f->arg_types;
    *n_rets = f->n_rets;
    *ret_types = f->ret_types;
}

int sl_instance_ret_device(const struct sl_function *f, int ret) { return f->ret_devices[ret]; }

/* ---- which functions may wait for the world outside of the step: those that reach a kernel that does, by calls however
 * deep. All that one reaches are met once, without recursion. With ask_mutex held. */
struct asking {
    struct sl_runtime *runtime;
    SL_VEC(struct asked {
        struct sl_function *f;
        size_t by; /* who calls it, in this list */
    })
    met;
    size_t at; /* the one that is looked at */
};

/* Each: whether it is known that the one that is looked at waits. When memory is out it does: that is always right. */
static bool meet(struct asking *a, struct sl_function *f) {
    enum waiting known = (enum waiting)atomic_load(&f->waits);
    if (known != NOT_KNOWN) return known == WAITS;
    if (sl_vec_push(&a->met, ((struct asked){f, a->at}))) return true;
    function_hold(f);
    atomic_store(&f->waits, BEING_ASKED);
    return false;
}

static bool meet_found(struct asking *a, struct sl_function *found) {
    const bool waits = meet(a, found);
    sl_instance_unref(found);
    return waits;
}

static void asking_clear(struct asking *a) {
    for (size_t i = 0; i < a->met.n; i++) sl_instance_unref(a->met.items[i].f);
    sl_vec_free(&a->met);
}

static bool meet_named(struct asking *a, const struct sl_pb_NameAttrList *named) {
    struct sl_function *callee;
    struct sl_attrs attrs = {0};
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    bool found = sl_attrs_of_map(&attrs, &scratch, &named->attr, NULL) == SL_OK &&
                 sl_instance_find(&callee, a->runtime, named->name, &attrs, SL_STR(""), NULL) == SL_OK;
    sl_arena_clear(&scratch);
    return found && meet_found(a, callee);
}

static bool meet_attrs(struct asking *a, const struct sl_attrs *attrs) {
    for (int i = 0; i < attrs->n; i++) {
        const struct sl_pb_AttrValue *v = attrs->items[i].value;
        if (v->which == SL_PB_AttrValue_func && v->func && meet_named(a, v->func)) return true;
        if (v->which != SL_PB_AttrValue_list || !v->list) continue;
        for (size_t j = 0; j < v->list->func.n; j++)
            if (meet_named(a, &v->list->func.items[j])) return true;
    }
    return false;
}

static bool meet_node(struct asking *a, const struct sl_node *n) {
    struct sl_function *callee;
    const struct sl_kernel_def *def =
        sl_kernel_row(a->runtime->registries->kernels, n->op->name, SL_HOST_DEVICE, &n->attrs);
    if (def && (def->flags & SL_KERNEL_ASYNC)) return true;
    if (n->op->index == SL_OP_NO_ROW && /* it may be a function that is its op */
        sl_instance_find(&callee, a->runtime, n->op->name, &n->attrs, SL_STR(""), NULL) == SL_OK &&
        meet_found(a, callee))
        return true;
    return meet_attrs(a, &n->attrs);
}

/* What was met and does not wait reaches nobody who does; who calls one that waits, waits. */
static void conclude(struct asking *a, bool waits) {
    for (size_t i = 0; i < a->met.n; i++) atomic_store(&a->met.items[i].f->waits, waits ? NOT_KNOWN : NEVER_WAITS);
    for (size_t i = a->at; waits && i < a->met.n; i = a->met.items[i].by)
        atomic_store(&a->met.items[i].f->waits, WAITS);
}

static bool ask(struct sl_function *f) {
    struct asking a = {.runtime = f->runtime, .at = SIZE_MAX};
    bool waits = meet(&a, f);
    if (a.met.n) {
        for (a.at = 0; a.at < a.met.n && !waits; a.at += !waits)
            SL_GRAPH_EACH(n, a.met.items[a.at].f->body.graph) waits = waits || meet_node(&a, n);
        conclude(&a, waits);
    }
    asking_clear(&a);
    return waits;
}

static bool function_waits(struct sl_function *f) {
    enum waiting known = (enum waiting)atomic_load(&f->waits);
    if (known == WAITS || known == NEVER_WAITS) return known == WAITS;
    sl_mutex_lock(&f->runtime->functions.ask_mutex);
    bool waits = ask(f);
    sl_mutex_unlock(&f->runtime->functions.ask_mutex);
    return waits;
}

static bool attrs_wait(struct sl_functions *self, const struct sl_attrs *attrs) {
    struct sl_function_store *store = ((struct sl_function_calls *)self)->store;
    struct asking a = {.runtime = store->runtime, .at = SIZE_MAX};
    sl_mutex_lock(&store->ask_mutex);
    bool waits = meet_attrs(&a, attrs);
    for (size_t i = 0; i < a.met.n; i++) atomic_store(&a.met.items[i].f->waits, NOT_KNOWN); /* each asks for itself */
    for (size_t i = 0; i < a.met.n && !waits; i++) waits = ask(a.met.items[i].f);
    sl_mutex_unlock(&store->ask_mutex);
    asking_clear(&a);
    return waits;
}

static sl_code make_program(struct sl_program **out, struct sl_function *f, struct sl_error *err) {
    function_waits(f); /* while there is a body to look at; from here on it is known */
    sl_mutex_lock(&f->mutex);
    sl_code code = SL_OK;
    *out = atomic_load_explicit(&f->program, memory_order_relaxed);
    if (!*out) {
        code = sl_pipeline_function(out, f->ret_devices, f->runtime, &f->body, &f->place, err);
        if (code == SL_OK) {
            atomic_store_explicit(&f->program, *out, memory_order_release);
            body_free(f);
        }
    }
    sl_mutex_unlock(&f->mutex);
    return code;
}

static inline sl_code program_of(struct sl_program **out, struct sl_function *f, struct sl_error *err) {
    *out = atomic_load_explicit(&f->program, memory_order_acquire);
    return *out ? SL_OK : make_program(out, f, err);
}

sl_code sl_instance_program(struct sl_program **out, struct sl_function *f, struct sl_error *err) {
    return program_of(out, f, err);
}

sl_code sl_instance_cancels(bool *out, struct sl_function *f, struct sl_error *err) {
    struct sl_program *program;
    SL_TRY(program_of(&program, f, err));
    *out = !program->is_linear;
    return SL_OK;
}

/* The program of one more call in a step; calls within calls are bounded, and end when the step is cancelled. */
static inline sl_code enter(struct sl_program **out, struct sl_function *f, struct sl_step_env *env,
                            struct sl_error *err) {
    if (env->depth >= MOST_CALLS_DEEP)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "function calls are nested more than %d deep", MOST_CALLS_DEEP);
    if (env->cancellation && sl_cancellation_is_on(env->cancellation))
        return sl_cancellation_status(env->cancellation, err);
    return program_of(out, f, err);
}

static sl_code refuse(struct sl_function *f, struct sl_value *args, struct sl_value *rets, sl_code code) {
    for (int i = 0; i < f->n_args; i++) sl_value_clear(&args[i]);
    for (int i = 0; i < f->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    return code;
}

/* Results must all be there: a dead one cannot leave a function. */
static sl_code check_rets(struct sl_function *f, struct sl_value *rets, sl_code code, struct sl_error *err) {
    for (int i = 0; i < f->n_rets && code == SL_OK; i++)
        if (rets[i].kind <= SL_VALUE_DEAD) {
            code = sl_fail(err, SL_INVALID_ARGUMENT, "Retval[%d] does not have value", i);
            for (int j = 0; j < f->n_rets; j++) sl_value_clear(&rets[j]);
        }
    return code;
}

sl_code sl_instance_call(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                         struct sl_error *err) {
    struct sl_program *p;
    sl_code code = enter(&p, f, env, err);
    if (code != SL_OK) return refuse(f, args, rets, code);
    struct sl_step_env inner = *env;
    inner.depth++;
    inner.rendezvous = NULL; /* what is cut within the call meets in one of its own */
    return check_rets(f, rets, sl_step_run(p, &inner, args, rets, err), err);
}

static void trace_part(const struct sl_step_env *step, const char *name, const char *kind, int64_t start_ns) {
    const struct sl_trace_subject subject = {.name = sl_str_of(name),
                                             .kind = sl_str_of(kind),
                                             .device = step->device ? step->device : "",
                                             .step = step->step_id,
                                             .weight = step->trace_weight};
    sl_trace_event(step->trace, &subject, start_ns, NULL, 0);
}

struct pending_call {
    struct sl_step_env env;
    struct sl_function *f;
    struct sl_value *rets;
    struct sl_error *err;
    void (*done)(void *arg, sl_code code);
    void *arg;
};

static void pending_done(void *arg, sl_code code) {
    struct pending_call c = *(struct pending_call *)arg;
    sl_free(arg);
    c.done(c.arg, check_rets(c.f, c.rets, code, c.err));
}

void sl_instance_start(struct sl_function *f, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                       struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg) {
    struct sl_program *p;
    sl_code code = enter(&p, f, env, err);
    struct pending_call *c = code == SL_OK ? sl_malloc(sizeof *c) : NULL;
    if (code == SL_OK && !c) code = sl_fail_memory(err, sizeof *c);
    if (code != SL_OK) {
        done(arg, refuse(f, args, rets, code));
        return;
    }
    *c = (struct pending_call){.env = *env, .f = f, .rets = rets, .err = err, .done = done, .arg = arg};
    c->env.depth++;
    c->env.rendezvous = NULL; /* as in call */
    sl_step_start(p, &c->env, args, rets, err, pending_done, c);
}

void sl_function_store_init(struct sl_function_store *store, struct sl_runtime *runtime) {
    static const struct sl_functions calls = {.instantiate = instantiate,
                                              .instantiate_gradient = instantiate_gradient,
                                              .instantiate_graph = instantiate_graph,
                                              .write_library = write_library,
                                              .keeps_states = keeps_states,
                                              .is_rowwise = is_rowwise,
                                              .stateful_op = stateful_op,
                                              .fingerprint = function_fingerprint,
                                              .with_own_states = with_own_states,
                                              .keep = keep,
                                              .let_go = let_go,
                                              .hold = function_hold,
                                              .release = sl_instance_unref,
                                              .signature = sl_instance_signature,
                                              .is_async = function_waits,
                                              .attrs_wait = attrs_wait,
                                              .trace = trace_part,
                                              .call = sl_instance_call,
                                              .call_async = sl_instance_start};
    *store =
        (struct sl_function_store){.strict = {calls, store, false}, .soft = {calls, store, true}, .runtime = runtime};
    sl_mutex_init(&store->mutex);
    sl_mutex_init(&store->ask_mutex);
    sl_mutex_init(&store->all_mutex);
}

static bool is_named(const struct sl_function *f, struct sl_str name) { return sl_str_eq(function_name(f), name); }

/* The instance of that name that the map has, or NULL. */
static struct sl_function *any_named(const struct sl_function_store *store, struct sl_str name) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&store->by_key); e; e = sl_str_map_next(&store->by_key, e))
        if (is_named(e->value, name)) return e->value;
    return NULL;
}

/* ---- functions that leave the library. With both mutexes held: */

static struct sl_function *take_named(struct sl_function_store *store, struct sl_str name, struct sl_function *taken) {
    for (struct sl_function *f; (f = any_named(store, name)); taken = f) {
        sl_str_map_remove(&store->by_key, (struct sl_str){f->key, f->key_length});
        f->taken = taken;
    }
    return taken;
}

static struct sl_function *remove_function(struct sl_runtime *r, struct sl_str name, struct sl_function *taken) {
    struct sl_function_store *store = &r->functions;
    taken = take_named(store, name, taken);
    sl_graph_remove_function(r->library, name, NULL);
    snapshot_unref(store->snapshot); /* which is told from others by how much is in it */
    store->snapshot = NULL;
    return taken;
}

/* Without any. */
static void drop_taken(struct sl_function *taken) {
    for (struct sl_function *f; (f = taken);) {
        taken = f->taken;
        sl_instance_unref(f);
    }
}

static void lock_both(struct sl_runtime *r) {
    sl_mutex_lock(&r->functions.mutex);
    sl_mutex_lock(&r->library_mutex);
}

static void unlock_both(struct sl_runtime *r) {
    sl_mutex_unlock(&r->library_mutex);
    sl_mutex_unlock(&r->functions.mutex);
}

void sl_runtime_remove_function(struct sl_runtime *r, struct sl_str name) {
    lock_both(r);
    struct sl_function *taken = remove_function(r, name, NULL);
    r->n_removed++;
    unlock_both(r);
    drop_taken(taken);
}

struct sl_published {
    struct sl_function_def *def; /* a reference */
    int times;
};

static void free_published(struct sl_published *p) {
    sl_function_unref(p->def);
    sl_free(p);
}

/* With the library's mutex held, as the next. */
static sl_code publish_first(struct sl_runtime *r, struct sl_function_def *f, struct sl_error *err) {
    struct sl_published *p = sl_malloc(sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    *p = (struct sl_published){f, 1};
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    const size_t before = r->library->function_nodes;
    sl_code code = sl_str_map_reserve(&r->published, 1) ? sl_fail_memory(err, sizeof *p) : SL_OK;
    if (code == SL_OK) code = sl_graph_add_function(r->library, f, err);
    if (code != SL_OK) {
        free_published(p);
        return code;
    }
    sl_str_map_put(&r->published, f->name, p); /* there is room */
    r->written_nodes += r->library->function_nodes - before;
    return SL_OK;
}

static sl_code publish_one(struct sl_runtime *r, struct sl_function_def *f, bool is_own, struct sl_error *err) {
    struct sl_published *p = sl_str_map_get(&r->published, f->name);
    if (!p) return is_own ? publish_first(r, f, err) : SL_OK;
    SL_TRY(sl_graph_add_function(r->library, f, err)); /* which compares them */
    p->times++;
    return SL_OK;
}

/* With both mutexes held. */
static struct sl_function *take_back_one(struct sl_runtime *r, struct sl_str name, struct sl_function *taken) {
    struct sl_published *p = sl_str_map_get(&r->published, name);
    if (!p || --p->times) return taken;
    taken = remove_function(r, name, taken);
    r->n_taken_back++;
    sl_str_map_remove(&r->published, name);
    free_published(p);
    return taken;
}

sl_code sl_runtime_publish(struct sl_runtime *r, struct sl_function_def *const *functions, int n_own, int n,
                           struct sl_error *err) {
    sl_code code = SL_OK;
    int i = 0;
    sl_mutex_lock(&r->library_mutex);
    for (; i < n && code == SL_OK; i++) code = publish_one(r, functions[i], i < n_own, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code != SL_OK) sl_runtime_take_back(r, functions, i - 1);
    return code;
}

void sl_runtime_take_back(struct sl_runtime *r, struct sl_function_def *const *functions, int n) {
    struct sl_function *taken = NULL;
    lock_both(r);
    for (int i = 0; i < n; i++) taken = take_back_one(r, functions[i]->name, taken);
    unlock_both(r);
    drop_taken(taken);
}

void sl_function_store_stop(struct sl_function_store *store) {
    for (struct sl_function *f = store->all; f; f = f->next) function_hold(f);
    for (struct sl_function *f = store->all; f; f = f->next) {
        sl_program_free(atomic_exchange(&f->program, NULL));
        body_free(f);
    }
}

void sl_function_store_clear(struct sl_function_store *store) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&store->by_key); e; e = sl_str_map_next(&store->by_key, e))
        sl_instance_unref(e->value);
    for (struct sl_function *f; (f = store->all);) {
        function_unlink(f);
        sl_instance_unref(f);
    }
    sl_str_map_free(&store->by_key);
    struct sl_str_map *published = &store->runtime->published;
    for (struct sl_str_map_entry *e = sl_str_map_first(published); e; e = sl_str_map_next(published, e))
        free_published(e->value);
    sl_str_map_free(published);
    snapshot_unref(store->snapshot);
    sl_mutex_clear(&store->mutex);
    sl_mutex_clear(&store->ask_mutex);
    sl_mutex_clear(&store->all_mutex);
}
