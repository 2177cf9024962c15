/* Registers the file system in memory and keeps everything there that the library writes: whole files, records,
 * checkpoints of both versions, event files, a SavedModel. And what a plug-in can do wrong. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/event_file.h"
#include "tensorflow/c/env.h"
#include "unit/capi/eager_words.h"

static TFE_Context *context;
static void *library; /* the plug-in */
static char *mode;    /* its switch */

static void register_in_mode(const char *wanted, TF_Status *s) {
    strcpy(mode, wanted);
    TF_RegisterFilesystemPlugin(PLUGIN, s);
    strcpy(mode, "");
}

static int set_up(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    TF_RegisterFilesystemPlugin(PLUGIN, s);
    assert_status_ok(s);
    library = dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD);
    mode = dlsym(library, "memory_plugin_mode");
    assert_non_null(mode);
    context = new_context();
    TF_DeleteStatus(s);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    void (*forget)(void);
    *(void **)&forget = dlsym(library, "memory_plugin_forget");
    forget();
    dlclose(library);
    TFE_DeleteContext(context);
    return 0;
}

/* ---- short words */

static TFE_TensorHandle *texts(const char *const *values, size_t n, bool is_scalar) {
    TF_Status *s = TF_NewStatus();
    const int64_t dim = (int64_t)n;
    TF_Tensor *t = TF_AllocateTensor(TF_STRING, &dim, is_scalar ? 0 : 1, n * sizeof(TF_TString));
    for (size_t i = 0; i < n; i++) TF_StringCopy((TF_TString *)TF_TensorData(t) + i, values[i], strlen(values[i]));
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    assert_status_ok(s);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
    return h;
}

/* An op that is given handles, which it takes over, up to a NULL one. `type_attr`: "dtypes", of one float. Returns its
 * first output or NULL; its code is in `s`. */
static TFE_TensorHandle *run_op(TF_Status *s, const char *name, TFE_TensorHandle *const *inputs,
                                const char *type_attr) {
    TFE_TensorHandle *out[2] = {NULL, NULL};
    int n = 2;
    const TF_DataType type = TF_FLOAT;
    TFE_Op *op = TFE_NewOp(context, name, s);
    assert_status_ok(s);
    for (; *inputs; inputs++) {
        TFE_OpAddInput(op, *inputs, s);
        TFE_DeleteTensorHandle(*inputs);
        assert_status_ok(s);
    }
    if (type_attr && strcmp(type_attr, "dt") == 0) TFE_OpSetAttrType(op, type_attr, TF_FLOAT);
    else if (type_attr) TFE_OpSetAttrTypeList(op, type_attr, &type, 1);
    TFE_Execute(op, out, &n, s);
    TFE_DeleteOp(op);
    return TF_GetCode(s) == TF_OK && n ? out[0] : NULL;
}
#define OP(s, name, type_attr, ...) run_op(s, name, (TFE_TensorHandle *const[]){__VA_ARGS__, NULL}, type_attr)
#define TEXT(value)                 texts((const char *const[]){value}, 1, true)
#define TEXTS(...)                                                                                                     \
    texts((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), false)

static void write_text(struct fixture *f, const char *path, const char *text) {
    OP(f->status, "WriteFile", NULL, TEXT(path), TEXT(text));
}

/* The elements of a vector (or scalar) of strings, with a comma behind each. */
static char *joined(TFE_TensorHandle *h) {
    static char text[4096];
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    assert_status_ok(s);
    size_t used = 0;
    for (int64_t i = 0; i < TF_TensorElementCount(t); i++) {
        const TF_TString *e = (TF_TString *)TF_TensorData(t) + i;
        memcpy(text + used, TF_StringGetDataPointer(e), TF_StringGetSize(e));
        used += TF_StringGetSize(e);
        text[used++] = ',';
    }
    text[used] = 0;
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
    TFE_DeleteTensorHandle(h);
    return text;
}

