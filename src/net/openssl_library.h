/* The functions of OpenSSL 3 that TLS needs. The libraries are looked for when the first context is made: they take
 * milliseconds and megabytes that programs without TLS do not have to spend. Thread-safe. */
#ifndef SL_NET_OPENSSL_LIBRARY_H
#define SL_NET_OPENSSL_LIBRARY_H

#if SL_HAVE_OPENSSL
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/error.h"

/* clang-format off */
#define SL_OPENSSL_OF_SSL(M) \
    M(SSL_CTX_new) M(SSL_CTX_free) M(SSL_CTX_ctrl) M(SSL_CTX_set_options) M(SSL_CTX_set_verify) \
    M(SSL_CTX_use_certificate_chain_file) M(SSL_CTX_use_PrivateKey_file) M(SSL_CTX_check_private_key) \
    M(SSL_CTX_load_verify_locations) M(SSL_CTX_set_default_verify_paths) M(SSL_CTX_set_alpn_protos) \
    M(SSL_CTX_set_alpn_select_cb) M(SSL_load_client_CA_file) M(SSL_CTX_set_client_CA_list) M(SSL_new) M(SSL_free) \
    M(SSL_set_bio) M(SSL_set_accept_state) M(SSL_set_connect_state) M(SSL_ctrl) M(SSL_set1_host) M(SSL_get0_param) \
    M(SSL_read_ex) M(SSL_write_ex) M(SSL_get_error) M(SSL_select_next_proto) M(SSL_get0_alpn_selected) \
    M(SSL_is_init_finished) M(SSL_get_verify_result) M(TLS_client_method) M(TLS_server_method)
#define SL_OPENSSL_OF_CRYPTO(M) \
    M(BIO_meth_new) M(BIO_meth_set_read) M(BIO_meth_set_write) M(BIO_meth_set_ctrl) M(BIO_new) M(BIO_set_data) \
    M(BIO_get_data) M(BIO_set_init) M(BIO_set_flags) M(BIO_clear_flags) M(ERR_get_error) M(ERR_error_string_n) \
    M(ERR_clear_error) M(OPENSSL_init_crypto) M(X509_VERIFY_PARAM_set1_ip_asc) M(X509_verify_cert_error_string)
/* clang-format on */

struct sl_openssl_library {
#define MEMBER(function) __typeof__(function) *function;
    SL_OPENSSL_OF_SSL(MEMBER)
    SL_OPENSSL_OF_CRYPTO(MEMBER)
#undef MEMBER
};
/* Lasts as long as the process. UNIMPLEMENTED with the loader's words when this machine has none. */
sl_code sl_openssl_library(const struct sl_openssl_library **out, struct sl_error *err);
#endif

#endif
