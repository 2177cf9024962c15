/* Reading and running of rows; a row that cannot be read does not hold. */
#include "unit/ops/shape_row.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void shape_story_start(struct shape_story *story, struct ops_fixture *f) {
    memset(story, 0, sizeof *story);
    story->f = f;
}

void shape_story_end(struct shape_story *story) {
    for (int i = 0; i < story->n_owned; i++) sl_tensor_unref(story->owned[i]);
    story->n_owned = story->n_nodes = 0;
}

static bool say(struct shape_story *story, const char *what, const char *where) {
    snprintf(story->message, sizeof story->message, "%s: %.200s", what, where);
    return false;
}

/* "[2,?]" or "?", moving `at` behind it. */
static bool read_shape(struct sl_shape *out, struct shape_story *story, const char **at) {
    int64_t dims[32];
    int rank = 0;
    *out = SL_SHAPE_UNKNOWN;
    if (**at == '?') {
        ++*at;
        return true;
    }
    if (*(*at)++ != '[') return false;
    while (**at && **at != ']' && rank < 32) {
        if (**at == '?') {
            dims[rank++] = -1;
            ++*at;
        } else {
            char *end;
            dims[rank++] = strtoll(*at, &end, 10);
            if (end == *at) return false;
            *at = end;
        }
        if (**at == ',') ++*at;
    }
    if (*(*at)++ != ']') return false;
    *out = sl_shape_copy(&story->f->arena, (struct sl_shape){rank, dims});
    return out->rank != -2;
}

static void set_element(struct sl_tensor *t, int64_t i, double value) {
    switch (t->dtype) {
    case SL_INT32: ((int32_t *)t->data)[i] = (int32_t)value; break;
    case SL_INT64: ((int64_t *)t->data)[i] = (int64_t)value; break;
    case SL_FLOAT: ((float *)t->data)[i] = (float)value; break;
    case SL_DOUBLE: ((double *)t->data)[i] = value; break;
    case SL_BOOL: ((bool *)t->data)[i] = value != 0; break;
    default: break;
    }
}

/* "int32[2]{3,-1}", "string[]{text}". */
static bool read_constant(struct sl_tensor **out, struct shape_story *story, const char **at) {
    struct sl_shape shape;
    const char *bracket = strchr(*at, '[');
    int dtype = bracket ? sl_dtype_from_name((struct sl_str){*at, (size_t)(bracket - *at)}) : 0;
    if (!dtype || story->n_owned == 256) return false;
    *at = bracket;
    if (!read_shape(&shape, story, at) || *(*at)++ != '{') return false;
    if (sl_tensor_new(out, dtype, shape, &story->f->err) != SL_OK) return false;
    story->owned[story->n_owned++] = *out;
    if (dtype == SL_STRING) {
        const char *end = strchr(*at, '}');
        if (!end || (*out)->count != 1) return false;
        struct sl_str text = {*at, (size_t)(end - *at)};
        *at = end + 1;
        return sl_string_set((*out)->data, text, &story->f->err) == SL_OK;
    }
    memset((*out)->data, 0, (*out)->bytes);
    for (int64_t i = 0; **at && **at != '}'; i++) {
        char *end;
        double value = strtod(*at, &end);
        if (end == *at || i >= (*out)->count) return false;
        set_element(*out, i, value);
        *at = *end == ',' ? end + 1 : end;
    }
    return *(*at)++ == '}';
}

static bool read_input(struct sl_shape *shape, struct sl_handle_data *handle, const struct sl_tensor **constant,
                       struct shape_story *story, const char **at) {
    char name[32];
    int n = 0, index = 0;
    struct sl_tensor *t;
    if (**at == '[' || **at == '?') return read_shape(shape, story, at);
    size_t length = strcspn(*at, " [:");
    for (int i = 0; i < story->n_nodes; i++) {
        const struct shape_node *node = &story->nodes[i];
        if (strlen(node->name) != length || strncmp(node->name, *at, length) != 0) continue;
        *at += length;
        if (**at == ':') sscanf(*at, ":%d%n", &index, &n);
        *at += n;
        if (index >= node->n_out) return false;
        *shape = node->shapes[index];
        *handle = node->handles[index];
        return true;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), *at);
    if (!read_constant(&t, story, at)) return say(story, "no such input", name);
    *shape = sl_tensor_shape(t);
    *constant = t;
    return true;
}

static const struct sl_tensor *constant_of(struct sl_shape_ctx *c, int i) {
    return ((struct shape_story *)c->graph)->constants[i];
}

