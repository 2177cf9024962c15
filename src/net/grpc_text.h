/* The words of gRPC's headers: statuses and their messages, timeouts, and which status stands for what HTTP/2 says.
 * Source: gRPC's "PROTOCOL-HTTP2.md" and "http-grpc-status-mapping.md". Pure functions. */
#ifndef SL_NET_GRPC_TEXT_H
#define SL_NET_GRPC_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* Longer messages are cut and end in " ... [truncated]", as TensorFlow's servers do: peers take 8 KiB of headers. */
enum { SL_GRPC_MESSAGE_MOST = 3072, SL_GRPC_MESSAGE_ROOM = 3 * (SL_GRPC_MESSAGE_MOST + 16) + 1 };

/* Writes `text` for "grpc-message": cut, then every byte outside of 0x20 … 0x7e and each '%' as %XX. Returns the
 * length; ends in NUL. */
size_t sl_grpc_message_encode(char out[SL_GRPC_MESSAGE_ROOM], const char *text);
/* The other way, in place of at most `n` bytes: %XX become bytes, what is no such thing stays. Returns the length. */
size_t sl_grpc_message_decode(char *out, const char *text, size_t n);

/* "grpc-status": a number; one that is no code is SL_UNKNOWN. False when it is no number. */
bool sl_grpc_status_parse(sl_code *code, struct sl_str text);

enum { SL_GRPC_TIMEOUT_ROOM = 12 };
/* "grpc-timeout" of some nanoseconds, rounded up: at most 8 digits and a unit. Returns the length; ends in NUL. */
size_t sl_grpc_timeout_print(char out[SL_GRPC_TIMEOUT_ROOM], int64_t ns);
/* False for what is no timeout. Times beyond 2^62 ns are that. */
bool sl_grpc_timeout_parse(int64_t *ns, struct sl_str text);

/* What a call that ended with RST_STREAM and this HTTP/2 error code has come to. */
sl_code sl_grpc_code_of_reset(uint32_t error);
/* What an answer with this HTTP status and without grpc-status has come to. */
sl_code sl_grpc_code_of_http(int status);
/* "CANCEL"; "an unknown error" for other numbers. */
const char *sl_http2_error_name(uint32_t error);

#endif