#define assert_reads(f, path, wanted)                                                                                  \
    do {                                                                                                               \
        TFE_TensorHandle *read_ = OP((f)->status, "ReadFile", NULL, TEXT(path));                                       \
        assert_status_ok((f)->status);                                                                                 \
        assert_string_equal(joined(read_), wanted ",");                                                                \
    } while (0)

#define assert_matches(f, pattern, wanted)                                                                             \
    do {                                                                                                               \
        TFE_TensorHandle *found_ = OP((f)->status, "MatchingFiles", NULL, TEXT(pattern));                              \
        assert_status_ok((f)->status);                                                                                 \
        assert_string_equal(joined(found_), wanted);                                                                   \
    } while (0)

/* ---- whole files */

static void files_are_written_read_and_found(void **state) {
    struct fixture *f = *state;
    write_text(f, "memory://host/a/b/one.txt", "first");
    assert_status_ok(f->status);
    assert_reads(f, "memory://host/a/b/one.txt", "first");
    assert_reads(f, "memory://other//a/./c/../b/one.txt", "first"); /* the host is no part of the name */
    write_text(f, "memory://host/a/b/one.txt", "second");           /* in place of the first */
    write_text(f, "memory://host/a/b/two.txt", "");
    assert_reads(f, "memory://host/a/b/one.txt", "second");
    assert_reads(f, "memory://host/a/b/two.txt", "");
    assert_matches(f, "memory://host/a/*/t*.txt", "memory://host/a/b/two.txt,");
    assert_matches(f, "memory://host/a/b/*", "memory://host/a/b/one.txt,memory://host/a/b/two.txt,");
    assert_matches(f, "memory://host/a/b/one.txt", "memory://host/a/b/one.txt,");
    assert_matches(f, "memory://host/no/*", "");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/a/none")));
    assert_status(f->status, TF_NOT_FOUND, "/a/none");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/a")));
    assert_status(f->status, TF_FAILED_PRECONDITION, "a directory is no file");
}

static void schemes_that_nobody_serves(void **state) {
    struct fixture *f = *state;
    const char *wanted = "File system scheme 'foo' not implemented (file: 'foo://x')";
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("foo://x")));
    assert_status(f->status, TF_UNIMPLEMENTED, wanted);
    write_text(f, "foo://x", "text");
    assert_status(f->status, TF_UNIMPLEMENTED, wanted);
    assert_null(OP(f->status, "MatchingFiles", NULL, TEXT("foo://x*")));
    assert_status(f->status, TF_UNIMPLEMENTED, "'foo://x*'");
    assert_null(OP(f->status, "RestoreV2", "dtypes", TEXT("foo://x"), TEXTS("a"), TEXTS("")));
    assert_status(f->status, TF_UNIMPLEMENTED, "scheme 'foo'");
    assert_null(sl_event_writer_new("foo://logs", f->status));
    assert_status(f->status, TF_UNIMPLEMENTED, "scheme 'foo'");
    /* one letter, other characters: names of the machine's files */
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("f://x")));
    assert_status(f->status, TF_NOT_FOUND, "f://x; No such file");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("f-o://x")));
    assert_status(f->status, TF_NOT_FOUND, "f-o://x; No such file");
}

/* ---- checkpoints */

static void save(struct fixture *f, const char *prefix, float value) {
    OP(f->status, "SaveV2", "dtypes", TEXT(prefix), TEXTS("a"), TEXTS(""), scalar(value));
    assert_status_ok(f->status);
}

static float restore(struct fixture *f, const char *prefix, const char *name) {
    TFE_TensorHandle *h = OP(f->status, "RestoreV2", "dtypes", TEXT(prefix), TEXTS(name), TEXTS(""));
    assert_status_ok(f->status);
    return value_of(h);
}

