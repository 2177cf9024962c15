/* JSON as it stands, and tensors from it. */
#include <math.h>
#include <stdlib.h>

#include "serving/json_tensors.h"
#include "tensor/float16.h"
#include "unit/unit.h"

static struct sl_error err;
static struct sl_arena arena;

static int begin(void **state) {
    (void)state;
    sl_arena_init(&arena);
    return 0;
}
static int end(void **state) {
    (void)state;
    sl_arena_clear(&arena);
    return 0;
}

/* ---- text */

static void good_text(void **state) {
    static const char *const texts[] = {"1",
                                        " [ ] ",
                                        "{}",
                                        "[[],{}]",
                                        "-0.5e+3",
                                        "NaN",
                                        "[-Infinity, Infinity]",
                                        "{\"a\": [true, false, null], \"\\u00e9\\ud83d\\ude00\": \"\\\"\"}",
                                        "\"\xc3\xa9\"",
                                        "0",
                                        "[1,2 , 3]\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_ok(err, sl_json_check(sl_str_of(texts[i]), &err));
}

static void bad_text(void **state) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "unexpected end at byte 0"},
        {"[1,]", "expected a value"},
        {"[1 2]", "expected , or ]"},
        {"{\"a\" 1}", "expected :"},
        {"{\"a\": 1,}", "expected a string"},
        {"{1: 2}", "expected a string"},
        {"[1", "unexpected end"},
        {"[01]", "begins with 0"},
        {"1.", "unexpected end"},
        {"1.x", "expected a digit"},
        {"-", "unexpected end"},
        {"[+1]", "expected a value"},
        {"\"\\x\"", "invalid escape"},
        {"\"\\ud800\"", "half of a pair"},
        {"\"\\udc00\\ud800\"", "half of a pair"},
        {"\"\xff\"", "invalid UTF-8"},
        {"\"\xc3\"", "invalid UTF-8"},
        {"\"a\nb\"", "control character"},
        {"\"abc", "unexpected end"},
        {"\"abc\\", "unexpected end"},
        {"1 2", "text behind the value"},
        {"nul", "expected a value"},
        {"]", "expected a value"},
        {"[1}", "expected , or ]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, rows[i].message, sl_json_check(sl_str_of(rows[i].text), &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "text behind", sl_json_check((struct sl_str){"1\0", 2}, &err));
}

static void depth(void **state) {
    char text[2 * SL_JSON_DEPTH + 4];
    (void)state;
    memset(text, '[', SL_JSON_DEPTH + 1);
    memset(text + SL_JSON_DEPTH + 1, ']', SL_JSON_DEPTH + 1);
    assert_fails(err, SL_INVALID_ARGUMENT, "too deep",
                 sl_json_check((struct sl_str){text, 2 * SL_JSON_DEPTH + 2}, &err));
    assert_ok(err, sl_json_check((struct sl_str){text + 1, 2 * SL_JSON_DEPTH}, &err));
}

static void cursors(void **state) {
    struct sl_str text =
        SL_STR("{\"a\": [1, {\"b\": [2]}, \"]\\\"\"], \"c\\u0041\": \"x\\ty\\ud83d\\ude00\", \"a\": true}");
    struct sl_str value;
    bool found;
    (void)state;
    assert_ok(err, sl_json_check(text, &err));
    struct sl_json j = sl_json_begin(text);
    assert_int_equal(sl_json_kind(&j), SL_JSON_OBJECT);
    assert_int_equal(sl_json_count(&j), 3);
    assert_ok(err, sl_json_member(&found, &value, text, "cA", &arena, &err));
    assert_true(found);
    j = sl_json_begin(value);
    assert_ok(err, sl_json_string(&value, &j, &arena, &err));
    assert_true(sl_str_is(value, "x\ty\xf0\x9f\x98\x80"));
    assert_ok(err, sl_json_member(&found, &value, text, "a", &arena, &err));
    assert_true(found && sl_str_is(value, "true")); /* the last one */
    assert_ok(err, sl_json_member(&found, &value, text, "b", &arena, &err));
    assert_false(found);
}

static void check_put(const char *wanted, struct sl_text *got) {
    sl_text_byte(got, 0);
    assert_string_equal(got->p, wanted);
    sl_text_clear(got);
}

static void written(void **state) {
    struct sl_text t = {.n = 0};
    (void)state;
    const struct {
        float value;
        const char *text;
    } floats[] = {
        {1, "1.0"},   {0.1f, "0.1"},          {-2.5f, "-2.5"},          {16777216, "16777216.0"},   {1e30f, "1e+30"},
        {NAN, "NaN"}, {INFINITY, "Infinity"}, {-INFINITY, "-Infinity"}, {0.33333334f, "0.33333334"}};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        sl_json_put_float(&t, floats[i].value);
        check_put(floats[i].text, &t);
    }
    sl_json_put_double(&t, 0.1);
    check_put("0.1", &t);
    sl_json_put_double(&t, 1.0 / 3);
    check_put("0.3333333333333333", &t);
    sl_json_put_string(&t, SL_STR("a\"\\\n\x01\xc3\xa9\xff"));
    check_put("\"a\\\"\\\\\\n\\u0001\xc3\xa9\xef\xbf\xbd\"", &t);
    sl_text_free(&t);
}

