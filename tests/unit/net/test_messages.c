/* net/rpc, net/grpc_message and net/grpc_text: what becomes of pieces, how messages are put together from any cuts, and
 * the codings of headers. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "net/grpc_message.h"
#include "net/grpc_text.h"
#include "unit/unit.h"

static struct sl_error err;

/* ---- pieces and bodies */

static void count_release(void *owner) { ++*(int *)owner; }

static void pieces_are_released_once(void **state) {
    (void)state;
    struct sl_rpc_message m = {0};
    int released = 0;
    for (int i = 0; i < 3; i++)
        assert_ok(err, sl_rpc_message_add(&m, (struct sl_rpc_piece){"abc", 3, count_release, &released}, &err));
    assert_ok(err, sl_rpc_message_add(&m, (struct sl_rpc_piece){"", 0, count_release, &released}, &err));
    assert_int_equal(released, 1); /* the empty one is not kept */
    assert_ok(err, sl_rpc_message_add_bytes(&m, SL_STR("de"), &err));
    assert_ok(err, sl_rpc_message_add_bytes(&m, SL_STR(""), &err));
    assert_int_equal(m.size, 11);
    assert_int_equal(m.n, 4);
    sl_rpc_message_clear(&m);
    assert_int_equal(released, 4);
    sl_rpc_message_clear(&m);
    assert_int_equal(released, 4);
}

static void limits_have_defaults(void **state) {
    (void)state;
    struct sl_rpc_limits asked = {.calls = 7}, all = sl_rpc_default_limits(), got = sl_rpc_limits_or_default(&asked);
    assert_int_equal(got.calls, 7);
    got.calls = all.calls;
#define SL_LIMIT(type, member, name, unit, otherwise, what) assert_true(got.member == all.member && all.member > 0);
#include "net/limits.def"
#undef SL_LIMIT
    assert_true(all.message_bytes >= INT32_MAX);
}

static void limits_are_read(void **state) {
    static const char *const wrong[] = {"calls",    "calls=",   "calls=0",   "calls=x",
                                        "calls=-1", "colour=3", "calls=1 ",  "calls=4294967296",
                                        "=3",       ",",        "calls=3,,", "idle_ms=9223372036854775807",
                                        "Calls=3"};
    struct sl_rpc_limits limits = {.connections = 5};
    char text[2048];
    (void)state;
    assert_ok(err, sl_rpc_limits_parse(&limits, NULL, &err));
    assert_ok(err, sl_rpc_limits_parse(&limits, "", &err));
    assert_ok(err, sl_rpc_limits_parse(&limits, "calls=7,message_bytes=64M,stalled_ms=250", &err));
    assert_int_equal(limits.connections, 5);
    assert_int_equal(limits.calls, 7);
    assert_int_equal(limits.message_bytes, 64 << 20);
    assert_int_equal(limits.stalled_ns, 250000000);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, "limit", sl_rpc_limits_parse(&limits, wrong[i], &err));
    assert_true(sl_rpc_limits_print(text, sizeof text) == strlen(text));
    assert_non_null(strstr(text, "control_frames"));
    assert_true(sl_rpc_limits_print(text, 10) > 10); /* what does not fit is cut */
    assert_true(strlen(text) < 10);
}

/* ---- messages */

static unsigned char *framed(size_t *n, const size_t *sizes, int n_sizes) {
    size_t all = 0, at = 0;
    for (int i = 0; i < n_sizes; i++) all += sizes[i] + SL_GRPC_PREFIX;
    unsigned char *bytes = malloc(all);
    for (int i = 0; i < n_sizes; i++) {
        sl_grpc_prefix_write(bytes + at, sizes[i]);
        at += SL_GRPC_PREFIX;
        for (size_t k = 0; k < sizes[i]; k++) bytes[at++] = (unsigned char)(k * 3 + k / 256);
    }
    *n = all;
    return bytes;
}

static void check_body(struct sl_rpc_body *body, size_t size) {
    assert_int_equal(body->bytes.n, size);
    for (size_t k = 0; k < size; k++)
        if ((unsigned char)body->bytes.p[k] != (unsigned char)(k * 3 + k / 256)) fail_msg("byte %zu of %zu", k, size);
    if (size >= SL_GRPC_ALIGNED) assert_int_equal((uintptr_t)(body->bytes.p + size) % 64, 0);
    sl_rpc_body_unref(body);
}

/* In cuts of any size, from memory of others or where the assembler wants them. */
static void messages_are_put_together(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 1023, 1024, 1025, 65536, 65537, 100000, 5 << 20};
    const size_t cuts[] = {1, 3, 16384, 1 << 20, SIZE_MAX};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    size_t n;
    unsigned char *bytes = framed(&n, sizes, SIZES);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        for (int is_in_place = 0; is_in_place < 2; is_in_place++) {
            struct sl_grpc_assembler a = {.most = 8 << 20};
            int found = 0;
            for (size_t at = 0; at < n;) {
                size_t part = cuts[c] < n - at ? cuts[c] : n - at, room;
                const unsigned char *data = bytes + at;
                struct sl_rpc_body *owner = NULL, *body;
                void *place = is_in_place ? sl_grpc_assembler_place(&room, &owner, &a) : NULL;
                if (place) {
                    if (part > room) part = room;
                    data = memcpy(place, data, part);
                }
                size_t left = part;
                assert_ok(err, sl_grpc_assembler_take(&body, &a, &data, &left, &err));
                at += part - left;
                if (body) check_body(body, sizes[found++]);
                sl_rpc_body_unref(owner);
            }
            assert_int_equal(found, SIZES);
            assert_false(sl_grpc_assembler_is_amid(&a));
        }
    }
    free(bytes);
}

