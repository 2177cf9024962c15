/* Pages of memory. Thread-safe. */
#ifndef SL_OS_PAGE_H
#define SL_OS_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* What sl_pages_prefer_large works in: memory of at least this size, aligned to it, may lie in large pages. */
#define SL_LARGE_PAGE ((size_t)2 << 20)

/* Asks for large pages for the whole large pages in [p, p + bytes); p is aligned to SL_LARGE_PAGE. Best before the
 * memory is first touched: a large page costs one fault instead of 512. Advice only: where the system has none,
 * nothing happens. */
void sl_pages_prefer_large(void *p, size_t bytes);

/* Gets the pages that lie in [p, p + bytes) at once, which costs half of what as many faults do. For memory that is
 * about to be written from end to end; its contents stay. Harmless when the pages are there. */
void sl_pages_prepare(void *p, size_t bytes);

/* Gives the whole pages that lie in [p, p + bytes) back to the system; what they held is lost. They come back, zero,
 * when they are written again. Where the system cannot do that, nothing happens. */
void sl_pages_drop(void *p, size_t bytes);

/* Makes [p, p + bytes) zero by giving its pages back: they take no memory until they are touched. False, and nothing has
 * changed, where most of them are there already, as writing zeros costs less then, and where the system cannot do
 * that. For memory of malloc's kind alone: private, and behind no file. */
bool sl_pages_zero(void *p, size_t bytes);

/* Pages that hold `bytes` bytes of machine code, which may be run and no longer be written; NULL where the system does not
 * allow that. Free them with sl_pages_free_code. */
void *sl_pages_for_code(const void *code, size_t bytes);
void sl_pages_free_code(void *pages, size_t bytes);

/* Bytes of memory that the machine has; 0 where that cannot be asked. */
size_t sl_pages_of_machine(void);

#endif
