/* The canonical order of a map's entries: by key, of equal keys only the last. Private to src/proto; no state. */
#ifndef SL_PROTO_MAP_ORDER_H
#define SL_PROTO_MAP_ORDER_H

#include "proto/memory_layout.h"

/* Writes the indices of the entries that count, in order of their keys, to `order`, which has room for map->n; returns
 * how many. `field` is the map's field. Strings compare bytewise, numbers as numbers. */
size_t sl_pb_map_order(uint32_t *order, const struct sl_pb_field *field, const struct sl_pb_array *map);

#endif
