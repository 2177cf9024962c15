/* ParallelInterleaveDataset and LegacyParallelInterleaveDatasetV2: what other_arguments captured, cycle_length,
 * block_length, in the former sloppy, buffer_output_elements, prefetch_input_elements. Their order is their own:
 *
 *     slots  [ a b c ]   <-- queue  [ d e ]  <-- input
 *
 * Both are filled at first. A slot that is exhausted has one more input put at the end of the queue and takes the
 * queue's first; the next slot goes on with a new block. When there is neither, the slots close up, and the one that
 * comes next goes on with the block. What a slot's function says when it fails is given when the slot has its turn. */
#include "base/alloc.h"
#include "base/vec.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"

struct queued_interleave {
    int64_t cycle, block, queued;
};
/* An iterator or a failure; exhausted with neither. */
struct interleave_worker {
    struct sl_iterator *nested;
    struct sl_error *failure;
    struct sl_value *args; /* what the function was called on: for saved positions */
    int64_t index;         /* among all that were started */
};
struct queued_interleave_iterator {
    struct sl_iterator base;
    struct sl_value *args;
    SL_VEC(struct interleave_worker) slots, queue; /* of the queue: from `first` on */
    size_t first, at;
    int64_t taken, n_opened; /* taken: of the block of slot `at` */
    bool has_begun;
};