static sl_code take(const char *bytes, size_t size, const char *encoding) {
    struct sl_grpc_assembler a = {.most = 100, .encoding = encoding};
    const unsigned char *data = (const unsigned char *)bytes;
    struct sl_rpc_body *body;
    sl_code code = sl_grpc_assembler_take(&body, &a, &data, &size, &err);
    sl_rpc_body_unref(body);
    sl_grpc_assembler_clear(&a);
    return code;
}

static void what_is_no_message_is_refused(void **state) {
    (void)state;
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "larger than max (101 vs. 100)", take("\0\0\0\0\x65", 5, NULL));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "4294967295", take("\0\xff\xff\xff\xff", 5, NULL));
    assert_fails(err, SL_INTERNAL, "no grpc-encoding", take("\1\0\0\0\1x", 6, NULL));
    assert_fails(err, SL_UNIMPLEMENTED, "compressed by gzip", take("\1\0\0\0\1x", 6, "gzip"));
    assert_fails(err, SL_INTERNAL, "byte 2", take("\2\0\0\0\1x", 6, "gzip"));
    assert_int_equal(take("\0\0\0\0\1x", 6, "gzip"), SL_OK); /* one message need not be */
}

/* ---- words */

static void texts_are_percent_encoded(void **state) {
    (void)state;
    char out[SL_GRPC_MESSAGE_ROOM], back[SL_GRPC_MESSAGE_ROOM];
    assert_int_equal(sl_grpc_message_encode(out, "a \"b\"\n\t[%] \xc3\xa9\x7f"), 26);
    assert_string_equal(out, "a \"b\"%0A%09[%25] %C3%A9%7F");
    size_t n = sl_grpc_message_decode(back, out, strlen(out));
    assert_int_equal(n, 14);
    assert_memory_equal(back, "a \"b\"\n\t[%] \xc3\xa9\x7f", n);
    n = sl_grpc_message_decode(back, "%4g%%41%4", 9);
    assert_int_equal(n, 7);
    assert_memory_equal(back, "%4g%A%4", 7);
    char *lines = malloc(10001);
    memset(lines, '\n', 10000);
    lines[10000] = 0;
    n = sl_grpc_message_encode(out, lines);
    assert_int_equal(n, 3 * SL_GRPC_MESSAGE_MOST + 16);
    assert_string_equal(out + n - 16, " ... [truncated]");
    free(lines);
}

static void timeouts_are_read_and_written(void **state) {
    (void)state;
    const struct {
        const char *text;
        int64_t ns;
    } read[] = {{"1n", 1},
                {"5u", 5000},
                {"501m", 501000000},
                {"99999999S", INT64_C(99999999000000000)},
                {"2M", INT64_C(120000000000)},
                {"99999999H", INT64_C(1) << 62},
                {"0S", 0}},
      written[] = {{"0u", 0},
                   {"0u", -5},
                   {"1u", 1},
                   {"500001u", 500000001},
                   {"1000m", 1000000000},
                   {"1001m", 1000000001},
                   {"100000S", INT64_C(100000000000000)},
                   {"2562048H", INT64_MAX}};
    const char *const bad[] = {"", "5", "S", "123456789S", "-1S", "1 S", "1x", "1.5S"};
    char out[SL_GRPC_TIMEOUT_ROOM];
    int64_t ns;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        assert_true(sl_grpc_timeout_parse(&ns, sl_str_of(read[i].text)));
        assert_true(ns == read[i].ns);
    }
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        assert_int_equal(sl_grpc_timeout_print(out, written[i].ns), strlen(written[i].text));
        assert_string_equal(out, written[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(sl_grpc_timeout_parse(&ns, sl_str_of(bad[i])));
}

static void statuses_are_codes(void **state) {
    (void)state;
    sl_code code;
    assert_true(sl_grpc_status_parse(&code, SL_STR("14")) && code == SL_UNAVAILABLE);
    assert_true(sl_grpc_status_parse(&code, SL_STR("0")) && code == SL_OK);
    assert_true(sl_grpc_status_parse(&code, SL_STR("17")) && code == SL_UNKNOWN);
    assert_false(sl_grpc_status_parse(&code, SL_STR("OK")));
    assert_false(sl_grpc_status_parse(&code, SL_STR("")));
    assert_int_equal(sl_grpc_code_of_reset(8), SL_CANCELLED);
    assert_int_equal(sl_grpc_code_of_reset(7), SL_UNAVAILABLE);
    assert_int_equal(sl_grpc_code_of_reset(1000), SL_UNKNOWN);
    assert_int_equal(sl_grpc_code_of_http(401), SL_UNAUTHENTICATED);
    assert_string_equal(sl_http2_error_name(11), "ENHANCE_YOUR_CALM");
    assert_string_equal(sl_http2_error_name(77), "an unknown error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_released_once),
        cmocka_unit_test(limits_have_defaults),
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(messages_are_put_together),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(texts_are_percent_encoded),
        cmocka_unit_test(timeouts_are_read_and_written),
        cmocka_unit_test(statuses_are_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