/* What is written reads as the same number, and no shorter decimal does. */
static void floats_come_back(void **state) {
    struct sl_text t = {.n = 0};
    uint32_t bits = 1;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char shorter[400];
        float value, back;
        bits = bits * 1664525u + 1013904223u;
        uint32_t one = i % 2 ? bits : (bits & 0x83ffffff) | 0x3c000000; /* all, and those of usual size */
        memcpy(&value, &one, sizeof value);
        if (!isfinite(value)) continue;
        sl_json_put_float(&t, value);
        sl_text_byte(&t, 0);
        back = strtof(t.p, NULL);
        if (memcmp(&back, &value, sizeof back) != 0) fail_msg("%a: %s", (double)value, t.p);
        int digits = 0;
        for (const char *p = t.p + strspn(t.p, "-0."); *p && *p != 'e'; p++) digits += *p != '.';
        snprintf(shorter, sizeof shorter, "%.*g", digits > 1 ? digits - 1 : 1, (double)value);
        if (digits > 2 && fabsf(value) >= 0x1p-126f && !strstr(t.p, ".0") && strtof(shorter, NULL) == value)
            fail_msg("%s: %s does", t.p, shorter);
        sl_text_clear(&t);
    }
    for (int i = 0; i < 200000; i++) {
        bits = bits * 1664525u + 1013904223u;
        double value = i % 2 ? (double)bits / 1e4 : (double)bits / 4294967296.0 / 7, back;
        sl_json_put_double(&t, -value);
        sl_text_byte(&t, 0);
        back = strtod(t.p, NULL);
        if (back != -value) fail_msg("%a: %s", value, t.p);
        sl_text_clear(&t);
    }
    sl_json_put_float(&t, -0.0f);
    check_put("-0.0", &t);
    sl_text_free(&t);
}

static void base64(void **state) {
    static const char *const rows[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}};
    struct sl_text t = {.n = 0};
    struct sl_str back;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_base64_put(&t, sl_str_of(rows[i][0]));
        check_put(rows[i][1], &t);
        assert_ok(err, sl_base64_read(&back, sl_str_of(rows[i][1]), &arena, &err));
        assert_true(sl_str_is(back, rows[i][0]));
    }
    assert_ok(err, sl_base64_read(&back, SL_STR("-_8"), &arena, &err));
    assert_true(sl_str_eq(back, SL_STR("\xfb\xff")));
    assert_fails(err, SL_INVALID_ARGUMENT, "base64", sl_base64_read(&back, SL_STR("a*=="), &arena, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "base64", sl_base64_read(&back, SL_STR("Zm9vY"), &arena, &err));
    sl_text_free(&t);
}

/* ---- tensors. A value is shown as "TYPE SHAPE ELEMENTS". */

static const char *show(const struct sl_tensor *t) {
    static char text[512];
    struct sl_text elements = {.n = 0};
    struct sl_served_port port = {.name = SL_STR("t")};
    struct sl_served_signature s = {.n_outputs = 1, .outputs = &port};
    struct sl_tensor *one = (struct sl_tensor *)(uintptr_t)t;
    char shape[SL_SHAPE_TEXT];
    if (!t) return "nothing";
    assert_ok(err, sl_json_columns_put(&elements, &s, &one, &err));
    snprintf(text, sizeof text, "%s %s %.*s", sl_dtype_name(t->dtype), sl_shape_text(shape, sl_tensor_shape(t)),
             (int)elements.n, elements.p);
    sl_text_free(&elements);
    return text;
}

typedef sl_code reads(struct sl_tensor **, const struct sl_served_signature *, struct sl_str, struct sl_arena *,
                      struct sl_error *);

/* One input "x" of a type: what comes, or the error. */
static void check_one(reads *read, int dtype, const char *text, const char *wanted) {
    struct sl_served_port x = {.name = SL_STR("x"), .dtype = dtype, .shape = SL_SHAPE_UNKNOWN};
    struct sl_served_signature s = {.n_inputs = 1, .inputs = &x};
    struct sl_tensor *t = NULL;
    assert_ok(err, sl_json_check(sl_str_of(text), &err));
    sl_error_clear(&err);
    sl_code code = read(&t, &s, sl_str_of(text), &arena, &err);
    if (code == SL_OK) assert_string_equal(show(t), wanted);
    else if (!strstr(err.message, wanted)) fail_msg("%s: got %s, wanted ...%s...", text, err.message, wanted);
    if (code != SL_OK) assert_true(code == SL_INVALID_ARGUMENT || code == SL_UNIMPLEMENTED);
    sl_tensor_unref(t);
}

