/* os/file, names: what is there, making, removing, listing, matching, joining. Rows of patterns were compared with what
 * TensorFlow's gfile.glob answers for the same tree. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/fault.h"
#include "os/file_system.h"
#include "scratch.h"
#include "unit/unit.h"

static struct sl_error err;

static void stat_tells_what_is_there(void **state) {
    (void)state;
    struct sl_file_info info;
    scratch_write("five", "12345");
    assert_ok(err, sl_file_stat(&info, "five", &err));
    assert_int_equal(info.size, 5);
    assert_true(info.is_regular && !info.is_dir);
    int64_t age_us = sl_wall_us() - info.mtime_ns / 1000;
    assert_true(age_us > -60000000 && age_us < 60000000);
    assert_ok(err, sl_file_stat(&info, ".", &err));
    assert_true(info.is_dir && !info.is_regular);
    assert_fails(err, SL_NOT_FOUND, "no; No such file or directory", sl_file_stat(&info, "no", &err));
    assert_ok(err, sl_file_exists("five", &err));
    assert_fails(err, SL_NOT_FOUND, "no; No such file or directory", sl_file_exists("no", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "five/x; Not a directory", sl_file_exists("five/x", &err));
}

static void files_are_renamed_and_removed(void **state) {
    (void)state;
    scratch_write("from", "1");
    scratch_write("to", "2");
    assert_ok(err, sl_file_rename("from", "to", &err));
    assert_string_equal(scratch_read("to"), "1");
    assert_fails(err, SL_NOT_FOUND, "from; No such", sl_file_rename("from", "to", &err));
    assert_ok(err, sl_file_remove("to", &err));
    assert_fails(err, SL_NOT_FOUND, "to; No such", sl_file_remove("to", &err));
}

static void directories_are_made(void **state) {
    (void)state;
    assert_ok(err, sl_dir_create("d", &err));
    assert_fails(err, SL_ALREADY_EXISTS, "d; File exists", sl_dir_create("d", &err));
    assert_fails(err, SL_NOT_FOUND, "x/y; No such", sl_dir_create("x/y", &err));
    assert_ok(err, sl_dir_create_all("d//e/f/", &err));
    assert_ok(err, sl_dir_create_all("d/e/f", &err));
    assert_ok(err, sl_dir_create_all("/", &err));
    assert_ok(err, sl_file_exists("d/e/f", &err));
    scratch_write("d/file", "");
    assert_fails(err, SL_FAILED_PRECONDITION, "d/file is not a directory", sl_dir_create_all("d/file", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "d/file is not a directory", sl_dir_create_all("d/file/x", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "d; Directory not empty", sl_dir_remove("d", &err));
    assert_ok(err, sl_dir_remove("d/e/f", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "d; Is a directory", sl_file_remove("d", &err));
}

static void a_tree_is_removed_but_not_what_links_lead_to(void **state) {
    (void)state;
    assert_int_equal(system("mkdir -p t/a/b/c t/.h keep; touch t/1 t/a/2 t/a/b/c/3 t/.h/4 keep/5;"
                            "ln -s ../keep t/link; ln -s nowhere t/dangling; ln -s keep outer"),
                     0);
    assert_ok(err, sl_dir_remove_all("t", &err));
    assert_fails(err, SL_NOT_FOUND, "t; No such", sl_file_exists("t", &err));
    assert_ok(err, sl_dir_remove_all("outer", &err)); /* the link itself */
    assert_string_equal(scratch_names("keep"), "5 ");
    assert_ok(err, sl_dir_remove_all("keep/5", &err)); /* a file is a small tree */
    assert_fails(err, SL_NOT_FOUND, "t; No such", sl_dir_remove_all("t", &err));
}

static void a_failing_call_stops_the_removal(void **state) {
    (void)state;
    sl_code code = SL_UNKNOWN;
    int64_t n = 0;
    for (; code != SL_OK; n++) {
        assert_int_equal(system("rm -rf t; mkdir -p t/a/b; touch t/1 t/a/2 t/a/b/3"), 0);
        sl_fault_arm(n + 1, EIO, 0);
        code = sl_dir_remove_all("t", &err);
        sl_fault_disarm();
        if (code != SL_OK) assert_string_equal(err.message, "t; Input/output error");
        assert_true(n < 100);
    }
    assert_true(n > 10);
}

