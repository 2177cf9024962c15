/* Datasets whose function gives a dataset for each element: flat map and interleave. */
#include "base/alloc.h"
#include "data/ahead.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "os/cpu.h"

/* Both: the function takes an element and gives one variant. */
static sl_code nested_init(struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(sl_dataset_check_function(d, 0, d->inputs[0]->n, 1, err));
    if (d->spec->functions[0].ret_types[0] == SL_VARIANT) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "`f` must return a single scalar of dtype DT_VARIANT.");
}

static int64_t nested_cardinality(const struct sl_dataset *d) {
    return sl_dataset_input_cardinality(d) == 0 ? 0 : SL_UNKNOWN_CARDINALITY;
}

/* An iterator over the dataset that the function gives for these arguments, which stay. */
static sl_code open_nested(struct sl_iterator **out, struct sl_iterator *self, int64_t index,
                           const struct sl_value *args, struct sl_error *err) {
    const int n = self->dataset->inputs[0]->n;
    struct sl_value made = {0}, *copy;
    SL_TRY(sl_element_new(&copy, n, err));
    for (int i = 0; i < n; i++) copy[i] = sl_value_share(&args[i]);
    sl_code code = sl_iterator_call(&made, self, 0, copy, n, err);
    sl_element_clear(copy, n);
    sl_free(copy);
    if (code != SL_OK) return sl_iterator_name_stage(code, self, self->pulled - 1, err);
    code = sl_iterator_new_over(out, self, index, &made, err);
    sl_value_clear(&made);
    return code;
}

/* The same for the next element of the input, which goes to `args`. */
static sl_code open_next(struct sl_iterator **out, struct sl_iterator *self, int64_t index, struct sl_value *args,
                         bool *is_end, struct sl_error *err) {
    sl_element_clear(args, self->dataset->inputs[0]->n);
    SL_TRY(sl_iterator_pull(self, args, is_end, err));
    return *is_end ? SL_OK : open_nested(out, self, index, args, err);
}

/* ---- FlatMapDataset: other_arguments */

struct flat_iterator {
    struct sl_iterator base;
    struct sl_value *args;      /* of the function's last call */
    struct sl_iterator *nested; /* NULL: the next one is to be opened */
    int64_t n_opened;
};

static sl_code flat_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_element_new(&((struct flat_iterator *)self)->args, self->dataset->inputs[0]->n, err);
}

static sl_code flat_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct flat_iterator *it = (struct flat_iterator *)self;
    for (;;) {
        if (!it->nested) {
            SL_TRY(open_next(&it->nested, self, it->n_opened++, it->args, is_end, err));
            if (*is_end) return SL_OK;
        }
        SL_TRY(sl_iterator_next(it->nested, element, is_end, err));
        if (!*is_end) return SL_OK;
        sl_iterator_free(it->nested);
        it->nested = NULL;
        *is_end = false;
    }
}

static void flat_end(struct sl_iterator *self) {
    struct flat_iterator *it = (struct flat_iterator *)self;
    sl_iterator_free(it->nested);
    if (it->args) sl_element_clear(it->args, self->dataset->inputs[0]->n);
    sl_free(it->args);
}

static sl_code flat_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct flat_iterator *it = (const struct flat_iterator *)self;
    const bool is_over = !self->input && !it->nested;
    SL_TRY(sl_state_put_int(state, self, "exhausted", is_over, err));
    if (is_over) return SL_OK;
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    SL_TRY(sl_state_put_int(state, self, "element_index", it->n_opened, err));
    SL_TRY(sl_state_put_int(state, self, "current_element_iterator_uninitialized", it->nested == NULL, err));
    if (!it->nested) return SL_OK;
    SL_TRY(sl_state_put_list(state, self, "inputs_size", "inputs[#]", it->args, self->dataset->inputs[0]->n, err));
    return sl_iterator_save(it->nested, state, err);
}

/* What the nested dataset is made of. A state of TensorFlow's "symbolic" kind does not hold it: there the input stands in front
 * of that element, which is taken again. */