static void bundles_are_saved_restored_and_merged(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) { /* anew, and over an old one */
        save(f, "memory://host/ckpt/model", (float)i);
        assert_float_equal(restore(f, "memory://host/ckpt/model", "a"), (float)i, 0);
    }
    OP(f->status, "SaveV2", "dtypes", TEXT("memory://host/parts/1"), TEXTS("b"), TEXTS(""), scalar(5));
    save(f, "memory://host/parts/0", 4);
    OP(f->status, "MergeV2Checkpoints", NULL, TEXTS("memory://host/parts/0", "memory://host/parts/1"),
       TEXT("memory://host/whole/model"));
    assert_status_ok(f->status);
    assert_float_equal(restore(f, "memory://host/whole/model", "a"), 4, 0);
    assert_float_equal(restore(f, "memory://host/whole/model", "b"), 5, 0);
    assert_matches(f, "memory://host/whole/*",
                   "memory://host/whole/model.data-00000-of-00002,memory://host/whole/model.data-00001-of-00002,"
                   "memory://host/whole/model.index,");
    assert_matches(f, "memory://host/ckpt/*.tmp", "");
}

static void large_tensors_are_written_in_pieces(void **state) {
    struct fixture *f = *state;
    enum { N = 3 << 20 };
    const int64_t dim = N;
    float *values = malloc(N * sizeof *values);
    for (int i = 0; i < N; i++) values[i] = (float)(i % 1000);
    OP(f->status, "SaveV2", "dtypes", TEXT("memory://host/large/model"), TEXTS("a"), TEXTS(""),
       floats(values, &dim, 1, N));
    assert_status_ok(f->status);
    TFE_TensorHandle *h =
        OP(f->status, "RestoreV2", "dtypes", TEXT("memory://host/large/model"), TEXTS("a"), TEXTS(""));
    assert_status_ok(f->status);
    TF_Tensor *t = TFE_TensorHandleResolve(h, f->status);
    assert_memory_equal(TF_TensorData(t), values, N * sizeof *values);
    TF_DeleteTensor(t);
    TFE_DeleteTensorHandle(h);
    free(values);
}

static void checkpoints_of_version_1(void **state) {
    struct fixture *f = *state;
    OP(f->status, "Save", "T", TEXT("memory://host/v1/model"), TEXTS("a"), scalar(7));
    assert_status_ok(f->status);
    TFE_TensorHandle *h = OP(f->status, "Restore", "dt", TEXT("memory://host/v1/mod*"), TEXT("a"));
    assert_status_ok(f->status);
    assert_float_equal(value_of(h), 7, 0);
}

/* ---- records */

/* Reads all of one file with a reader; the records are counted. */
static int count_records(struct fixture *f, const char *kind, const char *path) {
    TF_Status *s = f->status;
    TF_Graph *g = f->graph;
    TF_OperationDescription *d = TF_NewOperation(g, kind, kind);
    TF_Output reader = {TF_FinishOperation(d, s), 0};
    d = TF_NewOperation(g, "FIFOQueueV2", "queue");
    TF_SetAttrTypeList(d, "component_types", (TF_DataType[]){TF_STRING}, 1);
    TF_Output queue = {TF_FinishOperation(d, s), 0};
    TF_Output name = typed_placeholder(g, s, "name", TF_STRING);
    d = TF_NewOperation(g, "QueueEnqueueV2", "enqueue");
    TF_AddInput(d, queue);
    TF_AddInputList(d, &name, 1);
    TF_Operation *enqueue = TF_FinishOperation(d, s);
    d = TF_NewOperation(g, "QueueCloseV2", "close");
    TF_AddInput(d, queue);
    TF_Operation *close = TF_FinishOperation(d, s);
    d = TF_NewOperation(g, "ReaderReadV2", "read");
    TF_AddInput(d, reader);
    TF_AddInput(d, queue);
    TF_Output read = {TF_FinishOperation(d, s), 1};
    assert_status_ok(s);
    TF_Session *session = new_session(g, s);
    TF_Tensor *in = TF_AllocateTensor(TF_STRING, NULL, 0, sizeof(TF_TString)), *out = NULL;
    TF_StringCopy(TF_TensorData(in), path, strlen(path));
    const TF_Operation *targets[] = {enqueue, close};
    TF_SessionRun(session, NULL, &name, &in, 1, NULL, NULL, 0, targets, 1, NULL, s);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, targets + 1, 1, NULL, s);
    assert_status_ok(s);
    int n = 0;
    while (TF_SessionRun(session, NULL, NULL, NULL, 0, &read, &out, 1, NULL, 0, NULL, s), TF_GetCode(s) == TF_OK) {
        TF_DeleteTensor(out);
        n++;
    }
    TF_DeleteTensor(in);
    TF_Code why = TF_GetCode(s);
    char words[256];
    strncpy(words, TF_Message(s), sizeof words - 1);
    TF_DeleteSession(session, s);
    TF_SetStatus(s, why, words);
    return n;
}

