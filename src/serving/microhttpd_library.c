/* Finds libmicrohttpd.so.12, once. */
#if SL_HAVE_MICROHTTPD
#include "serving/microhttpd_library.h"

#include <string.h>

#include "os/library.h"
#include "os/once.h"

static sl_code find_library(void *arg, struct sl_error *err) {
#define NAME(function) #function "\0"
    static const char names[] = SL_MICROHTTPD_FUNCTIONS(NAME);
    char *to = arg; /* pointers alone, in this order */
    struct sl_library library;
    void *symbol;
    SL_TRY(sl_library_open(&library, "libmicrohttpd.so.12", err));
    for (const char *name = names; *name; name += strlen(name) + 1, to += sizeof symbol) {
        SL_TRY(sl_library_symbol(&symbol, &library, name, err));
        memcpy(to, &symbol, sizeof symbol);
    }
    return SL_OK; /* it stays open */
}

sl_code sl_microhttpd_library(const struct sl_microhttpd_library **out, struct sl_error *err) {
    static struct sl_microhttpd_library library;
    static struct sl_once once = SL_ONCE_INIT;
    struct sl_error why;
    if (sl_once_run(&once, find_library, &library, &why) != SL_OK)
        return sl_fail(err, SL_UNIMPLEMENTED, "HTTP needs libmicrohttpd: %s", why.message);
    *out = &library;
    return SL_OK;
}
#endif