static sl_code queued_init(struct sl_dataset *d, struct sl_error *err) {
    struct queued_interleave *s = d->state;
    const int first = d->spec->functions[0].n_captured, last = d->n_values - 1;
    int64_t buffer;
    SL_TRY(sl_dataset_check_function(d, 0, d->inputs[0]->n, 1, err));
    SL_TRY(sl_dataset_int(&s->cycle, d, first, "cycle_length", err));
    SL_TRY(sl_dataset_int(&s->block, d, first + 1, "block_length", err));
    SL_TRY(sl_dataset_int(&buffer, d, last - 1, "buffer_output_elements", err));
    SL_TRY(sl_dataset_int(&s->queued, d, last, "prefetch_input_elements", err));
    if (s->cycle <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`cycle_length` must be > 0");
    if (s->block <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`block_length` must be > 0");
    if (buffer <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`buffer_output_elements` must be > 0");
    if (s->queued < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`prefetch_input_elements` must be >= 0");
    return SL_OK;
}

static sl_code queued_begin(struct sl_iterator *self, struct sl_error *err) {
    return sl_element_new(&((struct queued_interleave_iterator *)self)->args, self->dataset->inputs[0]->n, err);
}

static void worker_clear(struct interleave_worker *w, int width) {
    sl_iterator_free(w->nested);
    sl_free(w->failure);
    if (w->args) sl_element_clear(w->args, width);
    sl_free(w->args);
    *w = (struct interleave_worker){0};
}

static void queued_end(struct sl_iterator *self) {
    struct queued_interleave_iterator *it = (struct queued_interleave_iterator *)self;
    const int width = self->dataset->inputs[0]->n;
    for (size_t i = 0; i < it->slots.n; i++) worker_clear(&it->slots.items[i], width);
    for (size_t i = it->first; i < it->queue.n; i++) worker_clear(&it->queue.items[i], width);
    sl_vec_free(&it->slots);
    sl_vec_free(&it->queue);
    sl_free(it->args);
}

/* Calls the function on the worker's arguments. */
static sl_code start_worker(struct interleave_worker *w, struct queued_interleave_iterator *it, struct sl_error *err) {
    const int n = it->base.dataset->inputs[0]->n;
    struct sl_value made = {0};
    struct sl_error why = {0};
    for (int i = 0; i < n; i++) it->args[i] = sl_value_share(&w->args[i]);
    sl_code code = sl_iterator_call(&made, &it->base, 0, it->args, n, &why);
    if (code == SL_OK) code = sl_iterator_new_over(&w->nested, &it->base, w->index, &made, &why);
    sl_value_clear(&made);
    if (code == SL_OK) return SL_OK;
    w->failure = sl_malloc(sizeof why);
    if (!w->failure) return sl_fail_memory(err, sizeof why);
    *w->failure = why;
    return SL_OK;
}

/* A worker for the next input, unless that is over; an input that fails is passed on at once. */
static sl_code next_worker(struct interleave_worker *w, bool *is_end, struct queued_interleave_iterator *it,
                           struct sl_error *err) {
    const int n = it->base.dataset->inputs[0]->n;
    *w = (struct interleave_worker){.index = it->n_opened};
    SL_TRY(sl_element_new(&w->args, n, err));
    sl_code code = sl_iterator_pull(&it->base, w->args, is_end, err);
    if (code == SL_OK && !*is_end) code = start_worker(w, it, err);
    if (code == SL_OK && !*is_end) it->n_opened++;
    else worker_clear(w, n);
    return code;
}

static sl_code enqueue(bool *is_end, struct queued_interleave_iterator *it, struct sl_error *err) {
    struct interleave_worker w;
    if (it->first == it->queue.n) it->first = it->queue.n = 0;
    if (sl_vec_reserve(&it->queue, 1)) return sl_fail_memory(err, sizeof w);
    SL_TRY(next_worker(&w, is_end, it, err));
    if (!*is_end) it->queue.items[it->queue.n++] = w;
    return SL_OK;
}

static sl_code fill_all(struct queued_interleave_iterator *it, struct sl_error *err) {
    const struct queued_interleave *s = it->base.dataset->state;
    bool is_end = false;
    while ((int64_t)it->slots.n < s->cycle && !is_end) {
        struct interleave_worker w;
        if (sl_vec_reserve(&it->slots, 1)) return sl_fail_memory(err, sizeof w);
        SL_TRY(next_worker(&w, &is_end, it, err));
        if (!is_end) it->slots.items[it->slots.n++] = w;
    }
    while ((int64_t)(it->queue.n - it->first) < s->queued && !is_end) SL_TRY(enqueue(&is_end, it, err));
    it->has_begun = true;
    return SL_OK;
}

/* Slot `at` is exhausted. */
static sl_code replace(struct queued_interleave_iterator *it, struct sl_error *err) {
    bool is_end;
    worker_clear(&it->slots.items[it->at], it->base.dataset->inputs[0]->n);
    SL_TRY(enqueue(&is_end, it, err));
    if (it->first < it->queue.n) {
        it->slots.items[it->at] = it->queue.items[it->first++];
        if (it->first > it->queue.n / 2) { /* what was taken goes */
            it->queue.n -= it->first;
            memmove(it->queue.items, it->queue.items + it->first, it->queue.n * sizeof *it->queue.items);
            it->first = 0;
        }
        it->at = (it->at + 1) % it->slots.n;
        it->taken = 0;
        return SL_OK;
    }
    it->slots.n--;
    memmove(it->slots.items + it->at, it->slots.items + it->at + 1, (it->slots.n - it->at) * sizeof *it->slots.items);
    if (it->at == it->slots.n) it->at = 0;
    return SL_OK;
}

static sl_code queued_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct queued_interleave_iterator *it = (struct queued_interleave_iterator *)self;
    if (!it->has_begun) SL_TRY(fill_all(it, err));
    for (; it->slots.n; *is_end = false) {
        struct interleave_worker *w = &it->slots.items[it->at];
        sl_code code = SL_OK;
        bool is_exhausted = !w->nested && !w->failure;
        if (w->failure) {
            code = w->failure->code;
            if (err) *err = *w->failure;
            sl_free(w->failure);
            w->failure = NULL;
        } else if (w->nested) {
            code = sl_iterator_next(w->nested, element, &is_exhausted, err);
        }
        if (is_exhausted) {
            SL_TRY(replace(it, err));
            continue;
        }
        if (++it->taken == ((const struct queued_interleave *)self->dataset->state)->block) {
            it->taken = 0;
            it->at = (it->at + 1) % it->slots.n;
        }
        return code;
    }
    *is_end = true;
    return SL_OK;
}

/* ---- states: the workers, slots before queue, with keys of our own */

static sl_code save_worker(const struct queued_interleave_iterator *it, const struct interleave_worker *w, int64_t i,
                           struct sl_state *state, struct sl_error *err) {
    const bool is_open = w->nested || w->failure;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(state, &it->base, sl_state_key(key, "worker_index[%lld]", (long long)i),
                            is_open ? w->index : -1, err));
    for (int c = 0; is_open && c < it->base.dataset->inputs[0]->n; c++)
        SL_TRY(sl_state_put(state, &it->base, sl_state_key(key, "worker_args[%lld][%d]", (long long)i, c), &w->args[c],
                            err));
    return w->nested ? sl_iterator_save(w->nested, state, err) : SL_OK;
}

static sl_code queued_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct queued_interleave_iterator *it = (const struct queued_interleave_iterator *)self;
    const int64_t slots = (int64_t)it->slots.n, queued = (int64_t)(it->queue.n - it->first);
    SL_TRY(sl_state_put_input(state, self, "input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, "num_opened", it->has_begun ? it->n_opened : -1, err));
    SL_TRY(sl_state_put_int(state, self, "next_index", (int64_t)it->at, err));
    SL_TRY(sl_state_put_int(state, self, "block_count", it->taken, err));
    SL_TRY(sl_state_put_int(state, self, "num_slots", slots, err));
    SL_TRY(sl_state_put_int(state, self, "num_queued", queued, err));
    for (int64_t i = 0; i < slots; i++) SL_TRY(save_worker(it, &it->slots.items[i], i, state, err));
    for (int64_t i = 0; i < queued; i++)
        SL_TRY(save_worker(it, &it->queue.items[it->first + (size_t)i], slots + i, state, err));
    return SL_OK;
}

/* `w` is zero and has its place already. */
static sl_code restore_worker(struct queued_interleave_iterator *it, struct interleave_worker *w, int64_t i,
                              const struct sl_state *state, struct sl_error *err) {
    const int n = it->base.dataset->inputs[0]->n;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_get_int(&w->index, state, &it->base, sl_state_key(key, "worker_index[%lld]", (long long)i), err));
    if (w->index < 0) return SL_OK;
    SL_TRY(sl_element_new(&w->args, n, err));
    for (int c = 0; c < n; c++)
        SL_TRY(sl_state_get(&w->args[c], state, &it->base, sl_state_key(key, "worker_args[%lld][%d]", (long long)i, c),
                            err));
    SL_TRY(start_worker(w, it, err));
    return w->nested ? sl_iterator_restore(w->nested, state, err) : SL_OK;
}

/* Whether this is TensorFlow's state of one whose input and workers are all at their ends; of others it keeps what was
 * read ahead by threads. */
static bool is_exhausted_there(const struct sl_iterator *self, const struct sl_state *state) {
    int64_t n, size;
    char part[SL_STATE_KEY];
    if (!sl_state_has(state, self, "input_exhausted")) return false;
    if (sl_state_get_int(&n, state, self, "workers_size", NULL) != SL_OK) return false;
    for (int64_t i = 0; i < n; i++) {
        sl_state_key(part, "::worker_%lld", (long long)i);
        if (sl_state_get_part_int(&size, state, self, part, "outputs_size", NULL) != SL_OK || size) return false;
        sl_state_key(part, "::worker_thread_%lld", (long long)i);
        if (!sl_state_has_part(state, self, part, "iterator_exhausted")) return false;
    }
    return true;
}

static sl_code queued_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct queued_interleave_iterator *it = (struct queued_interleave_iterator *)self;
    int64_t at, slots, queued;
    if (is_exhausted_there(self, state)) {
        sl_iterator_free(self->input);
        self->input = NULL;
        it->has_begun = true;
        return SL_OK;
    }
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err));
    SL_TRY(sl_state_get_int(&it->n_opened, state, self, "num_opened", err));
    SL_TRY(sl_state_get_int(&at, state, self, "next_index", err));
    SL_TRY(sl_state_get_int(&it->taken, state, self, "block_count", err));
    SL_TRY(sl_state_get_int(&slots, state, self, "num_slots", err));
    SL_TRY(sl_state_get_int(&queued, state, self, "num_queued", err));
    it->has_begun = it->n_opened >= 0;
    if (!it->has_begun) it->n_opened = 0;
    if (at < 0 || slots < 0 || queued < 0 || (slots ? at >= slots : at != 0))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at slot %lld of %lld", (long long)at,
                       (long long)slots);
    it->at = (size_t)at;
    for (int64_t i = 0; i < slots; i++) {
        if (sl_vec_push(&it->slots, (struct interleave_worker){0})) return sl_fail_memory(err, sizeof *it->slots.items);
        SL_TRY(restore_worker(it, &it->slots.items[i], i, state, err));
    }
    for (int64_t i = 0; i < queued; i++) {
        if (sl_vec_push(&it->queue, (struct interleave_worker){0})) return sl_fail_memory(err, sizeof *it->queue.items);
        SL_TRY(restore_worker(it, &it->queue.items[i], slots + i, state, err));
    }
    return SL_OK;
}

const struct sl_dataset_kind sl_queued_interleave_data = {.name = "ParallelInterleave",
                                                          .opens_input = true,
                                                          .state_bytes = sizeof(struct queued_interleave),
                                                          .iterator_bytes = sizeof(struct queued_interleave_iterator),
                                                          .init = queued_init,
                                                          .begin = queued_begin,
                                                          .next = queued_next,
                                                          .end = queued_end,
                                                          .save = queued_save,
                                                          .restore = queued_restore};
