/* Shape inference of single ops against rows recorded from TensorFlow 2.21: data/shapes/<family>.txt, in the form that
 * shape_row.h describes; "#" starts a comment. All rows that do not hold are listed before the test fails. */
#include "unit/ops/shape_row.h"

#include <dirent.h>
#include <stdio.h>

static int check_file(struct ops_fixture *f, const char *path, int *n_rows) {
    char line[4096];
    int n_failed = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("cannot open %s", path);
    while (fgets(line, sizeof line, file)) {
        struct shape_story story;
        line[strcspn(line, "\n")] = 0;
        number++;
        if (!line[0] || line[0] == '#') continue;
        shape_story_start(&story, f);
        ++*n_rows;
        if (!shape_row_holds(&story, line)) {
            print_error("%s:%d: %s\n    %s\n", path, number, line, story.message);
            n_failed++;
        }
        shape_story_end(&story);
    }
    fclose(file);
    return n_failed;
}

static void recorded_rows_hold(void **state) {
    char path[1024];
    int n_failed = 0, n_rows = 0;
    DIR *folder = opendir(SL_TEST_DATA "/shapes");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".txt")) continue;
        snprintf(path, sizeof path, "%s/shapes/%s", SL_TEST_DATA, entry->d_name);
        n_failed += check_file(*state, path, &n_rows);
    }
    closedir(folder);
    assert_true(n_rows > 1000);
    if (n_failed) fail_msg("%d of %d rows do not hold", n_failed, n_rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(recorded_rows_hold, ops_setup, ops_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
