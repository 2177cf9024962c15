/* os/file, contents: reading, mapping, writing in every mode, and what remains when a system call fails or the
 * process dies. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/fault.h"
#include "os/file.h"
#include "scratch.h"
#include "unit/unit.h"

static struct sl_error err;

static void errno_values_have_their_codes(void **state) {
    (void)state;
    static const struct {
        int number;
        sl_code code;
    } rows[] = {{0, SL_OK},
                {EINVAL, SL_INVALID_ARGUMENT},
                {ENAMETOOLONG, SL_INVALID_ARGUMENT},
                {ETIMEDOUT, SL_DEADLINE_EXCEEDED},
                {ENOENT, SL_NOT_FOUND},
                {EEXIST, SL_ALREADY_EXISTS},
                {EACCES, SL_PERMISSION_DENIED},
                {EROFS, SL_PERMISSION_DENIED},
                {ENOSPC, SL_RESOURCE_EXHAUSTED},
                {EMFILE, SL_RESOURCE_EXHAUSTED},
                {EISDIR, SL_FAILED_PRECONDITION},
                {ENOTDIR, SL_FAILED_PRECONDITION},
                {ENOTEMPTY, SL_FAILED_PRECONDITION},
                {EFBIG, SL_OUT_OF_RANGE},
                {ENOSYS, SL_UNIMPLEMENTED},
                {EXDEV, SL_UNIMPLEMENTED},
                {EAGAIN, SL_UNAVAILABLE},
                {ECONNREFUSED, SL_UNAVAILABLE},
                {ESTALE, SL_ABORTED},
                {ECANCELED, SL_CANCELLED},
                {EIO, SL_UNKNOWN},
                {ELOOP, SL_UNKNOWN},
                {4711, SL_UNKNOWN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(sl_code_from_errno(rows[i].number), rows[i].code);
    assert_fails(err, SL_NOT_FOUND, "a/b; No such file or directory", sl_fail_errno(&err, "a/b", ENOENT));
    assert_fails(err, SL_UNKNOWN, "x; Unknown error 4711", sl_fail_errno(&err, "x", 4711));
}

static void assert_reads(const char *path, const char *text) {
    char *data;
    size_t size;
    assert_ok(err, sl_file_read(&data, &size, path, 1 << 20, &err));
    assert_int_equal(size, strlen(text));
    assert_string_equal(data, text);
    sl_free(data);
}

static void a_file_is_read_whole(void **state) {
    (void)state;
    scratch_write("a", "hello");
    scratch_write("empty", "");
    assert_reads("a", "hello");
    assert_reads("empty", "");
}

static void a_large_file_is_read_whole(void **state) {
    (void)state;
    size_t n = 300007, size;
    char *text = malloc(n), *data;
    for (size_t i = 0; i < n; i++) text[i] = (char)(i * 7);
    assert_ok(err, sl_file_write("large", text, n, &err));
    assert_ok(err, sl_file_read(&data, &size, "large", n, &err));
    assert_int_equal(size, n);
    assert_memory_equal(data, text, n);
    sl_free(data);
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "large; file of 300007 bytes is larger than the limit of 300006 bytes",
                 sl_file_read(&data, &size, "large", n - 1, &err));
    free(text);
}

/* Files of the kernel say that their size is 0; a device has no end. */
static void a_declared_size_is_not_believed(void **state) {
    (void)state;
    char *data;
    size_t size;
    assert_ok(err, sl_file_read(&data, &size, "/proc/self/status", 1 << 20, &err));
    assert_true(size > 100);
    sl_free(data);
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "limit of 100000", sl_file_read(&data, &size, "/dev/zero", 100000, &err));
    size_t whole;
    assert_ok(err, sl_file_read(&data, &whole, "/proc/version", 1 << 20, &err)); /* the same each time */
    sl_free(data);
    assert_ok(err, sl_file_read(&data, &size, "/proc/version", whole, &err));
    sl_free(data);
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "larger than the limit",
                 sl_file_read(&data, &size, "/proc/version", whole - 1, &err));
}