static sl_code restore_args(struct flat_iterator *it, const struct sl_state *state, struct sl_error *err) {
    struct sl_iterator *self = &it->base;
    const int width = self->dataset->inputs[0]->n;
    bool is_end;
    int n = width;
    sl_element_clear(it->args, width);
    if (sl_state_has(state, self, "inputs_size"))
        SL_TRY(sl_state_get_list(it->args, &n, width, state, self, "inputs_size", "inputs[#]", err));
    else SL_TRY(sl_iterator_pull(self, it->args, &is_end, err));
    return n == width && it->args[0].kind != SL_VALUE_NONE
               ? SL_OK
               : sl_fail(err, SL_INVALID_ARGUMENT, "A saved state lacks the element of a nested dataset");
}

static sl_code flat_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct flat_iterator *it = (struct flat_iterator *)self;
    int64_t is_over, is_closed;
    SL_TRY(sl_state_get_int(&is_over, state, self, "exhausted", err));
    if (is_over) {
        sl_iterator_free(self->input);
        self->input = NULL;
        return SL_OK;
    }
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    SL_TRY(sl_state_get_int(&it->n_opened, state, self, "element_index", err));
    SL_TRY(sl_state_get_int(&is_closed, state, self, "current_element_iterator_uninitialized", err));
    if (is_closed) return SL_OK;
    SL_TRY(restore_args(it, state, err));
    SL_TRY(open_nested(&it->nested, self, it->n_opened - 1, it->args, err));
    return sl_iterator_restore(it->nested, state, err);
}

const struct sl_dataset_kind sl_flat_map_data = {.name = "FlatMap",
                                                 .save = flat_save,
                                                 .restore = flat_restore,
                                                 .opens_input = true,
                                                 .iterator_bytes = sizeof(struct flat_iterator),
                                                 .init = nested_init,
                                                 .cardinality = nested_cardinality,
                                                 .begin = flat_begin,
                                                 .next = flat_next,
                                                 .end = flat_end};

/* ---- InterleaveDataset: other_arguments, cycle_length, block_length, and for the parallel ones how far to read ahead
 * and with how many calls. All give the order of the sequential one. */

struct interleave {
    bool is_free;                /* cycle_length -1: by the number of processors */
    int64_t cycle, block, ahead; /* ahead: elements of each slot that may be held; 0: none */
};
struct interleave_slot {
    struct sl_iterator *nested; /* NULL: empty */
    struct sl_ahead *ahead;     /* over that; NULL: nothing runs ahead */
    struct sl_value *args;      /* of the call that made it */
    int64_t id;                 /* which call it was */
    bool is_restored;           /* it may have no iterator: what `ahead` holds is all */
};

static bool is_open(const struct interleave_slot *slot) { return slot->nested || slot->is_restored; }

struct interleave_iterator {
    struct sl_iterator base;
    struct interleave_slot *slots; /* those beyond n_slots have not been opened yet */
    size_t cap;
    struct interleave_slot *future; /* opened already, by whoever saved a state; those before future_at went to slots */
    size_t future_cap;
    int64_t n_future, future_at;
    int64_t n_slots, n_open, at, taken; /* taken: of the block of slot `at` */
    int64_t n_calls;
    struct sl_ahead_cost cost;
};

