/* What is done to gradients and rates: clipping, schedules, moving averages. */
#include <math.h>
#include <string.h>

#include "front/front_eager.h"
#include "sluice/ops.h"
#include "sluice/train.h"

/* ---- clipping */
SL_API void sl_clip_gradients_by_value(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest) {
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        TF_Output g = gradients[i].values;
        if (g.oper)
            gradients[i].values =
                sl_clip_by_value(scope, g, sl_scalar_like(scope, g, -largest), sl_scalar_like(scope, g, largest));
    }
}

/* The sum of the squares of all elements, as a scalar of the type of `x`. */
static TF_Output squares(struct sl_scope *s, TF_Output x) {
    return sl_mul(s, sl_l2_loss(s, x), sl_scalar_like(s, x, 2));
}

SL_API void sl_clip_gradients_by_norm(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest) {
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        TF_Output g = gradients[i].values;
        if (!g.oper) continue;
        TF_Output most = sl_scalar_like(scope, g, largest);
        TF_Output norm = sl_maximum(scope, sl_sqrt(scope, squares(scope, g)), most);
        gradients[i].values = sl_div(scope, sl_mul(scope, g, most), norm);
    }
}

SL_API TF_Output sl_global_norm(struct sl_scope *scope, const struct sl_slices *gradients, int n) {
    TF_Output sum = sl_op_first(NULL);
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        if (!gradients[i].values.oper) continue;
        TF_Output one = squares(scope, gradients[i].values);
        sum = sum.oper ? sl_add_v2(scope, sum, one) : one;
    }
    if (sl_scope_ok(scope) && !sum.oper) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_global_norm: no gradients");
    return sl_sqrt(scope, sum);
}

SL_API TF_Output sl_clip_gradients_by_global_norm(struct sl_scope *scope, struct sl_slices *gradients, int n,
                                                  double largest) {
    sl_push_name(scope, "clip");
    TF_Output norm = sl_global_norm(scope, gradients, n);
    TF_Output most = sl_scalar_like(scope, norm, largest);
    TF_Output factor = sl_div(scope, most, sl_maximum(scope, norm, most));
    for (int i = 0; i < n && sl_scope_ok(scope); i++)
        if (gradients[i].values.oper) gradients[i].values = sl_mul(scope, gradients[i].values, factor);
    sl_pop(scope);
    return norm;
}

/* ---- schedules */
static TF_Output number(struct sl_scope *s, double value) { return sl_scalar(s, TF_FLOAT, value); }

/* step / steps as a float. */
static TF_Output progress(struct sl_scope *s, TF_Output step, double steps, bool in_stairs, bool ends) {
    TF_Output p = sl_div(s, sl_cast(s, step, (struct sl_cast_attrs){.DstT = TF_FLOAT}), number(s, steps));
    if (in_stairs) p = sl_floor(s, p);
    return ends ? sl_minimum(s, p, number(s, 1)) : p;
}

