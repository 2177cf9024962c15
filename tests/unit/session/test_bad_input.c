/* Bad input: graphs and runs from outside that are wrong, endless or far too large. Each ends with the code and the
 * words that tell why, under both engines; none crashes or hangs. Graphs are written as text and come in as bytes,
 * like those of a file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "proto/gen/messages.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api.h"
#include "unit/unit.h"

struct world {
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
};

static void expect(struct world *w, TF_Code code, const char *text) {
    if (TF_GetCode(w->status) != code || !strstr(TF_Message(w->status), text))
        fail_msg("got %d: %s\nwanted %d: ...%s...", (int)TF_GetCode(w->status), TF_Message(w->status), (int)code, text);
}

static void import(struct world *w, const char *text) {
    struct sl_arena arena;
    struct sl_error err = {0};
    struct sl_pb_GraphDef def;
    struct sl_str bytes;
    sl_arena_init(&arena);
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(text), &arena, &err));
    assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), &def, 0, &arena, &err));
    TF_Buffer *buffer = TF_NewBufferFromString(bytes.p, bytes.n);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(w->graph, buffer, options, w->status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    sl_arena_clear(&arena);
}

static void open_session(struct world *w, const char *engine) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    setenv("SLUICE_EXEC", engine, 1);
    w->session = TF_NewSession(w->graph, options, w->status);
    unsetenv("SLUICE_EXEC");
    TF_DeleteSessionOptions(options);
    expect(w, TF_OK, "");
}

static struct world new_world(void) { return (struct world){.graph = TF_NewGraph(), .status = TF_NewStatus()}; }

static void end(struct world *w) {
    if (w->session) TF_DeleteSession(w->session, w->status);
    if (w->graph) TF_DeleteGraph(w->graph);
    TF_DeleteStatus(w->status);
}

static TF_Output output(struct world *w, const char *name) {
    TF_Output port = {TF_GraphOperationByName(w->graph, name), 0};
    assert_non_null(port.oper);
    return port;
}

/* Fetches one value, for at most `milliseconds` (0: any time); it is returned when it is an int32, else 0. */
static int fetch(struct world *w, TF_Output port, int milliseconds, TF_Status *status) {
    unsigned char bytes[3] = {0x10, (unsigned char)(0x80 | (milliseconds & 0x7f)), (unsigned char)(milliseconds >> 7)};
    TF_Buffer *options = milliseconds ? TF_NewBufferFromString(bytes, sizeof bytes) : NULL;
    TF_Tensor *result = NULL;
    TF_SessionRun(w->session, options, NULL, NULL, 0, &port, &result, 1, NULL, 0, NULL, status);
    int value = result && TF_TensorType(result) == TF_INT32 ? *(int32_t *)TF_TensorData(result) : 0;
    if (TF_GetCode(status) != TF_OK) assert_null(result);
    if (result) TF_DeleteTensor(result);
    if (options) TF_DeleteBuffer(options);
    return value;
}

/* The graph is imported, and refused there or, at the latest, by the run of node "end" under either engine. */
static void refused(const char *text, TF_Code code, const char *message) {
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        import(&w, text);
        if (TF_GetCode(w.status) == TF_OK) {
            open_session(&w, engines[i]);
            fetch(&w, output(&w, "end"), 10000, w.status);
        }
        expect(&w, code, message);
        end(&w);
    }
}

/* Under either engine, nodes "counted" and "end", fetched by one run, have these values. */
static void gives(const char *text, int counted, int at_end) {
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        import(&w, text);
        expect(&w, TF_OK, "");
        open_session(&w, engines[i]);
        TF_Output both[2] = {output(&w, "counted"), output(&w, "end")};
        TF_Tensor *results[2] = {NULL, NULL};
        TF_SessionRun(w.session, NULL, NULL, NULL, 0, both, results, 2, NULL, 0, NULL, w.status);
        expect(&w, TF_OK, "");
        assert_int_equal(*(int32_t *)TF_TensorData(results[0]), counted);
        assert_int_equal(*(int32_t *)TF_TensorData(results[1]), at_end);
        TF_DeleteTensor(results[0]);
        TF_DeleteTensor(results[1]);
        end(&w);
    }
}

