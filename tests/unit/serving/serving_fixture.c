/* SavedModels as text, with placeholders for the factor. */
#include "unit/serving/serving_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "os/file.h"
#include "root/root.h"

#define TYPE(name, type)      "attr { key: '" name "' value { type: " type " } } "
#define NODE(name, op, extra) "node { name: '" name "' op: '" op "' " extra "} "
#define CONST(name, dtype, tensor)                                                                                     \
    NODE(name, "Const", TYPE("dtype", dtype) "attr { key: 'value' value { tensor { dtype: " dtype " " tensor " } } } ")
#define PORT(kind, name, tensor, dtype, dims)                                                                          \
    kind " { key: '" name "' value { name: '" tensor "' dtype: " dtype " tensor_shape { " dims "} } } "
#define SIGNATURE(name, method, ports)                                                                                 \
    "signature_def { key: '" name "' value { " ports "method_name: 'tensorflow/serving/" method "' } } "
#define DIM(n) "dim { size: " #n " } "

static const char model[] =
    "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def { " /* of serving_default */
    NODE("x", "Placeholder", TYPE("dtype", "DT_FLOAT")) CONST("factor", "DT_FLOAT", "tensor_shape { } float_val: %d")
        NODE("y", "Mul", "input: 'x' input: 'factor' " TYPE("T", "DT_FLOAT"))
    /* of both */
    NODE("pairs", "Placeholder", TYPE("dtype", "DT_FLOAT")) NODE("n", "Placeholder", TYPE("dtype", "DT_INT64"))
        NODE("pairs_out", "Identity", "input: 'pairs' " TYPE("T", "DT_FLOAT"))
            NODE("n_out", "Identity", "input: 'n' " TYPE("T", "DT_INT64"))
    /* of total */
    CONST("axes", "DT_INT32", "tensor_shape { dim { size: 1 } } int_val: 0")
        NODE("sum", "Sum", "input: 'x' input: 'axes' " TYPE("T", "DT_FLOAT") TYPE("Tidx", "DT_INT32"))
    /* of checked */
    NODE("checked", "CheckNumerics",
         "input: 'x' " TYPE("T", "DT_FLOAT") "attr { key: 'message' value { s: 'a bad row' } } ")
    /* of classify and regress */
    NODE("examples", "Placeholder",
         TYPE("dtype", "DT_STRING")) CONST("names", "DT_STRING",
                                           "tensor_shape { dim { size: 0 } }") CONST("key", "DT_STRING",
                                                                                     "tensor_shape { } string_val: 'x'")
        CONST("default", "DT_FLOAT", "tensor_shape { dim { size: 1 } } float_val: 0") NODE(
            "parsed", "ParseExample",
            "input: 'examples' input: 'names' input: 'key' input: 'default' "
            "attr { key: 'Nsparse' value { i: 0 } } attr { key: 'Ndense' value { i: 1 } } "
            "attr { key: 'sparse_types' value { list { } } } "
            "attr { key: 'Tdense' value { list { type: DT_FLOAT } } } "
            "attr { key: 'dense_shapes' value { list { shape { dim { size: 1 } } } } } ")
            NODE("scores", "Mul", "input: 'parsed' input: 'factor' " TYPE("T", "DT_FLOAT")) NODE(
                "classes", "AsString",
                "input: 'parsed' " TYPE(
                    "T",
                    "DT_FLOAT") "attr { key: 'precision' value { i: 1 } } ") "} " SIGNATURE("serving_default",
                                                                                            "predict",
                                                                                            PORT("inputs", "x", "x:0",
                                                                                                 "DT_FLOAT", DIM(-1))
                                                                                                PORT("outputs", "y",
                                                                                                     "y:0", "DT_FLOAT",
                                                                                                     DIM(-1)))
                SIGNATURE("both", "predict",
                          PORT("inputs", "x", "pairs:0", "DT_FLOAT", DIM(-1) DIM(2))
                              PORT("inputs", "n", "n:0", "DT_INT64", DIM(-1))
                                  PORT("outputs", "x", "pairs_out:0", "DT_FLOAT", DIM(-1) DIM(2))
                                      PORT("outputs", "n", "n_out:0", "DT_INT64", DIM(-1)))
                    SIGNATURE("total", "predict",
                              PORT("inputs", "x", "x:0", "DT_FLOAT", DIM(-1))
                                  PORT("outputs", "sum", "sum:0", "DT_FLOAT", ""))
                        SIGNATURE("checked", "predict",
                                  PORT("inputs", "x", "x:0", "DT_FLOAT", DIM(-1))
                                      PORT("outputs", "y", "checked:0", "DT_FLOAT", DIM(-1)))
                            SIGNATURE("classify", "classify",
                                      PORT("inputs", "inputs", "examples:0", "DT_STRING", DIM(-1))
                                          PORT("outputs", "classes", "classes:0", "DT_STRING", DIM(-1) DIM(1))
                                              PORT("outputs", "scores", "scores:0", "DT_FLOAT", DIM(-1) DIM(1)))
                                SIGNATURE("regress", "regress",
                                          PORT("inputs", "inputs", "examples:0", "DT_STRING", DIM(-1))
                                              PORT("outputs", "outputs", "scores:0", "DT_FLOAT", DIM(-1) DIM(1))) "}";

