/* The message room when memory runs out: every allocation of a whole round fails once, each in a process of its own,
 * since SLUICE_ALLOC_FAIL is read at a process's first allocation. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "unit/unit.h"

static char bytes[1 << 16], text[1 << 16];
static size_t byte_count, text_count;

static int read_files(void **state) {
    (void)state;
    FILE *file = fopen(SL_TEST_DATA "/proto/meta_graph.pb", "rb");
    byte_count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    file = fopen(SL_TEST_DATA "/proto/meta_graph.pbtxt", "rb");
    text_count = file ? fread(text, 1, sizeof text, file) : 0;
    if (file) fclose(file);
    return byte_count && text_count ? 0 : -1;
}

static sl_code round_of_everything(struct sl_arena *arena, struct sl_error *err) {
    const struct sl_pb_message *type = SL_PB_TYPE(MetaGraphDef);
    struct sl_pb_MetaGraphDef graph;
    struct sl_str out;
    SL_TRY(sl_pb_decode(&graph, type, (struct sl_str){bytes, byte_count}, arena, err));
    SL_TRY(sl_pb_encode(&out, type, &graph, SL_PB_SORT_MAPS, arena, err));
    SL_TRY(sl_pb_encode(&out, type, &graph, 0, NULL, err));
    sl_free((void *)out.p);
    SL_TRY(sl_pb_text_print(&out, type, &graph, 0, arena, err));
    SL_TRY(sl_pb_text_print(&out, type, &graph, SL_PB_ONE_LINE, NULL, err));
    sl_free((void *)out.p);
    return sl_pb_text_parse(&graph, type, (struct sl_str){text, text_count}, arena, err);
}

static int child(int fail_at) {
    char number[16];
    snprintf(number, sizeof number, "%d", fail_at);
    setenv("SLUICE_ALLOC_FAIL", number, 1);
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_error_clear(&err);
    sl_code code = round_of_everything(&arena, &err);
    sl_arena_clear(&arena);
    return code == SL_OK ? 0 : code == SL_RESOURCE_EXHAUSTED && err.code == code && err.message[0] ? 1 : 2;
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    int fail_at = 1, status = 1;
    for (; status; fail_at++) {
        fflush(NULL);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (!pid) exit(child(fail_at)); /* exit, so that a leak is reported */
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        status = WEXITSTATUS(status);
        if (status > 1) fail_msg("allocation %d: exit status %d", fail_at, status);
    }
    assert_in_range(fail_at, 20, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_may_fail)};
    return cmocka_run_group_tests(tests, read_files, NULL);
}
