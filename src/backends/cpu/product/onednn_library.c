/* Finds libdnnl, once. A library that lacks a function or is of another version counts as not there. */
#if SL_HAVE_ONEDNN
#include "backends/cpu/product/onednn_library.h"

#include <string.h>

#include "backends/cpu/isa.h"
#include "base/env.h"
#include "os/library.h"
#include "os/once.h"

struct found {
    struct sl_onednn_library library;
    bool is_there;
};

static bool find_all(struct sl_onednn_library *l, const struct sl_library *file) {
#define NAME(name) "dnnl_" #name "\0"
    static const char names[] = SL_ONEDNN_FUNCTIONS(NAME) "omp_get_max_threads\0omp_set_num_threads\0";
    char *to = (char *)l; /* it begins with the pointers, in this order */
    void *symbol;
    for (const char *name = names; *name; name += strlen(name) + 1, to += sizeof symbol) {
        if (sl_library_symbol(&symbol, file, name, NULL) != SL_OK) return false;
        memcpy(to, &symbol, sizeof symbol);
    }
    return l->version()->major == DNNL_VERSION_MAJOR && l->engine_create(&l->engine, dnnl_cpu, 0) == dnnl_success;
}

static sl_code find_once(void *arg, struct sl_error *err) {
    struct found *found = arg;
    const char *wish = sl_env_text(SL_ENV_ONEDNN);
    struct sl_library file;
    (void)err;
    if (!wish || (strcmp(wish, "on") != 0 && strcmp(wish, "all") != 0) || sl_isa_chosen() != SL_ISA_AVX512)
        return SL_OK;
    found->library.takes_all = strcmp(wish, "all") == 0;
    if (sl_library_open(&file, "libdnnl.so.2", NULL) != SL_OK) return SL_OK;
    found->is_there = find_all(&found->library, &file);
    if (!found->is_there) sl_library_close(&file);
    return SL_OK;
}

const struct sl_onednn_library *sl_onednn_library(void) {
    static struct found found;
    static struct sl_once once = SL_ONCE_INIT;
    sl_once_run(&once, find_once, &found, NULL);
    return found.is_there ? &found.library : NULL;
}
#endif
