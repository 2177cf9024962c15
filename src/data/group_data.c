/* Datasets that gather elements by a key: groups that are reduced window by window, groups that are folded, and the
 * first of each. Keys are int64.
 *
 *     key -> group { key, what is held of it }      found by the key's bytes; given out by key, ascending
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error_place.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/listed.h"
#include "data/state.h"

struct group {
    int64_t key;
    int64_t window;              /* elements of a window; 0: not known yet */
    struct sl_element_list list; /* of a window: its elements; of a reducer: one, the state */
};
struct groups {
    struct sl_arena arena;
    struct sl_str_map by_key;
    SL_VEC(struct group *) items; /* sorted once the input is over */
};

static void groups_clear(struct groups *g) {
    for (size_t i = 0; i < g->items.n; i++) sl_element_list_clear(&g->items.items[i]->list);
    sl_vec_free(&g->items);
    sl_str_map_free(&g->by_key);
    sl_arena_clear(&g->arena);
    *g = (struct groups){.by_key = {0}};
}

/* The group of this key; a new one has window 0 and no elements. */
static sl_code group_of(struct group **out, struct groups *g, int64_t key, int width, struct sl_error *err) {
    struct group *found = sl_str_map_get(&g->by_key, (struct sl_str){(const char *)&key, sizeof key});
    if (!found) {
        found = SL_ARENA_NEW(&g->arena, struct group);
        if (!found || sl_vec_reserve(&g->items, 1)) return sl_fail_memory(err, sizeof *found);
        *found = (struct group){.key = key, .list = {.width = width}};
        if (sl_str_map_put(&g->by_key, (struct sl_str){(const char *)&found->key, sizeof key}, found))
            return sl_fail_memory(err, sizeof *found);
        g->items.items[g->items.n++] = found;
    }
    *out = found;
    return SL_OK;
}

static int compare_keys(const void *a, const void *b) {
    const int64_t x = (*(struct group *const *)a)->key, y = (*(struct group *const *)b)->key;
    return (x > y) - (x < y);
}
static void sort_groups(struct groups *g) {
    if (g->items.n) qsort(g->items.items, g->items.n, sizeof *g->items.items, compare_keys);
}

/* Calls a function that gives one int64. */
static sl_code call_for_int(int64_t *out, const struct sl_iterator *self, int which, struct sl_value *args, int n,
                            const char *what, struct sl_error *err) {
    struct sl_value result = {0};
    SL_TRY(sl_iterator_call(&result, self, which, args, n, err));
    const int64_t *x = result.dtype == SL_INT64 ? sl_value_scalar(&result) : NULL;
    if (x) *out = *x;
    sl_value_clear(&result);
    return x ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "`%s` must return a scalar int64.", what);
}

static struct sl_value int_value(int64_t x) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = x};
}

/* The next element of the input into `args`, which end up empty, and its key. The element is shared with `room`. */
static sl_code take_keyed(int64_t *key, struct sl_iterator *self, struct sl_value *room, struct sl_value *args,
                          bool *is_end, struct sl_error *err) {
    const int n = self->dataset->inputs[0]->n;
    SL_TRY(sl_iterator_pull(self, room, is_end, err));
    if (*is_end) return SL_OK;
    for (int i = 0; i < n; i++) args[i] = sl_value_share(&room[i]);
    sl_code code = call_for_int(key, self, 0, args, n, "key_func", err);
    if (code != SL_OK) sl_element_clear(room, n);
    return code;
}

/* ---- GroupByWindowDataset: what key_func, reduce_func and window_size_func captured */

enum { KEY_FUNC, REDUCE_FUNC, SIZE_FUNC };

struct window_groups_iterator {
    struct sl_iterator base;
    struct groups groups;
    struct sl_value *room, *args;
    struct sl_iterator *current;  /* over what the reduction of a window gave */
    int64_t current_key, counter; /* counter: windows that were reduced, less one */
    bool is_over;                 /* the input; groups are sorted then */
};

