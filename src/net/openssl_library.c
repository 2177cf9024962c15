/* Finds libssl.so.3 and libcrypto.so.3, once. */
#if SL_HAVE_OPENSSL
#include "net/openssl_library.h"

#include <string.h>

#include "os/library.h"
#include "os/once.h"

/* Looks the names up, one after the other; pointers go to `*to`, which moves behind them. */
static sl_code take_names(char **to, const char *file, const char *names, struct sl_error *err) {
    struct sl_library library;
    void *symbol;
    SL_TRY(sl_library_open(&library, file, err));
    for (const char *name = names; *name; name += strlen(name) + 1, *to += sizeof symbol) {
        SL_TRY(sl_library_symbol(&symbol, &library, name, err));
        memcpy(*to, &symbol, sizeof symbol);
    }
    return SL_OK; /* it stays open */
}

/* The net's thread runs until the process ends: OpenSSL must not clean up before. */
static sl_code find_libraries(void *arg, struct sl_error *err) {
#define NAME(function) #function "\0"
    static const char of_ssl[] = SL_OPENSSL_OF_SSL(NAME), of_crypto[] = SL_OPENSSL_OF_CRYPTO(NAME);
    char *to = arg; /* pointers alone, in this order */
    sl_code code = take_names(&to, "libssl.so.3", of_ssl, err);
    if (code == SL_OK) code = take_names(&to, "libcrypto.so.3", of_crypto, err);
    if (code == SL_OK)
        (void)((const struct sl_openssl_library *)arg)->OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    return code;
}

sl_code sl_openssl_library(const struct sl_openssl_library **out, struct sl_error *err) {
    static struct sl_openssl_library library;
    static struct sl_once once = SL_ONCE_INIT;
    struct sl_error why;
    if (sl_once_run(&once, find_libraries, &library, &why) != SL_OK)
        return sl_fail(err, SL_UNIMPLEMENTED, "TLS needs OpenSSL 3: %s", why.message);
    *out = &library;
    return SL_OK;
}
#endif
