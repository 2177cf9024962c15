/* Functions that gradients of calls are made of: they are in the context's library as long as something needs them. */
#include <pthread.h>

#include "capi/eager/eager_handles.h"
#include "eager/eager_context.h"
#include "unit/eager/tape_fixture.h"

/* name(x) = x^3 */
static void add_cube(struct taping *t, const char *name) {
    TF_Graph *graph = TF_NewGraph();
    TF_OperationDescription *d = TF_NewOperation(graph, "Placeholder", "x");
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_Output x = {TF_FinishOperation(d, t->status), 0}, square, y;
    d = TF_NewOperation(graph, "Square", "square");
    TF_AddInput(d, x);
    square = (TF_Output){TF_FinishOperation(d, t->status), 0};
    d = TF_NewOperation(graph, "Mul", "y");
    TF_AddInput(d, square);
    TF_AddInput(d, x);
    y = (TF_Output){TF_FinishOperation(d, t->status), 0};
    assert_status_ok(t->status);
    TF_Function *f = TF_GraphToFunction(graph, name, 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, t->status);
    assert_status_ok(t->status);
    TFE_ContextAddFunction(t->context, f, t->status);
    assert_status_ok(t->status);
    TF_DeleteFunction(f);
    TF_DeleteGraph(graph);
}

static void remove_function(struct taping *t, const char *name) {
    TFE_ContextRemoveFunction(t->context, name, t->status);
    assert_status_ok(t->status);
}

static size_t functions_of(struct taping *t) {
    struct sl_runtime *r = sl_as_eager(t->context)->runtime;
    sl_mutex_lock(&r->library_mutex);
    const size_t n = r->library->functions.n;
    sl_mutex_unlock(&r->library_mutex);
    return n;
}

static size_t instances_of(struct taping *t) {
    struct sl_function_store *store = &sl_as_eager(t->context)->runtime->functions;
    sl_mutex_lock(&store->all_mutex);
    const size_t n = store->n_all;
    sl_mutex_unlock(&store->all_mutex);
    return n;
}

static void drop_from(struct taping *t, int n) {
    while (t->n_values > n) drop(t, t->values[t->n_values - 1]);
}

/* Two tapes, so that the gradient of a gradient is made as well. */
static void differentiate_twice(struct taping *t, const char *function, float x) {
    const int before = t->n_values;
    TFE_TensorHandle *in = NUMBER(x);
    struct sl_tape *outer = tape_of(t, false, in), *inner = tape_of(t, false, in);
    TFE_TensorHandle *dx = gradient(t, inner, RUN(function, in), in);
    sl_tape_delete(inner);
    ASSERT_FLOATS(dx, 3 * x * x);
    ASSERT_FLOATS(gradient(t, outer, dx, in), 6 * x);
    sl_tape_delete(outer);
    drop_from(t, before);
}

static void functions_of_gradients_go_with_the_function(void **state) {
    struct taping *t = *state;
    char name[32];
    size_t functions = 0, instances = 0;
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "cube_%d", i);
        add_cube(t, name);
        differentiate_twice(t, name, (float)(i % 7));
        if (i == 9) {
            functions = functions_of(t);
            instances = instances_of(t);
            assert_true(functions > 2);
        }
        if (i > 9) {
            assert_int_equal(functions_of(t), functions);
            assert_int_equal(instances_of(t), instances);
        }
        remove_function(t, name);
    }
    add_cube(t, "last");
    differentiate_twice(t, "last", 1);
    assert_int_equal(functions_of(t), functions);
}

/* Without a function that goes, the gradients of the last calls stay, and no more. */
static void functions_of_gradients_are_bounded(void **state) {
    struct taping *t = *state;
    enum { N = 300 };
    char name[32];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "cube_%d", i);
        add_cube(t, name);
    }
    size_t most = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            snprintf(name, sizeof name, "cube_%d", i);
            differentiate_twice(t, name, (float)(i % 7));
        }
        if (round) assert_int_equal(functions_of(t), most);
        most = functions_of(t);
    }
}

/* A tape still needs what others of its name, or of no use, have left. */
static void a_tape_keeps_what_it_needs(void **state) {
    struct taping *t = *state;
    TFE_TensorHandle *x = NUMBER(2);
    add_cube(t, "cube");
    add_cube(t, "other");
    struct sl_tape *outer = tape_of(t, true, x), *inner = tape_of(t, true, x);
    TFE_TensorHandle *dx = gradient(t, inner, RUN("cube", x), x);
    sl_tape_delete(inner);
    remove_function(t, "other"); /* so what is kept for later calls goes */
    add_cube(t, "third");
    differentiate_twice(t, "third", 3);
    TFE_TensorHandle *d2x = gradient(t, outer, dx, x);
    ASSERT_FLOATS(d2x, 12);
    remove_function(t, "third");
    add_cube(t, "third");
    differentiate_twice(t, "third", 3);
    ASSERT_FLOATS(gradient(t, outer, dx, x), 12);
    sl_tape_delete(outer);
}

/* ---- threads, each with functions of its own and one that all have */
struct worker {
    struct taping t;
    pthread_t thread;
    int number;
};

static void *differentiate_much(void *arg) {
    struct worker *w = arg;
    struct taping *t = &w->t;
    char name[32];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "own_%d_%d", w->number, i % 3);
        add_cube(t, name);
        differentiate_twice(t, name, 2);
        differentiate_twice(t, "shared", (float)i);
        remove_function(t, name);
    }
    drop_from(t, 0);
    return NULL;
}

static void threads_differentiate_the_same(void **state) {
    enum { THREADS = 4 };
    struct taping *t = *state;
    struct worker workers[THREADS];
    add_cube(t, "shared");
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.t = {.context = t->context, .status = TF_NewStatus()}, .number = i};
        pthread_create(&workers[i].thread, NULL, differentiate_much, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        TF_DeleteStatus(workers[i].t.status);
    }
    differentiate_twice(t, "shared", 5);
    add_cube(t, "own_0_0");
    remove_function(t, "own_0_0");
    differentiate_twice(t, "shared", 5);
    assert_in_range(functions_of(t), 2, 16); /* of one environment, which the context has kept */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TAPING(functions_of_gradients_go_with_the_function),
        TAPING(functions_of_gradients_are_bounded),
        TAPING(a_tape_keeps_what_it_needs),
        TAPING(threads_differentiate_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
