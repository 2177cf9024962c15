/* Optimisers: slots beside each variable, and the op that changes the variable by its gradient. One row a kind in
 * `kinds`. */
#include <float.h>
#include <string.h>

#include "front/front_eager.h"
#include "front/front_options.h"
#include "sluice/ops.h"
#include "sluice/train.h"

/* Whether what comes from outside is another value here: an argument, or what enters the loop. */
static bool is_within(const struct sl_scope *s) {
    bool is_in_loop = false;
    for (const struct sl_flow *flow = s->flow; flow; flow = flow->outer)
        is_in_loop = is_in_loop || flow->is_loop || (flow->base == flow && flow->outer);
    return is_in_loop;
}

/* One variable under way. */
struct update {
    struct sl_scope *s;
    const struct sl_optimizer *o;
    struct sl_var variable;
    TF_Output gradient, indices; /* indices without `oper`: dense; else each row once */
    TF_Output rate;              /* of the variable's type */
    TF_Output power[2];          /* of kinds with powers: beta1^t, beta2^t */
};

static double or_default(double number, double value) { return number != 0 ? number : value; }
static TF_Output number(const struct update *u, double value) { return sl_scalar_like(u->s, u->variable.value, value); }

/* A variable beside the one under way, of its shape. */
static TF_Output slot(const struct update *u, const char *name, double value) {
    int64_t dims[SL_MAX_RANK];
    int rank = sl_rank_of(u->s, u->variable.value);
    for (int i = 0; i < rank; i++) dims[i] = sl_size_of(u->s, u->variable.value, i);
    const char *of = sl_variable_name(u->s, u->variable);
    const char *whole = of ? sl_arena_format(&u->s->arena, "%s/%s", of, name) : NULL;
    if (!whole) sl_scope_fail_memory(u->s);
    struct sl_flow *flow = sl_scope_enter(u->s, &u->s->root);
    sl_push_no_control(u->s);
    TF_Output initial =
        sl_initial_filled(u->s, sl_type_of(u->s, u->variable.value), (struct sl_dims){dims, rank}, value);
    struct sl_var made = sl_variable_untrained(u->s, whole, initial);
    sl_pop(u->s);
    sl_scope_enter(u->s, flow);
    return made.handle;
}

static bool is_sparse(const struct update *u) { return u->indices.oper != NULL; }

/* ---- the kinds */
static TF_Operation *sgd(const struct update *u) {
    if (!is_sparse(u)) return sl_resource_apply_gradient_descent(u->s, u->variable.handle, u->rate, u->gradient);
    return sl_resource_scatter_sub(u->s, u->variable.handle, u->indices, sl_mul(u->s, u->gradient, u->rate));
}

static TF_Operation *momentum(const struct update *u) {
    TF_Output a = slot(u, "momentum", 0), m = number(u, or_default(u->o->momentum, .9));
    if (is_sparse(u))
        return sl_resource_sparse_apply_momentum_with(u->s, u->variable.handle, a, u->rate, u->gradient, u->indices, m,
                                                      (struct sl_resource_sparse_apply_momentum_attrs){
                                                          .use_nesterov = u->o->nesterov});
    return sl_resource_apply_momentum_with(u->s, u->variable.handle, a, u->rate, u->gradient, m,
                                           (struct sl_resource_apply_momentum_attrs){.use_nesterov = u->o->nesterov});
}

static TF_Operation *adagrad(const struct update *u) {
    TF_Output a = slot(u, "accumulator", or_default(u->o->initial, .1));
    if (is_sparse(u))
        return sl_resource_sparse_apply_adagrad(u->s, u->variable.handle, a, u->rate, u->gradient, u->indices);
    return sl_resource_apply_adagrad(u->s, u->variable.handle, a, u->rate, u->gradient);
}

static TF_Operation *adadelta(const struct update *u) {
    TF_Output a = slot(u, "accumulator", 0), b = slot(u, "update", 0), rho = number(u, or_default(u->o->decay, .95)),
              epsilon = number(u, or_default(u->o->epsilon, 1e-8));
    if (is_sparse(u))
        return sl_resource_sparse_apply_adadelta(u->s, u->variable.handle, a, b, u->rate, rho, epsilon, u->gradient,
                                                 u->indices);
    return sl_resource_apply_adadelta(u->s, u->variable.handle, a, b, u->rate, rho, epsilon, u->gradient);
}