/* ---- pieces of graphs */

#define ATTR_TYPE(key, type) "attr { key: '" key "' value { type: " type " } } "
#define CONST(name, inputs, type, shape, value)                                                                        \
    "node { name: '" name "' op: 'Const' " inputs ATTR_TYPE("dtype", type) "attr { key: 'value' value { tensor { "     \
                                                                           "dtype: " type " tensor_shape { " shape     \
                                                                           " } " value " } } } } "
#define NODE(name, op, inputs, attrs) "node { name: '" name "' op: '" op "' " inputs " " attrs "} "
#define INT                           ATTR_TYPE("T", "DT_INT32")
#define IN(port)                      "input: '" port "' "
#define FRAME(name, parallel)                                                                                          \
    "attr { key: 'frame_name' value { s: '" name "' } } attr { key: 'parallel_iterations' value { i: " parallel " } "  \
    "} "
#define ZERO                               CONST("zero", "", "DT_INT32", "", "int_val: 0")
#define TRUE_IN_LOOP                       CONST("true", IN("^merge"), "DT_BOOL", "", "bool_val: true")
#define ENTER(name, from, frame, parallel) NODE(name, "Enter", IN(from), INT FRAME(frame, parallel))
#define LOOP_ENDS(merge)                                                                                               \
    NODE("go", "LoopCond", IN("true"), "")                                                                             \
    NODE("switch", "Switch", IN(merge) IN("go"), INT)                                                                  \
    NODE("end", "Exit", IN("switch"), INT)
#define ONE "attr { key: 'N' value { i: 1 } } "
#define TWO "attr { key: 'N' value { i: 2 } } "
#define ENDLESS                                                                                                        \
    ZERO ENTER("enter", "zero", "w", "10") NODE("merge", "Merge", IN("enter") IN("next"), INT TWO)                     \
        TRUE_IN_LOOP LOOP_ENDS("merge") NODE("next", "NextIteration", IN("switch:1"), INT)

/* ---- runs that ask for the wrong thing */

static void wrong_feeds_and_fetches(void **state) {
    (void)state;
    struct world w = new_world();
    import(&w, NODE("x", "Placeholder", "",
                    ATTR_TYPE("dtype", "DT_INT32") "attr { key: 'shape' value { shape { dim { size: 2 } } } } ")
                   NODE("end", "Neg", IN("x"), INT));
    expect(&w, TF_OK, "");
    open_session(&w, "");
    TF_Output x = output(&w, "x"), fetches[1] = {output(&w, "end")};
    const int64_t two = 2, three = 3;
    TF_Tensor *floats = TF_AllocateTensor(TF_FLOAT, &two, 1, 8), *longer = TF_AllocateTensor(TF_INT32, &three, 1, 12),
              *result;
    TF_SessionRun(w.session, NULL, &x, &floats, 1, fetches, &result, 1, NULL, 0, NULL, w.status);
    expect(&w, TF_INVALID_ARGUMENT, "fed a float tensor but expects int32");
    assert_null(result);
    TF_SessionRun(w.session, NULL, &x, &longer, 1, fetches, &result, 1, NULL, 0, NULL, w.status);
    expect(&w, TF_OK, ""); /* a fed shape is taken as it is: placeholders' shapes are for inference */
    assert_int_equal(TF_TensorElementCount(result), 3);
    TF_DeleteTensor(result);
    fetches[0].index = 1;
    fetch(&w, fetches[0], 0, w.status);
    expect(&w, TF_OUT_OF_RANGE, "does not have output 1");
    struct world other = new_world();
    import(&other, CONST("elsewhere", "", "DT_INT32", "", "int_val: 1"));
    fetch(&w, output(&other, "elsewhere"), 0, w.status);
    expect(&w, TF_INVALID_ARGUMENT, "Node elsewhere was not found in the graph");
    end(&other);
    TF_DeleteTensor(floats);
    TF_DeleteTensor(longer);
    end(&w);
}

/* ---- graphs that are no programs */