static int64_t by_window_cardinality(const struct sl_dataset *d) {
    return sl_dataset_input_cardinality(d) == SL_INFINITE_CARDINALITY ? SL_INFINITE_CARDINALITY
                                                                      : SL_UNKNOWN_CARDINALITY;
}

static sl_code by_window_init(struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset *input = d->inputs[0];
    SL_TRY(sl_dataset_check_function(d, KEY_FUNC, input->n, 1, err));
    SL_TRY(sl_dataset_check_function(d, REDUCE_FUNC, 2, 1, err));
    SL_TRY(sl_dataset_check_function(d, SIZE_FUNC, 1, 1, err));
    return sl_listed_spec_new(d->state, input->n, input->types, input->shapes, err);
}

static void by_window_clear(struct sl_dataset *d) { sl_dataset_spec_unref(*(struct sl_dataset_spec **)d->state); }

static sl_code by_window_begin(struct sl_iterator *self, struct sl_error *err) {
    struct window_groups_iterator *it = (struct window_groups_iterator *)self;
    it->counter = -1;
    SL_TRY(sl_element_new(&it->room, self->dataset->inputs[0]->n, err));
    return sl_element_new(&it->args, self->dataset->inputs[0]->n, err);
}

static void by_window_end(struct sl_iterator *self) {
    struct window_groups_iterator *it = (struct window_groups_iterator *)self;
    sl_iterator_free(it->current);
    groups_clear(&it->groups);
    sl_free(it->room);
    sl_free(it->args);
}

static sl_code tell_function(sl_code code, const struct sl_iterator *self, int which, struct sl_error *err) {
    if (code == SL_OK || !err) return code == SL_OK ? SL_OK : SL_INTERNAL;
    const struct sl_error reason = *err;
    sl_fail(err, SL_INTERNAL,
            "Got error code %s and message: {\n%s\n} \nfrom running user-defined function %.*s: ", sl_code_name(code),
            reason.message, SL_STR_ARG(self->dataset->spec->functions[which].name));
    if (*sl_error_place(&reason)) sl_error_add_place(err, "%s", sl_error_place(&reason));
    return SL_INTERNAL;
}

/* Begins with what the function makes of a group. The group keeps its elements until that is over. */
static sl_code reduce_window(struct window_groups_iterator *it, const struct group *g, struct sl_error *err) {
    struct sl_value args[2] = {int_value(g->key)}, made = {0};
    SL_TRY(sl_listed_make(&args[1], *(struct sl_dataset_spec **)it->base.dataset->state, &g->list, err));
    sl_code code = sl_iterator_call(&made, &it->base, REDUCE_FUNC, args, 2, err);
    if (code != SL_OK) return tell_function(code, &it->base, REDUCE_FUNC, err);
    code = sl_iterator_new_over(&it->current, &it->base, it->counter + 1, &made, err);
    sl_value_clear(&made);
    if (code != SL_OK) return code;
    it->counter++;
    it->current_key = g->key;
    return SL_OK;
}

