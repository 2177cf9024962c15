/* Generators of random ops: their seeds, and how much of a shared one each run takes. Called by the random kernels. */
#include "backends/cpu/random/random_source.h"

#include <inttypes.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "os/mutex.h"

struct sl_random_state {
    struct sl_mutex mutex;
    struct sl_philox next;
};

static sl_code seed_of_system(uint64_t seed[2], struct sl_error *err) {
    if (getrandom(seed, 2 * sizeof *seed, 0) != (ssize_t)(2 * sizeof *seed))
        return sl_fail(err, SL_INTERNAL, "the system gives no random numbers");
    return SL_OK;
}

sl_code sl_random_of_system(struct sl_philox *out, struct sl_error *err) {
    uint64_t seed[2];
    SL_TRY(seed_of_system(seed, err));
    *out = sl_philox_at(seed[0], 0, seed[1]);
    return SL_OK;
}

sl_code sl_random_new(struct sl_random_state **out, struct sl_kernel_setup *setup) {
    int64_t given[2];
    uint64_t seed[2];
    SL_TRY(sl_attr_int(&given[0], setup->attrs, "seed", setup->err));
    SL_TRY(sl_attr_int(&given[1], setup->attrs, "seed2", setup->err));
    seed[0] = (uint64_t)given[0];
    seed[1] = (uint64_t)given[1];
    if (seed[0] == 0 && seed[1] == 0) SL_TRY(seed_of_system(seed, setup->err));
    struct sl_random_state *s = sl_malloc(sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_mutex_init(&s->mutex);
    s->next = sl_philox_at(seed[0], 0, seed[1]);
    *out = s;
    return SL_OK;
}

void sl_random_destroy(void *state) {
    struct sl_random_state *s = state;
    if (!s) return;
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}

sl_code sl_random_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_random_state *made;
    SL_TRY(sl_random_new(&made, setup));
    *state = made;
    return SL_OK;
}

struct sl_philox sl_random_reserve(void *state, uint64_t blocks) {
    struct sl_random_state *s = state;
    sl_mutex_lock(&s->mutex);
    struct sl_philox from = s->next;
    sl_philox_skip(&s->next, blocks);
    sl_mutex_unlock(&s->mutex);
    return from;
}

/* Seeds near to each other are to give sequences that have nothing in common: so key and counter are themselves
 * random. */
static struct sl_philox scrambled(uint64_t first, uint64_t second) {
    struct sl_philox p = sl_philox_at(UINT64_C(0x02461e293ec8f720), first, second);
    uint32_t w[4];
    sl_philox_next(w, &p);
    return (struct sl_philox){{0, 0, w[2], w[3]}, {w[0], w[1]}};
}

sl_code sl_random_of_seed(struct sl_philox *out, struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 1 || v.count != 2) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "seed must have shape [2], not %s", sl_shape_text(text, sl_view_shape(v)));
    }
    uint64_t seed[2];
    for (int e = 0; e < 2; e++) {
        if (v.dtype == SL_INT32) seed[e] = (uint64_t)(int64_t)((const int32_t *)v.data)[e];
        else if (v.dtype == SL_UINT32) seed[e] = ((const uint32_t *)v.data)[e];
        else seed[e] = ((const uint64_t *)v.data)[e];
    }
    *out = scrambled(seed[0], seed[1]);
    return SL_OK;
}

enum algorithm { PHILOX = 1, AUTOMATIC = 3 };

sl_code sl_random_of_key(struct sl_philox *out, struct sl_kernel_context *k, int i) {
    struct sl_view key = sl_in(k, i), counter = sl_in(k, i + 1), algorithm = sl_in(k, i + 2);
    char text[SL_SHAPE_TEXT];
    if (algorithm.rank != 0)
        return sl_invalid(k, "algorithm must be of shape [], not %s", sl_shape_text(text, sl_view_shape(algorithm)));
    int32_t number = *(const int32_t *)algorithm.data;
    if (key.rank != 1 || key.count != 1)
        return sl_invalid(k, "key must have shape [1], not %s. (Note that batched keys are not supported yet.)",
                          sl_shape_text(text, sl_view_shape(key)));
    if (counter.rank != 1 || counter.count < 1)
        return sl_invalid(
            k,
            "counter must be a vector with length at least 1; got shape: %s. (Note that batched counters are not "
            "supported yet.)",
            sl_shape_text(text, sl_view_shape(counter)));
    if (number != PHILOX && number != AUTOMATIC) return sl_invalid(k, "Unsupported algorithm id: %" PRId32, number);
    const uint64_t *c = counter.data;
    *out = sl_philox_at(*(const uint64_t *)key.data, c[0], counter.count > 1 ? c[1] : 0);
    return SL_OK;
}