static sl_code read_interleave(struct sl_dataset *d, struct sl_error *err) {
    struct interleave *s = d->state;
    const int first = d->spec->functions[0].n_captured;
    SL_TRY(nested_init(d, err));
    SL_TRY(sl_dataset_int(&s->cycle, d, first, "cycle_length", err));
    SL_TRY(sl_dataset_int(&s->block, d, first + 1, "block_length", err));
    s->is_free = s->cycle == -1;
    if (s->is_free) s->cycle = sl_cpu_count();
    if (s->cycle <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`cycle_length` must be > 0");
    if (s->block <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`block_length` must be > 0");
    return SL_OK;
}

/* TensorFlow's choice: a slot for each call; as many calls as it takes run three elements of a slot ahead. */
static int64_t parallel_cycle(int64_t calls) {
    const int64_t n = sl_cpu_count();
    if (calls == -1) return (n + 2) / 3;
    return calls < n ? calls : n;
}

static sl_code parallel_init(struct sl_dataset *d, struct sl_error *err) {
    struct interleave *s = d->state;
    const int first = d->spec->functions[0].n_captured;
    int64_t calls;
    SL_TRY(read_interleave(d, err));
    s->ahead = -1;
    SL_TRY(sl_dataset_int(&calls, d, d->n_values - 1, "num_parallel_calls", err));
    for (int i = first + 2; i < d->n_values - 1; i++) {
        int64_t ahead;
        SL_TRY(
            sl_dataset_int(&ahead, d, i, i == first + 2 ? "buffer_output_elements" : "prefetch_input_elements", err));
        if (ahead < (i == first + 2 ? 1 : 0) && ahead != -1)
            return sl_fail(err, SL_INVALID_ARGUMENT, "How far to read ahead must not be negative, but is %lld",
                           (long long)ahead);
        if (i == first + 2) s->ahead = ahead;
    }
    if (calls <= 0 && calls != -1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    if (s->is_free) s->cycle = parallel_cycle(calls);
    else if (calls > s->cycle)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "If `cycle_length` is set to a fixed value, `num_parallel_calls` must be either "
                       "`tf.data.AUTOTUNE` or a value less than or equal to `cycle_length`. However, "
                       "`num_parallel_calls` is %lld and `cycle_length` is %lld",
                       (long long)calls, (long long)s->cycle);
    return SL_OK;
}

static void next_slot(struct interleave_iterator *it) {
    it->taken = 0;
    it->at = (it->at + 1) % ((const struct interleave *)it->base.dataset->state)->cycle;
}

/* One more slot behind the last, empty. */
static sl_code add_slot(struct interleave_slot **slots, size_t *cap, int64_t *n, struct sl_error *err) {
    if (sl_grow((void **)slots, cap, (size_t)*n + 1, sizeof **slots)) return sl_fail_memory(err, sizeof **slots);
    (*slots)[(*n)++] = (struct interleave_slot){0};
    return SL_OK;
}

/* In paths: iterators are counted by their slots, those of the parallel kind by their calls. */
static int64_t path_index(const struct interleave_iterator *it, int64_t slot, int64_t id) {
    return it->base.dataset->kind == &sl_interleave_data ? slot : id;
}

static void close_slot(struct interleave_slot *slot, int n_args) {
    sl_ahead_free(slot->ahead);
    sl_iterator_free(slot->nested);
    if (slot->args) sl_element_clear(slot->args, n_args);
    sl_free(slot->args);
    *slot = (struct interleave_slot){0};
}

/* Fills the empty slot `at`, or goes past it when the input is over. */
static sl_code fill_slot(struct interleave_iterator *it, struct sl_error *err) {
    const int n_args = it->base.dataset->inputs[0]->n;
    bool is_end = false;
    if (it->at == it->n_slots) SL_TRY(add_slot(&it->slots, &it->cap, &it->n_slots, err));
    struct interleave_slot *slot = &it->slots[it->at];
    if (it->future_at < it->n_future) {
        *slot = it->future[it->future_at];
        it->future[it->future_at++] = (struct interleave_slot){0};
        it->n_open++;
        return SL_OK;
    }
    if (!slot->args) SL_TRY(sl_element_new(&slot->args, n_args, err));
    slot->id = it->n_calls;
    SL_TRY(open_next(&slot->nested, &it->base, path_index(it, it->at, it->n_calls++), slot->args, &is_end, err));
    if (is_end) next_slot(it);
    else it->n_open++;
    return SL_OK;
}

/* `arg` NULL: there is no iterator behind what was restored. */
static sl_code nested_ahead(void *arg, struct sl_value *element, bool *is_end, struct sl_error *err) {
    *is_end = arg == NULL;
    return arg ? sl_iterator_next(arg, element, is_end, err) : SL_OK;
}

static sl_code slot_next(struct interleave_iterator *it, struct interleave_slot *slot, struct sl_value *element,
                         bool *is_end, struct sl_error *err) {
    const struct interleave *s = it->base.dataset->state;
    if (s->ahead == 0 && !slot->ahead) return sl_iterator_next(slot->nested, element, is_end, err);
    if (!slot->ahead)
        SL_TRY(sl_ahead_new(&slot->ahead, nested_ahead, slot->nested, slot->nested->dataset->n, s->ahead, it->base.walk,
                            &it->cost, err));
    return sl_ahead_next(slot->ahead, element, is_end, err);
}

static bool may_open(const struct interleave_iterator *it) { return it->base.input || it->future_at < it->n_future; }

static sl_code interleave_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    const struct interleave *s = self->dataset->state;
    const int n_args = self->dataset->inputs[0]->n;
    while (may_open(it) || it->n_open) {
        if (it->at >= it->n_slots && !may_open(it)) { /* beyond the slots that were ever opened */
            it->at = it->taken = 0;
            continue;
        }
        struct interleave_slot *slot = it->at < it->n_slots ? &it->slots[it->at] : NULL;
        if (!slot || !is_open(slot)) {
            if (may_open(it)) SL_TRY(fill_slot(it, err));
            else next_slot(it);
            continue;
        }
        sl_code code = slot_next(it, slot, element, is_end, err);
        if (code == SL_OK && *is_end) {
            close_slot(slot, n_args);
            it->n_open--;
            *is_end = false;
        } else {
            if (code == SL_OK && ++it->taken == s->block) next_slot(it);
            return code;
        }
        next_slot(it);
    }
    *is_end = true;
    return SL_OK;
}

static void interleave_end(struct sl_iterator *self) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    const int n_args = self->dataset->inputs[0]->n;
    for (int64_t i = 0; i < it->n_slots; i++) close_slot(&it->slots[i], n_args);
    for (int64_t i = 0; i < it->n_future; i++) close_slot(&it->future[i], n_args);
    sl_free(it->slots);
    sl_free(it->future);
}