static TF_Operation *rmsprop(const struct update *u) {
    TF_Output mean = u->o->centered ? slot(u, "mean", 0) : sl_op_first(NULL), square = slot(u, "square", 1),
              m = slot(u, "momentum", 0), rho = number(u, or_default(u->o->decay, .9)), mu = number(u, u->o->momentum),
              epsilon = number(u, or_default(u->o->epsilon, 1e-10));
    TF_Output var = u->variable.handle;
    if (u->o->centered && is_sparse(u))
        return sl_resource_sparse_apply_centered_rms_prop(u->s, var, mean, square, m, u->rate, rho, mu, epsilon,
                                                          u->gradient, u->indices);
    if (u->o->centered)
        return sl_resource_apply_centered_rms_prop(u->s, var, mean, square, m, u->rate, rho, mu, epsilon, u->gradient);
    if (is_sparse(u))
        return sl_resource_sparse_apply_rms_prop(u->s, var, square, m, u->rate, rho, mu, epsilon, u->gradient,
                                                 u->indices);
    return sl_resource_apply_rms_prop(u->s, var, square, m, u->rate, rho, mu, epsilon, u->gradient);
}

/* slot = beta slot + (1 - beta) value in the rows; the new slot. */
static TF_Output decayed(const struct update *u, TF_Output of, double beta, TF_Output value) {
    const struct sl_var v = {of, u->variable.value};
    TF_Operation *shrink = sl_variable_assign(u->s, v, sl_mul(u->s, sl_read(u->s, v), number(u, beta)));
    sl_push_control(u->s, &shrink, 1);
    TF_Operation *grow = sl_resource_scatter_add(u->s, of, u->indices, sl_mul(u->s, value, number(u, 1 - beta)));
    sl_push_control(u->s, &grow, 1);
    TF_Output now = sl_read(u->s, v);
    sl_pop(u->s);
    sl_pop(u->s);
    return now;
}

/* Rows: the moments of all rows decay, and all rows move. */
static TF_Operation *adam_of_rows(const struct update *u, TF_Output m, TF_Output v, TF_Output largest, double beta1,
                                  double beta2, double epsilon) {
    struct sl_scope *s = u->s;
    TF_Output one = number(u, 1);
    TF_Output rate =
        sl_div(s, sl_mul(s, u->rate, sl_sqrt(s, sl_sub(s, one, u->power[1]))), sl_sub(s, one, u->power[0]));
    TF_Output mean = decayed(u, m, beta1, u->gradient), square = decayed(u, v, beta2, sl_square(s, u->gradient));
    if (u->o->amsgrad) {
        const struct sl_var most = {largest, u->variable.value};
        square = sl_maximum(s, sl_read(s, most), square);
        TF_Operation *keep = sl_variable_assign(s, most, square);
        sl_push_control(s, &keep, 1);
        square = sl_identity(s, square);
        sl_pop(s);
    }
    if (u->o->nesterov &&
        !u->o->amsgrad) { /* one step further: the mean decays once more, and gets the gradient again */
        TF_Output rows = sl_expand_dims(s, u->indices, sl_scalar(s, TF_INT32, 1));
        mean = sl_tensor_scatter_add(s, sl_mul(s, mean, number(u, beta1)), rows,
                                     sl_mul(s, u->gradient, number(u, 1 - beta1)));
    }
    TF_Output step = sl_div(s, sl_mul(s, rate, mean), sl_add_v2(s, sl_sqrt(s, square), number(u, epsilon)));
    return sl_assign_sub_variable_op(s, u->variable.handle, step);
}

static TF_Operation *adam(const struct update *u) {
    double beta1 = or_default(u->o->beta1, .9), beta2 = or_default(u->o->beta2, .999),
           epsilon = or_default(u->o->epsilon, 1e-8);
    TF_Output m = slot(u, "m", 0), v = slot(u, "v", 0),
              largest = u->o->amsgrad ? slot(u, "largest", 0) : sl_op_first(NULL);
    if (is_sparse(u)) return adam_of_rows(u, m, v, largest, beta1, beta2, epsilon);
    TF_Output b1 = number(u, beta1), b2 = number(u, beta2), e = number(u, epsilon);
    if (u->o->amsgrad)
        return sl_resource_apply_adam_with_amsgrad(u->s, u->variable.handle, m, v, largest, u->power[0], u->power[1],
                                                   u->rate, b1, b2, e, u->gradient);
    return sl_resource_apply_adam_with(u->s, u->variable.handle, m, v, u->power[0], u->power[1], u->rate, b1, b2, e,
                                       u->gradient,
                                       (struct sl_resource_apply_adam_attrs){.use_nesterov = u->o->nesterov});
}

