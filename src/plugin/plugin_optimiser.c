/* Registering graph optimisers (TF_InitGraph), and running them on a graph. */
#include "plugin/plugin_optimiser.h"

#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "os/mutex.h"
#include "passes/optimise/optimise.h"
#include "root/root.h"
#include "tensorflow/c/experimental/grappler/grappler.h"

struct optimiser {
    struct optimiser *_Atomic next;
    char *device_type;
    TP_Optimizer functions;
    unsigned switched_off; /* enum sl_toggle */
};

/* Only grows: readers take no lock. */
static struct {
    struct sl_mutex mutex;
    struct optimiser *_Atomic first;
} list = {.mutex = SL_MUTEX_INIT};

static bool has_device(const struct sl_device_set *devices, const char *type) {
    for (int d = 0; d < devices->n; d++)
        if (!strcmp(devices->items[d].type->name, type)) return true;
    return false;
}

/* ---- registering */

static unsigned switched_off(const TP_OptimizerConfigs *c) {
    const struct {
        TF_TriState state;
        unsigned toggle;
    } rows[] = {{c->constant_folding, SL_TOGGLE_CONSTANT_FOLDING},
                {c->arithmetic_optimization, SL_TOGGLE_ARITHMETIC},
                {c->shape_optimization, SL_TOGGLE_SHAPE},
                {c->dependency_optimization, SL_TOGGLE_DEPENDENCY},
                {c->loop_optimization, SL_TOGGLE_LOOP},
                {c->common_subgraph_elimination, SL_TOGGLE_COMMON},
                {c->remapping, SL_TOGGLE_REMAPPING}};
    unsigned off = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].state == TF_TriState_Off) off |= rows[i].toggle;
    return off;
}

static sl_code check_params(const TP_OptimizerRegistrationParams *p, struct sl_error *err) {
    const char *missing = NULL;
    if (!p->struct_size || !p->optimizer->struct_size || !p->optimizer_configs->struct_size)
        return sl_fail(err, SL_FAILED_PRECONDITION, "TF_InitGraph: a struct_size field is not set");
    if (p->major_version != GO_MAJOR)
        return sl_fail(err, SL_FAILED_PRECONDITION, "TF_InitGraph: version %d is not %d", (int)p->major_version,
                       GO_MAJOR);
    if (!p->device_type) missing = "device_type";
    else if (!p->optimizer->create_func) missing = "create_func";
    else if (!p->optimizer->optimize_func) missing = "optimize_func";
    else if (!p->optimizer->destroy_func) missing = "destroy_func";
    if (!missing) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "TF_InitGraph: '%s' field must be set", missing);
}

static sl_code add(const TP_OptimizerRegistrationParams *p, struct sl_error *err) {
    const size_t n = strlen(p->device_type) + 1;
    struct optimiser *o = sl_calloc(1, sizeof *o);
    char *type = sl_malloc(n);
    if (!o || !type) {
        sl_free(o);
        sl_free(type);
        return sl_fail_memory(err, n);
    }
    memcpy(type, p->device_type, n);
    o->device_type = type;
    o->functions = *p->optimizer;
    o->switched_off = switched_off(p->optimizer_configs);
    sl_mutex_lock(&list.mutex);
    struct optimiser *_Atomic *at = &list.first;
    struct optimiser *other;
    while ((other = atomic_load(at)) && strcmp(other->device_type, type)) at = &other->next;
    if (!other) atomic_store(at, o);
    sl_mutex_unlock(&list.mutex);
    if (!other) return SL_OK;
    sl_code code = sl_fail(err, SL_ALREADY_EXISTS, "there is a graph optimiser for devices of type %s already", type);
    sl_free(type);
    sl_free(o);
    return code;
}

sl_code sl_plugin_init_graph(void *function, struct sl_error *err) {
    TP_OptimizerConfigs configs = {.struct_size = TP_OPTIMIZER_CONFIGS_STRUCT_SIZE};
    TP_Optimizer optimizer = {.struct_size = TP_OPTIMIZER_STRUCT_SIZE};
    TP_OptimizerRegistrationParams params = {.struct_size = TP_OPTIMIZER_REGISTRATION_PARAMS_STRUCT_SIZE,
                                             .major_version = GO_MAJOR,
                                             .minor_version = GO_MINOR,
                                             .patch_version = GO_PATCH,
                                             .optimizer_configs = &configs,
                                             .optimizer = &optimizer};
    void (*init)(TP_OptimizerRegistrationParams * params, TF_Status * status);
    TF_Status status = {.code = SL_OK};
    *(void **)(&init) = function;
    init(&params, &status);
    sl_code code = sl_status_give(&status, err);
    sl_status_set(&status, SL_OK, NULL);
    SL_TRY(code);
    params.optimizer_configs = &configs; /* whatever the plug-in made of them */
    params.optimizer = &optimizer;
    SL_TRY(check_params(&params, err));
    return add(&params, err);
}

/* ---- running */

static bool serve(unsigned *off, const struct sl_device_set *devices) {
    bool any = false;
    *off = 0;
    for (const struct optimiser *o = atomic_load(&list.first); o; o = atomic_load(&o->next))
        if (has_device(devices, o->device_type)) {
            any = true;
            *off |= o->switched_off;
        }
    return any;
}

static void warn(const char *text) { sl_root_log(SL_LOG_WARNING, "A plug-in's graph is not used: %s", text); }

/* `*out`: from sl_malloc; NULL when the optimiser failed or gave nothing. */
static sl_code run_one(struct sl_str *out, const struct optimiser *o, struct sl_str graph,
                       const struct sl_graph_item *names, struct sl_error *err) {
    const struct TF_GrapplerItem item = {graph, names};
    const TF_Buffer in = {graph.p, graph.n, NULL};
    TF_Status status = {.code = SL_OK};
    TF_Buffer *made = TF_NewBuffer();
    if (!made) return sl_fail_memory(err, sizeof *made);
    void *optimizer = o->functions.create_func();
    o->functions.optimize_func(optimizer, &in, &item, made, &status);
    o->functions.destroy_func(optimizer);
    char *copy = NULL;
    *out = (struct sl_str){NULL, 0};
    if (status.code != SL_OK) warn(TF_Message(&status));
    else if (made->data && made->length && (copy = sl_malloc(made->length))) {
        memcpy(copy, made->data, made->length);
        *out = (struct sl_str){copy, made->length};
    }
    const bool is_lost = status.code == SL_OK && made->length && !copy;
    const size_t n = made->length;
    sl_status_set(&status, SL_OK, NULL);
    TF_DeleteBuffer(made);
    return is_lost ? sl_fail_memory(err, n) : SL_OK;
}

static sl_code rewrite(struct sl_str *out, struct sl_str graph, const struct sl_graph_item *item,
                       const struct sl_device_set *devices, struct sl_error *err) {
    *out = (struct sl_str){NULL, 0};
    for (const struct optimiser *o = atomic_load(&list.first); o; o = atomic_load(&o->next)) {
        struct sl_str made;
        if (!has_device(devices, o->device_type)) continue;
        SL_TRY(run_one(&made, o, out->p ? *out : graph, item, err));
        if (!made.p) continue;
        sl_free((void *)out->p);
        *out = made;
    }
    return SL_OK;
}

const struct sl_graph_plugins sl_plugin_optimisers = {serve, rewrite, warn};