/* ---- positions */

enum { MOST_EMPTY_SLOTS = 1 << 16 }; /* of more only those that were opened are written */

static int64_t slots_to_save(const struct interleave_iterator *it) {
    const struct interleave *s = it->base.dataset->state;
    return s->cycle <= MOST_EMPTY_SLOTS ? s->cycle : it->n_slots;
}

static sl_code interleave_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct interleave_iterator *it = (const struct interleave_iterator *)self;
    char key[SL_STATE_KEY], format[SL_STATE_KEY];
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    SL_TRY(sl_state_put_int(state, self, "cycle_index", it->at, err));
    SL_TRY(sl_state_put_int(state, self, "block_index", it->taken, err));
    SL_TRY(sl_state_put_int(state, self, "end_of_input", self->input == NULL, err));
    SL_TRY(sl_state_put_int(state, self, "num_open", it->n_open, err));
    SL_TRY(sl_state_put_int(state, self, "next_input_element_index", it->n_calls, err));
    SL_TRY(sl_state_put_int(state, self, "last_checkpointed_input_element_index", -1, err));
    for (int64_t i = 0; i < slots_to_save(it); i++) {
        const struct interleave_slot *slot = i < it->n_slots && it->slots[i].nested ? &it->slots[i] : NULL;
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "current_elements_uninitialized[%lld]", (long long)i),
                                slot == NULL, err));
        if (!slot) continue;
        SL_TRY(sl_state_put_list(state, self, sl_state_key(key, "args_size[%lld]", (long long)i),
                                 sl_state_key(format, "args_list_[%lld][#]", (long long)i), slot->args,
                                 self->dataset->inputs[0]->n, err));
        SL_TRY(sl_iterator_save(slot->nested, state, err));
    }
    return SL_OK;
}