static TF_Operation *ftrl(const struct update *u) {
    TF_Output a = slot(u, "accumulator", or_default(u->o->initial, .1)), linear = slot(u, "linear", 0);
    TF_Output l1 = number(u, u->o->l1), l2 = number(u, u->o->l2), shrinkage = number(u, u->o->l2_shrinkage),
              power = number(u, or_default(u->o->power, -.5));
    if (is_sparse(u))
        return sl_resource_sparse_apply_ftrl_v2(u->s, u->variable.handle, a, linear, u->gradient, u->indices, u->rate,
                                                l1, l2, shrinkage, power);
    return sl_resource_apply_ftrl_v2(u->s, u->variable.handle, a, linear, u->gradient, u->rate, l1, l2, shrinkage,
                                     power);
}

static TF_Operation *lion(const struct update *u) {
    struct sl_scope *s = u->s;
    double beta1 = or_default(u->o->beta1, .9), beta2 = or_default(u->o->beta2, .99);
    const struct sl_var m = {slot(u, "m", 0), u->variable.value};
    TF_Output before = sl_read(s, m), g = u->gradient;
    TF_Output seen = sl_add_v2(s, sl_mul(s, before, number(u, beta1)), sl_mul(s, g, number(u, 1 - beta1))),
              kept = sl_add_v2(s, sl_mul(s, before, number(u, beta2)), sl_mul(s, g, number(u, 1 - beta2)));
    TF_Operation *both[] = {sl_assign_sub_variable_op(s, u->variable.handle, sl_mul(s, u->rate, sl_sign(s, seen))),
                            sl_variable_assign(s, m, kept)};
    return sl_group(s, both, 2);
}

static const struct kind {
    const char *name;
    TF_Operation *(*update)(const struct update *u);
    bool has_powers;     /* of the betas */
    bool is_dense;       /* takes rows as a whole gradient */
    double weight_decay; /* by default */
} kinds[] = {[SL_SGD] = {.name = "sgd", .update = sgd},
             [SL_MOMENTUM] = {.name = "momentum", .update = momentum},
             [SL_ADAGRAD] = {.name = "adagrad", .update = adagrad},
             [SL_ADADELTA] = {.name = "adadelta", .update = adadelta},
             [SL_RMSPROP] = {.name = "rmsprop", .update = rmsprop},
             [SL_ADAM] = {.name = "adam", .update = adam, .has_powers = true},
             [SL_FTRL] = {.name = "ftrl", .update = ftrl},
             [SL_ADAMW] = {.name = "adamw", .update = adam, .has_powers = true, .weight_decay = .004},
             [SL_LION] = {.name = "lion", .update = lion, .is_dense = true}};

/* ---- applying */
static TF_Output dense(struct sl_scope *s, struct sl_slices rows) {
    if (!rows.indices.oper) return rows.values;
    TF_Output n = sl_strided_slice(s, rows.dense_shape, sl_int_vector(s, SL_INTS(0)), sl_int_vector(s, SL_INTS(1)),
                                   sl_int_vector(s, SL_INTS(1)));
    return sl_unsorted_segment_sum(s, rows.values, rows.indices, sl_squeeze(s, n));
}

/* Rows that occur several times become one: their sum. */
static void take_gradient(struct update *u, struct sl_slices gradient) {
    if (kinds[u->o->kind].is_dense) gradient = (struct sl_slices){.values = dense(u->s, gradient)};
    u->gradient = gradient.values;
    u->indices = gradient.indices;
    if (!gradient.indices.oper) return;
    struct sl_unique_outputs unique = sl_unique(u->s, gradient.indices);
    u->gradient = sl_unsorted_segment_sum(u->s, gradient.values, unique.idx, sl_size(u->s, unique.y));
    u->indices = unique.y;
}

