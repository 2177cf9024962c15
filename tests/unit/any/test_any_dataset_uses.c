/* Ops that take datasets as wholes, or call functions on rows. */
#include "unit/any/one_node.h"

#include <stdio.h>

static struct bench *the_bench;

/* ---- MapDefun */

static sl_code plus(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    if (args[0].i64 == 13) return sl_fail(err, SL_DATA_LOSS, "thirteen");
    rets[0] = i64(args[0].i64 + args[1].i64);
    return SL_OK;
}
static struct fake_function functions[] = {{"plus", 2, 1, {SL_INT64, SL_INT64}, {SL_INT64}, plus, 0}};
static struct fake_functions fake;

static int setup(void **state) {
    if (bench_setup(state)) return -1;
    the_bench = *state;
    fake_functions_use(&fake, the_bench, functions, 1);
    return 0;
}

#define TYPES(key, types) "attr { key: '" key "' value { list { type: [" types "] } } } "
#define SHAPES            "attr { key: 'output_shapes' value { list { shape: { } } } } "
#define DEFUN(types)                                                                                                   \
    TYPES("Targuments", "DT_INT64")                                                                                    \
    TYPES("Tcaptured", "DT_INT64")                                                                                     \
    TYPES("output_types", types) SHAPES "attr { key: 'f' value { func { name: 'plus' } } }"

static void a_function_is_mapped_over_rows(void **state) {
    (void)state;
    take_and_expect(RUN(the_bench, "MapDefun", DEFUN("DT_INT64"), VEC_I64(1, 2, 3), i64(10)), "[3]", "11 12 13");
    take_and_expect(RUN(the_bench, "MapDefun", DEFUN("DT_INT64"), vec_i64(0, NULL), i64(10)), "[0]", "");
    REFUSED(the_bench, SL_DATA_LOSS, "thirteen", "MapDefun", DEFUN("DT_INT64"), VEC_I64(1, 13), i64(1));
    REFUSED(the_bench, SL_INVALID_ARGUMENT, "rank at least 1", "MapDefun", DEFUN("DT_INT64"), i64(1), i64(1));
    REFUSED(the_bench, SL_INVALID_ARGUMENT, "", "MapDefun", DEFUN("DT_INT32"), VEC_I64(1), i64(1));
}

/* ---- tables of datasets */

#define OF_PAIRS                                                                                                       \
    TYPES("Toutput_types", "DT_INT64, DT_INT64") "attr { key: 'output_shapes' value { list { shape: [{ }, { }] } } } "
#define TABLE "attr { key: 'key_dtype' value { type: DT_INT64 } } attr { key: 'value_dtype' value { type: DT_INT64 } } "
#define FIND  "attr { key: 'Tin' value { type: DT_INT64 } } attr { key: 'Tout' value { type: DT_INT64 } } "

static struct sl_value table(void) {
    struct sl_value t;
    assert_ok(the_bench->err, run_once(the_bench, &t, "AnonymousHashTable", TABLE, NULL, 0));
    return t;
}

static void a_dataset_fills_a_table(void **state) {
    (void)state;
    struct sl_value t = table(),
                    pairs = RUN(the_bench, "TensorSliceDataset", OF_PAIRS, VEC_I64(1, 2, 3), VEC_I64(10, 20, 30));
    assert_ok(the_bench->err,
              run_once(the_bench, NULL, "InitializeTableFromDataset", "", INPUTS(share(t), share(pairs))));
    take_and_expect(RUN(the_bench, "LookupTableFindV2", FIND, share(t), VEC_I64(3, 4), i64(-1)), "[2]", "30 -1");
    sl_value_clear(&t);
    t = table();
    struct sl_value batch = RUN(the_bench, "TensorDataset", OF_PAIRS, VEC_I64(1, 2), VEC_I64(10, 20));
    assert_ok(the_bench->err, run_once(the_bench, NULL, "InitializeTableFromDataset", "", INPUTS(share(t), batch)));
    take_and_expect(RUN(the_bench, "LookupTableFindV2", FIND, share(t), VEC_I64(2), i64(-1)), "[1]", "20");
    sl_value_clear(&t);
    sl_value_clear(&pairs);
    struct sl_value single = RUN(the_bench, "TensorDataset",
                                 TYPES("Toutput_types", "DT_INT64") "attr { key: 'output_shapes' value { list { shape: "
                                                                    "[{ }] } } } ",
                                 i64(1));
    REFUSED(the_bench, SL_INVALID_ARGUMENT, "2 components", "InitializeTableFromDataset", "", table(), single);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_function_is_mapped_over_rows),
                                       cmocka_unit_test(a_dataset_fills_a_table)};
    return cmocka_run_group_tests(tests, setup, bench_teardown);
}
