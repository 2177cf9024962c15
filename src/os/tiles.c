/* Processor, then system: both must have them. */
#include "os/tiles.h"

#include "base/error.h"
#include "os/cpu.h"
#include "os/once.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Leaf 7 edx as in the vendor's manual; numbers of the call as in the kernel's document on features that are enabled
 * at run time. */
static bool detect(void) {
    enum { REQUEST = 0x1023, TILE_DATA = 18, WITH_BFLOAT16 = 22, WITH_TILES = 24 };
    unsigned a, b, c, d;
    if (sl_cpu_isa() != SL_ISA_AVX512 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    if (!(d >> WITH_BFLOAT16 & 1) || !(d >> WITH_TILES & 1)) return false;
    return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0; /* fails, too, where their state is not saved */
}

#else

static bool detect(void) { return false; }

#endif

static sl_code detect_once(void *are_there, struct sl_error *err) {
    (void)err;
    *(bool *)are_there = detect();
    return SL_OK;
}

bool sl_tiles_are_there(void) {
    static bool are_there;
    static struct sl_once once = SL_ONCE_INIT;
    sl_once_run(&once, detect_once, &are_there, NULL);
    return are_there;
}