static void cycles_need_an_iteration(void **state) {
    (void)state;
    refused(NODE("a", "Identity", IN("end"), INT) NODE("end", "Identity", IN("a"), INT), TF_INVALID_ARGUMENT,
            "nodes in a cycle");
    refused(ZERO NODE("merge", "Merge", IN("zero") IN("end"), INT TWO) NODE("end", "Identity", IN("merge"), INT),
            TF_INVALID_ARGUMENT, "nodes in a cycle");
    refused(NODE("end", "NextIteration", IN("end"), INT), TF_INVALID_ARGUMENT, "1 nodes in a cycle");
}

static void loops_that_do_not_fit(void **state) {
    (void)state;
    /* a back edge that comes from nowhere */
    refused(ZERO ENTER("enter", "zero", "w", "10") NODE("merge", "Merge", IN("enter") IN("missing"), INT TWO)
                TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INVALID_ARGUMENT, "Node 'merge': Unknown input node 'missing'");
    /* a Merge of two frames, and one of a frame and the root */
    refused(ZERO ENTER("enter", "zero", "w", "10") ENTER("other", "zero", "v", "10")
                NODE("merge", "Merge", IN("enter") IN("other"), INT TWO) TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INVALID_ARGUMENT, "has inputs from different frames");
    refused(ZERO ENTER("enter", "zero", "w", "10") NODE("merge", "Merge", IN("enter") IN("zero"), INT TWO)
                TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INVALID_ARGUMENT, "has inputs from different frames");
    /* one frame below two */
    refused(ZERO ENTER("enter", "zero", "w", "10") ENTER("deeper", "enter", "w", "10")
                NODE("merge", "Merge", IN("enter") IN("deeper"), INT TWO) TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INTERNAL, "Mismatched parent frames for \"w\"");
    refused(ZERO ENTER("enter", "zero", "", "10") NODE("end", "Exit", IN("enter"), INT), TF_INVALID_ARGUMENT,
            "must have a frame name");
    /* a Merge with one input too few */
    refused(ZERO ENTER("enter", "zero", "w", "10") NODE("merge", "Merge", IN("enter"), INT TWO)
                TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INVALID_ARGUMENT, "NodeDef expected inputs 'int32, int32' do not match 1 inputs specified");
    /* a loop that goes on, to nowhere: nothing ever leaves it */
    refused(ZERO ENTER("enter", "zero", "w", "10") NODE("merge", "Merge", IN("enter"), INT ONE)
                TRUE_IN_LOOP LOOP_ENDS("merge"),
            TF_INVALID_ARGUMENT, "Retval[0] does not have value");
}

/* Counts from 0 to 5 in frame w; needs "true" to be what goes on. */
#define COUNTER                                                                                                        \
    ZERO CONST("seven", "", "DT_INT32", "", "int_val: 7") ENTER("enter", "zero", "w", "10")                            \
        NODE("merge", "Merge", IN("enter") IN("next"), INT TWO)                                                        \
            CONST("limit", IN("^merge"), "DT_INT32", "", "int_val: 5") CONST("one", IN("^merge"), "DT_INT32", "",      \
                                                                             "int_val: 1")                             \
                NODE("true", "Less", IN("merge") IN("limit"), INT) NODE("count", "Switch", IN("merge") IN("go"), INT)  \
                    NODE("more", "AddV2", IN("count:1") IN("one"), INT) NODE("next", "NextIteration", IN("more"), INT) \
                        NODE("counted", "Exit", IN("count"), INT)

/* The first Enter's parallel_iterations counts; another's may differ. */
static void frames_with_two_opinions(void **state) {
    (void)state;
    gives(COUNTER ENTER("again", "seven", "w", "1") NODE("other", "Merge", IN("again") IN("other_next"), INT TWO)
              LOOP_ENDS("other") NODE("double", "AddV2", IN("switch:1") IN("switch:1"), INT)
                  NODE("other_next", "NextIteration", IN("double"), INT),
          5, 7 * 32);
}

/* One Merge of a loop goes on, the other, with a condition of its own, stops after the first iteration. */
static void merges_that_disagree(void **state) {
    (void)state;
    gives(COUNTER ENTER("again", "seven", "w", "10") NODE("other", "Merge", IN("again") IN("other_next"), INT TWO)
              NODE("go", "LoopCond", IN("true"), "") CONST("stop", IN("^other"), "DT_BOOL", "", "bool_val: false")
                  NODE("split", "Switch", IN("other") IN("stop"), INT) NODE("end", "Exit", IN("split"), INT)
                      NODE("other_next", "NextIteration", IN("split:1"), INT),
          5, 7);
}

