/* Status, payloads, buffers, strings, version: the pieces that every other call uses. */
#include "tensorflow/c/tf_status.h"

#include <errno.h>
#include <stdlib.h>

#include "tensorflow/c/tf_tstring.h"
#include "unit/capi/capi_fixture.h"

static void version_is_that_of_the_api(void **state) {
    (void)state;
    assert_string_equal(TF_Version(), "2.21.0");
}

static void status_holds_code_and_message(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    assert_int_equal(TF_GetCode(s), TF_OK);
    assert_string_equal(TF_Message(s), "");
    TF_SetStatus(s, TF_CANCELLED, "cancel");
    assert_int_equal(TF_GetCode(s), TF_CANCELLED);
    assert_string_equal(TF_Message(s), "cancel");
    TF_SetStatus(s, TF_ABORTED, TF_Message(s)); /* its own text */
    assert_string_equal(TF_Message(s), "cancel");
    TF_SetStatus(s, TF_OK, "dropped");
    assert_string_equal(TF_Message(s), "");
    TF_DeleteStatus(s);
    TF_DeleteStatus(NULL);
}

static void long_messages_are_kept_whole(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    char *text = malloc(100001);
    memset(text, 'x', 100000);
    text[100000] = '\0';
    TF_SetStatus(s, TF_INTERNAL, text);
    assert_int_equal(strlen(TF_Message(s)), 100000);
    free(text);
    TF_DeleteStatus(s);
}

static void count_payload(const char *key, const char *value, void *capture) {
    int *n = capture;
    n[0]++;
    if (strcmp(key, "key") == 0 && strcmp(value, "second") == 0) n[1]++;
}

static void payloads_belong_to_an_error(void **state) {
    (void)state;
    int n[2] = {0, 0};
    TF_Status *s = TF_NewStatus();
    TF_SetPayload(s, "key", "ignored while OK");
    TF_ForEachPayload(s, count_payload, n);
    assert_int_equal(n[0], 0);
    TF_SetStatus(s, TF_UNKNOWN, "u");
    TF_SetPayload(s, "key", "first");
    TF_SetPayload(s, "other", "value");
    TF_SetPayload(s, "key", "second");
    TF_ForEachPayload(s, count_payload, n);
    assert_int_equal(n[0], 2);
    assert_int_equal(n[1], 1);
    TF_SetStatus(s, TF_UNKNOWN, "again");
    n[0] = 0;
    TF_ForEachPayload(s, count_payload, n);
    assert_int_equal(n[0], 0);
    TF_DeleteStatus(s);
}

static void errno_becomes_a_code(void **state) {
    (void)state;
    static const struct {
        int error_number;
        TF_Code code;
    } rows[] = {{ENOENT, TF_NOT_FOUND},        {EEXIST, TF_ALREADY_EXISTS},     {EACCES, TF_PERMISSION_DENIED},
                {EINVAL, TF_INVALID_ARGUMENT}, {ENOSPC, TF_RESOURCE_EXHAUSTED}, {ENOTDIR, TF_FAILED_PRECONDITION}};
    TF_Status *s = TF_NewStatus();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TF_SetStatusFromIOError(s, rows[i].error_number, "some/file");
        assert_status(s, rows[i].code, "some/file; ");
    }
    TF_DeleteStatus(s);
}

/* ---- buffers */
static int freed;
static void note_freed(void *data, size_t length) {
    assert_int_equal(length, 3);
    free(data);
    freed++;
}