static sl_code size_of_window(struct window_groups_iterator *it, struct group *g, struct sl_error *err) {
    struct sl_value key = int_value(g->key);
    int64_t size;
    SL_TRY(call_for_int(&size, &it->base, SIZE_FUNC, &key, 1, "window_size_func", err));
    if (size <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Window size must be greater than zero, but got %" PRId64 ".", size);
    g->window = size;
    return SL_OK;
}

/* Puts the next element into its group, and reduces that when it is full. */
static sl_code gather(struct window_groups_iterator *it, struct sl_error *err) {
    const int n = it->base.dataset->inputs[0]->n;
    struct group *g;
    struct sl_value *place;
    int64_t key;
    sl_code code = take_keyed(&key, &it->base, it->room, it->args, &it->is_over, err);
    if (it->is_over) sort_groups(&it->groups);
    if (it->is_over || code != SL_OK) return code;
    code = group_of(&g, &it->groups, key, n, err);
    if (code == SL_OK && g->window == 0) code = size_of_window(it, g, err);
    if (code == SL_OK) code = sl_iterator_gather(&place, &it->base, &g->list, err);
    if (code != SL_OK) {
        sl_element_clear(it->room, n);
        return code;
    }
    for (int i = 0; i < n; i++) place[i] = sl_value_move(&it->room[i]);
    return ++g->list.n == g->window ? reduce_window(it, g, err) : SL_OK;
}

static sl_code by_window_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct window_groups_iterator *it = (struct window_groups_iterator *)self;
    for (;;) {
        if (it->current) {
            struct group *g;
            SL_TRY(sl_iterator_next(it->current, element, is_end, err));
            if (!*is_end) return SL_OK;
            sl_iterator_free(it->current);
            it->current = NULL;
            *is_end = false;
            SL_TRY(group_of(&g, &it->groups, it->current_key, self->dataset->inputs[0]->n, err));
            sl_element_list_clear(&g->list);
        }
        if (!it->is_over) {
            SL_TRY(gather(it, err));
            continue;
        }
        size_t i = 0;
        while (i < it->groups.items.n && it->groups.items.items[i]->list.n == 0) i++;
        *is_end = i == it->groups.items.n;
        if (*is_end) return SL_OK;
        SL_TRY(reduce_window(it, it->groups.items.items[i], err));
    }
}

/* Puts the elements of a list under "NAME_size", "NAME[i]_size", "NAME[i][c]". */
static sl_code save_list(const struct sl_iterator *self, const char *name, const struct sl_element_list *list,
                         struct sl_state *state, struct sl_error *err) {
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "%s_size", name), list->n, err));
    for (int64_t i = 0; i < list->n; i++) {
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "%s[%" PRId64 "]_size", name, i), list->width, err));
        for (int c = 0; c < list->width; c++)
            SL_TRY(sl_state_put(state, self, sl_state_key(key, "%s[%" PRId64 "][%d]", name, i, c),
                                &sl_element_at(list, i)[c], err));
    }
    return SL_OK;
}

static sl_code restore_list(struct sl_element_list *list, const struct sl_iterator *self, const char *name,
                            const struct sl_state *state, struct sl_error *err) {
    char key[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_int(&n, state, self, sl_state_key(key, "%s_size", name), err));
    while (list->n < n) {
        struct sl_value *room;
        SL_TRY(sl_element_list_room(&room, list, err));
        sl_code code = SL_OK;
        for (int c = 0; c < list->width && code == SL_OK; c++)
            code = sl_state_get(&room[c], state, self, sl_state_key(key, "%s[%" PRId64 "][%d]", name, list->n, c), err);
        if (code != SL_OK) {
            sl_element_clear(room, list->width);
            return code;
        }
        list->n++;
    }
    return SL_OK;
}

/* A key that is there or not. */
static sl_code put_mark(struct sl_state *state, const struct sl_iterator *self, const char *key, struct sl_error *err) {
    struct sl_value empty = {0};
    SL_TRY(sl_value_new(&empty, SL_STRING, SL_SHAPE_SCALAR, err));
    sl_code code = sl_state_put(state, self, key, &empty, err);
    sl_value_clear(&empty);
    return code;
}