static void a_very_deep_tree_is_refused(void **state) {
    (void)state;
    char path[1024] = "deep";
    for (int i = 0; i < 250; i++) strcat(path, "/d");
    assert_ok(err, sl_dir_create_all(path, &err));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "more than 200 directories deep", sl_dir_remove_all("deep", &err));
}

static void a_listing_is_sorted(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    char **names;
    size_t n;
    assert_int_equal(system("mkdir -p l/b l/empty; touch l/a l/C l/.h"), 0);
    assert_ok(err, sl_dir_list(&names, &n, "l", &arena, &err));
    assert_int_equal(n, 5);
    static const char *const wanted[] = {".h", "C", "a", "b", "empty"};
    for (size_t i = 0; i < n; i++) assert_string_equal(names[i], wanted[i]);
    assert_ok(err, sl_dir_list(&names, &n, "l/empty", &arena, &err));
    assert_int_equal(n, 0);
    assert_fails(err, SL_NOT_FOUND, "l/no; No such", sl_dir_list(&names, &n, "l/no", &arena, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "l/a; Not a directory", sl_dir_list(&names, &n, "l/a", &arena, &err));
    sl_arena_clear(&arena);
}

/* ---- patterns ---- */

static void components_match_as_fnmatch_says(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        {"", "", true},
        {"*", "", true},
        {"?", "", false},
        {"abc", "abc", true},
        {"abc", "ab", false},
        {"ab", "abc", false},
        {"a*c", "abbbc", true},
        {"a*c", "abbbd", false},
        {"*.txt", ".txt", true},
        {"*a*b*c*", "xxaxxbxxcxx", true},
        {"*a*b*c*", "xxaxxcxxbxx", false},
        {"**", "anything", true},
        {"a?c", "abc", true},
        {"a?c",
         "a\xc3\xa9"
         "c",
         true}, /* one character of two bytes */
        {"a??c",
         "a\xc3\xa9"
         "c",
         false},
        {"a?c",
         "a\xff"
         "c",
         true}, /* a byte that is no character */
        {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true},
        {"[abc]", "b", true},
        {"[abc]", "d", false},
        {"[!abc]", "d", true},
        {"[^abc]", "a", false},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[c-a]", "b", false},
        {"[]]", "]", true},
        {"[!]]", "]", false},
        {"[]-a]", "^", true},
        {"[a-]", "-", true},
        {"[-a]", "-", true},
        {"[[:digit:]]", "5", true},
        {"[[:digit:]x]", "x", true},
        {"[![:digit:]]", "5", false},
        {"[[:nonsense:]", "[", true},
        {"[", "[", true},
        {"a[", "a[", true},
        {"[ab", "[ab", true},
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"[\\]]", "]", true},
        {"\\", "\\", false}, /* escapes nothing */
        {"*[ab]?", "xxbz", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sl_path_match(rows[i].pattern, rows[i].name) != rows[i].matches)
            fail_msg("'%s' and '%s': wanted %d", rows[i].pattern, rows[i].name, rows[i].matches);
}

/* Star after star would take a naive matcher longer than there is time. */
static void many_stars_end(void **state) {
    (void)state;
    char name[2001], pattern[402] = "";
    memset(name, 'a', 2000);
    name[2000] = 0;
    for (int i = 0; i < 200; i++) strcat(pattern, "*a");
    strcat(pattern, "b");
    assert_false(sl_path_match(pattern, name));
}

static void assert_globs(const char *pattern, const char *wanted) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    char **paths, text[2048] = "";
    size_t n;
    assert_ok(err, sl_path_glob(&paths, &n, pattern, &arena, &err));
    for (size_t i = 0; i < n; i++) strcat(strcat(text, paths[i]), " ");
    if (strcmp(text, wanted) != 0) fail_msg("'%s' gives '%s', wanted '%s'", pattern, text, wanted);
    sl_arena_clear(&arena);
}