/* A slot of its own for a saved iterator, whose arguments stand in a list. */
static sl_code restore_slot(struct interleave_iterator *it, int64_t i, const struct sl_state *state,
                            struct sl_error *err) {
    struct interleave_slot *slot = &it->slots[i];
    const int n_args = it->base.dataset->inputs[0]->n;
    char key[SL_STATE_KEY], format[SL_STATE_KEY];
    int n;
    SL_TRY(sl_element_new(&slot->args, n_args, err));
    SL_TRY(sl_state_get_list(slot->args, &n, n_args, state, &it->base,
                             sl_state_key(key, "args_size[%lld]", (long long)i),
                             sl_state_key(format, "args_list_[%lld][#]", (long long)i), err));
    if (n != n_args) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %d components, not %d", n, n_args);
    SL_TRY(open_nested(&slot->nested, &it->base, i, slot->args, err));
    it->n_open++;
    return sl_iterator_restore(slot->nested, state, err);
}

static sl_code restore_turn(struct interleave_iterator *it, const struct sl_state *state, struct sl_error *err) {
    const struct interleave *s = it->base.dataset->state;
    SL_TRY(sl_state_get_int(&it->at, state, &it->base, "cycle_index", err));
    SL_TRY(sl_state_get_int(&it->taken, state, &it->base, "block_index", err));
    if (it->at == -1) it->at = 0; /* nothing is open */
    if (it->at < 0 || it->at >= s->cycle || it->taken < 0 || it->taken > s->block)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved interleave is at an impossible place");
    return SL_OK;
}

/* The place is a slot that was restored, or the next one to be opened. */
static sl_code check_turn(const struct interleave_iterator *it, struct sl_error *err) {
    return it->at <= it->n_slots ? SL_OK
                                 : sl_fail(err, SL_INVALID_ARGUMENT, "A saved interleave is at a slot that it lacks");
}

static sl_code interleave_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    const struct interleave *s = self->dataset->state;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    SL_TRY(restore_turn(it, state, err));
    SL_TRY(sl_state_get_int(&it->n_calls, state, self, "next_input_element_index", err));
    for (int64_t i = 0; i < s->cycle; i++) {
        int64_t is_empty;
        sl_state_key(key, "current_elements_uninitialized[%lld]", (long long)i);
        if (!sl_state_has(state, self, key)) break;
        SL_TRY(sl_state_get_int(&is_empty, state, self, key, err));
        SL_TRY(add_slot(&it->slots, &it->cap, &it->n_slots, err));
        if (!is_empty) SL_TRY(restore_slot(it, i, state, err));
    }
    return check_turn(it, err);
}

/* ---- positions of the parallel kind: for each iterator what was read of it ahead, too */

static sl_code put_slot_result(struct sl_state *state, const struct sl_iterator *self, const char *part, int64_t i,
                               const struct sl_made_element *made, struct sl_error *err) {
    char key[SL_STATE_KEY];
    const long long r = (long long)i;
    const int n = made->code == SL_OK ? self->dataset->n : 0;
    SL_TRY(sl_state_put_part_int(state, self, part, sl_state_key(key, ".results[%lld].code", r), made->code, err));
    if (made->code != SL_OK)
        SL_TRY(sl_state_put_part_text(state, self, part, sl_state_key(key, ".results[%lld].error_message", r),
                                      made->message, err));
    SL_TRY(sl_state_put_part_int(state, self, part, sl_state_key(key, ".results[%lld].size", r), n, err));
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_put_part(state, self, part, sl_state_key(key, ".results[%lld][%d]", r, k), &made->element[k],
                                 err));
    return sl_state_put_part_text(state, self, part, sl_state_key(key, ".results[%lld].is_ready", r), NULL, err);
}

