/* The functions of libmicrohttpd that the HTTP listener needs. The library is looked for when the first listener is made:
 * it brings GnuTLS with it, which programs without such a listener do not have to load. Thread-safe. */
#ifndef SL_SERVING_MICROHTTPD_LIBRARY_H
#define SL_SERVING_MICROHTTPD_LIBRARY_H

#if SL_HAVE_MICROHTTPD
#include <microhttpd.h>
#include <stdbool.h>

#include "base/error.h"

/* clang-format off */
#define SL_MICROHTTPD_FUNCTIONS(M) \
    M(MHD_start_daemon) M(MHD_stop_daemon) M(MHD_quiesce_daemon) M(MHD_lookup_connection_value) \
    M(MHD_create_response_from_buffer_with_free_callback) \
    M(MHD_create_response_from_buffer) M(MHD_add_response_header) M(MHD_queue_response) M(MHD_destroy_response) \
    M(MHD_is_feature_supported) M(MHD_get_connection_info)
/* clang-format on */

struct sl_microhttpd_library {
#define MEMBER(function) __typeof__(function) *function;
    SL_MICROHTTPD_FUNCTIONS(MEMBER)
#undef MEMBER
};
/* Lasts as long as the process. UNIMPLEMENTED with the loader's words when this machine has none. */
sl_code sl_microhttpd_library(const struct sl_microhttpd_library **out, struct sl_error *err);
/* Whether the certificate that the client has shown is of one of the listener's authorities; by GnuTLS, which
 * libmicrohttpd has loaded then. */
bool sl_microhttpd_client_is_known(const struct sl_microhttpd_library *library, struct MHD_Connection *connection);
#endif

#endif
