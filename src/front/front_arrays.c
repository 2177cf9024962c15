/* map, scan, fold: loops over TensorArrays, element by element. */
#include <string.h>

#include "front/front.h"
#include "sluice/flow.h"
#include "sluice/ops.h"

/* An array under way: read from or written to within the loop. */
struct array {
    TF_Output handle, flow;
};

struct walk {
    TF_Output count; /* elements, int32 */
    struct array in; /* of the elements */
    TF_Output elements;
    TF_DataType type;   /* of an element */
    struct array *out;  /* n_out; `flow` as before the loop */
    TF_Output *results; /* what the step gave last, for types and shapes: n_out, within the loop */
    int n_states, n_out;
    bool is_map; /* the result is no state */
    TF_Output (*map)(struct sl_scope *scope, TF_Output element, void *arg);
    TF_Output (*fold)(struct sl_scope *scope, TF_Output state, TF_Output element, void *arg);
    void (*step)(struct sl_scope *scope, TF_Output *next, const TF_Output *states, TF_Output element, void *arg);
    void *arg;
};

static struct array array_new(struct sl_scope *s, TF_Output size, TF_DataType type) {
    struct sl_tensor_array_v3_outputs a =
        sl_tensor_array_v3(s, size, (struct sl_tensor_array_v3_attrs){.dtype = type, .identical_element_shapes = true});
    return (struct array){a.handle, a.flow};
}

static TF_Output numbers(struct sl_scope *s, TF_Output count) {
    return sl_range(s, sl_scalar(s, TF_INT32, 0), count, sl_scalar(s, TF_INT32, 1));
}

/* Tells inference that `element` is one of w->elements. */
static void give_element_shape(struct sl_scope *s, const struct walk *w, TF_Output element) {
    int64_t dims[SL_MAX_RANK];
    int rank = sl_rank_of(s, w->elements);
    if (rank < 1 || !element.oper) return;
    for (int i = 1; i < rank; i++) dims[i - 1] = sl_size_of(s, w->elements, i);
    sl_scope_set_shape(s, element, dims, rank - 1);
}

/* The loop's variables: the position, the states, the flows of the arrays written to. */
static TF_Output is_within(struct sl_scope *s, const TF_Output *v, void *arg) {
    const struct walk *w = arg;
    return sl_less(s, v[0], w->count);
}

static void go_on(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    struct walk *w = arg;
    TF_Output element = sl_tensor_array_read_v3(s, w->in.handle, v[0], w->in.flow,
                                                (struct sl_tensor_array_read_v3_attrs){.dtype = w->type});
    if (sl_scope_ok(s)) give_element_shape(s, w, element);
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    if (w->map) w->results[0] = w->map(s, element, w->arg);
    else if (w->fold) next[1] = w->fold(s, v[1], element, w->arg);
    else w->step(s, next + 1, v + 1, element, w->arg);
    for (int i = 0; i < w->n_out; i++) {
        if (!w->map) w->results[i] = next[1 + i];
        next[1 + w->n_states + i] =
            sl_tensor_array_write_v3(s, w->out[i].handle, v[0], w->results[i], v[1 + w->n_states + i]);
    }
}

static TF_Output stack(struct sl_scope *s, const struct walk *w, int i, TF_Output flow) {
    struct sl_tensor_array_gather_v3_attrs attrs = {.dtype = sl_type_of(s, w->results[i])};
    int64_t dims[SL_MAX_RANK];
    int rank = sl_rank_of(s, w->results[i]);
    for (int k = 0; k < rank; k++) dims[k] = sl_size_of(s, w->results[i], k);
    attrs.element_shape = (struct sl_dims){dims, rank};
    TF_Output all = sl_tensor_array_gather_v3(s, w->out[i].handle, numbers(s, w->count), flow, attrs);
    if (!sl_scope_ok(s) || rank < 0 || rank + 1 > SL_MAX_RANK) return all;
    for (int k = rank; k > 0; k--) dims[k] = dims[k - 1];
    dims[0] = sl_size_of(s, w->elements, 0);
    sl_scope_set_shape(s, all, dims, rank + 1);
    return all;
}

