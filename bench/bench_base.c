/* Allocation from an arena against the heap, and look-ups in a map of node names. */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/str_map.h"
#include "measure.h"

enum { ITEMS = 10000 };
static char names[ITEMS][32];

static void heap(void *state) {
    void **p = state;
    for (int i = 0; i < ITEMS; i++) p[i] = sl_malloc(48);
    measure_use(p);
    for (int i = 0; i < ITEMS; i++) sl_free(p[i]);
}

static void arena(void *state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    for (int i = 0; i < ITEMS; i++) measure_use(sl_arena_alloc(&arena, 48));
    sl_arena_clear(&arena);
}

static void fill(void *state) {
    struct sl_str_map *map = state;
    sl_str_map_free(map);
    for (int i = 0; i < ITEMS; i++)
        if (sl_str_map_put(map, sl_str_of(names[i]), names[i])) abort();
}

static void find(void *state) {
    for (int i = 0; i < ITEMS; i++) measure_use(sl_str_map_get(state, sl_str_of(names[i])));
}

int main(void) {
    static void *pointers[ITEMS];
    struct sl_str_map map = {0};
    for (int i = 0; i < ITEMS; i++) snprintf(names[i], sizeof names[i], "layer_%d/weights/read", i);
    measure("base/malloc_free_48", ITEMS, heap, pointers);
    measure("base/arena_alloc_48", ITEMS, arena, NULL);
    measure("base/str_map_put", ITEMS, fill, &map);
    measure("base/str_map_get", ITEMS, find, &map);
    sl_str_map_free(&map);
    return 0;
}
