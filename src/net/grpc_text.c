/* Codings of gRPC's headers. */
#include "net/grpc_text.h"

#include <stdio.h>

/* ---- messages */

static bool is_plain(unsigned char c) { return c >= 0x20 && c <= 0x7e && c != '%'; }

static size_t encode(char *out, const char *text, size_t n) {
    static const char digits[] = "0123456789ABCDEF";
    char *to = out;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (is_plain(c)) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    *to = 0;
    return (size_t)(to - out);
}

size_t sl_grpc_message_encode(char out[SL_GRPC_MESSAGE_ROOM], const char *text) {
    size_t n = strlen(text);
    if (n <= SL_GRPC_MESSAGE_MOST) return encode(out, text, n);
    size_t cut = encode(out, text, SL_GRPC_MESSAGE_MOST);
    return cut + encode(out + cut, " ... [truncated]", 16);
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

size_t sl_grpc_message_decode(char *out, const char *text, size_t n) {
    char *to = out;
    for (size_t i = 0; i < n; i++) {
        bool is_coded = text[i] == '%' && n - i > 2 && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
        char c = text[i];
        if (is_coded) c = (char)(hex(text[i + 1]) << 4 | hex(text[i + 2]));
        *to++ = c;
        if (is_coded) i += 2;
    }
    return (size_t)(to - out);
}

/* ---- numbers */

/* Up to 8 digits. */
static bool parse_number(int64_t *out, struct sl_str text) {
    if (text.n < 1 || text.n > 8) return false;
    int64_t number = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9') return false;
        number = number * 10 + (text.p[i] - '0');
    }
    *out = number;
    return true;
}

bool sl_grpc_status_parse(sl_code *code, struct sl_str text) {
    int64_t number;
    if (!parse_number(&number, text)) return false;
    *code = SL_UNKNOWN;
    switch (number) {
#define SL_CODE(name, value)                                                                                           \
    case value:                                                                                                        \
        *code = SL_##name;                                                                                             \
        break;
#include "base/code.def"
#undef SL_CODE
    default: break;
    }
    return true;
}

static const struct {
    char letter;
    int64_t ns;
} units[] = {{'n', 1},
             {'u', 1000},
             {'m', 1000000},
             {'S', 1000000000},
             {'M', INT64_C(60) * 1000000000},
             {'H', INT64_C(3600) * 1000000000}};
enum { UNITS = sizeof units / sizeof *units, MILLISECONDS = 2, TIMEOUT_MOST = 99999999 };

size_t sl_grpc_timeout_print(char out[SL_GRPC_TIMEOUT_ROOM], int64_t ns) {
    if (ns < 0) ns = 0;
    int unit = ns < 1000 * units[MILLISECONDS].ns ? 1 : MILLISECONDS; /* peers round small ones badly */
    while (unit < UNITS - 1 && ns / units[unit].ns >= TIMEOUT_MOST) unit++;
    int64_t number = ns / units[unit].ns + (ns % units[unit].ns != 0);
    int n = snprintf(out, SL_GRPC_TIMEOUT_ROOM, "%lld%c", (long long)number, units[unit].letter);
    return (size_t)n;
}

bool sl_grpc_timeout_parse(int64_t *ns, struct sl_str text) {
    const int64_t most = INT64_C(1) << 62;
    int64_t number;
    if (text.n < 2 || !parse_number(&number, (struct sl_str){text.p, text.n - 1})) return false;
    for (int i = 0; i < UNITS; i++) {
        if (units[i].letter != text.p[text.n - 1]) continue;
        *ns = number > most / units[i].ns ? most : number * units[i].ns;
        return true;
    }
    return false;
}

/* ---- HTTP/2 */

static const struct {
    const char *name;
    sl_code code;
} http2_errors[] = {
    /* by number, RFC 9113 section 7 */
    {"NO_ERROR", SL_INTERNAL},
    {"PROTOCOL_ERROR", SL_INTERNAL},
    {"INTERNAL_ERROR", SL_INTERNAL},
    {"FLOW_CONTROL_ERROR", SL_INTERNAL},
    {"SETTINGS_TIMEOUT", SL_INTERNAL},
    {"STREAM_CLOSED", SL_UNKNOWN},
    {"FRAME_SIZE_ERROR", SL_INTERNAL},
    {"REFUSED_STREAM", SL_UNAVAILABLE},
    {"CANCEL", SL_CANCELLED},
    {"COMPRESSION_ERROR", SL_INTERNAL},
    {"CONNECT_ERROR", SL_INTERNAL},
    {"ENHANCE_YOUR_CALM", SL_RESOURCE_EXHAUSTED},
    {"INADEQUATE_SECURITY", SL_PERMISSION_DENIED},
    {"HTTP_1_1_REQUIRED", SL_UNKNOWN},
};

sl_code sl_grpc_code_of_reset(uint32_t error) {
    return error < sizeof http2_errors / sizeof *http2_errors ? http2_errors[error].code : SL_UNKNOWN;
}

const char *sl_http2_error_name(uint32_t error) {
    return error < sizeof http2_errors / sizeof *http2_errors ? http2_errors[error].name : "an unknown error";
}

sl_code sl_grpc_code_of_http(int status) {
    switch (status) {
    case 400: return SL_INTERNAL;
    case 401: return SL_UNAUTHENTICATED;
    case 403: return SL_PERMISSION_DENIED;
    case 404: return SL_UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504: return SL_UNAVAILABLE;
    default: return SL_UNKNOWN;
    }
}