static const char *print_outputs(struct shape_story *story, const struct shape_node *node) {
    char *text = sl_arena_format(&story->f->arena, "%s", "");
    for (int i = 0; i < node->n_out; i++) {
        char one[SL_SHAPE_TEXT];
        sl_shape_text(one, node->shapes[i]);
        text = sl_arena_format(&story->f->arena, "%s%s%s", text, i ? " " : "", node->shapes[i].rank < 0 ? "?" : one);
    }
    return text;
}

static bool compare(struct shape_story *story, const struct shape_node *node, sl_code code, const char *wanted) {
    const char *message = story->f->err.message;
    if (code != SL_OK) {
        bool is_wanted =
            wanted[0] == '!' && code == SL_INVALID_ARGUMENT && strstr(message, wanted + 1 + (wanted[1] == ' ')) != NULL;
        return is_wanted || say(story, "fails", message);
    }
    const char *got = print_outputs(story, node);
    return strcmp(got, wanted) == 0 || say(story, "got", got);
}

/* Cuts at the first `mark`; NULL when there is none. */
static char *cut(char *text, const char *mark) {
    char *found = strstr(text, mark);
    if (!found) return NULL;
    *found = 0;
    return found + strlen(mark);
}

bool shape_row_holds(struct shape_story *story, const char *row) {
    struct ops_fixture *f = story->f;
    char *text = sl_arena_format(&f->arena, "%s", row), *op_name = text, *equals = strstr(text, " = ");
    char *attrs_text = cut(text, " | "), *inputs = attrs_text ? cut(attrs_text, " | ") : NULL;
    char *wanted = inputs ? cut(inputs, "->") : NULL;
    struct shape_node node = {.name = ""};
    if (!wanted || story->n_nodes == SHAPE_ROW_NODES) return say(story, "not a row", row);
    wanted += *wanted == ' ';
    if (equals && equals < attrs_text) {
        *equals = 0;
        snprintf(node.name, sizeof node.name, "%s", text);
        op_name = equals + 3;
    }
    const struct sl_op *op = find_op(f, op_name);
    struct sl_attrs given = attrs_of(f, attrs_text), attrs;
    struct sl_signature signature;
    sl_error_clear(&f->err);
    if (sl_attrs_bind(&attrs, &f->arena, op, &given, SL_STR("node"), &f->err) ||
        sl_op_signature(&signature, &f->arena, op, &attrs, &f->err))
        return say(story, "attrs", f->err.message);

    struct sl_shape in[SHAPE_ROW_TENSORS];
    struct sl_handle_data handles[SHAPE_ROW_TENSORS] = {{0}};
    int n_in = 0;
    memset(story->constants, 0, sizeof story->constants);
    for (const char *at = inputs; *at;) {
        if (*at == ' ') {
            at++;
            continue;
        }
        if (n_in == SHAPE_ROW_TENSORS || !read_input(&in[n_in], &handles[n_in], &story->constants[n_in], story, &at))
            return say(story, "cannot read input", at);
        n_in++;
    }
    if (n_in != signature.n_inputs) return say(story, "another number of inputs", row);
    for (int i = 0; i < n_in; i++)
        if (story->constants[i] && story->constants[i]->dtype != sl_dtype_base(signature.inputs[i]))
            return say(story, "constant of another type", sl_dtype_name(signature.inputs[i]));

    node.n_out = signature.n_outputs;
    node.shapes = SL_ARENA_ARRAY(&f->arena, struct sl_shape, (size_t)node.n_out + 1);
    node.handles = SL_ARENA_ARRAY(&f->arena, struct sl_handle_data, (size_t)node.n_out + 1);
    for (int i = 0; i < node.n_out; i++) node.shapes[i] = SL_SHAPE_UNKNOWN;
    struct sl_shape_ctx c = {.op = op,
                             .attrs = &attrs,
                             .n_in = n_in,
                             .n_out = node.n_out,
                             .in_types = signature.inputs,
                             .out_types = signature.outputs,
                             .in = in,
                             .in_handles = handles,
                             .out = node.shapes,
                             .out_handles = node.handles,
                             .arena = &f->arena,
                             .err = &f->err,
                             .constant = constant_of,
                             .graph = story,
                             .graph_version = 2331};
    sl_code code = op->shape ? op->shape(&c) : SL_OK;
    if (!compare(story, &node, code, wanted)) return false;
    story->nodes[story->n_nodes++] = node;
    return true;
}