static sl_code save_groups(const struct sl_iterator *self, const struct groups *g, struct sl_state *state,
                           struct sl_error *err) {
    char key[SL_STATE_KEY], name[SL_STATE_KEY / 2];
    int64_t held = 0, known = 0;
    for (size_t i = 0; i < g->items.n; i++) {
        const struct group *one = g->items.items[i];
        if (one->list.n) {
            SL_TRY(sl_state_put_int(state, self, sl_state_key(key, ":groups_[%" PRId64 "]->key", held), one->key, err));
            snprintf(name, sizeof name, ":groups_[%" PRId64 "]", held++);
            SL_TRY(save_list(self, name, &one->list, state, err));
        }
        if (!one->window) continue;
        SL_TRY(
            sl_state_put_int(state, self, sl_state_key(key, ":window_sizes_[%" PRId64 "]->key", known), one->key, err));
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, ":window_sizes_[%" PRId64 "]->value", known++),
                                one->window, err));
    }
    if (held) SL_TRY(sl_state_put_int(state, self, ":groups_size", held, err));
    return known ? sl_state_put_int(state, self, ":window_sizes_size", known, err) : SL_OK;
}

static sl_code restore_groups(struct sl_iterator *self, struct groups *g, const struct sl_state *state,
                              struct sl_error *err) {
    char text[SL_STATE_KEY];
    const int width = self->dataset->inputs[0]->n;
    int64_t n = 0, key;
    struct group *one;
    if (sl_state_has(state, self, ":groups_size")) SL_TRY(sl_state_get_int(&n, state, self, ":groups_size", err));
    for (int64_t i = 0; i < n; i++) {
        SL_TRY(sl_state_get_int(&key, state, self, sl_state_key(text, ":groups_[%" PRId64 "]->key", i), err));
        SL_TRY(group_of(&one, g, key, width, err));
        SL_TRY(restore_list(&one->list, self, sl_state_key(text, ":groups_[%" PRId64 "]", i), state, err));
    }
    n = 0;
    if (sl_state_has(state, self, ":window_sizes_size"))
        SL_TRY(sl_state_get_int(&n, state, self, ":window_sizes_size", err));
    for (int64_t i = 0; i < n; i++) {
        SL_TRY(sl_state_get_int(&key, state, self, sl_state_key(text, ":window_sizes_[%" PRId64 "]->key", i), err));
        SL_TRY(group_of(&one, g, key, width, err));
        SL_TRY(sl_state_get_int(&one->window, state, self, sl_state_key(text, ":window_sizes_[%" PRId64 "]->value", i),
                                err));
    }
    return SL_OK;
}

static sl_code by_window_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct window_groups_iterator *it = (const struct window_groups_iterator *)self;
    if (it->is_over) SL_TRY(put_mark(state, self, ":end_of_input", err));
    SL_TRY(save_groups(self, &it->groups, state, err));
    if (!it->current) SL_TRY(put_mark(state, self, ":current_iterator_not_initialized", err));
    else SL_TRY(sl_state_put_int(state, self, ":current_key", it->current_key, err));
    SL_TRY(sl_state_put_int(state, self, ":group_counter", it->counter, err));
    SL_TRY(sl_state_put_input(state, self, NULL, err));
    return it->current ? sl_iterator_save(it->current, state, err) : SL_OK;
}

static sl_code by_window_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct window_groups_iterator *it = (struct window_groups_iterator *)self;
    struct group *g;
    it->is_over = sl_state_has(state, self, ":end_of_input");
    SL_TRY(restore_groups(self, &it->groups, state, err));
    SL_TRY(sl_state_get_int(&it->counter, state, self, ":group_counter", err));
    if (it->is_over) {
        sort_groups(&it->groups);
        sl_iterator_free(self->input);
        self->input = NULL;
    } else {
        SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    }
    if (sl_state_has(state, self, ":current_iterator_not_initialized")) return SL_OK;
    SL_TRY(sl_state_get_int(&it->current_key, state, self, ":current_key", err));
    SL_TRY(group_of(&g, &it->groups, it->current_key, self->dataset->inputs[0]->n, err));
    it->counter--;
    SL_TRY(reduce_window(it, g, err));
    return sl_iterator_restore(it->current, state, err);
}

