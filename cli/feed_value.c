/* Which of its forms a value has is decided by its text: @FILE, the end of a file's name, else a literal. Arrays of
 * files are converted where nothing is lost. The shape is checked here, before anything runs. */
#include "feed_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "convert.h"
#include "file_bytes.h"
#include "foreign_file.h"
#include "npy.h"
#include "tensor_literal.h"

/* ---- inputs */

static bool is_checked(TF_Operation *op) {
    return is_placeholder(op) || !strcmp(TF_OperationOpType(op), "PlaceholderWithDefault");
}

static void read_shape(struct feed_input *in, TF_Graph *graph) {
    int64_t dims[64];
    TF_Status *status = must_have(TF_NewStatus());
    int rank = TF_GraphGetTensorNumDims(graph, in->output, status);
    if (rank >= 0 && rank <= FEED_RANK) {
        TF_GraphGetTensorShape(graph, in->output, dims, rank, status);
        if (TF_GetCode(status) == TF_OK) in->rank = rank;
    }
    for (int d = 0; d < in->rank; d++) in->dims[d] = dims[d];
    TF_DeleteStatus(status);
}

bool feed_input_find(struct feed_input *out, TF_Graph *graph, const struct loaded_model *model, const char *name) {
    const struct sl_model_port *port = model_input(model, name);
    *out = (struct feed_input){.name = name, .rank = -1};
    if (!find_output(&out->output, graph, &model->signature, port ? port->tensor : name)) return false;
    out->type = TF_OperationOutputType(out->output);
    if (port && port->num_dims >= 0 && port->num_dims <= FEED_RANK) {
        out->rank = port->num_dims;
        for (int d = 0; d < out->rank; d++) out->dims[d] = port->dims[d];
    } else if (is_checked(out->output.oper)) {
        read_shape(out, graph);
    }
    return true;
}

static void hint_feed(TF_Graph *graph, TF_Output input, const char *name, const TF_Output *feeds, int n_feeds) {
    char text[SHAPE_TEXT];
    for (int i = 0; i < n_feeds; i++)
        if (feeds[i].oper == input.oper) return;
    complain("input %s (%s) was not fed: --feed %s=VALUE", name, output_text(text, graph, input), name);
}

void hint_missing_feeds(const TF_Status *status, TF_Graph *graph, const struct loaded_model *model,
                        const TF_Output *feeds, int n_feeds) {
    const struct sl_model_signature *s = &model->signature;
    TF_Output input;
    size_t at = 0;
    if (!strstr(TF_Message(status), "You must feed a value for placeholder")) return;
    for (int i = 0; s->name && i < s->num_inputs; i++)
        if (find_output(&input, graph, NULL, s->inputs[i].tensor))
            hint_feed(graph, input, s->inputs[i].name, feeds, n_feeds);
    for (TF_Operation *op; !s->name && (op = TF_GraphNextOperation(graph, &at));)
        if (is_placeholder(op)) hint_feed(graph, (TF_Output){op, 0}, TF_OperationName(op), feeds, n_feeds);
}

/* ---- checks */

static const char *shape_text(char text[SHAPE_TEXT], TF_DataType type, int rank, const int64_t *dims) {
    int at = snprintf(text, SHAPE_TEXT, rank < 0 ? "%s of any shape" : "%s [", type_name(type));
    for (int d = 0; d < rank && at < SHAPE_TEXT - 32; d++)
        at += dims[d] < 0 ? snprintf(text + at, SHAPE_TEXT - (size_t)at, "%s?", d ? "," : "")
                          : snprintf(text + at, SHAPE_TEXT - (size_t)at, "%s%" PRId64, d ? "," : "", dims[d]);
    if (rank >= 0) snprintf(text + at, SHAPE_TEXT - (size_t)at, "]");
    return text;
}

static void complain_misfit(const struct feed_input *in, const TF_Tensor *t, const char *what) {
    char wanted[SHAPE_TEXT], got[SHAPE_TEXT];
    int64_t dims[64];
    int rank = TF_NumDims(t);
    for (int d = 0; d < rank && d < 64; d++) dims[d] = TF_Dim(t, d);
    complain("feed %s: the input takes %s, %s %s", in->name, shape_text(wanted, in->type, in->rank, in->dims), what,
             shape_text(got, TF_TensorType(t), rank, dims));
}

static bool fits(const struct feed_input *in, const TF_Tensor *t, int64_t batch) {
    if (in->rank < 0) return true;
    if (in->rank != TF_NumDims(t)) return false;
    for (int d = 0; d < in->rank; d++)
        if (in->dims[d] >= 0 && in->dims[d] != (d == 0 && batch ? batch : TF_Dim(t, d))) return false;
    return true;
}

/* One example, where the input takes a batch of them. */
static bool is_without_batch(const struct feed_input *in, const TF_Tensor *t) {
    if (in->rank < 2 || in->rank != TF_NumDims(t) + 1 || (in->dims[0] >= 0 && in->dims[0] != 1)) return false;
    for (int d = 1; d < in->rank; d++)
        if (in->dims[d] >= 0 && in->dims[d] != TF_Dim(t, d - 1)) return false;
    return TF_TensorType(t) == in->type;
}

