/* Finds libicuuc, once. */
#if SL_HAVE_ICU
#include "formats/icu_library.h"

#include <string.h>

#include "os/library.h"
#include "os/once.h"

struct found {
    struct sl_icu_library library;
    bool is_there;
};

static sl_code find_once(void *arg, struct sl_error *err) {
#define TEXT(word)           #word
#define NAME(name, function) TEXT(function) "\0"
    static const char names[] = SL_ICU_FUNCTIONS(NAME);
    struct found *found = arg;
    struct sl_library file;
    char *to = (char *)&found->library; /* pointers alone, in this order */
    void *symbol;
    (void)err;
    if (sl_library_open(&file, "libicuuc.so." U_ICU_VERSION_SHORT, NULL) != SL_OK) return SL_OK;
    for (const char *name = names; *name; name += strlen(name) + 1, to += sizeof symbol) {
        if (sl_library_symbol(&symbol, &file, name, NULL) != SL_OK) {
            sl_library_close(&file);
            return SL_OK;
        }
        memcpy(to, &symbol, sizeof symbol);
    }
    found->is_there = true;
    return SL_OK;
}

const struct sl_icu_library *sl_icu_library(void) {
    static struct found found;
    static struct sl_once once = SL_ONCE_INIT;
    sl_once_run(&once, find_once, &found, NULL);
    return found.is_there ? &found.library : NULL;
}
#endif
