/* The `checkpoint` file: the latest, what is kept and what goes, paths, a directory that moves. */
#include "unit/unit.h"

#include <stdio.h>

#include "ckpt/checkpoint_state.h"
#include "os/file.h"
#include "unit/os/scratch.h"

static void keep_n(struct sl_checkpoint_state *s, int n, const struct sl_retention *retention, const char *expected) {
    struct sl_error err;
    char gone_text[256] = "", prefix[64];
    for (int i = 1; i <= n; i++) {
        const char *gone[8];
        size_t n_gone;
        snprintf(prefix, sizeof prefix, "dir/m-%d", i);
        assert_ok(err, sl_checkpoint_state_add(gone, &n_gone, s, prefix, 100 + 10 * i, retention, &err));
        for (size_t k = 0; k < n_gone; k++) strcat(strcat(gone_text, gone[k]), " ");
    }
    assert_string_equal(gone_text, expected);
}

static void the_oldest_go(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_checkpoint_state s;
    assert_ok(err, sl_checkpoint_state_init(&s, "dir", &err));
    keep_n(&s, 4, &(struct sl_retention){.max_to_keep = 2}, "dir/m-1 dir/m-2 ");
    assert_ok(err, sl_checkpoint_state_write(&s, false, &err));
    assert_string_equal(scratch_read("dir/checkpoint"), "model_checkpoint_path: \"m-4\"\n"
                                                        "all_model_checkpoint_paths: \"m-3\"\n"
                                                        "all_model_checkpoint_paths: \"m-4\"\n"
                                                        "all_model_checkpoint_timestamps: 130.0\n"
                                                        "all_model_checkpoint_timestamps: 140.0\n");
    sl_checkpoint_state_clear(&s);
    assert_ok(err, sl_checkpoint_state_read(&s, "dir", &err));
    assert_int_equal(s.kept.n, 2);
    assert_string_equal(s.kept.items[0].prefix, "dir/m-3");
    assert_true(s.kept.items[1].time == 140);
    keep_n(&s, 3, &(struct sl_retention){0}, ""); /* m-3 gives way to itself */
    assert_int_equal(s.kept.n, 4);
    assert_string_equal(s.kept.items[3].prefix, "dir/m-3");
    sl_checkpoint_state_clear(&s);
}

static void some_stay_for_good(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_checkpoint_state s;
    assert_ok(err, sl_checkpoint_state_init(&s, "dir", &err));
    s.last_preserved = 95;
    keep_n(&s, 6, &(struct sl_retention){.max_to_keep = 1, .keep_every_seconds = 20}, "dir/m-1 dir/m-3 dir/m-5 ");
    assert_true(s.last_preserved == 140); /* m-2 and m-4 stayed */
    sl_checkpoint_state_clear(&s);
}

static void the_latest_must_be_there(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_arena arena;
    const char *prefix;
    sl_arena_init(&arena);
    assert_fails(err, SL_NOT_FOUND, "nowhere/checkpoint", sl_checkpoint_latest(&prefix, "nowhere", &arena, &err));
    assert_ok(err, sl_dir_create_all("here", &err));
    scratch_write("here/checkpoint", "model_checkpoint_path: \"m\"\nall_model_checkpoint_paths: \"m\"\n");
    assert_fails(err, SL_NOT_FOUND, "There is no checkpoint here/m",
                 sl_checkpoint_latest(&prefix, "here", &arena, &err));
    scratch_write("here/m.index", "");
    scratch_write("here/m.data-00000-of-00001", "");
    scratch_write("here/m.meta", "");
    scratch_write("here/m-2.index", "");
    assert_ok(err, sl_checkpoint_latest(&prefix, "here", &arena, &err));
    assert_string_equal(prefix, "here/m");
    assert_ok(err, sl_file_rename("here", "there", &err)); /* paths are relative, so the directory may move */
    assert_ok(err, sl_checkpoint_latest(&prefix, "there", &arena, &err));
    assert_string_equal(prefix, "there/m");
    assert_ok(err, sl_checkpoint_remove("there/m", &err));
    assert_string_equal(scratch_names("there"), "checkpoint m-2.index ");
    scratch_write("there/m-00000-of-00002", ""); /* shards of version 1 */
    assert_ok(err, sl_checkpoint_latest(&prefix, "there", &arena, &err));
    assert_ok(err, sl_checkpoint_remove("there/m", &err));
    assert_string_equal(scratch_names("there"), "checkpoint m-2.index ");
    scratch_write("there/checkpoint", "nonsense {");
    assert_fails(err, SL_INVALID_ARGUMENT, "there/checkpoint", sl_checkpoint_latest(&prefix, "there", &arena, &err));
    scratch_write("there/checkpoint", "");
    assert_fails(err, SL_DATA_LOSS, "names no checkpoint", sl_checkpoint_latest(&prefix, "there", &arena, &err));
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_go),
        cmocka_unit_test(some_stay_for_good),
        cmocka_unit_test(the_latest_must_be_there),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