/* Makes the variable smaller, once the gradient is there, which was computed with what it is now; NULL when it stays. */
static TF_Operation *decay_weights(const struct update *u) {
    double decay = or_default(u->o->weight_decay, kinds[u->o->kind].weight_decay);
    if (decay == 0 || (u->o->decay_matrices && sl_rank_of(u->s, u->variable.value) < 2)) return NULL;
    sl_push_control(u->s, &u->gradient.oper, 1);
    TF_Output share = sl_mul(u->s, u->rate, number(u, decay));
    TF_Operation *smaller =
        sl_assign_sub_variable_op(u->s, u->variable.handle, sl_mul(u->s, sl_read(u->s, u->variable), share));
    sl_pop(u->s);
    return smaller;
}

/* The products of betas so far, of one type: made when the first variable of the type asks. */
struct powers {
    TF_DataType type;
    struct sl_var of[2];
};
enum { MOST_TYPES = 8 };

static const struct powers *powers_for(struct powers *all, int *n, const struct update *u) {
    TF_DataType type = sl_type_of(u->s, u->variable.value);
    static const char *const names[] = {"beta1_power", "beta2_power"};
    double betas[] = {or_default(u->o->beta1, .9), or_default(u->o->beta2, .999)};
    for (int i = 0; i < *n; i++)
        if (all[i].type == type) return &all[i];
    if (*n == MOST_TYPES) return &all[0];
    struct powers *p = &all[(*n)++];
    p->type = type;
    struct sl_flow *flow = sl_scope_enter(u->s, &u->s->root);
    sl_push_no_control(u->s);
    for (int i = 0; i < 2; i++) {
        TF_Output initial =
            sl_scope_makes_variables(u->s) ? sl_initial_filled(u->s, type, SL_SCALAR, betas[i]) : number(u, betas[i]);
        p->of[i] = sl_variable_untrained(u->s, names[i], initial);
    }
    sl_pop(u->s);
    sl_scope_enter(u->s, flow);
    return p;
}

/* All after all variables: the betas' powers, the counter. */
static TF_Operation *finish(struct sl_scope *s, const struct sl_optimizer *o, TF_Operation **done, int n,
                            const struct powers *powers, int n_powers, const struct sl_var *step) {
    TF_Operation *all[2 * MOST_TYPES + 2];
    int n_all = 0;
    double betas[] = {or_default(o->beta1, .9), or_default(o->beta2, .999)};
    all[n_all++] = sl_group(s, done, n);
    sl_push_control(s, all, 1);
    for (int i = 0; i < n_powers; i++)
        for (int k = 0; k < 2; k++) {
            TF_Output before = is_within(s) ? sl_read(s, powers[i].of[k]) : powers[i].of[k].value;
            all[n_all++] =
                sl_variable_assign(s, powers[i].of[k], sl_mul(s, before, sl_scalar_like(s, before, betas[k])));
        }
    if (step) all[n_all++] = sl_variable_add(s, *step, sl_scalar_like(s, step->value, 1));
    sl_pop(s);
    return n_all == 1 ? all[0] : sl_group(s, all, n_all);
}

/* What else is to be done in a step that trains the variable. */
static int list_run_with(TF_Operation **list, const struct sl_scope *s, struct sl_var variable) {
    int n = 0;
    for (size_t i = 0; i < s->run_with.n; i++)
        if (s->run_with.items[i].variable.handle.oper == variable.handle.oper)
            list[n++] = s->run_with.items[i].operation;
    return n;
}

/* Slots, and what changes them, are where the variable is. */
static bool push_place(struct sl_scope *s, struct sl_var variable) {
    const char *device = sl_is_eager(s) || !variable.handle.oper ? "" : TF_OperationDevice(variable.handle.oper);
    if (*device) sl_push_device(s, device);
    return *device;
}