static void what_cannot_be_read_says_so(void **state) {
    (void)state;
    char *data;
    size_t size;
    struct sl_mapping mapping;
    struct sl_input_file reader;
    scratch_write("plain", "x");
    assert_fails(err, SL_NOT_FOUND, "no; No such file or directory", sl_file_read(&data, &size, "no", 10, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, ".; Is a directory", sl_file_read(&data, &size, ".", 10, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "plain/x; Not a directory",
                 sl_file_read(&data, &size, "plain/x", 10, &err));
    assert_fails(err, SL_NOT_FOUND, "no; No such file", sl_mapping_open(&mapping, "no", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, ".; Is a directory", sl_mapping_open(&mapping, ".", &err));
    assert_fails(err, SL_NOT_FOUND, "no; No such file", sl_input_file_open(&reader, "no", &err));
    sl_mapping_close(&mapping);
    sl_input_file_close(&reader);
}

static void a_mapping_shows_the_file(void **state) {
    (void)state;
    struct sl_mapping mapping;
    scratch_write("map", "mapped");
    assert_ok(err, sl_mapping_open(&mapping, "map", &err));
    assert_int_equal(mapping.size, 6);
    assert_memory_equal(mapping.data, "mapped", 6);
    sl_mapping_close(&mapping);
    sl_mapping_close(&mapping);
    scratch_write("map", "");
    assert_ok(err, sl_mapping_open(&mapping, "map", &err));
    assert_int_equal(mapping.size, 0);
    assert_non_null(mapping.data);
    sl_mapping_close(&mapping);
}

static void a_part_may_be_written(void **state) {
    (void)state;
    void *part, *other;
    scratch_write("part", "0123456789");
    assert_ok(err, sl_file_part_map(&part, "part", 3, 4, &err));
    assert_ok(err, sl_file_part_map(&other, "part", 0, 10, &err));
    assert_memory_equal(part, "3456", 4);
    memset(part, 'x', 4);
    assert_memory_equal(other, "0123456789", 10);
    assert_string_equal(scratch_read("part"), "0123456789");
    sl_file_part_unmap(part, 4);
    sl_file_part_unmap(other, 10);
    assert_fails(err, SL_OUT_OF_RANGE, "part; the file ends before", sl_file_part_map(&part, "part", 3, 8, &err));
    assert_fails(err, SL_OUT_OF_RANGE, "part; the file ends", sl_file_part_map(&part, "part", UINT64_MAX, 1, &err));
    assert_fails(err, SL_NOT_FOUND, "no; No such file", sl_file_part_map(&part, "no", 0, 1, &err));
}

static void a_reader_reads_anywhere(void **state) {
    (void)state;
    struct sl_input_file reader;
    char buffer[10];
    size_t got;
    scratch_write("read", "0123456789");
    assert_ok(err, sl_input_file_open(&reader, "read", &err));
    assert_ok(err, sl_input_file_read(&got, &reader, 3, buffer, 4, &err));
    assert_int_equal(got, 4);
    assert_memory_equal(buffer, "3456", 4);
    assert_ok(err, sl_input_file_read(&got, &reader, 8, buffer, 10, &err));
    assert_int_equal(got, 2);
    assert_ok(err, sl_input_file_read(&got, &reader, 10, buffer, 10, &err));
    assert_int_equal(got, 0);
    assert_ok(err, sl_input_file_read(&got, &reader, UINT64_MAX - 3, buffer, 10, &err));
    assert_int_equal(got, 0);
    sl_input_file_close(&reader);
    sl_input_file_close(&reader);
}

static void copy_and_count(void *context, void *to, const void *from, size_t n) {
    memcpy(to, from, n);
    *(size_t *)context += n;
}

/* A large write of `size` bytes behind `before` small ones, with one behind it; the file holds all of them.
 * `fail_at`: the system call that is refused as one past the cache may be. */
static void write_large(size_t before, size_t size, int fail_at) {
    struct sl_writer writer;
    char *bytes = malloc(before + size + 1), *data;
    size_t copied = 0, n;
    for (size_t i = 0; i < before + size + 1; i++) bytes[i] = (char)(i * 7 + i / 4096);
    assert_ok(err, sl_writer_open(&writer, "w", SL_WRITER_TRUNCATE, &err));
    assert_ok(err, sl_writer_write(&writer, bytes, before, &err));
    sl_fault_arm(fail_at, EINVAL, 0);
    assert_ok(err, sl_writer_write_large(&writer, bytes + before, size, copy_and_count, &copied, &err));
    sl_fault_disarm();
    assert_int_equal(copied, size);
    assert_int_equal(writer.position, before + size);
    assert_ok(err, sl_writer_write(&writer, bytes + before + size, 1, &err));
    assert_ok(err, sl_writer_sync(&writer, &err));
    assert_ok(err, sl_writer_close(&writer, &err));
    assert_ok(err, sl_file_read(&data, &n, "w", 64 << 20, &err));
    assert_int_equal(n, before + size + 1);
    assert_memory_equal(data, bytes, n);
    sl_free(data);
    free(bytes);
}

static void large_writes_go_past_the_cache(void **state) {
    (void)state;
    static const size_t before[] = {0, 1, 4095, 4096, 70000},
                        sizes[] = {0, 1, 4096, 9000, (4 << 20) + 1, (9 << 20) + 4095};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) write_large(before[i], sizes[k], 0);
    for (int fail_at = 1; fail_at < 5; fail_at++) write_large(4096, 9 << 20, fail_at + 1); /* the first is the flush */
    struct sl_writer writer;
    char bytes[9000] = {0};
    size_t copied = 0;
    assert_ok(err, sl_writer_open(&writer, "w", SL_WRITER_TRUNCATE, &err));
    sl_fault_arm(1, ENOSPC, 0);
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "w; ",
                 sl_writer_write_large(&writer, bytes, sizeof bytes, copy_and_count, &copied, &err));
    sl_fault_disarm();
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "earlier", sl_writer_sync(&writer, &err));
    sl_writer_abandon(&writer);
}

