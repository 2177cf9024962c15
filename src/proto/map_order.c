/* Sorting by index keeps the entries where they are: the message being written belongs to the caller. */
#include "proto/map_order.h"

#include <stdlib.h>

struct sorting {
    const char *items;
    size_t size;
    const struct sl_pb_field *key;
};

static int compare_keys(const struct sorting *s, uint32_t a, uint32_t b) {
    const char *x = s->items + a * s->size + s->key->offset, *y = s->items + b * s->size + s->key->offset;
    if (s->key->kind == SL_PB_STRING) return sl_str_cmp(sl_pb_load_str(x), sl_pb_load_str(y));
    uint64_t u = 0, v = 0;
    memcpy(&u, x, s->key->size);
    memcpy(&v, y, s->key->size);
    if (s->key->kind == SL_PB_INT32) u = (uint32_t)u ^ 0x80000000u, v = (uint32_t)v ^ 0x80000000u;
    if (s->key->kind == SL_PB_INT64) u ^= UINT64_C(1) << 63, v ^= UINT64_C(1) << 63;
    return (u > v) - (u < v);
}

static int compare_entries(const void *a, const void *b, void *context) {
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    int order = compare_keys(context, i, j);
    return order ? order : (i > j) - (i < j);
}

size_t sl_pb_map_order(uint32_t *order, const struct sl_pb_field *field, const struct sl_pb_array *map) {
    const struct sl_pb_message *entry = &sl_pb_messages[field->sub];
    struct sorting s = {map->items, entry->size, &sl_pb_fields[entry->first_field]};
    for (size_t i = 0; i < map->n; i++) order[i] = (uint32_t)i;
    qsort_r(order, map->n, sizeof *order, compare_entries, &s);
    size_t kept = 0;
    for (size_t i = 0; i < map->n; i++)
        if (i + 1 == map->n || compare_keys(&s, order[i], order[i + 1])) order[kept++] = order[i];
    return kept;
}