static void events_are_records(void **state) {
    struct fixture *f = *state;
    struct sl_event_writer *writer = sl_event_writer_new("memory://host/logs/run", f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < 1000; i++) sl_event_writer_scalar(writer, "loss", i, 0.5f, f->status);
    assert_status_ok(f->status);
    sl_event_writer_flush(writer, f->status);
    assert_status_ok(f->status);
    sl_event_writer_delete(writer, f->status);
    assert_status_ok(f->status);
    TFE_TensorHandle *found = OP(f->status, "MatchingFiles", NULL, TEXT("memory://host/logs/run/events.out*"));
    char path[512];
    strncpy(path, joined(found), sizeof path - 1);
    path[strlen(path) - 1] = 0;
    assert_int_equal(count_records(f, "TFRecordReaderV2", path), 1001); /* the version comes first */
    assert_int_equal(TF_GetCode(f->status), TF_OUT_OF_RANGE);
}

static void readers_read(void **state) {
    struct fixture *f = *state;
    write_text(f, "memory://host/read/lines", "one\ntwo\nthree");
    assert_int_equal(count_records(f, "WholeFileReaderV2", "memory://host/read/lines"), 1);
}

static void lines_are_read(void **state) {
    struct fixture *f = *state;
    write_text(f, "memory://host/read/lines", "one\ntwo\nthree");
    assert_int_equal(count_records(f, "TextLineReaderV2", "memory://host/read/lines"), 3);
}

/* ---- a SavedModel */

static void models_are_loaded(void **state) {
    struct fixture *f = *state;
    TFE_TensorHandle *files =
        OP(f->status, "MatchingFiles", NULL,
           TEXTS(SL_TEST_DATA "/saved_model/main_op/*.pb*", SL_TEST_DATA "/saved_model/main_op/*/*"));
    assert_status_ok(f->status);
    TF_Tensor *names = TFE_TensorHandleResolve(files, f->status);
    for (int64_t i = 0; i < TF_TensorElementCount(names); i++) {
        const TF_TString *e = (TF_TString *)TF_TensorData(names) + i;
        char from[512], to[512];
        snprintf(from, sizeof from, "%.*s", (int)TF_StringGetSize(e), TF_StringGetDataPointer(e));
        snprintf(to, sizeof to, "memory://host/model%s", strstr(from, "main_op") + strlen("main_op"));
        OP(f->status, "WriteFile", NULL, TEXT(to), OP(f->status, "ReadFile", NULL, TEXT(from)));
        assert_status_ok(f->status);
    }
    TF_DeleteTensor(names);
    TFE_DeleteTensorHandle(files);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, "memory://host/model",
                                                       (const char *const[]){"serve"}, 1, f->graph, NULL, f->status);
    assert_status_ok(f->status);
    TF_Output words = {TF_GraphOperationByName(f->graph, "words/Read/ReadVariableOp"), 0};
    TF_Tensor *out = NULL;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &words, &out, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TF_StringGetSize(TF_TensorData(out)), 7); /* what the asset holds */
    TF_DeleteTensor(out);
    TF_DeleteSession(session, f->status);
    TF_DeleteSessionOptions(options);
}

/* ---- failures */