static void writers_truncate_or_append(void **state) {
    (void)state;
    struct sl_writer writer;
    assert_ok(err, sl_writer_open(&writer, "w", SL_WRITER_TRUNCATE, &err));
    assert_ok(err, sl_writer_write(&writer, "one", 3, &err));
    assert_string_equal(scratch_read("w"), ""); /* still in the buffer */
    assert_ok(err, sl_writer_flush(&writer, &err));
    assert_string_equal(scratch_read("w"), "one");
    assert_ok(err, sl_writer_write(&writer, "", 0, &err));
    assert_int_equal(writer.position, 3);
    assert_ok(err, sl_writer_close(&writer, &err));
    assert_ok(err, sl_writer_close(&writer, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "closed", sl_writer_write(&writer, "x", 1, &err));

    assert_ok(err, sl_writer_open(&writer, "w", SL_WRITER_APPEND, &err));
    assert_int_equal(writer.position, 3);
    assert_ok(err, sl_writer_write(&writer, "two", 3, &err));
    assert_ok(err, sl_writer_sync(&writer, &err));
    assert_int_equal(writer.position, 6);
    assert_ok(err, sl_writer_close(&writer, &err));
    assert_string_equal(scratch_read("w"), "onetwo");

    assert_ok(err, sl_writer_open(&writer, "w", SL_WRITER_TRUNCATE, &err));
    sl_writer_abandon(&writer);
    sl_writer_abandon(&writer);
    assert_string_equal(scratch_read("w"), "");
    assert_fails(err, SL_NOT_FOUND, "no/w; No such", sl_writer_open(&writer, "no/w", SL_WRITER_APPEND, &err));
    assert_fails(err, SL_NOT_FOUND, "no/w; No such", sl_writer_open(&writer, "no/w", SL_WRITER_ATOMIC, &err));
}

static void pieces_of_any_size_arrive_in_order(void **state) {
    (void)state;
    static char all[1000000];
    for (size_t i = 0; i < sizeof all; i++) all[i] = (char)(i % 251);
    struct sl_writer writer;
    assert_ok(err, sl_writer_open(&writer, "pieces", SL_WRITER_TRUNCATE, &err));
    size_t at = 0;
    for (size_t n = 1; at < sizeof all; n = n * 3 + 1) {
        if (n > 200000) n = 1;
        if (n > sizeof all - at) n = sizeof all - at;
        assert_ok(err, sl_writer_write(&writer, all + at, n, &err));
        at += n;
        assert_int_equal(writer.position, at);
    }
    assert_ok(err, sl_writer_close(&writer, &err));
    char *data;
    size_t size;
    assert_ok(err, sl_file_read(&data, &size, "pieces", sizeof all, &err));
    assert_int_equal(size, sizeof all);
    assert_memory_equal(data, all, sizeof all);
    sl_free(data);
}

static void an_atomic_writer_shows_nothing_before_its_end(void **state) {
    (void)state;
    mkdir("atomic", 0777);
    scratch_write("atomic/a", "old");
    struct sl_writer writer;
    assert_ok(err, sl_writer_open(&writer, "atomic/a", SL_WRITER_ATOMIC, &err));
    assert_ok(err, sl_writer_write(&writer, "new", 3, &err));
    assert_ok(err, sl_writer_sync(&writer, &err));
    assert_string_equal(scratch_read("atomic/a"), "old");
    assert_ok(err, sl_writer_close(&writer, &err));
    assert_string_equal(scratch_read("atomic/a"), "new");
    assert_string_equal(scratch_names("atomic"), "a ");

    assert_ok(err, sl_writer_open(&writer, "atomic/a", SL_WRITER_ATOMIC, &err));
    assert_ok(err, sl_writer_write(&writer, "never", 5, &err));
    sl_writer_abandon(&writer);
    assert_string_equal(scratch_read("atomic/a"), "new");
    assert_string_equal(scratch_names("atomic"), "a ");
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    struct sl_writer writer;
    assert_ok(err, sl_writer_open(&writer, "/dev/full", SL_WRITER_TRUNCATE, &err));
    assert_ok(err, sl_writer_write(&writer, "x", 1, &err));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "/dev/full; No space left on device", sl_writer_flush(&writer, &err));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "earlier write", sl_writer_write(&writer, "x", 1, &err));
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "earlier write", sl_writer_close(&writer, &err));
}

