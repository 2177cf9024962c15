/* Blocks are chained newest first. A request larger than half a block gets a block of its own, so that one big tensor
 * does not throw away the room left in the current block. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"

enum { ALIGNMENT = 16, FIRST_BLOCK = 1024, LARGEST_BLOCK = 1 << 20 };

struct sl_arena_block {
    struct sl_arena_block *next;
    size_t bytes;
};

void sl_arena_init(struct sl_arena *arena) { sl_arena_init_large(arena, NULL); }

void sl_arena_init_large(struct sl_arena *arena, void (*on_large)(void *p, size_t bytes)) {
    *arena = (struct sl_arena){.next_block = FIRST_BLOCK, .on_large = on_large};
}

static size_t largest_block(const struct sl_arena *arena) { return arena->on_large ? SL_ARENA_LARGE : LARGEST_BLOCK; }

void sl_arena_expect(struct sl_arena *arena, size_t bytes) {
    if (!arena->next_block) arena->next_block = FIRST_BLOCK;
    while (arena->next_block < largest_block(arena) && arena->next_block < bytes / 2) arena->next_block *= 2;
}

void sl_arena_clear(struct sl_arena *arena) {
    for (struct sl_arena_block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        sl_free(b);
    }
    sl_arena_init_large(arena, arena->on_large);
}

void sl_arena_reset(struct sl_arena *arena) {
    struct sl_arena_block *newest = arena->blocks;
    if (!newest) return;
    for (struct sl_arena_block *b = newest->next, *next; b; b = next) {
        next = b->next;
        sl_free(b);
    }
    newest->next = NULL;
    arena->at = (char *)(newest + 1);
    arena->end = (char *)newest + newest->bytes;
}

static struct sl_arena_block *new_block(const struct sl_arena *arena, size_t bytes) {
    if (!arena->on_large || bytes < SL_ARENA_LARGE) return sl_malloc(bytes);
    void *p = sl_alloc_aligned(SL_ARENA_LARGE, bytes);
    if (p) arena->on_large(p, bytes);
    return p;
}

static void *own_block(struct sl_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX - sizeof(struct sl_arena_block)) return NULL;
    struct sl_arena_block *b = new_block(arena, sizeof *b + bytes);
    if (!b) return NULL;
    b->bytes = sizeof *b + bytes;
    b->next = arena->blocks;
    arena->blocks = b;
    return b + 1;
}

_Static_assert(sizeof(struct sl_arena_block) % ALIGNMENT == 0, "what follows a block header must be aligned");

void *sl_arena_alloc(struct sl_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (!arena->at || (size_t)(arena->end - arena->at) < bytes) {
        if (!arena->next_block) arena->next_block = FIRST_BLOCK;
        if (bytes > arena->next_block / 2) return own_block(arena, bytes);
        size_t room = arena->next_block - sizeof(struct sl_arena_block);
        char *fresh = own_block(arena, room);
        if (!fresh) return NULL;
        arena->at = fresh;
        arena->end = fresh + room;
        if (arena->next_block < largest_block(arena)) arena->next_block *= 2;
    }
    void *p = arena->at;
    arena->at += bytes;
    return p;
}

void *sl_arena_zalloc(struct sl_arena *arena, size_t bytes) {
    void *p = sl_arena_alloc(arena, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void *sl_arena_array(struct sl_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    return sl_arena_zalloc(arena, count * size);
}

struct sl_str sl_arena_str(struct sl_arena *arena, struct sl_str s) {
    char *p = s.n < SIZE_MAX ? sl_arena_alloc(arena, s.n + 1) : NULL;
    if (!p) return (struct sl_str){NULL, 0};
    if (s.n) memcpy(p, s.p, s.n);
    p[s.n] = 0;
    return (struct sl_str){p, s.n};
}

char *sl_arena_format(struct sl_arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *p = n < 0 ? NULL : sl_arena_alloc(arena, (size_t)n + 1);
    if (p) vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return p;
}

size_t sl_arena_bytes(const struct sl_arena *arena) {
    size_t total = 0;
    for (const struct sl_arena_block *b = arena->blocks; b; b = b->next) total += b->bytes;
    return total;
}