static void patterns_find_paths(void **state) {
    (void)state;
    assert_int_equal(
        system("mkdir g && cd g && mkdir -p sub/deep sub2 && touch a.txt b.txt .hid A1 'x[1]' 'back\\slash' "
               "sub/c.txt sub/.h2 sub/deep/d.txt sub2/c.txt b1c b-c 'a]' && ln -s nowhere dang && ln -s sub lnk"),
        0);
    assert_int_equal(chdir("g"), 0);
    assert_globs("*", "./.hid ./A1 ./a.txt ./a] ./b-c ./b.txt ./b1c ./back\\slash ./dang ./lnk ./sub ./sub2 ./x[1] ");
    assert_globs("?.txt", "./a.txt ./b.txt ");
    assert_globs("[!a].txt", "./b.txt ");
    assert_globs("[a-c]*", "./a.txt ./a] ./b-c ./b.txt ./b1c ./back\\slash ");
    assert_globs("sub*/c.txt", "./sub/c.txt ./sub2/c.txt ");
    assert_globs("*/*", "./lnk/.h2 ./lnk/c.txt ./lnk/deep ./sub/.h2 ./sub/c.txt ./sub/deep ./sub2/c.txt ");
    assert_globs("**/d.txt", "");
    assert_globs("sub/*/d.txt", "sub/deep/d.txt ");
    assert_globs("s*/d*/?.txt", "./sub/deep/d.txt ");
    assert_globs("x\\[1\\]", "./x[1] ");
    assert_globs("x[[]1]", "./x[1] ");
    assert_globs("back\\\\slash", "./back\\slash ");
    assert_globs("nope", "");
    assert_globs("nope/*", "");
    assert_globs("a.txt", "a.txt ");
    assert_globs("a.txt/*", "");
    assert_globs("dang", ""); /* leads nowhere */
    assert_globs("dang*", "./dang ");
    assert_globs("sub/", "sub/ ");
    assert_globs("sub/*/", "sub/.h2 sub/c.txt sub/deep ");
    assert_globs("./a*", "./a.txt ./a] ");
    assert_globs("sub/../a*", "sub/../a.txt sub/../a] ");
    assert_globs(".*", "./.hid ");
    assert_globs("{a,b}.txt", "");
    assert_globs("a[]]", "./a] ");
    assert_globs("", "");
    assert_globs("/dev/nul[l]", "/dev/null ");
    assert_globs("/de[v]/null", "/dev/null ");
    assert_int_equal(chdir(".."), 0);
}

static void a_failing_call_is_no_match_but_an_error(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    char **paths;
    size_t n;
    sl_fault_arm(2, EIO, 0);
    assert_fails(err, SL_UNKNOWN, "Input/output error", sl_path_glob(&paths, &n, "g/*/*", &arena, &err));
    sl_fault_disarm();
    sl_arena_clear(&arena);
}

/* ---- schemes ---- */

static void paths_of_files_may_say_so(void **state) {
    (void)state;
    struct sl_arena arena;
    struct sl_file_info info;
    char here[PATH_MAX], path[PATH_MAX + 32], *data, **paths;
    size_t n;
    sl_arena_init(&arena);
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "file://host%s/made/by/scheme", here);
    char *dir = sl_path_dir(&arena, path);
    assert_ok(err, sl_dir_create_all(dir, &err));
    assert_ok(err, sl_file_write_atomic(path, "text", 4, &err));
    assert_string_equal(scratch_read("made/by/scheme"), "text");
    assert_ok(err, sl_file_read(&data, &n, path, 100, &err));
    assert_memory_equal(data, "text", n);
    sl_free(data);
    assert_ok(err, sl_file_stat(&info, path, &err));
    assert_int_equal(info.size, 4);
    snprintf(path, sizeof path, "file://%s/made/*/sch*", here);
    assert_ok(err, sl_path_glob(&paths, &n, path, &arena, &err));
    snprintf(path, sizeof path, "file://%s/made/by/scheme", here);
    assert_int_equal(n, 1);
    assert_string_equal(paths[0], path);
    snprintf(path, sizeof path, "file://%s/made", here);
    assert_ok(err, sl_dir_remove_all(path, &err));
    assert_fails(err, SL_NOT_FOUND, path, sl_file_exists(path, &err));
    sl_arena_clear(&arena);
}

