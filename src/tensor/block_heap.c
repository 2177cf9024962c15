/* Segments, spans, the choice of a span, and what goes back to the system. A span begins with its header, so that a
 * block's neighbours are found from its address. Spans are whole pages: elements of all blocks lie alike within
 * their pages, and pages can be given back one by one.
 *
 * `idle` is an estimate: a span knows how many of its bytes have been written since the system gave them, not which;
 * a block that is cut off takes them first. Nothing is counted twice, so the sum never drifts.
 *
 * Memory that one block after the other uses is worth large pages: on a virtual machine the walks through page
 * tables cost as much as the elements. Not the first megabytes, as small programs need no more, and not blocks so
 * large that few of them are kept: a fresh large page has to be got from the host and cleared as a whole, which was
 * measured to cost four times what small pages do. */
#include "tensor/block_heap.h"

#include <stdbool.h>

#include "base/alloc.h"
#include "os/page.h"

/* The address sanitizer sees blocks alone: spans that are free, and what lies behind a block's last byte, are out of
 * bounds. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef SANITIZED
#include <sanitizer/asan_interface.h>
#define PERMIT(p, bytes) ASAN_UNPOISON_MEMORY_REGION(p, bytes)
#define FORBID(p, bytes) ASAN_POISON_MEMORY_REGION(p, bytes)
#else
#define PERMIT(p, bytes) ((void)0)
#define FORBID(p, bytes) ((void)0)
#endif

enum { HEADER = 64, PAGE = 4096, PAGE_LOG2 = 12, STEPS = 4, MOST_LOOKED_AT = 64 };
static const size_t LEAST_SEGMENT = (size_t)8 << 20, MOST_SEGMENT = (size_t)64 << 20,
                    LARGE_PAGES_LIMIT = (size_t)32 << 20, LEAST_REST = (size_t)64 << 10;

struct sl_span {
    size_t bytes;           /* with the header */
    struct sl_span *before; /* the neighbour in the segment; NULL: the first */
    bool is_last, is_free;
    size_t written;                         /* free: bytes of it that count as idle */
    struct sl_span *next_free, **link_free; /* free: in its list, and where the list points to it */
    void *word;                             /* a block: its holder's */
};
_Static_assert(sizeof(struct sl_span) <= HEADER, "a header has its line");

static struct sl_span *span_after(struct sl_span *s) {
    return s->is_last ? NULL : (struct sl_span *)(void *)((char *)s + s->bytes);
}

/* The class whose spans have at least the size of its step and less than that of the next. */
static unsigned class_of(size_t bytes) {
    unsigned log2 = 63 - (unsigned)__builtin_clzll(bytes);
    unsigned class = (log2 - PAGE_LOG2) * STEPS + (unsigned)(bytes >> (log2 - 2) & (STEPS - 1));
    return class < SL_BLOCK_HEAP_CLASSES ? class : SL_BLOCK_HEAP_CLASSES - 1;
}

static struct sl_span_table *table_of(struct sl_block_heap *h, const struct sl_span *s) {
    return s->written ? &h->used_before : &h->untouched;
}

static void list_add(struct sl_block_heap *h, struct sl_span *s) {
    struct sl_span_table *t = table_of(h, s);
    unsigned class = class_of(s->bytes);
    struct sl_span **list = &t->lists[class];
    s->is_free = true;
    s->next_free = *list;
    s->link_free = list;
    if (*list) (*list)->link_free = &s->next_free;
    *list = s;
    t->filled[class / 64] |= UINT64_C(1) << class % 64;
    h->idle += s->written;
}

static void list_remove(struct sl_block_heap *h, struct sl_span *s) {
    struct sl_span_table *t = table_of(h, s);
    unsigned class = class_of(s->bytes);
    *s->link_free = s->next_free;
    if (s->next_free) s->next_free->link_free = s->link_free;
    if (!t->lists[class]) t->filled[class / 64] &= ~(UINT64_C(1) << class % 64);
    s->is_free = false;
    h->idle -= s->written;
}

/* The smallest span of a list that holds `bytes`, as far as it is worth looking. */
static struct sl_span *best_of(struct sl_span *list, size_t bytes) {
    struct sl_span *best = NULL;
    for (int i = 0; list && i < MOST_LOOKED_AT; i++, list = list->next_free)
        if (list->bytes >= bytes && (!best || list->bytes < best->bytes)) best = list;
    return best;
}

static struct sl_span *find(const struct sl_span_table *t, size_t bytes) {
    unsigned class = class_of(bytes);
    struct sl_span *s = best_of(t->lists[class], bytes);
    if (s || ++class == SL_BLOCK_HEAP_CLASSES) return s;
    for (unsigned word = class / 64, shift = class % 64; word < SL_BLOCK_HEAP_WORDS; word++, shift = 0) {
        uint64_t filled = t->filled[word] >> shift << shift;
        if (filled) return best_of(t->lists[word * 64 + (unsigned)__builtin_ctzll(filled)], bytes);
    }
    return NULL;
}

static size_t in_large_pages(size_t bytes) { return (bytes + SL_LARGE_PAGE - 1) & ~(SL_LARGE_PAGE - 1); }