static TF_Operation *apply(struct sl_scope *s, const struct sl_optimizer *o, const struct sl_var *variables, int n,
                           const struct sl_slices *gradients, const struct sl_var *step) {
    TF_Operation **done = SL_ARENA_ARRAY(&s->arena, TF_Operation *, (n > 0 ? (size_t)n : 0) * (1 + s->run_with.n));
    struct powers powers[MOST_TYPES];
    int n_powers = 0, n_done = 0;
    if (!done) {
        sl_scope_fail_memory(s);
        return NULL;
    }
    for (int i = 0; i < n && sl_scope_ok(s); i++) {
        if (!gradients[i].values.oper) continue;
        struct update u = {.s = s, .o = o, .variable = variables[i]};
        const bool is_placed = push_place(s, variables[i]);
        take_gradient(&u, gradients[i]);
        TF_DataType type = sl_type_of(s, u.variable.value);
        u.rate = o->rate_of_step.oper ? o->rate_of_step : number(&u, o->rate);
        if (sl_scope_ok(s) && sl_type_of(s, u.rate) != type)
            u.rate = sl_cast(s, u.rate, (struct sl_cast_attrs){.DstT = type});
        if (kinds[o->kind].has_powers) {
            const struct powers *p = powers_for(powers, &n_powers, &u);
            for (int k = 0; k < 2; k++) u.power[k] = is_within(s) ? sl_read(s, p->of[k]) : p->of[k].value;
        }
        TF_Operation *smaller = decay_weights(&u);
        sl_push_control(s, &smaller, 1);
        done[n_done++] = kinds[o->kind].update(&u);
        sl_pop(s);
        n_done += list_run_with(done + n_done, s, u.variable);
        if (is_placed) sl_pop(s);
    }
    if (sl_scope_ok(s) && n_done == 0) sl_scope_fail(s, TF_INVALID_ARGUMENT, "No gradients provided for any variable");
    return finish(s, o, done, n_done, powers, n_powers, step);
}

SL_API TF_Operation *sl_apply_gradients(struct sl_scope *scope, const struct sl_optimizer *optimizer,
                                        const struct sl_var *variables, int n, const struct sl_slices *gradients,
                                        const struct sl_var *step) {
    struct sl_optimizer o;
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&o, sl_optimizer, name, optimizer, scope->status)) return NULL;
    if ((unsigned)o.kind >= sizeof kinds / sizeof *kinds) {
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_optimizer: there is no such kind");
        return NULL;
    }
    if (!o.rate_of_step.oper && !(o.rate > 0 && o.rate <= DBL_MAX)) {
        sl_status_fail(scope->status, SL_INVALID_ARGUMENT,
                       "sl_optimizer: `rate` is %g: there must be a rate above 0, or a rate_of_step", o.rate);
        return NULL;
    }
    if (!variables) variables = sl_variables_trainable(scope, &n);
    /* Slots join the scope's variables, so that these may move. */
    struct sl_var *copy = SL_ARENA_ARRAY(&scope->arena, struct sl_var, n > 0 ? (size_t)n : 0);
    if (!copy) {
        sl_scope_fail_memory(scope);
        return NULL;
    }
    if (n > 0) memcpy(copy, variables, (size_t)n * sizeof *copy);
    sl_push_name(scope, o.name ? o.name : kinds[o.kind].name);
    TF_Operation *train = apply(scope, &o, copy, n, gradients, step);
    sl_pop(scope);
    return sl_scope_ok(scope) ? train : NULL;
}

/* ---- gradients */
static TF_Output seen(struct sl_scope *s, TF_Output x) {
    return is_within(s) || s->around ? sl_scope_seen(s, s->flow, x) : x;
}

/* There a variable is seen as a resource, as what was read outside, or as both. */
static bool is_value_seen(struct sl_scope *s, struct sl_var v) {
    return is_within(s) && sl_scope_seen(s, s->flow, v.value).oper;
}

/* What gradients of variables are asked for, as it is seen here. */
static int list_seen(TF_Output *xs, struct sl_scope *s, const struct sl_var *variables, int n) {
    int n_xs = 0;
    for (int i = 0; i < n; i++) {
        TF_Output handle = seen(s, variables[i].handle);
        if (handle.oper) xs[n_xs++] = handle;
        if (is_value_seen(s, variables[i])) xs[n_xs++] = seen(s, variables[i].value);
    }
    return n_xs;
}