static void failures_have_the_words_of_the_plugin(void **state) {
    struct fixture *f = *state;
    write_text(f, "memory://host/f/x", "text");
    save(f, "memory://host/f/model", 1);
    strcpy(mode, "open");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/f/x")));
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot open");
    strcpy(mode, "read");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/f/x")));
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot read");
    assert_int_equal(count_records(f, "TFRecordReaderV2", "memory://host/f/x"), 0);
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot read");
    strcpy(mode, "read too much");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/f/x")));
    assert_status(f->status, TF_INTERNAL, "memory://host/f/x; the file system returned");
    strcpy(mode, "append");
    write_text(f, "memory://host/f/y", "text");
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot append");
    OP(f->status, "SaveV2", "dtypes", TEXT("memory://host/f/model"), TEXTS("a"), TEXTS(""), scalar(2));
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot append");
    strcpy(mode, "close");
    write_text(f, "memory://host/f/y", "text");
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot close");
    strcpy(mode, "list");
    assert_null(OP(f->status, "MatchingFiles", NULL, TEXT("memory://host/f/*")));
    assert_status(f->status, TF_UNAVAILABLE, "the memory cannot list");
    strcpy(mode, "list badly");
    assert_null(OP(f->status, "MatchingFiles", NULL, TEXT("memory://host/f/*")));
    assert_status(f->status, TF_INTERNAL, "returned a list of -1 names");
    strcpy(mode, "silent");
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("memory://host/f/x")));
    assert_status(f->status, TF_DATA_LOSS, "The file system of 'memory' fails without a reason");
    strcpy(mode, "");
    assert_float_equal(restore(f, "memory://host/f/model", "a"), 1, 0); /* the old one is still there */
    assert_matches(f, "memory://host/f/*.tmp", "");
}

static void plugins_that_are_refused(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *mode;
        TF_Code code;
        const char *words;
    } cases[] = {
        {"", TF_ALREADY_EXISTS, "File system for memory already registered"},
        {"no scheme", TF_INVALID_ARGUMENT, "`nullptr` URI scheme"},
        {"odd scheme", TF_INVALID_ARGUMENT, "'a b' is no scheme"},
        {"no schemes", TF_FAILED_PRECONDITION, "has no schemes"},
        {"no free", TF_FAILED_PRECONDITION, "has no functions for memory"},
        {"abi", TF_FAILED_PRECONDITION, "Plugin ABI (1) for filesystem operations doesn't match expected core ABI (0)"},
        {"reader abi", TF_FAILED_PRECONDITION, "Plugin ABI (1) for random access file operations"},
        {"no table", TF_FAILED_PRECONDITION, "Trying to register filesystem without operations"},
        {"no init", TF_FAILED_PRECONDITION, "without `init` operation"},
        {"no cleanup", TF_FAILED_PRECONDITION, "without `cleanup` operation"},
        {"no reader", TF_FAILED_PRECONDITION, "allows creation of random access files but no operations"},
        {"no reader cleanup", TF_FAILED_PRECONDITION, "without `cleanup` operation on random access files"},
        {"no writer", TF_FAILED_PRECONDITION, "allows creation of writable files but no operations"},
        {"no writer cleanup", TF_FAILED_PRECONDITION, "without `cleanup` operation on writable files"},
        {"no regions", TF_FAILED_PRECONDITION, "allows creation of readonly memory regions but no operations"},
        {"no region data", TF_FAILED_PRECONDITION, "without `data` operation on read only memory regions"},
        {"start", TF_UNAVAILABLE, "the memory cannot start"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        register_in_mode(cases[i].mode, f->status);
        assert_status(f->status, cases[i].code, cases[i].words);
    }
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("broken://host/x")));
    assert_status(f->status, TF_UNIMPLEMENTED, "scheme 'broken' not implemented");
    TF_RegisterFilesystemPlugin("/no/such/library.so", f->status);
    assert_status(f->status, TF_NOT_FOUND, "/no/such/library.so");
    TF_RegisterFilesystemPlugin(OTHER_PLUGIN, f->status); /* one of ops */
    assert_status(f->status, TF_NOT_FOUND, "TF_InitPlugin");
    TF_RegisterFilesystemPlugin(NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "needs a file name");
}