static struct sl_span *take_segment(struct sl_block_heap *h, size_t size, bool in_large) {
    struct sl_span *s = sl_alloc_aligned(SL_LARGE_PAGE, size);
    if (!s) return NULL;
    if (in_large) sl_pages_prefer_large(s, size);
    *s = (struct sl_span){.bytes = size, .is_last = true};
    h->held += size;
    return s;
}

/* A segment for a span of `bytes`: one span in no list. Each is as large as all before it together, within limits: a
 * program that needs little memory takes little, and one that needs much has few seams. The largest spans have
 * segments of their own, of small pages. */
static struct sl_span *new_segment(struct sl_block_heap *h, size_t bytes) {
    if (bytes > LARGE_PAGES_LIMIT) return take_segment(h, bytes, false);
    const size_t usual = h->held < LEAST_SEGMENT ? LEAST_SEGMENT : h->held < MOST_SEGMENT ? h->held : MOST_SEGMENT;
    const size_t least = in_large_pages(bytes), size = in_large_pages(usual);
    const bool is_first = !h->held;
    struct sl_span *s = size > least ? take_segment(h, size, !is_first) : NULL;
    return s ? s : take_segment(h, least, !is_first);
}

static void cut(struct sl_block_heap *h, struct sl_span *s, size_t bytes) {
    if (s->bytes - bytes < LEAST_REST) return;
    struct sl_span *rest = (struct sl_span *)(void *)((char *)s + bytes), *after = span_after(s);
    PERMIT(rest, HEADER);
    *rest = (struct sl_span){.bytes = s->bytes - bytes, .before = s, .is_last = s->is_last};
    rest->written = s->written > bytes ? s->written - bytes : 0;
    if (after) after->before = rest;
    s->bytes = bytes;
    s->is_last = false;
    list_add(h, rest);
}

/* For a block in the first segment; a large page may reach into what lies before and behind. */
static void prefer_large_pages(const struct sl_span *s) {
    const uintptr_t begin = (uintptr_t)s & ~(SL_LARGE_PAGE - 1), end = in_large_pages((uintptr_t)s + s->bytes);
    sl_pages_prefer_large((void *)begin, end - begin);
}

void *sl_block_heap_alloc(struct sl_block_heap *h, size_t bytes) {
    const size_t size = (bytes + HEADER + PAGE - 1) & ~(size_t)(PAGE - 1);
    struct sl_span *s = find(&h->used_before, size);
    if (!s) s = find(&h->untouched, size);
    if (s) list_remove(h, s);
    else if (!(s = new_segment(h, size))) return NULL;
    const bool is_new = !s->written;
    cut(h, s, size);
    if (is_new && size >= SL_LARGE_PAGE && size <= LARGE_PAGES_LIMIT) prefer_large_pages(s);
    char *block = (char *)s + HEADER;
    FORBID(block, s->bytes - HEADER);
    PERMIT(block, bytes);
    s->word = NULL;
    return block;
}

void **sl_block_heap_word(void *block) { return &((struct sl_span *)(void *)((char *)block - HEADER))->word; }

/* Joins a span with the one behind it; both are in no list. */
static struct sl_span *join(struct sl_span *s, struct sl_span *behind) {
    s->bytes += behind->bytes;
    s->written += behind->written;
    s->is_last = behind->is_last;
    struct sl_span *after = span_after(s);
    if (after) after->before = s;
    return s;
}

/* A segment that is free as a whole goes back to the system. */
static bool give_back(struct sl_block_heap *h, struct sl_span *s) {
    if (s->before || !s->is_last) return false;
    h->held -= s->bytes;
    PERMIT(s, s->bytes);
    sl_free(s);
    return true;
}

static void drop_pages(struct sl_span *s) {
    sl_pages_drop((char *)s + PAGE, s->bytes - PAGE);
    s->written = 0;
}

void sl_block_heap_free(struct sl_block_heap *h, void *block, size_t idle_limit) {
    struct sl_span *s = (struct sl_span *)(void *)((char *)block - HEADER), *before = s->before, *after = span_after(s);
    FORBID(block, s->bytes - HEADER);
    s->written = s->bytes;
    const bool is_too_much = h->idle + s->bytes > idle_limit;
    if (is_too_much && (before || after)) drop_pages(s);
    if (after && after->is_free) {
        list_remove(h, after);
        join(s, after);
    }
    if (before && before->is_free) {
        list_remove(h, before);
        s = join(before, s);
    }
    if (!is_too_much || !give_back(h, s)) list_add(h, s);
}

static void trim_list(struct sl_block_heap *h, struct sl_span *s, size_t keep) {
    for (struct sl_span *next; s && (h->idle > keep || !s->written); s = next) {
        next = s->next_free;
        list_remove(h, s);
        if (give_back(h, s)) continue;
        if (s->written) drop_pages(s);
        list_add(h, s);
    }
}

void sl_block_heap_trim(struct sl_block_heap *h, size_t keep) {
    for (unsigned c = SL_BLOCK_HEAP_CLASSES; c-- > 0;) {
        trim_list(h, h->used_before.lists[c], keep);
        trim_list(h, h->untouched.lists[c], keep);
    }
}