/* Gradients of what is seen here; what is added belongs here. */
static void add_gradients(struct sl_scope *s, struct sl_slices *found, const TF_Output *ys, int n_ys,
                          const TF_Output *xs, int n_xs, bool keeps_slices) {
    if (sl_is_eager(s)) {
        sl_eager_gradients(s, found, ys, n_ys, xs, n_xs, keeps_slices);
        return;
    }
    size_t first = s->graph->graph->nodes.n;
    const struct sl_gradient_options options = {.keep_slices = keeps_slices};
    TF_Output *here = SL_ARENA_ARRAY(&s->arena, TF_Output, n_ys > 0 ? (size_t)n_ys : 0);
    if (!here) sl_scope_fail_memory(s);
    for (int i = 0; i < n_ys && sl_scope_ok(s); i++) here[i] = sl_scope_see(s, s->flow, ys[i]);
    if (!sl_scope_ok(s)) return;
    sl_add_gradients(s->graph, here, NULL, n_ys, xs, n_xs, &options, found, s->status);
    sl_scope_adopt(s, first);
}

SL_API void sl_gradients(struct sl_scope *scope, TF_Output *dxs, const TF_Output *ys, int ny, const TF_Output *xs,
                         int nx) {
    ys = sl_scope_copy(scope, ys, ny);
    xs = sl_scope_copy(scope, xs, nx);
    for (int i = 0; i < nx; i++) dxs[i] = sl_op_first(NULL);
    if (!sl_scope_ok(scope) || nx <= 0) return;
    TF_Output *here = SL_ARENA_ARRAY(&scope->arena, TF_Output, (size_t)nx);
    struct sl_slices *found = SL_ARENA_ARRAY(&scope->arena, struct sl_slices, (size_t)nx);
    int n = 0;
    if (!here || !found) {
        sl_scope_fail_memory(scope);
        return;
    }
    for (int i = 0; i < nx; i++)
        if (seen(scope, xs[i]).oper) here[n++] = seen(scope, xs[i]);
    add_gradients(scope, found, ys, ny, here, n, false);
    for (int i = 0, k = 0; i < nx && sl_scope_ok(scope); i++)
        if (seen(scope, xs[i]).oper) dxs[i] = found[k++].values;
}

static struct sl_slices added(struct sl_scope *s, struct sl_slices a, struct sl_slices b) {
    if (!a.values.oper) return b;
    if (!b.values.oper) return a;
    return (struct sl_slices){.values = sl_add_v2(s, dense(s, a), dense(s, b))};
}

SL_API void sl_compute_gradients(struct sl_scope *scope, TF_Output loss, const struct sl_var *variables, int n,
                                 struct sl_slices *gradients) {
    if (!variables && scope) variables = sl_variables_trainable(scope, &n);
    if (n > 0) memset(gradients, 0, (size_t)n * sizeof *gradients);
    if (!sl_scope_ok(scope) || n <= 0) return;
    TF_Output *xs = SL_ARENA_ARRAY(&scope->arena, TF_Output, 2 * (size_t)n);
    struct sl_slices *found = SL_ARENA_ARRAY(&scope->arena, struct sl_slices, 2 * (size_t)n);
    if (!xs || !found) {
        sl_scope_fail_memory(scope);
        return;
    }
    int n_xs = list_seen(xs, scope, variables, n);
    add_gradients(scope, found, &loss, 1, xs, n_xs, true);
    for (int i = 0, k = 0; i < n && sl_scope_ok(scope); i++) {
        if (seen(scope, variables[i].handle).oper) gradients[i] = found[k++];
        if (is_value_seen(scope, variables[i])) gradients[i] = added(scope, gradients[i], found[k++]);
    }
}

SL_API TF_Operation *sl_minimize(struct sl_scope *scope, const struct sl_optimizer *optimizer, TF_Output loss,
                                 const struct sl_var *step) {
    int n;
    const struct sl_var *variables = sl_variables_trainable(scope, &n);
    if (!sl_scope_ok(scope)) return NULL;
    struct sl_slices *gradients = SL_ARENA_ARRAY(&scope->arena, struct sl_slices, (size_t)n);
    if (!gradients) {
        sl_scope_fail_memory(scope);
        return NULL;
    }
    sl_compute_gradients(scope, loss, variables, n, gradients);
    return sl_apply_gradients(scope, optimizer, variables, n, gradients, step);
}

SL_API struct sl_var sl_step_counter(struct sl_scope *scope) {
    return sl_variable_untrained(scope, "step",
                                 sl_scope_makes_variables(scope) ? sl_initial_zeros(scope, TF_INT64, SL_SCALAR)
                                                                 : sl_scalar(scope, TF_INT64, 0));
}