/* A result inside a loop: right when it is alive once, refused when it comes again. */
static void results_from_inside_a_loop(void **state) {
    (void)state;
    gives(COUNTER NODE("go", "LoopCond", IN("true"), "") NODE("end", "Identity", IN("count"), INT), 5, 5);
    refused(COUNTER NODE("go", "LoopCond", IN("true"), "") NODE("end", "Identity", IN("merge"), INT), TF_INTERNAL,
            "Retval[0] has already been set.\n\t [[{{node _retval_end_0_0}}]]");
}

static void args_and_rets_of_functions(void **state) {
    (void)state;
#define INDEX(i) INT "attr { key: 'index' value { i: " i " } } "
    refused(NODE("arg", "_Arg", "", INDEX("0")) NODE("end", "Identity", IN("arg"), INT), TF_INVALID_ARGUMENT,
            "GetArg 0 is not within [0, 0)\n\t [[{{node arg}}]]");
    refused(ZERO NODE("ret", "_Retval", IN("zero"), INDEX("7")) NODE("end", "Identity", IN("zero") IN("^ret"), INT),
            TF_INVALID_ARGUMENT, "SetRetval 7 is not within [0, 1)\n\t [[{{node ret}}]]");
    refused(ZERO NODE("ret", "_Retval", IN("zero"), INDEX("0")) NODE("end", "Identity", IN("zero") IN("^ret"), INT),
            TF_INVALID_ARGUMENT, "_Retval stands outside of a function\n\t [[{{node ret}}]]");
}

/* What a Switch goes by has to be a scalar: an empty one has nothing to go by, a longer one would be believed in
 * part. Of a feed nothing is known before it comes. */
static void choice_refused(const char *text, TF_DataType type, const char *node) {
    static const char *const engines[] = {"linear", "frames"}, *const says[] = {"[0]", "[1]", "[2]", "[0,1]"};
    static const int64_t dims[][2] = {{0}, {1}, {2}, {0, 1}};
    char message[128];
    for (int i = 0; i < 8; i++) {
        const int64_t count = dims[i / 2][0];
        struct world w = new_world();
        import(&w, text);
        expect(&w, TF_OK, "");
        open_session(&w, engines[i % 2]);
        TF_Output by = output(&w, "by"), end_of = output(&w, "end");
        TF_Tensor *fed =
            TF_AllocateTensor(type, dims[i / 2], i / 2 == 3 ? 2 : 1, (size_t)count * TF_DataTypeSize(type));
        TF_Tensor *result = NULL;
        if (count) memset(TF_TensorData(fed), 0, TF_TensorByteSize(fed));
        TF_SessionRun(w.session, NULL, &by, &fed, 1, &end_of, &result, 1, NULL, 0, NULL, w.status);
        snprintf(message, sizeof message, "The second input must be a scalar, but it has shape %s\n\t [[{{node %s}}]]",
                 says[i / 2], node);
        expect(&w, TF_INVALID_ARGUMENT, message);
        assert_null(result);
        TF_DeleteTensor(fed);
        end(&w);
    }
}

#define FED(type)                                                                                                      \
    NODE("by", "Placeholder", "",                                                                                      \
         ATTR_TYPE("dtype", type) "attr { key: 'shape' value { shape { unknown_rank: true } } } ")
#define BOOL     ATTR_TYPE("T", "DT_BOOL")
#define TWO_OUTS "attr { key: 'num_outs' value { i: 2 } } "
#define BRANCHES                                                                                                       \
    NODE("left", "Neg", IN("switch"), INT)                                                                             \
    NODE("right", "Square", IN("switch:1"), INT) NODE("end", "Merge", IN("left") IN("right"), INT TWO)