const struct sl_dataset_kind sl_group_by_window_data = {.name = "GroupByWindow",
                                                        .opens_input = true,
                                                        .state_bytes = sizeof(struct sl_dataset_spec *),
                                                        .iterator_bytes = sizeof(struct window_groups_iterator),
                                                        .init = by_window_init,
                                                        .clear = by_window_clear,
                                                        .cardinality = by_window_cardinality,
                                                        .begin = by_window_begin,
                                                        .next = by_window_next,
                                                        .end = by_window_end,
                                                        .save = by_window_save,
                                                        .restore = by_window_restore};

/* ---- GroupByReducerDataset: what key_func, init_func, reduce_func and finalize_func captured */

enum { REDUCER_INIT = 1, REDUCER_REDUCE, REDUCER_FINALIZE };

struct reducer_iterator {
    struct sl_iterator base;
    struct groups groups;
    struct sl_value *room, *args, *results; /* args: a state, then an element */
    bool is_over;
    int64_t at; /* group that comes next */
};

static int state_width(const struct sl_dataset *d) { return d->spec->functions[REDUCER_INIT].n_rets; }

static sl_code by_reducer_init(struct sl_dataset *d, struct sl_error *err) {
    const int n = d->inputs[0]->n, width = state_width(d);
    SL_TRY(sl_dataset_check_function(d, KEY_FUNC, n, 1, err));
    SL_TRY(sl_dataset_check_function(d, REDUCER_INIT, 1, width, err));
    SL_TRY(sl_dataset_check_function(d, REDUCER_REDUCE, width + n, width, err));
    return sl_dataset_check_function(d, REDUCER_FINALIZE, width, d->n, err);
}

static sl_code by_reducer_begin(struct sl_iterator *self, struct sl_error *err) {
    struct reducer_iterator *it = (struct reducer_iterator *)self;
    const int n = self->dataset->inputs[0]->n;
    SL_TRY(sl_element_new(&it->room, n, err));
    SL_TRY(sl_element_new(&it->results, state_width(self->dataset) + 1, err));
    return sl_element_new(&it->args, n + state_width(self->dataset), err);
}

static void by_reducer_end(struct sl_iterator *self) {
    struct reducer_iterator *it = (struct reducer_iterator *)self;
    groups_clear(&it->groups);
    sl_free(it->room);
    sl_free(it->args);
    sl_free(it->results);
}

/* Folds the element in `room` into the state of its key. */
static sl_code fold(struct reducer_iterator *it, int64_t key, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    const int n = d->inputs[0]->n, width = state_width(d);
    struct group *g;
    SL_TRY(group_of(&g, &it->groups, key, width, err));
    if (g->list.n == 0) {
        struct sl_value arg = int_value(key), *place;
        SL_TRY(sl_element_list_room(&place, &g->list, err));
        SL_TRY(sl_iterator_call(place, &it->base, REDUCER_INIT, &arg, 1, err));
        g->list.n = 1;
    }
    struct sl_value *state = sl_element_at(&g->list, 0);
    for (int i = 0; i < width; i++) it->args[i] = sl_value_share(&state[i]);
    for (int i = 0; i < n; i++) it->args[width + i] = sl_value_move(&it->room[i]);
    SL_TRY(sl_iterator_call(it->results, &it->base, REDUCER_REDUCE, it->args, width + n, err));
    sl_element_clear(state, width);
    for (int i = 0; i < width; i++) state[i] = sl_value_move(&it->results[i]);
    return SL_OK;
}

