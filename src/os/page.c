/* Pages: advice to the system about them, and those that hold code. */
#include "os/page.h"

#include "base/checked.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void sl_pages_prefer_large(void *p, size_t bytes) {
#ifdef MADV_HUGEPAGE
    int before = errno;
    madvise(p, bytes & ~(SL_LARGE_PAGE - 1), MADV_HUGEPAGE);
    errno = before;
#else
    (void)p, (void)bytes;
#endif
}

void sl_pages_prepare(void *p, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    enum { PAGE = 4096 }; /* where pages are larger the call is refused */
    int before = errno;
    uintptr_t begin = ((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
              end = ((uintptr_t)p + bytes) & ~(uintptr_t)(PAGE - 1);
    if (end > begin) madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
    errno = before;
#else
    (void)p, (void)bytes;
#endif
}

void sl_pages_drop(void *p, size_t bytes) {
#ifdef __linux__
    int before = errno;
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)p + size - 1) & ~(size - 1),
              end = ((uintptr_t)p + bytes) & ~(size - 1);
    if (end > begin) madvise((void *)begin, end - begin, MADV_DONTNEED);
    errno = before;
#else
    (void)p, (void)bytes;
#endif
}

#ifdef __linux__
/* Whether half of the pages that are asked about, evenly spread, are there. */
static bool are_there(uintptr_t begin, uintptr_t end, uintptr_t page) {
    enum { ASKED = 16 };
    const uintptr_t step = (end - begin) / page / ASKED * page;
    int there = 0;
    for (int i = 0; i < ASKED; i++) {
        unsigned char state = 1;
        if (mincore((void *)(begin + (uintptr_t)i * step), page, &state) != 0 || state & 1) there++;
    }
    return there >= ASKED / 2;
}
#endif

bool sl_pages_zero(void *p, size_t bytes) {
#ifdef __linux__
    const int before = errno;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)p, last = first + bytes,
                    begin = (first + page - 1) & ~(page - 1), end = last & ~(page - 1);
    bool is_done =
        end > begin && !are_there(begin, end, page) && madvise((void *)begin, end - begin, MADV_DONTNEED) == 0;
    errno = before;
    if (!is_done) return false;
    memset(p, 0, begin - first);
    memset((void *)end, 0, last - end);
    return true;
#else
    (void)p, (void)bytes;
    return false;
#endif
}

void *sl_pages_for_code(const void *code, size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    memcpy(pages, code, bytes);
    __builtin___clear_cache((char *)pages, (char *)pages + bytes);
    if (!mprotect(pages, bytes, PROT_READ | PROT_EXEC)) return pages;
    munmap(pages, bytes);
    return NULL;
}

void sl_pages_free_code(void *pages, size_t bytes) { munmap(pages, bytes); }

size_t sl_pages_of_machine(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t bytes;
    return pages > 0 && size > 0 && sl_mul_size(&bytes, (size_t)pages, (size_t)size) ? bytes : 0;
}