static void choices_that_are_no_scalars(void **state) {
    (void)state;
    choice_refused(ZERO FED("DT_BOOL") NODE("switch", "Switch", IN("zero") IN("by"), INT) BRANCHES, TF_BOOL, "switch");
    choice_refused(ZERO FED("DT_INT32") NODE("switch", "_SwitchN", IN("zero") IN("by"), INT TWO_OUTS) BRANCHES,
                   TF_INT32, "switch");
    choice_refused(ZERO FED("DT_BOOL") NODE("switch", "Switch", IN("zero") IN("by"), INT)
                       NODE("end", "Merge", IN("switch") IN("switch:1"), INT TWO),
                   TF_BOOL, "switch");
    choice_refused(ZERO FED("DT_BOOL") NODE("switch", "Switch", IN("zero") IN("by"), INT)
                       NODE("end", "Identity", IN("switch"), INT),
                   TF_BOOL, "switch");
    choice_refused(ZERO FED("DT_BOOL") ENTER("enter", "zero", "w", "10")
                       NODE("merge", "Merge", IN("enter") IN("next"), INT TWO)
                           NODE("true", "Enter", IN("by"),
                                BOOL FRAME("w", "10") "attr { key: 'is_constant' value { b: true } } ")
                               LOOP_ENDS("merge") NODE("next", "NextIteration", IN("switch:1"), INT),
                   TF_BOOL, "switch");
}

/* A kernel would read eight bytes an element where there is one. */
static void constants_of_another_type(void **state) {
    (void)state;
#define BYTES                                                                                                          \
    "attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'value' value { tensor { dtype: DT_INT8 "              \
    "tensor_shape { dim { size: 4 } } int_val: [1, 2, 3, 4] } } } "
    refused(NODE("bytes", "Const", "", BYTES)
                NODE("end", "Neg", IN("bytes"), "attr { key: 'T' value { type: DT_INT64 } } "),
            TF_INVALID_ARGUMENT, "Type mismatch between value (int8) and dtype (int64)");
}

/* ---- what does not end */

static void endless_loops_time_out(void **state) {
    (void)state;
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        import(&w, ENDLESS);
        expect(&w, TF_OK, "");
        open_session(&w, engines[i]);
        for (int again = 0; again < 2; again++) { /* the session lives on */
            fetch(&w, output(&w, "end"), 50, w.status);
            expect(&w, TF_DEADLINE_EXCEEDED, "Timed out");
        }
        fetch(&w, output(&w, "zero"), 0, w.status);
        expect(&w, TF_OK, "");
        end(&w);
    }
}

static void *run_end(void *arg) {
    struct world *w = arg;
    TF_Status *status = TF_NewStatus();
    fetch(w, output(w, "end"), 0, status);
    return status;
}

/* One kernel that takes far longer than the step may: its work is cut, and what came of it is not given out. */
static void long_kernels_time_out(void **state) {
    (void)state;
#define MANY CONST("shape", "", "DT_INT32", "dim { size: 1 }", "int_val: 16777216")
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        import(&w, MANY NODE("end", "RandomStandardNormal", IN("shape"), INT ATTR_TYPE("dtype", "DT_FLOAT")));
        expect(&w, TF_OK, "");
        open_session(&w, engines[i]);
        fetch(&w, output(&w, "end"), 5, w.status);
        expect(&w, TF_DEADLINE_EXCEEDED, "Timed out");
        fetch(&w, output(&w, "end"), 0, w.status);
        expect(&w, TF_OK, "");
        end(&w);
    }
}

static void closing_ends_a_loop(void **state) {
    (void)state;
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        pthread_t thread;
        void *status = NULL;
        import(&w, ENDLESS);
        open_session(&w, engines[i]);
        assert_int_equal(pthread_create(&thread, NULL, run_end, &w), 0);
        nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL); /* before or after the loop begins: the same end */
        TF_CloseSession(w.session, w.status);
        expect(&w, TF_OK, "");
        assert_int_equal(pthread_join(thread, &status), 0);
        if (TF_GetCode(status) != TF_CANCELLED) fail_msg("%d: %s", (int)TF_GetCode(status), TF_Message(status));
        TF_DeleteStatus(status);
        end(&w);
    }
}

