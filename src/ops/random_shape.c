/* Shape functions of random numbers, shuffling and candidate sampling. Most take the output's shape as input 0. A
 * stateless seed is a pair; keys have 1 element. */
#include <inttypes.h>

#include "ops/shape_functions.h"

static sl_code check_vector(struct sl_shape_ctx *c, int i, int64_t n) {
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
    return sl_infer_with_value(&n, c, s.dims[0], n);
}

/* Smallest and largest number. */
static sl_code check_range(struct sl_shape_ctx *c, int first) {
    char text[SL_SHAPE_TEXT];
    for (int i = first; i < first + 2; i++)
        if (sl_infer_in(c, i).rank > 0)
            return sl_infer_fail(c, "%s must be a scalar; got a tensor of shape %s", i == first ? "minval" : "maxval",
                                 sl_shape_text(text, sl_infer_in(c, i)));
    return SL_OK;
}

/* The shape, and a range after it. */
sl_code sl_shape_random_range(struct sl_shape_ctx *c) {
    SL_TRY(check_range(c, 1));
    return sl_shape_shape_input(c);
}

/* The shape, and vectors or scalars after it. */
sl_code sl_shape_random_vectors(struct sl_shape_ctx *c) {
    struct sl_shape s;
    for (int i = 1; i < c->n_in; i++) SL_TRY(sl_infer_with_rank_at_most(&s, c, sl_infer_in(c, i), 1));
    return sl_shape_shape_input(c);
}

static sl_code samples_of(struct sl_shape_ctx *c, int parameter) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 0));
    SL_TRY(sl_infer_concat(&out, c, out, sl_infer_in(c, parameter)));
    return sl_infer_set(c, 0, out);
}

/* The shape of the samples for each of the parameters of input 1. */
sl_code sl_shape_random_each(struct sl_shape_ctx *c) { return samples_of(c, 1); }

/* ---- stateless */
sl_code sl_shape_stateless(struct sl_shape_ctx *c) {
    SL_TRY(check_vector(c, 1, 2));
    return sl_shape_shape_input(c);
}

sl_code sl_shape_stateless_range(struct sl_shape_ctx *c) {
    SL_TRY(check_range(c, 2));
    return sl_shape_stateless(c);
}

/* Key, counter, algorithm. */
sl_code sl_shape_stateless_v2(struct sl_shape_ctx *c) {
    struct sl_shape counter;
    SL_TRY(check_vector(c, 1, 1));
    SL_TRY(sl_infer_with_rank(&counter, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_check_scalars(c, 3, 1));
    return sl_shape_shape_input(c);
}

sl_code sl_shape_stateless_range_v2(struct sl_shape_ctx *c) {
    SL_TRY(check_range(c, 4));
    return sl_shape_stateless_v2(c);
}

sl_code sl_shape_stateless_gamma(struct sl_shape_ctx *c) {
    SL_TRY(check_vector(c, 1, 2));
    return sl_shape_shape_input(c);
}

/* The parameters broadcast among themselves. */
sl_code sl_shape_stateless_truncated(struct sl_shape_ctx *c) {
    struct sl_shape all = sl_infer_in(c, 2);
    for (int i = 3; i < 6; i++) SL_TRY(sl_infer_broadcast(&all, c, all, sl_infer_in(c, i)));
    return sl_shape_stateless(c);
}

/* Index, seed and largest index are single values or vectors of them (a seed has 3 elements); the first vector says
 * how many results there are. */
sl_code sl_shape_index_shuffle(struct sl_shape_ctx *c) {
    struct sl_shape index, seed, most;
    SL_TRY(sl_infer_with_rank_at_most(&index, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank_at_least(&seed, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_most(&seed, c, seed, 2));
    SL_TRY(sl_infer_with_rank_at_most(&most, c, sl_infer_in(c, 2), 1));
    char text[SL_SHAPE_TEXT];
    if (seed.rank > 0 && sl_infer_dim(seed, -1) != 3)
        return sl_infer_fail(c, "Seed must have shape [3] or [n, 3] but got %s.", sl_shape_text(text, seed));
    int64_t n = index.rank == 1 ? index.dims[0] : -1;
    if (seed.rank == 2 && n > 1 && seed.dims[0] > 1 && seed.dims[0] != n)
        return sl_infer_fail(c,
                             "Seed has shape %s but must have shape [%" PRId64 ", 3]. since index had shape [%" PRId64
                             "].",
                             sl_shape_text(text, seed), n, n);
    if (seed.rank == 2 && n < 0) n = seed.dims[0];
    if (most.rank == 1 && n > 1 && most.dims[0] > 1 && most.dims[0] != n)
        return sl_infer_fail(c, "Max index has shape %s but must have shape [%" PRId64 "].", sl_shape_text(text, most),
                             n);
    if (most.rank == 1 && n < 0) n = most.dims[0];
    bool is_vector = index.rank == 1 || seed.rank == 2 || most.rank == 1;
    if (!is_vector && (index.rank < 0 || seed.rank < 0 || most.rank < 0)) return SL_OK;
    if (!is_vector) return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
    return sl_infer_set_dims(c, 0, 1, &n);
}

SL_SHAPE_RULE(random_key_counter, "[2] -> [1] [2]")
SL_SHAPE_RULE(random_key_counter_alg, "[2] -> [1] [2] []")
SL_SHAPE_RULE(multinomial, "[b,n] [] -> [b,#1]")
SL_SHAPE_RULE(stateless_multinomial, "[b,n] [] [2] -> [b,#1]")

/* Dim, number of results, skipped ones. */
sl_code sl_shape_sobol_sample(struct sl_shape_ctx *c) {
    int64_t dim = -1, n = -1;
    SL_TRY(sl_infer_check_scalars(c, 0, 3));
    (void)sl_infer_constant_int(&dim, c, 0);
    (void)sl_infer_constant_int(&n, c, 1);
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){n < 0 ? -1 : n, dim < 0 ? -1 : dim});
}

/* ---- candidates */
SL_SHAPE_RULE(candidate_sampler, "[b,?] -> [@num_sampled] [b,@num_true] [@num_sampled]")
SL_SHAPE_RULE(accidental_hits, "[b,@num_true] [n] -> [?] [?] [?]")
