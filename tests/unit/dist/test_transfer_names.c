/* Names of transfers in graphs for workers: no two cuts of a session share one. */
#include "dist/transfer_names.h"

#include "proto/text_format.h"
#include "unit/unit.h"

static struct sl_error err;

static void names_differ_from_cut_to_cut(void **state) {
    (void)state;
    static const char text[] = "node { name: 'a' op: '_Recv' } node { name: 'add' op: 'AddV2' input: 'a' input: 'a:0' "
                               "input: 'ab' input: '^a' } node { name: 'add_1' op: '_Send' input: 'add' } "
                               "node { name: 'ab' op: 'Const' input: '^add_1' }";
    static const char *const wanted[] = {"_a_S7",  "add",       "_a_S7", "_a_S7:0", "ab",
                                         "^_a_S7", "_add_1_S7", "add",   "ab",      "^_add_1_S7"};
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    size_t k = 0;
    sl_arena_init(&arena);
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE_OF(GraphDef), sl_str_of(text), &arena, &err));
    assert_ok(err, sl_transfers_rename(&def, 7, &arena, &err));
    for (size_t i = 0; i < def.node.n; i++) {
        assert_true(sl_str_eq(def.node.items[i].name, sl_str_of(wanted[k++])));
        for (size_t n = 0; n < def.node.items[i].input.n; n++)
            assert_true(sl_str_eq(def.node.items[i].input.items[n], sl_str_of(wanted[k++])));
    }
    assert_int_equal(k, sizeof wanted / sizeof *wanted);
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_differ_from_cut_to_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
