/* env.h: files, names, clocks, threads. */
#include "tensorflow/c/env.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit/capi/capi_fixture.h"

static char folder[256];

static const char *in_folder(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void temporary_places_exist(void **state) {
    struct fixture *f = *state;
    TF_StringStream *places = TF_GetLocalTempDirectories();
    const char *place = NULL;
    assert_true(TF_StringStreamNext(places, &place));
    assert_non_null(place);
    char *name = TF_GetTempFileName(".txt");
    assert_string_equal(name + strlen(name) - 4, ".txt");
    snprintf(folder, sizeof folder, "%s.d", name);
    free(name);
    while (TF_StringStreamNext(places, &place)) {}
    assert_null(place);
    TF_StringStreamDone(places);
    TF_CreateDir(folder, f->status);
    assert_status_ok(f->status);
    TF_CreateDir(folder, f->status);
    assert_status(f->status, TF_ALREADY_EXISTS, "");
}

static void files_are_written_and_found(void **state) {
    struct fixture *f = *state;
    TF_WritableFileHandle *file = NULL;
    TF_FileStatistics stats;
    TF_NewWritableFile(in_folder("a"), &file, f->status);
    assert_status_ok(f->status);
    TF_AppendWritableFile(file, "hello", 5, f->status);
    TF_FlushWritableFile(file, f->status);
    TF_SyncWritableFile(file, f->status);
    TF_AppendWritableFile(file, ", world", 7, f->status);
    assert_status_ok(f->status);
    TF_CloseWritableFile(file, f->status);
    assert_status_ok(f->status);
    TF_FileStat(in_folder("a"), &stats, f->status);
    assert_status_ok(f->status);
    assert_int_equal(stats.length, 12);
    assert_false(stats.is_directory);
    assert_true(stats.mtime_nsec > 0);
    TF_FileStat(in_folder("b"), &stats, f->status);
    assert_status(f->status, TF_NOT_FOUND, "");
    TF_NewWritableFile(in_folder("missing/b"), &file, f->status);
    assert_status(f->status, TF_NOT_FOUND, "");
    assert_null(file);

    TF_StringStream *children = TF_GetChildren(folder, f->status);
    const char *name;
    assert_status_ok(f->status);
    assert_true(TF_StringStreamNext(children, &name));
    assert_string_equal(name, "a");
    assert_false(TF_StringStreamNext(children, &name));
    TF_StringStreamDone(children);
    assert_null(TF_GetChildren(in_folder("missing"), f->status));
    assert_status(f->status, TF_NOT_FOUND, "");
}

static void directories_go_with_what_is_in_them(void **state) {
    struct fixture *f = *state;
    int64_t files = -1, dirs = -1;
    TF_DeleteDir(folder, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "");
    TF_DeleteRecursively(folder, &files, &dirs, f->status);
    assert_status_ok(f->status);
    assert_int_equal(files, 0);
    assert_int_equal(dirs, 0);
    TF_DeleteFile(in_folder("a"), f->status);
    assert_status(f->status, TF_NOT_FOUND, "");
}

static void clocks_agree(void **state) {
    (void)state;
    uint64_t seconds = TF_NowSeconds();
    assert_true(seconds > UINT64_C(1600000000));
    assert_true(TF_NowMicros() / 1000000 - seconds <= 5);
    assert_true(TF_NowNanos() / 1000000000 - seconds <= 5);
}

static void set_flag(void *flag) { *(int *)flag = 1; }

static void threads_run_and_are_joined(void **state) {
    (void)state;
    TF_ThreadOptions options;
    int flag = 0;
    TF_DefaultThreadOptions(&options);
    assert_int_equal(options.stack_size, 0);
    assert_int_equal(options.numa_node, -1);
    TF_Thread *thread = TF_StartThread(&options, "test", set_flag, &flag);
    assert_non_null(thread);
    TF_JoinThread(thread);
    assert_int_equal(flag, 1);
}

static void libraries_have_symbols(void **state) {
    struct fixture *f = *state;
    void *library = TF_LoadSharedLibrary("libc.so.6", f->status);
    assert_status_ok(f->status);
    assert_non_null(TF_GetSymbolFromLibrary(library, "strlen", f->status));
    assert_status_ok(f->status);
    assert_null(TF_GetSymbolFromLibrary(library, "no_such_symbol", f->status));
    assert_status(f->status, TF_NOT_FOUND, "");
    assert_null(TF_LoadSharedLibrary("/no/such/library.so", f->status));
    assert_status(f->status, TF_NOT_FOUND, "");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(temporary_places_exist), TEST(files_are_written_and_found), TEST(directories_go_with_what_is_in_them),
        TEST(clocks_agree),           TEST(threads_run_and_are_joined),  TEST(libraries_have_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
