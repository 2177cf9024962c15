/* Advice to the system about pages. */
#include "os/page.h"

#include <errno.h>
#include <sys/mman.h>

void sl_pages_prefer_large(void *p, size_t bytes) {
#ifdef MADV_HUGEPAGE
    int before = errno;
    madvise(p, bytes & ~(SL_LARGE_PAGE - 1), MADV_HUGEPAGE);
    errno = before;
#else
    (void)p, (void)bytes;
#endif
}
