/* GeneratorDataset: what init_func, next_func and finalize_func captured. init_func gives a state, next_func(state) an
 * element until it says OUT_OF_RANGE, finalize_func(state) ends what init_func began: once, at the end or when the
 * iterator goes. Called by iterators. */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"

enum { INIT_FUNC, NEXT_FUNC, FINALIZE_FUNC };

struct generator_iterator {
    struct sl_iterator base;
    struct sl_value *state, *args;
    bool has_begun, is_over;
};

static int state_width(const struct sl_dataset *d) { return d->spec->functions[INIT_FUNC].n_rets; }

static sl_code generator_init(struct sl_dataset *d, struct sl_error *err) {
    const int width = state_width(d);
    SL_TRY(sl_dataset_check_function(d, INIT_FUNC, 0, width, err));
    SL_TRY(sl_dataset_check_function(d, NEXT_FUNC, width, d->n, err));
    return sl_dataset_check_function(d, FINALIZE_FUNC, width, -1, err);
}

static sl_code generator_begin(struct sl_iterator *self, struct sl_error *err) {
    struct generator_iterator *it = (struct generator_iterator *)self;
    SL_TRY(sl_element_new(&it->state, state_width(self->dataset) + 1, err));
    return sl_element_new(&it->args, state_width(self->dataset) + 1, err);
}

/* What the function says is of no interest to anybody, but its failure may be. */
static sl_code finalize(struct generator_iterator *it, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    const int n = d->spec->functions[FINALIZE_FUNC].n_rets;
    struct sl_value *rets;
    it->is_over = true;
    SL_TRY(sl_element_new(&rets, n + 1, err));
    for (int i = 0; i < state_width(d); i++) it->args[i] = sl_value_move(&it->state[i]);
    sl_code code = sl_iterator_call_at_end(rets, &it->base, FINALIZE_FUNC, it->args, state_width(d), err);
    if (code == SL_OK) sl_element_clear(rets, n);
    sl_free(rets);
    return code;
}

static sl_code generator_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct generator_iterator *it = (struct generator_iterator *)self;
    const int width = state_width(self->dataset);
    *is_end = it->is_over;
    if (it->is_over) return SL_OK;
    if (!it->has_begun) {
        SL_TRY(sl_iterator_call(it->state, self, INIT_FUNC, it->args, 0, err));
        it->has_begun = true;
    }
    for (int i = 0; i < width; i++) it->args[i] = sl_value_share(&it->state[i]);
    sl_code code = sl_iterator_call(element, self, NEXT_FUNC, it->args, width, err);
    if (code != SL_OUT_OF_RANGE) return code;
    if (err) sl_error_clear(err);
    *is_end = true;
    return finalize(it, err);
}

static void generator_end(struct sl_iterator *self) {
    struct generator_iterator *it = (struct generator_iterator *)self;
    if (it->has_begun && !it->is_over) (void)finalize(it, NULL);
    if (it->state) sl_element_clear(it->state, state_width(self->dataset));
    sl_free(it->state);
    sl_free(it->args);
}

/* What a generator has done cannot be told. */
static sl_code generator_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    (void)self, (void)state;
    return sl_fail(err, SL_UNIMPLEMENTED, "GeneratorDataset does not support checkpointing.");
}
static sl_code generator_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    (void)self, (void)state;
    return sl_fail(err, SL_UNIMPLEMENTED, "GeneratorDataset does not support checkpointing.");
}

const struct sl_dataset_kind sl_generator_data = {.name = "Generator",
                                                  .iterator_bytes = sizeof(struct generator_iterator),
                                                  .init = generator_init,
                                                  .begin = generator_begin,
                                                  .next = generator_next,
                                                  .end = generator_end,
                                                  .save = generator_save,
                                                  .restore = generator_restore};