/* An iterator at the end of what was read ahead is not open any more. */
static sl_code put_slot(struct sl_state *state, const struct sl_iterator *self, const char *part,
                        const struct interleave_slot *slot, struct sl_error *err) {
    const int n_args = self->dataset->inputs[0]->n;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(state, self, part, "element_uninitialized", slot == NULL, err));
    if (!slot) return SL_OK;
    int64_t n = slot->ahead ? sl_ahead_hold(slot->ahead) : 0;
    bool is_over = n > 0 && sl_ahead_at(slot->ahead, n - 1)->is_end;
    n -= is_over;
    is_over |= !slot->nested;
    if (!is_over) {
        SL_TRY(sl_state_put_part_int(state, self, part, ".id", slot->id, err));
        SL_TRY(sl_state_put_part_int(state, self, part, ".inputs.size", n_args, err));
        for (int k = 0; k < n_args; k++)
            SL_TRY(sl_state_put_part(state, self, part, sl_state_key(key, ".inputs[%d]", k), &slot->args[k], err));
        SL_TRY(sl_iterator_save(slot->nested, state, err));
    }
    SL_TRY(sl_state_put_part_int(state, self, part, "restore_iterator", !is_over, err));
    SL_TRY(sl_state_put_part_int(state, self, part, ".results.size", n, err));
    for (int64_t i = 0; i < n; i++) SL_TRY(put_slot_result(state, self, part, i, sl_ahead_at(slot->ahead, i), err));
    return SL_OK;
}

static const char *slot_part(char part[SL_STATE_KEY], const char *list, int64_t i) {
    return sl_state_key(part, "::%s_elements::%lld", list, (long long)i);
}

static sl_code parallel_put(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct interleave_iterator *it = (const struct interleave_iterator *)self;
    char part[SL_STATE_KEY];
    const int64_t n = slots_to_save(it), n_future = it->n_future - it->future_at;
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    SL_TRY(sl_state_put_int(state, self, "block_index", it->taken, err));
    SL_TRY(sl_state_put_int(state, self, "cycle_index", it->at, err));
    SL_TRY(sl_state_put_int(state, self, "end_of_input", self->input == NULL, err));
    SL_TRY(sl_state_put_int(state, self, "element_id_counter", it->n_calls, err));
    SL_TRY(sl_state_put_int(state, self, "current_elements.size", n, err));
    SL_TRY(sl_state_put_int(state, self, "future_elements.size", n_future, err));
    for (int64_t i = 0; i < n; i++)
        SL_TRY(put_slot(state, self, slot_part(part, "current", i),
                        i < it->n_slots && is_open(&it->slots[i]) ? &it->slots[i] : NULL, err));
    for (int64_t i = 0; i < n_future; i++)
        SL_TRY(put_slot(state, self, slot_part(part, "future", i), &it->future[it->future_at + i], err));
    return SL_OK;
}

static sl_code parallel_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct interleave_iterator *it = (const struct interleave_iterator *)self;
    sl_code code = parallel_put(self, state, err);
    for (int64_t i = 0; i < it->n_slots; i++)
        if (it->slots[i].ahead) sl_ahead_release(it->slots[i].ahead);
    for (int64_t i = it->future_at; i < it->n_future; i++)
        if (it->future[i].ahead) sl_ahead_release(it->future[i].ahead);
    return code;
}

static sl_code get_slot_result(struct sl_made_element *made, const struct sl_state *state,
                               const struct sl_iterator *self, const char *part, int64_t i, struct sl_error *err) {
    char key[SL_STATE_KEY];
    const long long r = (long long)i;
    int64_t code, n;
    SL_TRY(sl_state_get_part_int(&code, state, self, part, sl_state_key(key, ".results[%lld].code", r), err));
    if (code != SL_OK)
        return sl_made_element_get_error(made, code, state, self, part,
                                         sl_state_key(key, ".results[%lld].error_message", r), err);
    SL_TRY(sl_state_get_part_int(&n, state, self, part, sl_state_key(key, ".results[%lld].size", r), err));
    if (n != self->dataset->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %lld components", (long long)n);
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_get_part(&made->element[k], state, self, part, sl_state_key(key, ".results[%lld][%d]", r, k),
                                 err));
    return SL_OK;
}