static void columns(void **state) {
    static const struct {
        int dtype;
        const char *text, *wanted;
    } rows[] = {
        {SL_FLOAT, "1", "float [] 1.0"},
        {SL_FLOAT, "[1, 2.5, NaN, -Infinity]", "float [4] [1.0, 2.5, NaN, -Infinity]"},
        {SL_FLOAT, "[[1, 2], [3, 4], [5, 6]]", "float [3,2] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]"},
        {SL_FLOAT, "[]", "float [0] []"},
        {SL_FLOAT, "[[], []]", "float [2,0] [[], []]"},
        {SL_FLOAT, "{\"x\": [1]}", "float [1] [1.0]"},
        {SL_FLOAT, "1e39", "1e39 is no float"},
        {SL_FLOAT, "[1, \"a\"]", "\"a\" at [1] is no float"},
        {SL_FLOAT, "[1, true]", "is no float"},
        {SL_FLOAT, "[1, null]", "is no float"},
        {SL_FLOAT, "[1, [2]]", "at [1] is no float"},
        {SL_FLOAT, "[[1], 2]", "a value that is no list"},
        {SL_FLOAT, "[[1], [2, 3]]", "a longer one"},
        {SL_FLOAT, "[[1, 2], [3]]", "a shorter one"},
        {SL_FLOAT, "[[1, 2, 3, 4, 5, 6], [], [], [], [], [], [], [], [], []]", "not all lists have as many"},
        {SL_FLOAT, "{\"y\": [1]}", "no input \"y\""},
        {SL_FLOAT, "{\"x\": [1], \"x\": [2]}", "is there twice"},
        {SL_FLOAT, "{\"b64\": \"AA==\"}", "is no float"},
        {SL_DOUBLE, "[0.1, 1e308]", "double [2] [0.1, 1e+308]"},
        {SL_DOUBLE, "1e999", "is no double"},
        {SL_HALF, "[0.5, 65504]", "half [2] [0.5, 65504.0]"},
        {SL_HALF, "1e5", "is no half"},
        {SL_BFLOAT16, "[0.5]", "bfloat16 [1] [0.5]"},
        {SL_INT32, "[-2147483648, 2147483647]", "int32 [2] [-2147483648, 2147483647]"},
        {SL_INT32, "2147483648", "is no int32"},
        {SL_INT32, "1.0", "is no int32"},
        {SL_INT64, "[9223372036854775807]", "int64 [1] [9223372036854775807]"},
        {SL_INT64, "9223372036854775808", "is no int64"},
        {SL_UINT8, "[0, 255]", "uint8 [2] [0, 255]"},
        {SL_UINT8, "256", "is no uint8"},
        {SL_UINT8, "-1", "is no uint8"},
        {SL_INT8, "[-128]", "int8 [1] [-128]"},
        {SL_UINT64, "18446744073709551615", "uint64 [] 18446744073709551615"},
        {SL_BOOL, "[true, false]", "bool [2] [true, false]"},
        {SL_BOOL, "1", "is no bool"},
        {SL_STRING, "[\"a\", {\"b64\": \"Zm9v\"}, \"\\u00e9\"]", "string [3] [\"a\", \"foo\", \"\xc3\xa9\"]"},
        {SL_STRING, "{\"b64\": \"Zm9v\"}", "string [] \"foo\""},
        {SL_STRING, "{\"b64\": \"*\"}", "invalid base64"},
        {SL_STRING, "[1]", "is no string"},
        {SL_COMPLEX64, "[1]", "JSON has no form for"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_one(sl_json_columns_read, rows[i].dtype, rows[i].text, rows[i].wanted);
}

static void rows_of_one(void **state) {
    static const struct {
        int dtype;
        const char *text, *wanted;
    } rows[] = {
        {SL_FLOAT, "[1, 2]", "float [2] [1.0, 2.0]"},
        {SL_FLOAT, "[[1, 2], [3, 4]]", "float [2,2] [[1.0, 2.0], [3.0, 4.0]]"},
        {SL_FLOAT, "[{\"x\": 1}, {\"x\": 2}]", "float [2] [1.0, 2.0]"},
        {SL_FLOAT, "[{\"x\": [1]}, [2]]", "float [2,1] [[1.0], [2.0]]"},
        {SL_STRING, "[{\"b64\": \"Zm9v\"}, \"a\"]", "string [2] [\"foo\", \"a\"]"},
        {SL_FLOAT, "[]", "\"instances\" has no values"},
        {SL_FLOAT, "1", "must be a list, not a number"},
        {SL_FLOAT, "[{\"x\": 1}, {}]", "Not all rows have an input \"x\""},
        {SL_FLOAT, "[{\"x\": 1}, {}, {\"x\": 2}]", "Row 2 does not have \"x\" once"},
        {SL_FLOAT, "[{}, {\"x\": 2}]", "Row 1 has an input \"x\", row 0 has not"},
        {SL_FLOAT, "[{\"x\": 1, \"x\": 2}]", "Row 0 does not have \"x\" once"},
        {SL_FLOAT, "[{\"y\": 1}]", "no input \"y\""},
        {SL_FLOAT, "[1, [2]]", "is no float"},
        {SL_FLOAT, "[[1, 2], [3]]", "a shorter one"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_one(sl_json_rows_read, rows[i].dtype, rows[i].text, rows[i].wanted);
}

static void several_inputs(void **state) {
    struct sl_served_port ports[] = {{.name = SL_STR("a"), .dtype = SL_INT32},
                                     {.name = SL_STR("b_bytes"), .dtype = SL_STRING}};
    struct sl_served_signature s = {.n_inputs = 2, .inputs = ports, .n_outputs = 2, .outputs = ports};
    struct sl_tensor *t[2] = {NULL, NULL};
    struct sl_text out = {.n = 0};
    (void)state;
    struct sl_str text =
        SL_STR("[{\"a\": [1, 2], \"b_bytes\": \"x\"}, {\"b_bytes\": {\"b64\": \"Zm9v\"}, \"a\": [3, 4]}]");
    assert_ok(err, sl_json_rows_read(t, &s, text, &arena, &err));
    assert_string_equal(show(t[0]), "int32 [2,2] [[1, 2], [3, 4]]");
    assert_string_equal(show(t[1]), "string [2] [\"x\", \"foo\"]");
    assert_ok(err, sl_json_rows_put(&out, &s, t, &err));
    check_put("[{\"a\": [1, 2], \"b_bytes\": {\"b64\": \"eA==\"}},\n        "
              "{\"a\": [3, 4], \"b_bytes\": {\"b64\": \"Zm9v\"}}]",
              &out);
    assert_ok(err, sl_json_columns_put(&out, &s, t, &err));
    check_put(
        "{\n        \"a\": [[1, 2], [3, 4]],\n        \"b_bytes\": [{\"b64\": \"eA==\"}, {\"b64\": \"Zm9v\"}]\n    }",
        &out);
    sl_tensor_unref(t[0]);
    t[0] = NULL;
    assert_fails(err, SL_INVALID_ARGUMENT, "must be objects with the names of the inputs: \"a\" \"b_bytes\"",
                 sl_json_rows_read(t, &s, SL_STR("[1]"), &arena, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "\"inputs\" must be objects",
                 sl_json_columns_read(t, &s, SL_STR("[1]"), &arena, &err));
    sl_tensor_unref(t[1]);
    sl_text_free(&out);
}

static void examples(void **state) {
    static const struct {
        const char *text, *wanted; /* the Example's bytes, or the error */
    } rows[] = {
        {"{\"x\": 1}", "\n\n\n\x08\n\x01x\x12\x03\x1a\x01\x01"},
        {"{\"x\": [\"a\"]}", "x"},
        {"{\"x\": [1, \"a\"]}", "numbers and strings, in feature \"x\""},
        {"{\"x\": [null]}", "is null, in feature"},
        {"[1]", "must be an object, not a list"},
    };
    struct sl_str bytes;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_error_clear(&err);
        if (sl_json_example_read(&bytes, sl_str_of(rows[i].text), &arena, &err) == SL_OK)
            assert_true(bytes.n > 4 && bytes.p[0] == '\n');
        else assert_non_null(strstr(err.message, rows[i].wanted));
    }
    assert_fails(err, SL_INVALID_ARGUMENT, "out of range",
                 sl_json_example_read(&bytes, SL_STR("{\"x\": 99999999999999999999}"), &arena, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_text, begin, end),
        cmocka_unit_test_setup_teardown(bad_text, begin, end),
        cmocka_unit_test_setup_teardown(depth, begin, end),
        cmocka_unit_test_setup_teardown(cursors, begin, end),
        cmocka_unit_test_setup_teardown(written, begin, end),
        cmocka_unit_test_setup_teardown(base64, begin, end),
        cmocka_unit_test_setup_teardown(floats_come_back, begin, end),
        cmocka_unit_test_setup_teardown(columns, begin, end),
        cmocka_unit_test_setup_teardown(rows_of_one, begin, end),
        cmocka_unit_test_setup_teardown(several_inputs, begin, end),
        cmocka_unit_test_setup_teardown(examples, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