SL_API TF_Output sl_exponential_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                      bool in_stairs) {
    sl_push_name(scope, "exponential_decay");
    TF_Output factor = sl_pow(scope, number(scope, decay), progress(scope, step, steps, in_stairs, false));
    TF_Output out = sl_mul(scope, number(scope, rate), factor);
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_inverse_time_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                       bool in_stairs) {
    sl_push_name(scope, "inverse_time_decay");
    TF_Output grown = sl_mul(scope, number(scope, decay), progress(scope, step, steps, in_stairs, false));
    TF_Output out = sl_div(scope, number(scope, rate), sl_add_v2(scope, number(scope, 1), grown));
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_polynomial_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end,
                                     double power) {
    sl_push_name(scope, "polynomial_decay");
    TF_Output left = sl_sub(scope, number(scope, 1), progress(scope, step, steps, false, true));
    TF_Output bent = power != 1 ? sl_pow(scope, left, number(scope, power)) : left;
    TF_Output out = sl_add_v2(scope, sl_mul(scope, number(scope, rate - end), bent), number(scope, end));
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_cosine_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end) {
    sl_push_name(scope, "cosine_decay");
    TF_Output angle = sl_mul(scope, number(scope, M_PI), progress(scope, step, steps, false, true));
    TF_Output wave = sl_add_v2(scope, number(scope, 1), sl_cos(scope, angle));
    TF_Output out =
        sl_add_v2(scope, sl_mul(scope, number(scope, rate * (1 - end) / 2), wave), number(scope, rate * end));
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_cosine_decay_warm(struct sl_scope *scope, TF_Output step, double start, double warm_steps,
                                      double rate, double steps, double end) {
    sl_push_name(scope, "cosine_decay_warm");
    TF_Output warm = progress(scope, step, fmax(warm_steps, 1), false, false);
    TF_Output line = sl_add_v2(scope, sl_mul(scope, number(scope, rate - start), warm), number(scope, start));
    TF_Output now = sl_cast(scope, step, (struct sl_cast_attrs){.DstT = TF_FLOAT});
    TF_Output wave = sl_cosine_decay(scope, sl_sub(scope, now, number(scope, warm_steps)), rate, steps, end);
    TF_Output out = sl_select_v2(scope, sl_less(scope, now, number(scope, warm_steps)), line, wave);
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_cosine_restarts(struct sl_scope *scope, TF_Output step, double rate, double steps, double longer,
                                    double lower, double end) {
    sl_push_name(scope, "cosine_restarts");
    TF_Output one = number(scope, 1), times = progress(scope, step, steps, false, false), round;
    if (longer == 1) {
        round = sl_floor(scope, times);
        times = sl_sub(scope, times, round);
    } else { /* rounds 0 to r - 1 take (1 - longer^r) / (1 - longer) times as long as the first */
        TF_Output grown = sl_sub(scope, one, sl_mul(scope, times, number(scope, 1 - longer)));
        round = sl_floor(scope, sl_div(scope, sl_log(scope, grown), number(scope, log(longer))));
        TF_Output length = sl_pow(scope, number(scope, longer), round);
        TF_Output before = sl_div(scope, sl_sub(scope, one, length), number(scope, 1 - longer));
        times = sl_div(scope, sl_sub(scope, times, before), length);
    }
    TF_Output wave = sl_add_v2(scope, one, sl_cos(scope, sl_mul(scope, number(scope, M_PI), times)));
    TF_Output height = sl_mul(scope, number(scope, rate * (1 - end) / 2), sl_pow(scope, number(scope, lower), round));
    TF_Output out = sl_add_v2(scope, sl_mul(scope, height, wave), number(scope, rate * end));
    sl_pop(scope);
    return out;
}

SL_API TF_Output sl_piecewise_constant(struct sl_scope *scope, TF_Output step, const int64_t *boundaries,
                                       const double *rates, int n) {
    sl_push_name(scope, "piecewise_constant");
    TF_Output out = number(scope, rates[n]);
    for (int i = n; i-- > 0;) {
        TF_Output bound = sl_constant_of(scope, TF_INT64, SL_SCALAR, &boundaries[i]);
        TF_Output at = sl_cast(scope, step, (struct sl_cast_attrs){.DstT = TF_INT64});
        out = sl_select_v2(scope, sl_less_equal(scope, at, bound), number(scope, rates[i]), out);
    }
    sl_pop(scope);
    return out;
}

/* ---- moving averages */
/* The variable's initial value, once it has been assigned. */
static TF_Output initial_of(struct sl_scope *s, struct sl_var v) {
    TF_Operation *assign = NULL;
    if (sl_scope_makes_variables(s)) return v.value;
    for (size_t i = 0; i < s->variables.n; i++)
        if (s->variables.items[i].handle.oper == v.handle.oper) assign = s->initialisers.items[i];
    if (!assign) sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_moving_averages: a variable of another scope");
    sl_push_control(s, &assign, 1);
    TF_Output value = sl_read(s, v);
    sl_pop(s);
    return value;
}

SL_API TF_Operation *sl_moving_averages(struct sl_scope *scope, struct sl_var *averages, const struct sl_var *variables,
                                        int n, double decay, const struct sl_var *step) {
    size_t room = n > 0 ? (size_t)n : 0;
    TF_Operation **updates = sl_scope_ok(scope) ? SL_ARENA_ARRAY(&scope->arena, TF_Operation *, room) : NULL;
    /* The variables made here join the scope's, which may be those given, and so move them. */
    struct sl_var *copy = updates ? SL_ARENA_ARRAY(&scope->arena, struct sl_var, room) : NULL;
    if (copy && room) memcpy(copy, variables, room * sizeof *copy);
    if (room) memset(averages, 0, room * sizeof *averages);
    if (!copy && sl_scope_ok(scope)) sl_scope_fail_memory(scope);
    if (!copy) return NULL;
    variables = copy;
    sl_push_name(scope, "averages");
    TF_Output kept = number(scope, decay);
    if (step) {
        TF_Output t = sl_cast(scope, step->value, (struct sl_cast_attrs){.DstT = TF_FLOAT});
        kept = sl_minimum(scope, kept,
                          sl_div(scope, sl_add_v2(scope, t, number(scope, 1)), sl_add_v2(scope, t, number(scope, 10))));
    }
    TF_Output given = sl_sub(scope, number(scope, 1), kept);
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        averages[i] = sl_variable_untrained(scope, "average", initial_of(scope, variables[i]));
        TF_DataType type = sl_type_of(scope, variables[i].value);
        TF_Output share = type == TF_FLOAT ? given : sl_cast(scope, given, (struct sl_cast_attrs){.DstT = type});
        TF_Output now = sl_read(scope, variables[i]);
        updates[i] = sl_assign_sub_variable_op(scope, averages[i].handle,
                                               sl_mul(scope, share, sl_sub(scope, averages[i].value, now)));
    }
    TF_Operation *all = sl_group(scope, updates, n);
    sl_pop(scope);
    return all;
}