static sl_code fold_all(struct reducer_iterator *it, struct sl_error *err) {
    while (!it->is_over) {
        int64_t key;
        sl_code code = take_keyed(&key, &it->base, it->room, it->args, &it->is_over, err);
        if (it->is_over) sort_groups(&it->groups);
        if (it->is_over || code != SL_OK) return code;
        code = fold(it, key, err);
        sl_element_clear(it->room, it->base.dataset->inputs[0]->n);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

static sl_code by_reducer_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct reducer_iterator *it = (struct reducer_iterator *)self;
    const int width = state_width(self->dataset);
    if (!it->is_over) SL_TRY(fold_all(it, err));
    *is_end = it->at == (int64_t)it->groups.items.n;
    if (*is_end) return SL_OK;
    const struct sl_value *state = sl_element_at(&it->groups.items.items[it->at++]->list, 0);
    for (int i = 0; i < width; i++) it->args[i] = sl_value_share(&state[i]);
    return sl_iterator_call(element, self, REDUCER_FINALIZE, it->args, width, err);
}

static sl_code by_reducer_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct reducer_iterator *it = (const struct reducer_iterator *)self;
    const int64_t n = (int64_t)it->groups.items.n;
    const int width = state_width(self->dataset);
    char text[SL_STATE_KEY];
    if (it->is_over) SL_TRY(put_mark(state, self, ":end_of_input", err));
    if (n) SL_TRY(sl_state_put_int(state, self, ":states_size", n, err));
    for (int64_t i = 0; i < n; i++) {
        const struct group *g = it->groups.items.items[i];
        SL_TRY(sl_state_put_int(state, self, sl_state_key(text, ":states[%" PRId64 "]->key", i), g->key, err));
        SL_TRY(sl_state_put_int(state, self, sl_state_key(text, ":states[%" PRId64 "]->state_size", i), width, err));
        for (int c = 0; c < width; c++)
            SL_TRY(sl_state_put(state, self, sl_state_key(text, ":states[%" PRId64 "]->state[%d]", i, c),
                                &sl_element_at(&g->list, 0)[c], err));
    }
    if (it->is_over) {
        SL_TRY(sl_state_put_int(state, self, ":keys_index", it->at, err));
        SL_TRY(sl_state_put_int(state, self, ":keys_size", n, err));
        for (int64_t i = 0; i < n; i++)
            SL_TRY(sl_state_put_int(state, self, sl_state_key(text, ":keys[%" PRId64 "]", i),
                                    it->groups.items.items[i]->key, err));
    }
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code restore_state(struct reducer_iterator *it, int64_t i, const struct sl_state *state,
                             struct sl_error *err) {
    const int width = state_width(it->base.dataset);
    struct group *g;
    struct sl_value *room;
    char text[SL_STATE_KEY];
    int64_t key;
    SL_TRY(sl_state_get_int(&key, state, &it->base, sl_state_key(text, ":states[%" PRId64 "]->key", i), err));
    SL_TRY(group_of(&g, &it->groups, key, width, err));
    if (g->list.n) return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has key %" PRId64 " twice", key);
    SL_TRY(sl_element_list_room(&room, &g->list, err));
    g->list.n = 1;
    for (int c = 0; c < width; c++)
        SL_TRY(
            sl_state_get(&room[c], state, &it->base, sl_state_key(text, ":states[%" PRId64 "]->state[%d]", i, c), err));
    return SL_OK;
}

static sl_code by_reducer_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct reducer_iterator *it = (struct reducer_iterator *)self;
    int64_t n = 0;
    it->is_over = sl_state_has(state, self, ":end_of_input");
    if (sl_state_has(state, self, ":states_size")) SL_TRY(sl_state_get_int(&n, state, self, ":states_size", err));
    for (int64_t i = 0; i < n; i++) SL_TRY(restore_state(it, i, state, err));
    if (!it->is_over) return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
    SL_TRY(sl_state_get_int(&it->at, state, self, ":keys_index", err));
    if (it->at < 0 || it->at > n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at key %" PRId64 " of %" PRId64, it->at, n);
    sort_groups(&it->groups);
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_group_by_reducer_data = {.name = "GroupByReducer",
                                                         .opens_input = true,
                                                         .iterator_bytes = sizeof(struct reducer_iterator),
                                                         .init = by_reducer_init,
                                                         .begin = by_reducer_begin,
                                                         .next = by_reducer_next,
                                                         .end = by_reducer_end,
                                                         .save = by_reducer_save,
                                                         .restore = by_reducer_restore};

/* ---- UniqueDataset: the first of each int32, int64 or string */

struct unique_iterator {
    struct sl_iterator base;
    struct sl_arena arena;
    struct sl_str_map seen; /* their bytes; values say nothing */
    struct sl_element_list list;
};

static sl_code unique_init(struct sl_dataset *d, struct sl_error *err) {
    if (d->n == 1 && (d->types[0] == SL_INT32 || d->types[0] == SL_INT64 || d->types[0] == SL_STRING)) return SL_OK;
    return sl_fail(
        err, SL_INVALID_ARGUMENT,
        "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.");
}

static sl_code unique_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    struct unique_iterator *it = (struct unique_iterator *)self;
    sl_arena_init(&it->arena);
    it->list.width = 1;
    return SL_OK;
}

static void unique_end(struct sl_iterator *self) {
    struct unique_iterator *it = (struct unique_iterator *)self;
    sl_str_map_free(&it->seen);
    sl_element_list_clear(&it->list);
    sl_arena_clear(&it->arena);
}

/* Whether it is the first of its kind, which is then remembered. */
static sl_code see(bool *is_first, struct unique_iterator *it, const struct sl_value *x, struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(x);
    struct sl_value *room;
    if (v.rank != 0 || v.dtype != it->base.dataset->types[0])
        return sl_fail(err, SL_INVALID_ARGUMENT, "UniqueDataset wants scalars of type %s",
                       sl_dtype_name(it->base.dataset->types[0]));
    struct sl_str bytes =
        v.dtype == SL_STRING ? sl_string_get(v.data) : (struct sl_str){v.data, sl_dtype_size(v.dtype)};
    *is_first = !sl_str_map_get(&it->seen, bytes);
    if (!*is_first) return SL_OK;
    bytes = sl_arena_str(&it->arena, bytes);
    if (!bytes.p || sl_str_map_put(&it->seen, bytes, it)) return sl_fail_memory(err, bytes.n);
    SL_TRY(sl_iterator_gather(&room, &it->base, &it->list, err));
    room[0] = sl_value_share(x);
    it->list.n++;
    return SL_OK;
}

static sl_code unique_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    for (bool is_first = false; !is_first;) {
        sl_element_clear(element, 1);
        SL_TRY(sl_iterator_pull(self, element, is_end, err));
        if (*is_end) return SL_OK;
        SL_TRY(see(&is_first, (struct unique_iterator *)self, &element[0], err));
    }
    return SL_OK;
}

