/* Function instances. The store implements the hook of kernel/functions.h by the functions of instances.h. An
 * instance holds its body as a graph until it is compiled. */
#include "runtime/instances.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "ops/op_row.h"
#include "runtime/pipeline.h"

enum { MOST_CALLS_DEEP = 256 };

enum waiting { NOT_KNOWN, BEING_ASKED, WAITS, NEVER_WAITS, ONLY_RECURSES };

struct sl_function {
    struct sl_runtime *runtime;
    struct sl_mutex mutex; /* guards compilation */
    _Atomic(struct sl_program *) program;
    struct sl_body body; /* until it is compiled */
    int n_args, n_rets;
    int device; /* where its nodes go that ask for none */
    uint8_t *arg_types, *ret_types;
    atomic_int waits; /* enum waiting; changed with the store's ask_mutex held */
    char *key;
    size_t key_length;
};

static void function_free(struct sl_function *f) {
    sl_program_free(atomic_load(&f->program));
    sl_graph_free(f->body.graph);
    sl_mutex_clear(&f->mutex);
    sl_free(f->arg_types);
    sl_free(f->key);
    sl_free(f);
}

/* Function name, then a hash of attrs and device: equal instances have equal keys. */
static sl_code make_key(char **key, size_t *n, struct sl_str name, const struct sl_attrs *attrs, int device,
                        bool is_gradient, struct sl_error *err) {
    uint64_t sum = 0;
    for (int i = 0; attrs && i < attrs->n; i++) {
        if (attrs->items[i].name.n && attrs->items[i].name.p[0] == '_') continue;
        sum += sl_hash_mix(sl_hash_bytes(attrs->items[i].name.p, attrs->items[i].name.n),
                           sl_attr_hash(attrs->items[i].value));
    }
    if (device) sum = sl_hash_mix(sum, (uint64_t)device);
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

/* With the library's mutex held. */
static sl_code look_up(struct sl_body *out, struct sl_graph *library, struct sl_str name, const struct sl_attrs *attrs,
                       body_function *make_body, struct sl_error *err) {
    const struct sl_function_def *def = sl_graph_function(library, name);
    if (!def) return sl_fail(err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(name));
    SL_TRY(make_body(out, def, attrs, library, err));
    return make_body == sl_function_instantiate ? SL_OK : publish(library, out->graph, err);
}

static sl_code make(struct sl_function **out, struct sl_runtime *r, struct sl_str name, const struct sl_attrs *attrs,
                    int device, body_function *make_body, struct sl_error *err) {
    struct sl_function *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(err, sizeof *f);
    f->runtime = r;
    f->device = device;
    sl_mutex_init(&f->mutex);
    sl_mutex_lock(&r->library_mutex);
    sl_code code = look_up(&f->body, r->library, name, attrs, make_body, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code == SL_OK) {
        f->n_args = f->body.n_args;
        f->n_rets = f->body.n_rets;
        f->arg_types = sl_calloc((size_t)f->n_args + (size_t)f->n_rets + 1, 1);
        if (!f->arg_types) code = sl_fail_memory(err, (size_t)f->n_args);
    }
    if (code != SL_OK) {
        function_free(f);
        return code;
    }
    f->ret_types = f->arg_types + f->n_args;
    for (int i = 0; i < f->n_args; i++) f->arg_types[i] = (uint8_t)sl_dtype_base(f->body.args[i]->out_types[0]);
    for (int i = 0; i < f->n_rets; i++) f->ret_types[i] = (uint8_t)sl_dtype_base(f->body.rets[i]->in_types[0]);
    *out = f;
    return SL_OK;
}

static sl_code find_or_make(struct sl_function **out, struct sl_function_store *store, struct sl_str name,
                            const struct sl_attrs *attrs, struct sl_str device, body_function *make_body,
                            struct sl_error *err) {
    char *key;
    size_t n;
    int place = sl_device_find(&store->runtime->devices, device);
    if (place < 0) place = 0;
    SL_TRY(make_key(&key, &n, name, attrs, place, make_body != sl_function_instantiate, err));
    sl_code code = SL_OK;
    sl_mutex_lock(&store->mutex);
    struct sl_function *f = sl_str_map_get(&store->by_key, (struct sl_str){key, n});
    if (!f) {
        code = make(&f, store->runtime, name, attrs, place, make_body, err);
        if (code == SL_OK) {
            f->key = key;
            f->key_length = n;
            key = NULL;
            if (sl_str_map_put(&store->by_key, (struct sl_str){f->key, n}, f)) {
                function_free(f);
                code = sl_fail_memory(err, n);
            }
        }
    }
    if (code == SL_OK) *out = f;
    sl_mutex_unlock(&store->mutex);
    sl_free(key);
    return code;
}

sl_code sl_instance_find(struct sl_function **out, struct sl_runtime *r, struct sl_str name,
                         const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    return find_or_make(out, &r->functions, name, attrs, device, sl_function_instantiate, err);
}

static sl_code instantiate(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                           const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    return sl_instance_find(out, ((struct sl_function_store *)self)->runtime, name, attrs, device, err);
}

/* The gradient function that the library names for it, or one made by the gradient rules. */
static sl_code instantiate_gradient(struct sl_function **out, struct sl_functions *self, struct sl_str name,
                                    const struct sl_attrs *attrs, struct sl_str device, struct sl_error *err) {
    struct sl_runtime *r = ((struct sl_function_store *)self)->runtime;
    sl_mutex_lock(&r->library_mutex);
    struct sl_str gradient = sl_graph_gradient(r->library, name);
    sl_mutex_unlock(&r->library_mutex);
    if (gradient.n) return sl_instance_find(out, r, gradient, attrs, device, err);
    if (!r->registries->function_gradient)
        return sl_fail(err, SL_UNIMPLEMENTED, "SymbolicGradient of function %.*s", SL_STR_ARG(name));
    return find_or_make(out, &r->functions, name, attrs, device, r->registries->function_gradient, err);
}

void sl_instance_signature(const struct sl_function *f, int *n_args, const uint8_t **arg_types, int *n_rets,
                           const uint8_t **ret_types) {
    *n_args = f->n_args;
    *arg_types = f->arg_types;
    *n_rets = f->n_rets;
    *ret_types = f->ret_types;
}

static enum waiting ask(struct sl_function *f, bool is_first);

static enum waiting worse(enum waiting a, enum waiting b) {
    if (a == WAITS || b == WAITS) return WAITS;
    return a == ONLY_RECURSES || b == ONLY_RECURSES ? ONLY_RECURSES : NEVER_WAITS;
}

static enum waiting ask_named(struct sl_runtime *r, const struct sl_pb_NameAttrList *named) {
    struct sl_function *callee;
    struct sl_attrs attrs = {0};
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    bool found = sl_attrs_of_map(&attrs, &scratch, &named->attr, NULL) == SL_OK &&
                 sl_instance_find(&callee, r, named->name, &attrs, SL_STR(""), NULL) == SL_OK;
    sl_arena_clear(&scratch);
    return found ? ask(callee, false) : NEVER_WAITS;
}

static enum waiting ask_attrs(struct sl_runtime *r, const struct sl_attrs *attrs) {
    enum waiting answer = NEVER_WAITS;
    for (int i = 0; i < attrs->n; i++) {
        const struct sl_pb_AttrValue *v = attrs->items[i].value;
        if (v->which == SL_PB_AttrValue_func && v->func) answer = worse(answer, ask_named(r, v->func));
        if (v->which == SL_PB_AttrValue_list && v->list)
            for (size_t j = 0; j < v->list->func.n; j++) answer = worse(answer, ask_named(r, &v->list->func.items[j]));
    }
    return answer;
}

/* The function that is the node's op. */
static enum waiting ask_called(struct sl_runtime *r, const struct sl_node *n) {
    struct sl_function *callee;
    if (n->op->index != SL_OP_NO_ROW || sl_instance_find(&callee, r, n->op->name, &n->attrs, SL_STR(""), NULL) != SL_OK)
        return NEVER_WAITS;
    return ask(callee, false);
}

static enum waiting ask_node(struct sl_runtime *r, const struct sl_node *n) {
    const struct sl_kernel_def *def = sl_kernel_row(r->registries->kernels, n->op->name, SL_HOST_DEVICE, &n->attrs);
    if (def && (def->flags & SL_KERNEL_ASYNC)) return WAITS;
    return worse(ask_called(r, n), ask_attrs(r, &n->attrs));
}

/* A function that is being asked further up and is met again does not wait for that reason alone; what was found out
 * on the way is certain only for the first. With ask_mutex held. */
static enum waiting ask(struct sl_function *f, bool is_first) {
    enum waiting known = (enum waiting)atomic_load(&f->waits);
    if (known == BEING_ASKED) return ONLY_RECURSES;
    if (known != NOT_KNOWN) return known;
    atomic_store(&f->waits, BEING_ASKED);
    enum waiting answer = NEVER_WAITS;
    SL_GRAPH_EACH(n, f->body.graph) answer = answer == WAITS ? WAITS : worse(answer, ask_node(f->runtime, n));
    if (answer == ONLY_RECURSES && is_first) answer = NEVER_WAITS;
    atomic_store(&f->waits, (int)(answer == ONLY_RECURSES ? NOT_KNOWN : answer));
    return answer;
}

static bool function_waits(struct sl_function *f) {
    enum waiting known = (enum waiting)atomic_load(&f->waits);
    if (known == WAITS || known == NEVER_WAITS) return known == WAITS;
    sl_mutex_lock(&f->runtime->functions.ask_mutex);
    enum waiting answer = ask(f, true);
    sl_mutex_unlock(&f->runtime->functions.ask_mutex);
    return answer == WAITS;
}

static bool attrs_wait(struct sl_functions *self, const struct sl_attrs *attrs) {
    struct sl_function_store *store = (struct sl_function_store *)self;
    sl_mutex_lock(&store->ask_mutex);
    enum waiting answer = ask_attrs(store->runtime, attrs);
    sl_mutex_unlock(&store->ask_mutex);
    return answer == WAITS;
}

sl_code sl_instance_program(struct sl_program **out, struct sl_function *f, struct sl_error *err) {
    *out = atomic_load_explicit(&f->program, memory_order_acquire);
    if (*out) return SL_OK;
    function_waits(f); /* while there is a body to look at; from here on it is known */
    sl_mutex_lock(&f->mutex);
    sl_code code = SL_OK;
    *out = atomic_load_explicit(&f->program, memory_order_relaxed);
    if (!*out) {
        code = sl_pipeline_function(out, f->runtime, &f->body, f->device, err);
        if (code == SL_OK) {
            atomic_store_explicit(&f->program, *out, memory_order_release);
            sl_graph_free(f->body.graph);
            f->body = (struct sl_body){0};
        }
    }
    sl_mutex_unlock(&f->mutex);
    return code;
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
    sl_code code =
        env->depth < MOST_CALLS_DEEP
            ? sl_instance_program(&p, f, err)
            : sl_fail(err, SL_RESOURCE_EXHAUSTED, "function calls are nested more than %d deep", MOST_CALLS_DEEP);
    if (code != SL_OK) return refuse(f, args, rets, code);
    struct sl_step_env inner = *env;
    inner.depth++;
    inner.rendezvous = NULL; /* what is cut within the call meets in one of its own */
    return check_rets(f, rets, sl_step_run(p, &inner, args, rets, err), err);
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
    sl_code code =
        env->depth < MOST_CALLS_DEEP
            ? sl_instance_program(&p, f, err)
            : sl_fail(err, SL_RESOURCE_EXHAUSTED, "function calls are nested more than %d deep", MOST_CALLS_DEEP);
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
    *store = (struct sl_function_store){.base = {.instantiate = instantiate,
                                                 .instantiate_gradient = instantiate_gradient,
                                                 .signature = sl_instance_signature,
                                                 .is_async = function_waits,
                                                 .attrs_wait = attrs_wait,
                                                 .call = sl_instance_call,
                                                 .call_async = sl_instance_start},
                                        .runtime = runtime};
    sl_mutex_init(&store->mutex);
    sl_mutex_init(&store->ask_mutex);
}

void sl_function_store_clear(struct sl_function_store *store) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&store->by_key); e; e = sl_str_map_next(&store->by_key, e))
        function_free(e->value);
    sl_str_map_free(&store->by_key);
    sl_mutex_clear(&store->mutex);
    sl_mutex_clear(&store->ask_mutex);
}