static void copies_are_equal(void **state) {
    (void)state;
    assert_ok(err, sl_file_copy("pieces", "copy", &err));
    assert_int_equal(system("cmp -s pieces copy"), 0);
    scratch_write("short", "short");
    assert_ok(err, sl_file_copy("short", "copy", &err));
    assert_string_equal(scratch_read("copy"), "short");
    assert_fails(err, SL_NOT_FOUND, "no; No such", sl_file_copy("no", "copy", &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "Is a directory", sl_file_copy("short", ".", &err));
}

/* ---- torture: the n-th system call fails, for every n ---- */

static int open_descriptors(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void every_failing_call_is_reported_and_cleaned_up(void **state) {
    (void)state;
    mkdir("torture", 0777);
    int before = open_descriptors();
    int64_t calls = 1000;
    for (int64_t n = 1; n <= calls + 1; n++) {
        scratch_write("torture/a", "old");
        sl_fault_arm(n, ENOSPC, 0);
        sl_code code = sl_file_write_atomic("torture/a", "fresh", 5, &err);
        calls = sl_fault_disarm();
        assert_int_equal(open_descriptors(), before);
        assert_string_equal(scratch_names("torture"), "a ");
        assert_int_equal(code, n <= calls ? SL_RESOURCE_EXHAUSTED : SL_OK);
        const char *text = scratch_read("torture/a");
        /* After the rename only the directory's sync is left to fail. */
        assert_true(strcmp(text, "fresh") == 0 || (code != SL_OK && strcmp(text, "old") == 0));
    }
    assert_true(calls >= 6); /* open, write, fsync, close, rename, open and fsync of the directory */
}

/* As on a disk that fills up: a write takes what fits, and the next one fails. */
static void a_write_that_takes_less_is_no_success(void **state) {
    (void)state;
    static char bytes[100000];
    struct rlimit old, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    struct sl_writer w;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 5000;
    assert_ok(err, sl_file_write("full", "old", 3, &err));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    sl_code atomic = sl_file_write_atomic("full", bytes, sizeof bytes, &err);
    sl_code plain = sl_file_write("cut", bytes, sizeof bytes, &err);
    sl_code piecewise = sl_writer_open(&w, "pieces", SL_WRITER_TRUNCATE, &err);
    for (int i = 0; i < 60 && piecewise == SL_OK; i++) piecewise = sl_writer_write(&w, bytes, 100, &err);
    if (piecewise == SL_OK) piecewise = sl_writer_close(&w, &err);
    else sl_writer_abandon(&w);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(atomic, SL_OUT_OF_RANGE);
    assert_int_equal(plain, SL_OUT_OF_RANGE);
    assert_int_equal(piecewise, SL_OUT_OF_RANGE);
    assert_reads("full", "old");
}

static void every_failing_read_is_reported(void **state) {
    (void)state;
    scratch_write("r", "text");
    int before = open_descriptors();
    int64_t calls = 1000;
    for (int64_t n = 1; n <= calls + 1; n++) {
        char *data = NULL;
        size_t size;
        sl_fault_arm(n, EIO, 0);
        sl_code code = sl_file_read(&data, &size, "r", 100, &err);
        calls = sl_fault_disarm();
        assert_int_equal(code, n <= calls ? SL_UNKNOWN : SL_OK);
        if (code != SL_OK) assert_string_equal(err.message, "r; Input/output error");
        sl_free(data);
        struct sl_mapping mapping;
        sl_fault_arm(n, EIO, 0);
        code = sl_mapping_open(&mapping, "r", &err);
        assert_int_equal(code, n <= sl_fault_disarm() ? SL_UNKNOWN : SL_OK);
        sl_mapping_close(&mapping);
        assert_int_equal(open_descriptors(), before);
    }
}

static void interrupted_calls_are_repeated(void **state) {
    (void)state;
    for (int n = 1; n <= 5; n++) {
        sl_fault_arm(n, EINTR, 0);
        sl_code code = sl_file_write("intr", "x", 1, &err);
        int64_t calls = sl_fault_disarm();
        if (n <= 2) { /* open, write */
            assert_int_equal(code, SL_OK);
            assert_int_equal(calls, 4);
        }
    }
}

static void a_process_that_dies_leaves_old_or_new(void **state) {
    (void)state;
    scratch_write("die", "old");
    int status = 0, died = 0;
    for (int n = 1; n < 50; n++) {
        pid_t child = fork();
        if (child == 0) {
            sl_fault_arm(0, 0, n);
            _exit(sl_file_write_atomic("die", "fresh", 5, NULL) == SL_OK ? 0 : 1);
        }
        waitpid(child, &status, 0);
        const char *text = scratch_read("die");
        assert_true(strcmp(text, "old") == 0 || strcmp(text, "fresh") == 0);
        if (WEXITSTATUS(status) == 0) break;
        assert_int_equal(WEXITSTATUS(status), SL_FAULT_EXIT);
        died++;
    }
    assert_true(died >= 6);
    assert_string_equal(scratch_read("die"), "fresh");
}

/* The environment is read by the first call of a process, so each row has its own. */
static int write_file(const char *path) { return (int)sl_file_write(path, "x", 1, NULL); }

static void the_environment_arms_faults(void **state) {
    (void)state;
    static const struct {
        const char *fail, *kill;
        int status;
    } rows[] = {{"1", "", SL_UNKNOWN},
                {"2:ENOSPC", "", SL_RESOURCE_EXHAUSTED},
                {"1:EACCES", "", SL_PERMISSION_DENIED},
                {"99", "", SL_OK},
                {"nonsense", "", SL_OK},
                {"", "2", SL_FAULT_EXIT},
                {"", "", SL_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pid_t child = fork();
        if (child == 0) {
            setenv("SLUICE_IO_FAIL", rows[i].fail, 1);
            setenv("SLUICE_IO_KILL", rows[i].kill, 1);
            execl("/proc/self/exe", "test", "env", (char *)NULL);
            _exit(100);
        }
        int status;
        waitpid(child, &status, 0);
        assert_int_equal(WEXITSTATUS(status), rows[i].status);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "env") == 0) return write_file("env");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errno_values_have_their_codes),
        cmocka_unit_test(a_file_is_read_whole),
        cmocka_unit_test(a_large_file_is_read_whole),
        cmocka_unit_test(a_declared_size_is_not_believed),
        cmocka_unit_test(what_cannot_be_read_says_so),
        cmocka_unit_test(a_mapping_shows_the_file),
        cmocka_unit_test(a_part_may_be_written),
        cmocka_unit_test(a_reader_reads_anywhere),
        cmocka_unit_test(writers_truncate_or_append),
        cmocka_unit_test(large_writes_go_past_the_cache),
        cmocka_unit_test(pieces_of_any_size_arrive_in_order),
        cmocka_unit_test(an_atomic_writer_shows_nothing_before_its_end),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(copies_are_equal),
        cmocka_unit_test(every_failing_call_is_reported_and_cleaned_up),
        cmocka_unit_test(a_write_that_takes_less_is_no_success),
        cmocka_unit_test(every_failing_read_is_reported),
        cmocka_unit_test(interrupted_calls_are_repeated),
        cmocka_unit_test(a_process_that_dies_leaves_old_or_new),
        cmocka_unit_test(the_environment_arms_faults),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