/* A function that calls itself: `again` is the call, without its name; `result` its output. */
#define FOREVER(again, result)                                                                                         \
    "library { function { signature { name: 'forever' input_arg { name: 'x' type: DT_INT32 } "                         \
    "output_arg { name: 'y' type: DT_INT32 } } node_def { name: 'again' input: 'x' " again                             \
    "} ret { key: 'y' value: 'again:" result ":0' } } } "
#define BY_NAME "op: 'forever' "
#define BY_ATTR                                                                                                        \
    "op: 'PartitionedCall' attr { key: 'f' value { func { name: 'forever' } } } "                                      \
    "attr { key: 'Tin' value { list { type: DT_INT32 } } } attr { key: 'Tout' value { list { type: DT_INT32 } } } "

static void endless_recursion(void **state) {
    (void)state;
    refused(ZERO "node { name: 'end' input: 'zero' " BY_NAME "} " FOREVER(BY_NAME, "y"), TF_RESOURCE_EXHAUSTED,
            "nested more than");
    refused(ZERO "node { name: 'end' input: 'zero' " BY_ATTR "} " FOREVER(BY_ATTR, "output"), TF_RESOURCE_EXHAUSTED,
            "nested more than");
}

/* Steps inside of steps on more threads than there are: each asks for helpers, and none may wait for one that does
 * not come. */
static void nested_steps_need_no_help(void **state) {
    (void)state;
#define FLOAT ATTR_TYPE("T", "DT_FLOAT")
#define FOUR  "attr { key: 'N' value { i: 4 } } "
#define CALL(name)                                                                                                     \
    "node { name: '" name "' input: 'square' op: 'StatefulPartitionedCall' attr { key: 'f' value { func { name: "      \
    "'products' } } } attr { key: 'Tin' value { list { type: DT_FLOAT } } } "                                          \
    "attr { key: 'Tout' value { list { type: DT_FLOAT } } } } "
#define IN_BODY(name) "node_def { name: '" name "' op: 'MatMul' input: 'x' input: 'x' " FLOAT "} "
    struct world w = new_world();
    import(&w,
           CONST("square", "", "DT_FLOAT", "dim { size: 1 } dim { size: 1 }", "float_val: 2") CALL("a") CALL("b")
               CALL("c") CALL("d") NODE("sum", "AddN", IN("a") IN("b") IN("c") IN("d"), FLOAT FOUR)
                   NODE("end", "Cast", IN("sum"),
                        ATTR_TYPE("SrcT", "DT_FLOAT") ATTR_TYPE(
                            "DstT", "DT_INT32")) "library { function { signature { name: 'products' input_arg { name: "
                                                 "'x' type: DT_FLOAT } "
                                                 "output_arg { name: 'y' type: DT_FLOAT } } " IN_BODY("p") IN_BODY("q")
                                                     IN_BODY("r") IN_BODY(
                                                         "s") "node_def { name: 'add' op: 'AddN' input: 'p:product:0' "
                                                              "input: 'q:product:0' input: 'r:product:0' "
                                                              "input: 's:product:0' " FLOAT FOUR
                                                              "} ret { key: 'y' value: 'add:sum:0' } } }");
    expect(&w, TF_OK, "");
    open_session(&w, "frames");
    for (int i = 0; i < 300; i++) {
        assert_int_equal(fetch(&w, output(&w, "end"), 10000, w.status), 4 * 4 * 4);
        expect(&w, TF_OK, "");
    }
    end(&w);
}

/* ---- what is large */

static void long_chains(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    size_t size = (size_t)LENGTH * 120 + 1000, used;
    char *text = malloc(size);
    assert_non_null(text);
    used = (size_t)snprintf(text, size, "%s", CONST("n0", "", "DT_INT32", "", "int_val: 42"));
    for (int i = 1; i <= LENGTH; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "node { name: 'n%d' op: 'Neg' input: 'n%d' " INT "} ", i, i - 1);
    struct world w = new_world();
    import(&w, text);
    free(text);
    expect(&w, TF_OK, "");
    open_session(&w, "");
    int value = fetch(&w, output(&w, "n100000"), 0, w.status);
    expect(&w, TF_OK, "");
    assert_int_equal(value, 42);
    end(&w);
}