/* The iterator of a slot, behind what was read of it; one that is over reads a dataset of nothing: its own ahead ends. */
static sl_code get_slot_iterator(struct interleave_iterator *it, struct interleave_slot *slot, const char *part,
                                 const struct sl_state *state, struct sl_error *err) {
    const int n_args = it->base.dataset->inputs[0]->n;
    char key[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_part_int(&slot->id, state, &it->base, part, ".id", err));
    SL_TRY(sl_state_get_part_int(&n, state, &it->base, part, ".inputs.size", err));
    if (n != n_args) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %lld components", (long long)n);
    SL_TRY(sl_element_new(&slot->args, n_args, err));
    for (int k = 0; k < n_args; k++)
        SL_TRY(sl_state_get_part(&slot->args[k], state, &it->base, part, sl_state_key(key, ".inputs[%d]", k), err));
    SL_TRY(open_nested(&slot->nested, &it->base, slot->id, slot->args, err));
    return sl_iterator_restore(slot->nested, state, err);
}

static sl_code parallel_restore_slot(struct interleave_iterator *it, struct interleave_slot *slot, const char *part,
                                     const struct sl_state *state, struct sl_error *err) {
    const struct interleave *s = it->base.dataset->state;
    int64_t is_empty, has_iterator, n;
    SL_TRY(sl_state_get_part_int(&is_empty, state, &it->base, part, "element_uninitialized", err));
    if (is_empty) return SL_OK;
    SL_TRY(sl_state_get_part_int(&has_iterator, state, &it->base, part, "restore_iterator", err));
    SL_TRY(sl_state_get_part_int(&n, state, &it->base, part, ".results.size", err));
    if (has_iterator) SL_TRY(get_slot_iterator(it, slot, part, state, err));
    SL_TRY(sl_ahead_new(&slot->ahead, nested_ahead, slot->nested, it->base.dataset->n, s->ahead, it->base.walk,
                        &it->cost, err));
    slot->is_restored = true;
    for (int64_t i = 0; i < n; i++) {
        struct sl_made_element *made;
        SL_TRY(sl_ahead_room(&made, slot->ahead, err));
        SL_TRY(get_slot_result(made, state, &it->base, part, i, err));
    }
    return SL_OK;
}

static sl_code parallel_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct interleave_iterator *it = (struct interleave_iterator *)self;
    char part[SL_STATE_KEY];
    int64_t n, n_future;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    SL_TRY(restore_turn(it, state, err));
    SL_TRY(sl_state_get_int(&it->n_calls, state, self, "element_id_counter", err));
    SL_TRY(sl_state_get_int(&n, state, self, "current_elements.size", err));
    SL_TRY(sl_state_get_int(&n_future, state, self, "future_elements.size", err));
    for (int64_t i = 0; i < n; i++) {
        SL_TRY(add_slot(&it->slots, &it->cap, &it->n_slots, err));
        SL_TRY(parallel_restore_slot(it, &it->slots[i], slot_part(part, "current", i), state, err));
        it->n_open += is_open(&it->slots[i]);
    }
    for (int64_t i = 0; i < n_future; i++) {
        SL_TRY(add_slot(&it->future, &it->future_cap, &it->n_future, err));
        SL_TRY(parallel_restore_slot(it, &it->future[it->n_future - 1], slot_part(part, "future", i), state, err));
        if (!is_open(&it->future[it->n_future - 1])) it->n_future--;
    }
    return check_turn(it, err);
}

#define INTERLEAVES                                                                                                    \
    .opens_input = true, .state_bytes = sizeof(struct interleave), .cardinality = nested_cardinality,                  \
    .iterator_bytes = sizeof(struct interleave_iterator), .next = interleave_next, .end = interleave_end
const struct sl_dataset_kind sl_interleave_data = {
    .name = "Interleave", .init = read_interleave, .save = interleave_save, .restore = interleave_restore, INTERLEAVES};
const struct sl_dataset_kind sl_parallel_interleave_data = {.name = "ParallelInterleave",
                                                            .init = parallel_init,
                                                            .save = parallel_save,
                                                            .restore = parallel_restore,
                                                            INTERLEAVES};