/* A table that ends early, and one without what has a substitute. */
static void plugins_with_few_functions(void **state) {
    struct fixture *f = *state;
    register_in_mode("few functions", f->status);
    assert_status_ok(f->status);
    assert_null(OP(f->status, "ReadFile", NULL, TEXT("few://host/x")));
    assert_status(f->status, TF_UNIMPLEMENTED, "The file system of 'few' does not read files (file: 'few://host/x')");
    write_text(f, "few://host/x", "text");
    assert_status(f->status, TF_UNIMPLEMENTED, "The file system of 'few' does not write files");
    assert_null(OP(f->status, "MatchingFiles", NULL, TEXT("few://host/*")));
    assert_status(f->status, TF_UNIMPLEMENTED, "does not list directories");

    register_in_mode("plain functions", f->status); /* no regions, no renaming, no path_exists; its own names */
    assert_status_ok(f->status);
    save(f, "plain://model", 3);
    assert_float_equal(restore(f, "plain://model", "a"), 3, 0);
    assert_matches(f, "memory:///plain-*", "memory:///plain-model.data-00000-of-00001,memory:///plain-model.index,");
}

/* What has a substitute is asked for where it is there. */
static void plugins_with_more_functions(void **state) {
    struct fixture *f = *state;
    int64_t files, dirs;
    register_in_mode("more functions", f->status);
    assert_status_ok(f->status);
    write_text(f, "more://host/top", "text"); /* no directory */
    write_text(f, "more://host/flat/x", "text");
    assert_status_ok(f->status);
    assert_matches(f, "more://host/flat/[x]*", "found,more://host/flat/[x]*,");
    TF_DeleteRecursively("more://host/flat", &files, &dirs, f->status);
    assert_status(f->status, TF_PERMISSION_DENIED, "the memory keeps all");
    assert_int_equal(files, 1);
    assert_int_equal(dirs, 1);
}

/* env.h, which plug-ins of ops use. */
static void other_plugins_have_the_files_too(void **state) {
    struct fixture *f = *state;
    TF_FileStatistics statistics;
    int64_t files, dirs;
    const char *name;
    TF_WritableFileHandle *file;
    write_text(f, "memory://host/env/deep/one", "text");
    TF_NewWritableFile("memory://host/env/two", &file, f->status);
    assert_status_ok(f->status);
    TF_AppendWritableFile(file, "12345", 5, f->status);
    TF_SyncWritableFile(file, f->status);
    TF_CloseWritableFile(file, f->status);
    assert_status_ok(f->status);
    TF_FileStat("memory://host/env/two", &statistics, f->status);
    assert_int_equal(statistics.length, 5);
    assert_false(statistics.is_directory);
    TF_StringStream *names = TF_GetChildren("memory://host/env/", f->status);
    assert_true(TF_StringStreamNext(names, &name));
    assert_string_equal(name, "deep");
    assert_true(TF_StringStreamNext(names, &name));
    assert_string_equal(name, "two");
    assert_false(TF_StringStreamNext(names, &name));
    TF_StringStreamDone(names);
    TF_CreateDir("memory://host/env", f->status);
    assert_status(f->status, TF_ALREADY_EXISTS, "/env");
    TF_DeleteDir("memory://host/env", f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "not empty");
    TF_DeleteRecursively("memory://host/env", &files, &dirs, f->status);
    assert_status_ok(f->status);
    TF_FileStat("memory://host/env", &statistics, f->status);
    assert_status(f->status, TF_NOT_FOUND, "/env");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(files_are_written_read_and_found),
        TEST(schemes_that_nobody_serves),
        TEST(bundles_are_saved_restored_and_merged),
        TEST(large_tensors_are_written_in_pieces),
        TEST(checkpoints_of_version_1),
        TEST(events_are_records),
        TEST(readers_read),
        TEST(lines_are_read),
        TEST(models_are_loaded),
        TEST(failures_have_the_words_of_the_plugin),
        TEST(plugins_that_are_refused),
        TEST(plugins_with_few_functions),
        TEST(plugins_with_more_functions),
        TEST(other_plugins_have_the_files_too),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