static void a_few_bytes_that_ask_for_much(void **state) {
    (void)state;
    refused(CONST("end", "", "DT_INT32", "dim { size: 1099511627776 }", "int_val: 1"), TF_RESOURCE_EXHAUSTED,
            "does not hold its elements");
    refused(CONST("end", "", "DT_INT32", "dim { size: 536870912 }", "int_val: 1"), TF_RESOURCE_EXHAUSTED,
            "does not hold its elements");
    refused(CONST("end", "", "DT_INT32", "dim { size: 4611686018427387904 } dim { size: 4 }", "int_val: 1"),
            TF_INVALID_ARGUMENT, "Encountered overflow when multiplying 4611686018427387904 with 4");
    refused(CONST("end", "", "DT_INT32", "dim { size: -2 }", "int_val: 1"), TF_INVALID_ARGUMENT,
            "has dimensions with values below -1");
}

/* ---- who lives how long, and many at once */

static void graphs_may_go_first(void **state) {
    (void)state;
    struct world w = new_world();
    import(&w, ENDLESS);
    open_session(&w, "");
    TF_Output end_of_loop = output(&w, "end"), zero = output(&w, "zero");
    TF_DeleteGraph(w.graph);
    w.graph = NULL;
    fetch(&w, zero, 0, w.status);
    expect(&w, TF_OK, "");
    fetch(&w, end_of_loop, 20, w.status);
    expect(&w, TF_DEADLINE_EXCEEDED, "Timed out");
    end(&w);
}

static void *run_many(void *arg) {
    struct world *w = arg;
    TF_Output x = output(w, "x"), ends[2] = {output(w, "end"), output(w, "y")};
    TF_Status *status = TF_NewStatus();
    intptr_t wrong = 0;
    for (int i = 0; i < 200; i++) {
        TF_Tensor *in = TF_AllocateTensor(TF_INT32, NULL, 0, 4), *out[2] = {NULL, NULL};
        *(int32_t *)TF_TensorData(in) = i;
        TF_SessionRun(w->session, NULL, &x, &in, 1, ends + i % 2, out, 1, NULL, 0, NULL, status);
        wrong += TF_GetCode(status) != TF_OK || *(int32_t *)TF_TensorData(out[0]) != (i % 2 ? 2 * i : -2 * i);
        if (out[0]) TF_DeleteTensor(out[0]);
        TF_DeleteTensor(in);
    }
    TF_DeleteStatus(status);
    return (void *)wrong;
}

static void eight_threads_share_a_session(void **state) {
    (void)state;
    enum { THREADS = 8 };
    static const char *const engines[] = {"linear", "frames"};
    for (int i = 0; i < 2; i++) {
        struct world w = new_world();
        pthread_t threads[THREADS];
        import(&w, NODE("x", "Placeholder", "", ATTR_TYPE("dtype", "DT_INT32")) NODE("y", "AddV2", IN("x") IN("x"), INT)
                       NODE("end", "Neg", IN("y"), INT));
        open_session(&w, engines[i]);
        for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, run_many, &w), 0);
        for (int t = 0; t < THREADS; t++) {
            void *wrong = NULL;
            assert_int_equal(pthread_join(threads[t], &wrong), 0);
            assert_null(wrong);
        }
        end(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_feeds_and_fetches),
        cmocka_unit_test(cycles_need_an_iteration),
        cmocka_unit_test(loops_that_do_not_fit),
        cmocka_unit_test(frames_with_two_opinions),
        cmocka_unit_test(merges_that_disagree),
        cmocka_unit_test(results_from_inside_a_loop),
        cmocka_unit_test(args_and_rets_of_functions),
        cmocka_unit_test(choices_that_are_no_scalars),
        cmocka_unit_test(constants_of_another_type),
        cmocka_unit_test(endless_loops_time_out),
        cmocka_unit_test(long_kernels_time_out),
        cmocka_unit_test(closing_ends_a_loop),
        cmocka_unit_test(endless_recursion),
        cmocka_unit_test(nested_steps_need_no_help),
        cmocka_unit_test(long_chains),
        cmocka_unit_test(a_few_bytes_that_ask_for_much),
        cmocka_unit_test(graphs_may_go_first),
        cmocka_unit_test(eight_threads_share_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