/* The value as it is fed, or NULL with a message; takes `t`, which may be NULL, over. */
static TF_Tensor *checked(TF_Tensor *t, const struct feed_input *in, int64_t batch, bool is_file) {
    if (!t || (TF_TensorType(t) == in->type && fits(in, t, batch))) return t;
    complain_misfit(in, t, batch ? "the file holds" : "the value is");
    if (in->rank == 1 && TF_NumDims(t) == 0) complain("for a list of one: --feed '%s=[VALUE]'", in->name);
    else if (is_file && !batch && is_without_batch(in, t))
        complain("for a batch of one: numpy.save(FILE, array[None])");
    TF_DeleteTensor(t);
    return NULL;
}

/* ---- arrays of files */

static TF_Tensor *converted(TF_Tensor *t, const struct feed_input *in, const struct feed_rules *rules) {
    char why[CONVERT_WHY];
    if (TF_TensorType(t) == in->type || !tensor_converts(TF_TensorType(t), in->type)) return t;
    TF_Tensor *result = tensor_convert(t, in->type, rules->casts, why);
    if (!result)
        complain("feed %s: the input takes %s, the file holds %s: %s", in->name, type_name(in->type),
                 type_name(TF_TensorType(t)), why);
    TF_DeleteTensor(t);
    return result;
}

static TF_Tensor *read_array(const struct feed_input *in, const char *path, const char *bytes, size_t n,
                             const struct feed_rules *rules) {
    char why[NPY_WHY];
    TF_Tensor *t = npy_parse(bytes, n, why);
    if (!t) complain("%s: %s", path, n ? why : "the file is empty");
    return t ? converted(t, in, rules) : NULL;
}

/* ---- pictures */

static TF_Tensor *read_picture(const struct feed_input *in, const char *path, const char *bytes, size_t n,
                               const struct feed_rules *rules) {
    char text[PICTURE_TEXT];
    struct picture_input wanted = {in->type, in->rank, in->dims, rules->pixels};
    TF_Tensor *t = picture_decode(bytes, n, &wanted, text);
    complain("feed %s: %s: %s", in->name, path, text);
    return t;
}

/* ---- bytes */

static TF_Tensor *string_of(const char *bytes, size_t n) {
    TF_Tensor *t = must_have(TF_AllocateTensor(TF_STRING, NULL, 0, sizeof(TF_TString)));
    TF_TString_Init(TF_TensorData(t));
    TF_TString_Copy(TF_TensorData(t), bytes, n);
    return t;
}

/* Elements as they lie in memory, in the input's shape, of which one dimension may be open; a vector where the shape is
 * not known. */
static TF_Tensor *elements_of(const struct feed_input *in, const char *path, const char *bytes, size_t n) {
    size_t each = TF_DataTypeSize(in->type);
    int64_t dims[FEED_RANK] = {-1}, count = 1;
    int rank = in->rank < 0 ? 1 : in->rank, open = -1, n_open = 0;
    for (int d = 0; d < rank; d++) {
        if (in->rank >= 0) dims[d] = in->dims[d];
        if (dims[d] < 0) open = d, n_open++;
        else if (__builtin_mul_overflow(count, dims[d], &count)) count = 0;
    }
    bool fits_in = each && n_open < 2 && count && n % (each * (size_t)count) == 0;
    if (fits_in && n_open) dims[open] = (int64_t)(n / each) / count;
    if (!fits_in || (!n_open && n != each * (size_t)count)) {
        char text[SHAPE_TEXT];
        complain("feed %s: the %zu bytes of %s are no %s", in->name, n, path,
                 shape_text(text, in->type, in->rank, in->dims));
        return NULL;
    }
    TF_Tensor *t = must_have(TF_AllocateTensor(in->type, dims, rank, n));
    if (n) memcpy(TF_TensorData(t), bytes, n);
    return t;
}

static TF_Tensor *read_file(const struct feed_input *in, const char *path, bool is_raw,
                            const struct feed_rules *rules) {
    size_t n;
    char *bytes = file_read(path, &n);
    TF_Tensor *t;
    if (!bytes) return NULL;
    bool is_array = n > 6 && !memcmp(bytes, "\x93NUMPY", 6);
    if (is_raw && in->type == TF_STRING) t = string_of(bytes, n);
    else if (is_array) t = read_array(in, path, bytes, n, rules);
    else if (is_picture(bytes, n)) t = read_picture(in, path, bytes, n, rules);
    else if (is_raw) t = elements_of(in, path, bytes, n);
    else if (is_picture_name(path)) t = read_picture(in, path, bytes, n, rules);
    else t = read_array(in, path, bytes, n, rules);
    free(bytes);
    return t;
}

/* ---- literals */

static TF_Tensor *read_literal(const struct feed_input *in, const char *text) {
    char why[VALUE_WHY];
    bool is_file = !access(text, R_OK);
    TF_Tensor *t = value_parse(text, in->type, why);
    if (!t) complain("feed %s: %s", in->name, why);
    if (t && is_file) complain("feed %s: '%s' is fed as text; @%s feeds what is in that file", in->name, text, text);
    else if (is_file && !complain_foreign(text))
        complain("'%s' is a file: FILE.npy and pictures are fed as arrays, @%s as bytes", text, text);
    return t;
}

TF_Tensor *feed_value_read(const struct feed_input *in, const char *text, const struct feed_rules *rules,
                           int64_t batch) {
    const char *end = strrchr(text, '.');
    bool is_npy = end && !strcasecmp(end, ".npy"), is_file = is_npy || (is_picture_name(text) && in->type != TF_STRING);
    TF_Tensor *t = text[0] == '@' ? read_file(in, text + 1, true, rules)
                   : is_file      ? read_file(in, text, false, rules)
                                  : read_literal(in, text);
    return checked(t, in, is_npy ? batch : 0, is_npy);
}
