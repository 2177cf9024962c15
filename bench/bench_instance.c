/* One op run by itself, through a kernel instance: AddV2 of two float scalars and of two vectors of 4 floats. "held"
 * runs an instance that the caller has; "found" asks the cache for it each time, as an eager call does. Items are
 * calls. */
#include "kernel/instance_cache.h"
#include "measure.h"
#include "ops/op_row.h"
#include "root/root.h"

enum { CALLS = 10000 };

struct call {
    struct sl_kernel_cache *cache;
    struct sl_kernel_request request;
    struct sl_kernel_instance *held;
    struct sl_step_env env;
    struct sl_value a, b;
    struct sl_error err;
};

static void check(sl_code code, const struct sl_error *err) {
    if (code == SL_OK) return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static void run_once(struct call *c, struct sl_kernel_instance *instance) {
    struct sl_value values[3] = {c->a, c->b};
    check(sl_kernel_instance_run(instance, &c->env, values, 0, &c->err), &c->err);
    measure_use(values);
    sl_value_clear(&values[2]);
}

static void held(void *state) {
    struct call *c = state;
    for (int i = 0; i < CALLS; i++) run_once(c, c->held);
}

static void found(void *state) {
    struct call *c = state;
    for (int i = 0; i < CALLS; i++) {
        struct sl_kernel_instance *instance;
        check(sl_kernel_prepare(&instance, c->cache, &c->request, &c->err), &c->err);
        run_once(c, instance);
        sl_kernel_instance_unref(instance);
    }
}

static struct sl_value ones(struct sl_shape shape) {
    struct sl_value v;
    struct sl_error err;
    check(sl_value_new(&v, SL_FLOAT, shape, &err), &err);
    struct sl_view view = sl_value_view(&v);
    for (int64_t i = 0; i < view.count; i++) ((float *)view.data)[i] = 1;
    return v;
}

static void measure_shape(struct call *c, const char *held_name, const char *found_name, struct sl_shape shape) {
    c->a = ones(shape);
    c->b = ones(shape);
    measure(held_name, CALLS, held, c);
    measure(found_name, CALLS, found, c);
    sl_value_clear(&c->a);
    sl_value_clear(&c->b);
}

int main(void) {
    struct call c = {.env = {.device = "/job:localhost/replica:0/task:0/device:CPU:0"}};
    const struct sl_registries *registries;
    const struct sl_attr type = {SL_STR("T"), SL_ATTR_VALUE(type, SL_FLOAT)};
    const struct sl_attrs attrs = {&type, 1};
    const int64_t four = 4;
    check(sl_root_registries(&registries, &c.err), &c.err);
    c.cache = registries->instances;
    c.request = (struct sl_kernel_request){.attrs = &attrs, .device = c.env.device, .device_type = "CPU"};
    check(sl_op_find(&c.request.op, registries->ops, SL_STR("AddV2"), &c.err), &c.err);
    check(sl_kernel_prepare(&c.held, c.cache, &c.request, &c.err), &c.err);
    measure_shape(&c, "instance/held_add_scalars", "instance/found_add_scalars", SL_SHAPE_SCALAR);
    measure_shape(&c, "instance/held_add_vectors_of_4", "instance/found_add_vectors_of_4", (struct sl_shape){1, &four});
    sl_kernel_instance_unref(c.held);
    return 0;
}
