/* Bump allocation by lifetime: everything in an arena is freed at once. One owner; not thread-safe. */
#ifndef SL_BASE_ARENA_H
#define SL_BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

struct sl_arena {
    struct sl_arena_block *blocks;           /* newest first */
    char *at, *end;                          /* free room of the newest block */
    size_t next_block;                       /* bytes of the next block: doubles up to 1 MiB, or to SL_ARENA_LARGE */
    void (*on_large)(void *p, size_t bytes); /* see sl_arena_init_large; or NULL */
};

void sl_arena_init(struct sl_arena *arena);
/* The same for one that may become many MiB and is then filled at once, as that of a graph: its blocks are up to
 * SL_ARENA_LARGE, those of that size or more are aligned to it, and `on_large` is called with each before it is
 * touched: sl_pages_prefer_large. */
#define SL_ARENA_LARGE ((size_t)2 << 20)
void sl_arena_init_large(struct sl_arena *arena, void (*on_large)(void *p, size_t bytes));
/* About so many bytes will be asked for in small pieces: blocks need not begin small. */
void sl_arena_expect(struct sl_arena *arena, size_t bytes);
/* Frees all blocks; the arena is empty and usable again. */
void sl_arena_clear(struct sl_arena *arena);

/* The same, but its newest block stays for what comes next. */
void sl_arena_reset(struct sl_arena *arena);

/* `bytes` uninitialised bytes aligned to 16, or NULL when memory is out. Zero bytes give a valid pointer. */
void *sl_arena_alloc(struct sl_arena *arena, size_t bytes);
void *sl_arena_zalloc(struct sl_arena *arena, size_t bytes);             /* zeroed */
void *sl_arena_array(struct sl_arena *arena, size_t count, size_t size); /* zeroed; NULL also on overflow */
/* Copies; the copy is NUL-terminated too. `.p` is NULL when memory is out. */
struct sl_str sl_arena_str(struct sl_arena *arena, struct sl_str s);
char *sl_arena_format(struct sl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Bytes taken from the heap so far. */
size_t sl_arena_bytes(const struct sl_arena *arena);

#define SL_ARENA_NEW(arena, type)          ((type *)sl_arena_zalloc(arena, sizeof(type)))
#define SL_ARENA_ARRAY(arena, type, count) ((type *)sl_arena_array(arena, count, sizeof(type)))

#endif