static void buffers_own_what_they_are_told_to(void **state) {
    (void)state;
    char text[] = "abc";
    TF_Buffer *copy = TF_NewBufferFromString(text, 3);
    text[0] = 'x';
    TF_Buffer by_value = TF_GetBuffer(copy);
    assert_int_equal(by_value.length, 3);
    assert_memory_equal(by_value.data, "abc", 3);
    TF_DeleteBuffer(copy);

    TF_Buffer *filled = TF_NewBuffer();
    assert_null(filled->data);
    assert_int_equal(filled->length, 0);
    filled->data = malloc(3);
    filled->length = 3;
    filled->data_deallocator = note_freed;
    TF_DeleteBuffer(filled);
    assert_int_equal(freed, 1);

    TF_Buffer *borrowed = TF_NewBuffer();
    borrowed->data = text;
    borrowed->length = 3;
    TF_DeleteBuffer(borrowed);
    TF_DeleteBuffer(NULL);
}

/* ---- strings */
static void strings_move_between_library_and_inline_code(void **state) {
    (void)state;
    char text[1000];
    memset(text, 's', sizeof text);
    TF_TString s;
    TF_StringInit(&s);
    assert_int_equal(TF_StringGetSize(&s), 0);
    assert_int_equal(TF_StringGetType(&s), TF_TSTR_SMALL);
    TF_StringCopy(&s, text, 22);
    assert_int_equal(TF_StringGetType(&s), TF_TSTR_SMALL);
    TF_StringCopy(&s, text, sizeof text);
    assert_int_equal(TF_StringGetType(&s), TF_TSTR_LARGE);
    assert_true(TF_StringGetCapacity(&s) >= sizeof text);
    assert_memory_equal(TF_TString_GetDataPointer(&s), text, sizeof text);
    TF_TString_Dealloc(&s); /* inline code frees what the library allocated */

    TF_TString_Init(&s);
    TF_TString_Copy(&s, text, 300);
    TF_StringAssignView(&s, text, 5);
    assert_int_equal(TF_StringGetType(&s), TF_TSTR_VIEW);
    assert_ptr_equal(TF_StringGetDataPointer(&s), text);
    assert_int_equal(TF_StringGetSize(&s), 5);
    TF_StringDealloc(&s);
}

/* Of older headers: a varint length, then the bytes. */
static void strings_are_encoded_and_decoded(void **state) {
    (void)state;
    static const char cut[] = {(char)0x80}, beyond[] = {2, 'a'},
                      endless[11] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    TF_Status *s = TF_NewStatus();
    char text[300], room[302];
    const char *bytes;
    size_t n;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)i;
    for (size_t i = 0; i <= sizeof text; i += 100) {
        size_t size = i + (i < 128 ? 1 : 2);
        assert_int_equal(TF_StringEncodedSize(i), size);
        assert_int_equal(TF_StringEncode(text, i, room, size - 1, s), 0);
        assert_status(s, TF_INVALID_ARGUMENT, "too small");
        assert_int_equal(TF_StringEncode(text, i, room, size, s), size);
        assert_status_ok(s);
        assert_int_equal(TF_StringDecode(room, size, &bytes, &n, s), size);
        assert_status_ok(s);
        assert_int_equal(n, i);
        assert_memory_equal(bytes, text, i);
        assert_int_equal(TF_StringDecode(room, size - 1, &bytes, &n, s), 0);
        assert_status(s, TF_INVALID_ARGUMENT, "truncated");
    }
    assert_int_equal(TF_StringDecode(cut, sizeof cut, &bytes, &n, s), 0);
    assert_int_equal(TF_StringDecode(beyond, sizeof beyond, &bytes, &n, s), 0);
    assert_int_equal(TF_StringDecode(endless, sizeof endless, &bytes, &n, s), 0);
    assert_status(s, TF_INVALID_ARGUMENT, "invalid string encoding");
    TF_DeleteStatus(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_api),
        cmocka_unit_test(status_holds_code_and_message),
        cmocka_unit_test(long_messages_are_kept_whole),
        cmocka_unit_test(payloads_belong_to_an_error),
        cmocka_unit_test(errno_becomes_a_code),
        cmocka_unit_test(buffers_own_what_they_are_told_to),
        cmocka_unit_test(strings_move_between_library_and_inline_code),
        cmocka_unit_test(strings_are_encoded_and_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