/* Fills `stacked`, w->n_out of them, and `last`, w->n_states. */
static void run(struct sl_scope *s, TF_Output *stacked, TF_Output *last, struct walk *w, TF_Output elements,
                const TF_Output *initial, const TF_DataType *types) {
    int n = 1 + w->n_states + w->n_out;
    TF_Output *v = SL_ARENA_ARRAY(&s->arena, TF_Output, 2 * (size_t)n + (size_t)w->n_out);
    w->out = SL_ARENA_ARRAY(&s->arena, struct array, (size_t)w->n_out);
    if (!v || !w->out) {
        sl_scope_fail_memory(s);
        return;
    }
    TF_Output *ends = v + n;
    w->results = ends + n;
    w->elements = elements;
    w->type = sl_type_of(s, elements);
    w->count =
        sl_squeeze(s, sl_slice(s, sl_shape(s, elements), sl_int_vector(s, SL_INTS(0)), sl_int_vector(s, SL_INTS(1))));
    w->in = array_new(s, w->count, w->type);
    w->in.flow = sl_tensor_array_scatter_v3(s, w->in.handle, numbers(s, w->count), elements, w->in.flow);
    v[0] = sl_scalar(s, TF_INT32, 0);
    for (int i = 0; i < w->n_states; i++) v[1 + i] = initial[i];
    for (int i = 0; i < w->n_out; i++) {
        w->out[i] = array_new(s, w->count, types ? types[0] : sl_type_of(s, initial[i]));
        v[1 + w->n_states + i] = w->out[i].flow;
    }
    sl_while(s, ends, v, n, is_within, go_on, w, NULL);
    for (int i = 0; i < w->n_states && last; i++) last[i] = ends[1 + i];
    for (int i = 0; i < w->n_out && sl_scope_ok(s); i++) stacked[i] = stack(s, w, i, ends[1 + w->n_states + i]);
}

SL_API TF_Output sl_map(struct sl_scope *scope, TF_Output elements, TF_DataType type,
                        TF_Output (*f)(struct sl_scope *scope, TF_Output element, void *arg), void *arg) {
    TF_Output out = sl_op_first(NULL);
    if (!sl_scope_ok(scope)) return out;
    struct walk w = {.n_out = 1, .map = f, .arg = arg};
    if (!type) type = sl_type_of(scope, elements);
    sl_push_name(scope, "map");
    run(scope, &out, NULL, &w, elements, NULL, &type);
    sl_pop(scope);
    return out;
}

SL_API void sl_scan(struct sl_scope *scope, TF_Output *stacked, int num_stacked, TF_Output *last,
                    const TF_Output *initial, int n, TF_Output elements,
                    void (*step)(struct sl_scope *scope, TF_Output *next, const TF_Output *states, TF_Output element,
                                 void *arg),
                    void *arg) {
    initial = sl_scope_copy(scope, initial, n);
    for (int i = 0; i < num_stacked; i++) stacked[i] = sl_op_first(NULL);
    for (int i = 0; i < n && last; i++) last[i] = sl_op_first(NULL);
    if (n < 1 || num_stacked < 0 || num_stacked > n)
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_scan: there must be a state, and no more stacked than states");
    if (!sl_scope_ok(scope)) return;
    struct walk w = {.n_states = n, .n_out = num_stacked, .step = step, .arg = arg};
    sl_push_name(scope, "scan");
    run(scope, stacked, last, &w, elements, initial, NULL);
    sl_pop(scope);
}

SL_API TF_Output sl_fold(struct sl_scope *scope, TF_Output initial, TF_Output elements,
                         TF_Output (*f)(struct sl_scope *scope, TF_Output state, TF_Output element, void *arg),
                         void *arg) {
    TF_Output last = sl_op_first(NULL);
    if (!sl_scope_ok(scope)) return last;
    struct walk w = {.n_states = 1, .fold = f, .arg = arg};
    sl_push_name(scope, "fold");
    run(scope, NULL, &last, &w, elements, &initial, NULL);
    sl_pop(scope);
    return last;
}
