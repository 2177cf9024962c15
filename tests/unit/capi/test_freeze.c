/* sl_freeze_session: what of a graph stays, and what cannot be frozen. That frozen models compute the same is shown
 * where models are made. */
#include "sluice/saved_model_file.h"
#include "unit/capi/capi_fixture.h"

static TF_Buffer *frozen(struct fixture *f, TF_Output in, TF_Output out) {
    TF_Session *session = new_session(f->graph, f->status);
    TF_Buffer *def = TF_NewBuffer();
    sl_freeze_session(def, session, &in, in.oper != NULL, &out, 1, f->status);
    TF_Status *ended = TF_NewStatus();
    TF_DeleteSession(session, ended);
    TF_DeleteStatus(ended);
    return def;
}

static TF_Operation *add(struct fixture *f, const char *op, const char *name, TF_Operation *waits_for) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, op, name);
    if (waits_for) TF_AddControlInput(d, waits_for);
    TF_Operation *made = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return made;
}

/* What is waited for is needed, and what that waits for; nothing else is. */
static void what_is_waited_for_stays(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), unused = placeholder(f->graph, f->status, "unused");
    unary(f->graph, f->status, "Neg", "elsewhere", unused);
    TF_Operation *first = add(f, "NoOp", "first", NULL), *second = add(f, "NoOp", "second", first);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Neg", "y");
    TF_AddInput(d, x);
    TF_AddControlInput(d, second);
    TF_Output y = {TF_FinishOperation(d, f->status), 0};
    TF_Buffer *def = frozen(f, x, y);
    assert_status_ok(f->status);
    TF_Graph *graph = TF_NewGraph();
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, def, options, f->status);
    assert_status_ok(f->status);
    assert_int_equal(count_operations(graph), 4);
    assert_int_equal(TF_OperationNumControlInputs(TF_GraphOperationByName(graph, "y")), 1);
    TF_Session *session = new_session(graph, f->status);
    const TF_Output in = {TF_GraphOperationByName(graph, "x"), 0}, out = {TF_GraphOperationByName(graph, "y"), 0};
    assert_int_equal(run_int(session, f->status, in, 4, out), -4);
    TF_DeleteSession(session, f->status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteBuffer(def);
}

static void what_cannot_be_frozen(void **state) {
    struct fixture *f = *state;
    TF_Output five = constant(f->graph, f->status, "five", 5);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Merge", "merge");
    TF_AddInputList(d, &five, 1);
    TF_Output second = {TF_FinishOperation(d, f->status), 1};
    TF_Output y = unary(f->graph, f->status, "Neg", "y", second);
    TF_DeleteBuffer(frozen(f, second, y));
    assert_status(f->status, TF_UNIMPLEMENTED, "the input merge:1 is not the first output of its node");
    d = TF_NewOperation(f->graph, "MutableHashTableV2", "table");
    TF_SetAttrType(d, "key_dtype", TF_INT64);
    TF_SetAttrType(d, "value_dtype", TF_INT64);
    TF_Output table = {TF_FinishOperation(d, f->status), 0};
    d = TF_NewOperation(f->graph, "LookupTableSizeV2", "size");
    TF_AddInput(d, table);
    TF_Output size = {TF_FinishOperation(d, f->status), 0};
    TF_DeleteBuffer(frozen(f, (TF_Output){NULL, 0}, size));
    assert_status(
        f->status, TF_UNIMPLEMENTED,
        "{{node table}} (MutableHashTableV2) is a resource that is no variable, so the graph cannot be frozen");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {TEST(what_is_waited_for_stays), TEST(what_cannot_be_frozen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