static void schemes_that_nobody_serves_are_unimplemented(void **state) {
    (void)state;
    struct sl_file_info info;
    struct sl_writer writer;
    struct sl_mapping mapping;
    assert_fails(err, SL_UNIMPLEMENTED, "File system scheme 'no.1' not implemented (file: 'no.1://x')",
                 sl_file_stat(&info, "no.1://x", &err));
    assert_fails(err, SL_UNIMPLEMENTED, "'no.1'", sl_mapping_open(&mapping, "no.1://x", &err));
    assert_fails(err, SL_UNIMPLEMENTED, "'no.1'", sl_writer_open(&writer, "no.1://x", SL_WRITER_ATOMIC, &err));
    sl_writer_abandon(&writer);
    assert_fails(err, SL_UNIMPLEMENTED, "'no.1'", sl_file_rename("x", "no.1://x", &err));
    assert_fails(err, SL_UNIMPLEMENTED, "'no.1'", sl_dir_remove_all("no.1://x", &err));
    assert_fails(err, SL_NOT_FOUND, "n://x", sl_file_stat(&info, "n://x", &err)); /* one letter is no scheme */
    assert_fails(err, SL_ALREADY_EXISTS, "File system for file already registered",
                 sl_file_system_add(&(struct sl_file_system){.scheme = "file"}, &err));
}

/* ---- parts of paths ---- */

static void paths_are_joined_and_cut(void **state) {
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    assert_string_equal(sl_path_join(&arena, "a", "b"), "a/b");
    assert_string_equal(sl_path_join(&arena, "a/", "b"), "a/b");
    assert_string_equal(sl_path_join(&arena, "", "b"), "b");
    assert_string_equal(sl_path_join(&arena, "a", "/b"), "/b");
    assert_string_equal(sl_path_join(&arena, "/", "b"), "/b");
    assert_string_equal(sl_path_base("a/b/c"), "c");
    assert_string_equal(sl_path_base("c"), "c");
    assert_string_equal(sl_path_base("a/"), "");
    assert_string_equal(sl_path_dir(&arena, "a/b/c"), "a/b");
    assert_string_equal(sl_path_dir(&arena, "c"), "");
    assert_string_equal(sl_path_dir(&arena, "/c"), "/");
    assert_string_equal(sl_path_dir(&arena, "foo://host/b/c"), "foo://host/b");
    assert_string_equal(sl_path_dir(&arena, "foo://host/c"), "foo://host/");
    assert_string_equal(sl_path_dir(&arena, "foo:///c"), "foo:///");
    assert_string_equal(sl_path_dir(&arena, "foo://c"), "foo://c");
    assert_string_equal(sl_path_join(&arena, "a", "foo://host/b"), "foo://host/b");
    assert_string_equal(sl_path_join(&arena, "foo://host/", "b"), "foo://host/b");
    char *one = sl_path_temporary(&arena, "x/y"), *two = sl_path_temporary(&arena, "x/y");
    assert_true(strncmp(one, "x/y.", 4) == 0 && strlen(one) == 4 + 16 + 4);
    assert_string_not_equal(one, two);
    setenv("TMPDIR", "/some/where", 1);
    assert_string_equal(sl_path_temporary_dir(), "/some/where");
    unsetenv("TMPDIR");
    unsetenv("TMP");
    unsetenv("TEMP");
    assert_string_equal(sl_path_temporary_dir(), "/tmp");
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stat_tells_what_is_there),
        cmocka_unit_test(files_are_renamed_and_removed),
        cmocka_unit_test(directories_are_made),
        cmocka_unit_test(a_tree_is_removed_but_not_what_links_lead_to),
        cmocka_unit_test(a_failing_call_stops_the_removal),
        cmocka_unit_test(a_very_deep_tree_is_refused),
        cmocka_unit_test(a_listing_is_sorted),
        cmocka_unit_test(components_match_as_fnmatch_says),
        cmocka_unit_test(many_stars_end),
        cmocka_unit_test(patterns_find_paths),
        cmocka_unit_test(a_failing_call_is_no_match_but_an_error),
        cmocka_unit_test(paths_of_files_may_say_so),
        cmocka_unit_test(schemes_that_nobody_serves_are_unimplemented),
        cmocka_unit_test(paths_are_joined_and_cut),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