void folder_new(char folder[FOLDER_TEXT]) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    char *base = sl_path_join(&arena, sl_path_temporary_dir(), "sluice-serving");
    snprintf(folder, FOLDER_TEXT, "%s", sl_path_temporary(&arena, base));
    sl_arena_clear(&arena);
    assert_int_equal(sl_dir_create(folder, NULL), SL_OK);
}

void folder_remove(const char *folder) { assert_int_equal(sl_dir_remove_all(folder, NULL), SL_OK); }

void model_write(const char *folder, const char *name, int factor) {
    char from[2 * FOLDER_TEXT], to[2 * FOLDER_TEXT], file[3 * FOLDER_TEXT];
    size_t room = sizeof model + 32;
    char *text = malloc(room);
    snprintf(text, room, model, factor);
    snprintf(from, sizeof from, *name ? "%s/writing" : "%s", folder);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    snprintf(file, sizeof file, "%s/saved_model.pbtxt", from);
    if (*name) assert_int_equal(sl_dir_create(from, NULL), SL_OK);
    assert_int_equal(sl_file_write(file, text, strlen(text), NULL), SL_OK);
    if (*name) assert_int_equal(sl_file_rename(from, to, NULL), SL_OK);
    free(text);
}

static void tell(void *arg, const char *event, const char *text) {
    struct hosted *h = arg;
    sl_mutex_lock(&h->mutex);
    size_t n = strlen(h->told);
    snprintf(h->told + n, sizeof h->told - n, "%s %s\n", event, text);
    sl_mutex_unlock(&h->mutex);
}

void hosted_begin(struct hosted *h, const char *folder, const struct sl_batching *batching) {
    const struct sl_registries *registries;
    struct sl_error err;
    h->told[0] = 0;
    sl_mutex_init(&h->mutex);
    assert_ok(err, sl_root_registries(&registries, &err));
    struct sl_model_host_options options = {
        .registries = registries, .dir = folder, .name = "m", .tell = tell, .arg = h};
    if (batching) options.batching = *batching;
    assert_ok(err, sl_model_host_new(&h->host, &options, &err));
}

bool hosted_told(struct hosted *h, const char *text) {
    sl_mutex_lock(&h->mutex);
    bool is_there = strstr(h->told, text) != NULL;
    sl_mutex_unlock(&h->mutex);
    return is_there;
}

void hosted_end(struct hosted *h) {
    sl_model_host_free(h->host);
    sl_mutex_clear(&h->mutex);
}
