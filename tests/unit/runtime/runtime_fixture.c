/* Each function fails the test when something does not work. */
#include "unit/runtime/runtime_fixture.h"

const struct sl_registries *registries_of(struct graph_fixture *f) {
    const struct sl_registries *registries;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    return registries;
}

void import_client(struct graph_fixture *f, const char *text) {
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries_of(f)->ops, &f->err));
    import_text(f, text, NULL);
}

struct sl_runtime *runtime_on(struct graph_fixture *f, struct sl_device_set *devices) {
    struct sl_runtime *runtime;
    assert_ok(f->err, sl_runtime_new(&runtime, registries_of(f), devices, NULL, &f->err));
    return runtime;
}

struct sl_runtime *runtime_of_task(struct graph_fixture *f, const char *task, int n_devices) {
    struct sl_device_set devices;
    assert_ok(f->err, sl_device_set_new(&devices, sl_str_of(task), n_devices, 7, &f->err));
    return runtime_on(f, &devices);
}

void add_function(struct graph_fixture *f, struct sl_runtime *runtime, const char *text) {
    struct sl_function_def *made = NULL;
    struct sl_library_seen seen = {0, 0};
    assert_ok(f->err, sl_function_new(&made, function_def(f, text), &f->err));
    assert_ok(f->err, sl_graph_add_function(f->graph, made, &f->err));
    sl_function_unref(made);
    assert_ok(f->err, sl_runtime_add_functions(&seen, runtime, f->graph, &f->err));
}

void front_of(struct sl_front *out, struct graph_fixture *f, struct sl_runtime *runtime, const char *feed,
              const char *fetch, const char *target) {
    struct sl_port in = {NULL, 0}, fetched = port_of(f, fetch, 0);
    struct sl_node *run = target ? node_called(f, target) : NULL;
    if (feed) in = port_of(f, feed, 0);
    const struct sl_prune_request request = {.feeds = &in,
                                             .fetches = &fetched,
                                             .targets = &run,
                                             .n_feeds = feed != NULL,
                                             .n_fetches = 1,
                                             .n_targets = target != NULL,
                                             .n_nodes = f->graph->nodes.n};
    assert_ok(f->err, sl_pipeline_front(out, runtime, &request, false, &f->err));
}

struct sl_program *back_of(struct graph_fixture *f, struct sl_runtime *runtime, struct sl_part *part) {
    struct sl_program *program;
    assert_ok(f->err, sl_pipeline_back(&program, runtime, part, &(struct sl_back_options){false}, &f->err));
    return program;
}

float run_program(struct graph_fixture *f, struct sl_runtime *runtime, struct sl_program *program, float x) {
    struct sl_step_env env;
    struct sl_value arg = scalar(x), ret;
    assert_ok(f->err, sl_runtime_begin_step(&env, runtime, NULL, 0, &f->err));
    assert_ok(f->err, sl_runtime_run_step(&env, program, &arg, &ret, &f->err));
    sl_runtime_end_step(&env);
    return float_of(&ret);
}

struct sl_value scalar(float x) {
    return (struct sl_value){.f32 = x, .kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT};
}

float float_of(const struct sl_value *v) {
    assert_int_equal(v->kind, SL_VALUE_SCALAR);
    assert_int_equal(v->dtype, SL_FLOAT);
    return v->f32;
}