static sl_code unique_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct unique_iterator *it = (const struct unique_iterator *)self;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_input(state, self, ":input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, ":unique_elements_size", it->list.n, err));
    for (int64_t i = 0; i < it->list.n; i++)
        SL_TRY(sl_state_put(state, self, sl_state_key(key, ":unique_elements[%" PRId64 "]", i),
                            sl_element_at(&it->list, i), err));
    return SL_OK;
}

static sl_code unique_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct unique_iterator *it = (struct unique_iterator *)self;
    const char *empty = sl_state_has(state, self, ":input_impl_empty") ? ":input_impl_empty" : NULL;
    char key[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, empty, err));
    SL_TRY(sl_state_get_int(&n, state, self, ":unique_elements_size", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_value x;
        bool is_first;
        SL_TRY(sl_state_get(&x, state, self, sl_state_key(key, ":unique_elements[%" PRId64 "]", i), err));
        sl_code code = see(&is_first, it, &x, err);
        sl_value_clear(&x);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

const struct sl_dataset_kind sl_unique_data = {.name = "Unique",
                                               .keeps_types = true,
                                               .opens_input = true,
                                               .iterator_bytes = sizeof(struct unique_iterator),
                                               .init = unique_init,
                                               .begin = unique_begin,
                                               .next = unique_next,
                                               .end = unique_end,
                                               .save = unique_save,
                                               .restore = unique_restore};
