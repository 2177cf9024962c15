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

/* As gnutls.h has it: 0 when the check could be done; `status` 0: the certificate is good. */
typedef int verify_peer(void *session, unsigned *status);

static sl_code find_verify(void *arg, struct sl_error *err) {
    struct sl_library library;
    void *symbol;
    SL_TRY(sl_library_open(&library, "libgnutls.so.30", err));
    SL_TRY(sl_library_symbol(&symbol, &library, "gnutls_certificate_verify_peers2", err));
    memcpy(arg, &symbol, sizeof symbol);
    return SL_OK; /* it stays open */
}

bool sl_microhttpd_client_is_known(const struct sl_microhttpd_library *library, struct MHD_Connection *connection) {
    static verify_peer *verify;
    static struct sl_once once = SL_ONCE_INIT;
    unsigned status = 1;
    if (sl_once_run(&once, find_verify, &verify, NULL) != SL_OK) return false;
    const union MHD_ConnectionInfo *info =
        library->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info && info->tls_session && verify(info->tls_session, &status) == 0 && status == 0;
}
#endif
