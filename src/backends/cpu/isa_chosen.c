/* The instruction set that all kernels of this process use. */
#include "backends/cpu/isa.h"
#include "os/once.h"

static sl_code choose(void *isa, struct sl_error *err) {
    (void)err;
    *(enum sl_isa *)isa = sl_cpu_isa();
    return SL_OK;
}

enum sl_isa sl_isa_chosen(void) {
    static enum sl_isa isa;
    static struct sl_once once = SL_ONCE_INIT;
    sl_once_run(&once, choose, &isa, NULL);
    return isa;
}
