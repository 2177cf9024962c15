/* Which pairs are remote, and their names. */
#include "kernel/remote_pairs.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str_map.h"

struct sl_remote_pairs {
    atomic_uint references;
    struct sl_arena arena;
    struct sl_str_map by_name; /* of struct sl_remote_pair */
    uint8_t *sides;            /* by number */
    struct sl_remote_pair *items;
    uint32_t n;
};

/* ---- which are remote */

enum { HAS_SEND = 1, HAS_RECV = 2 };

/* `found`: the ends that the program has, by pair. */
static bool is_remote(const struct sl_rendezvous_pair *pair, const uint8_t *found) {
    return found[pair->number] != (HAS_SEND | HAS_RECV) && sl_rendezvous_pair_leaves(pair);
}

/* Fills `sides`; returns how many are not WITHIN. Several nodes may be the same end of a pair. */
static uint32_t find_sides(uint8_t *sides, const uint8_t *found, const struct sl_rendezvous_end *ends, size_t n) {
    uint32_t n_remote = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t *side = &sides[ends[i].pair->number];
        if (*side != SL_PAIR_WITHIN || !is_remote(ends[i].pair, found)) continue;
        *side = ends[i].is_send ? SL_PAIR_GOES_OUT : SL_PAIR_COMES_IN;
        n_remote++;
    }
    return n_remote;
}

/* ---- the table */

/* What stands before the last semicolon. */
static struct sl_str without_iteration(struct sl_str key) {
    size_t n = key.n;
    while (n && key.p[n - 1] != ';') n--;
    return (struct sl_str){key.p, n ? n - 1 : 0};
}

static sl_code add(struct sl_remote_pairs *pairs, const struct sl_rendezvous_pair *from) {
    struct sl_remote_pair *to = &pairs->items[pairs->n];
    const struct sl_rendezvous_key key = {from, 0, 0};
    size_t size = (size_t)sl_rendezvous_key_print(NULL, 0, &key) + 1;
    char *text = sl_arena_alloc(&pairs->arena, size);
    if (!text) return SL_RESOURCE_EXHAUSTED;
    sl_rendezvous_key_print(text, size, &key);
    to->side = (enum sl_pair_side)pairs->sides[from->number];
    to->name = without_iteration((struct sl_str){text, size - 1});
    to->pair = *from;
    to->pair.send_device = sl_arena_str(&pairs->arena, from->send_device);
    to->pair.recv_device = sl_arena_str(&pairs->arena, from->recv_device);
    to->pair.tensor_name = sl_arena_str(&pairs->arena, from->tensor_name);
    bool has_memory = to->pair.send_device.p && to->pair.recv_device.p && to->pair.tensor_name.p;
    if (!has_memory || sl_str_map_put(&pairs->by_name, to->name, to)) return SL_RESOURCE_EXHAUSTED;
    pairs->n++;
    return SL_OK;
}

static void destroy(struct sl_remote_pairs *pairs) {
    sl_str_map_free(&pairs->by_name);
    struct sl_arena arena = pairs->arena; /* the table itself lives in it */
    sl_arena_clear(&arena);
}

/* One item a pair, in the order of numbers. */
static sl_code fill(struct sl_remote_pairs *pairs, const struct sl_rendezvous_end *ends, size_t n, uint32_t n_pairs) {
    const struct sl_rendezvous_pair **by_number =
        SL_ARENA_ARRAY(&pairs->arena, const struct sl_rendezvous_pair *, n_pairs);
    if (!by_number) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = n; i-- > 0;) by_number[ends[i].pair->number] = ends[i].pair;
    for (uint32_t p = 0; p < n_pairs; p++)
        if (pairs->sides[p] != SL_PAIR_WITHIN) SL_TRY(add(pairs, by_number[p]));
    return SL_OK;
}

sl_code sl_remote_pairs_new(struct sl_remote_pairs **out, const struct sl_rendezvous_end *ends, size_t n,
                            uint32_t n_pairs, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    *out = NULL;
    uint8_t *found = SL_ARENA_ARRAY(&arena, uint8_t, n_pairs), *sides = SL_ARENA_ARRAY(&arena, uint8_t, n_pairs);
    bool has_memory = found && sides;
    for (size_t i = 0; has_memory && i < n; i++) found[ends[i].pair->number] |= ends[i].is_send ? HAS_SEND : HAS_RECV;
    uint32_t n_remote = has_memory ? find_sides(sides, found, ends, n) : 0;
    if (has_memory && !n_remote) {
        sl_arena_clear(&arena);
        return SL_OK;
    }
    struct sl_remote_pairs *pairs = has_memory ? SL_ARENA_NEW(&arena, struct sl_remote_pairs) : NULL;
    struct sl_remote_pair *items = pairs ? SL_ARENA_ARRAY(&arena, struct sl_remote_pair, n_remote) : NULL;
    if (!items) {
        sl_arena_clear(&arena);
        return sl_fail_memory(err, n_pairs);
    }
    *pairs = (struct sl_remote_pairs){.references = 1, .arena = arena, .sides = sides, .items = items};
    if (fill(pairs, ends, n, n_pairs) != SL_OK) {
        destroy(pairs);
        return sl_fail_memory(err, n_remote * sizeof *items);
    }
    *out = pairs;
    return SL_OK;
}

struct sl_remote_pairs *sl_remote_pairs_ref(struct sl_remote_pairs *pairs) {
    if (pairs) atomic_fetch_add(&pairs->references, 1);
    return pairs;
}

void sl_remote_pairs_unref(struct sl_remote_pairs *pairs) {
    if (pairs && atomic_fetch_sub(&pairs->references, 1) == 1) destroy(pairs);
}

const struct sl_remote_pair *sl_remote_pairs_items(const struct sl_remote_pairs *pairs, uint32_t *n) {
    *n = pairs ? pairs->n : 0;
    return pairs ? pairs->items : NULL;
}

const uint8_t *sl_remote_pairs_sides(const struct sl_remote_pairs *pairs) { return pairs ? pairs->sides : NULL; }

sl_code sl_remote_pairs_find(const struct sl_remote_pair **out, struct sl_rendezvous_key *key,
                             const struct sl_remote_pairs *pairs, struct sl_str text, struct sl_error *err) {
    struct sl_rendezvous_pair named;
    SL_TRY(sl_rendezvous_key_parse(&named, &key->frame, &key->iteration, text, err));
    *out = pairs ? sl_str_map_get(&pairs->by_name, without_iteration(text)) : NULL;
    if (!*out) return sl_fail(err, SL_NOT_FOUND, "No node of this step sends or receives '%.*s'.", SL_STR_ARG(text));
    key->pair = &(*out)->pair;
    return SL_OK;
}
