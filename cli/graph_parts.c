/* Fields of GraphDef: node 1; of NodeDef: name 1, op 2, input 3, device 4, attr 5. */
#include "graph_parts.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

static char *text_of(struct bytes b) {
    char *text = must_allocate(NULL, b.n + 1);
    if (b.n) memcpy(text, b.p, b.n);
    text[b.n] = 0;
    return text;
}

static void keep_field(struct message *m, const struct field *f, bool has_length) {
    if (has_length) message_bytes(m, (int)f->number, f->bytes.p, f->bytes.n);
    else message_number(m, (int)f->number, f->value);
}

static void add_input(struct part *p, char *input) {
    p->inputs = must_allocate(p->inputs, (size_t)(p->n_inputs + 1) * sizeof *p->inputs);
    p->inputs[p->n_inputs++] = input;
}

static void read_node(struct part *p, struct bytes def) {
    struct field f;
    *p = (struct part){0};
    while (next_field(&f, &def)) {
        if (f.number == 1) p->name = text_of(f.bytes);
        else if (f.number == 2) p->op = text_of(f.bytes);
        else if (f.number == 3) add_input(p, text_of(f.bytes));
        else if (f.number == 4) p->device = text_of(f.bytes);
        else keep_field(&p->rest, &f, true);
    }
    if (!p->name) p->name = must_have(strdup(""));
    if (!p->op) p->op = must_have(strdup(""));
}

void graph_parts_read(struct graph_parts *out, struct bytes graph_def) {
    struct field f;
    *out = (struct graph_parts){0};
    while (next_field(&f, &graph_def)) {
        if (f.number != 1) {
            keep_field(&out->rest, &f, f.bytes.p != NULL);
            continue;
        }
        out->nodes = must_allocate(out->nodes, (size_t)(out->n + 1) * sizeof *out->nodes);
        read_node(&out->nodes[out->n++], f.bytes);
    }
}

static void put_raw(struct message *to, const struct message *from) {
    if (!from->n) return;
    to->p = must_allocate(to->p, to->room = to->n + from->n);
    memcpy(to->p + to->n, from->p, from->n);
    to->n += from->n;
}

TF_Buffer *graph_parts_write(const struct graph_parts *g) {
    struct message all = {0};
    for (int i = 0; i < g->n; i++) {
        const struct part *p = &g->nodes[i];
        struct message node = {0};
        message_text(&node, 1, p->name);
        message_text(&node, 2, p->op);
        for (int k = 0; k < p->n_inputs; k++) message_text(&node, 3, p->inputs[k]);
        if (p->device) message_text(&node, 4, p->device);
        put_raw(&node, &p->rest);
        message_message(&all, 1, &node);
    }
    put_raw(&all, &g->rest);
    TF_Buffer *out = must_have(TF_NewBufferFromString(all.p ? all.p : (const void *)"", all.n));
    free(all.p);
    return out;
}

static struct message copy_message(const struct message *m) {
    struct message copy = {0};
    put_raw(&copy, m);
    return copy;
}

static struct part copy_part(const struct part *p) {
    struct part copy = {
        must_have(strdup(p->name)), must_have(strdup(p->op)), p->device ? must_have(strdup(p->device)) : NULL, NULL, 0,
        copy_message(&p->rest)};
    for (int i = 0; i < p->n_inputs; i++) add_input(&copy, must_have(strdup(p->inputs[i])));
    return copy;
}

struct graph_parts graph_parts_copy(const struct graph_parts *g) {
    struct graph_parts copy = {must_allocate(NULL, ((size_t)g->n + 1) * sizeof *copy.nodes), g->n,
                               copy_message(&g->rest)};
    for (int i = 0; i < g->n; i++) copy.nodes[i] = copy_part(&g->nodes[i]);
    return copy;
}

void part_clear(struct part *p) {
    for (int i = 0; i < p->n_inputs; i++) free(p->inputs[i]);
    free(p->inputs);
    free(p->name);
    free(p->op);
    free(p->device);
    free(p->rest.p);
    *p = (struct part){0};
}

void graph_parts_clear(struct graph_parts *g) {
    for (int i = 0; i < g->n; i++) part_clear(&g->nodes[i]);
    free(g->nodes);
    free(g->rest.p);
    *g = (struct graph_parts){0};
}

int graph_parts_find(const struct graph_parts *g, const char *name) {
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->nodes[i].name, name)) return i;
    return -1;
}

int graph_parts_source(int *slot, const struct graph_parts *g, const char *input) {
    const bool is_control = *input == '^';
    const char *name = input + is_control, *colon = strrchr(name, ':');
    const size_t n = colon ? (size_t)(colon - name) : strlen(name);
    *slot = is_control ? -1 : colon ? atoi(colon + 1) : 0;
    for (int i = 0; i < g->n; i++)
        if (strlen(g->nodes[i].name) == n && !memcmp(g->nodes[i].name, name, n)) return i;
    return -1;
}

void part_drop_input(struct part *p, int i) {
    free(p->inputs[i]);
    memmove(&p->inputs[i], &p->inputs[i + 1], (size_t)(--p->n_inputs - i) * sizeof *p->inputs);
}

void part_set_input(struct part *p, int i, const char *input) {
    char *copy = must_have(strdup(input));
    free(p->inputs[i]);
    p->inputs[i] = copy;
}

struct bytes part_attr(const struct part *p, const char *attr) {
    struct bytes rest = {p->rest.p, p->rest.n};
    struct field f;
    while (next_field(&f, &rest)) {
        const struct bytes key = bytes_of(f.bytes, 1);
        if (f.number == 5 && key.n == strlen(attr) && !memcmp(key.p, attr, key.n)) return bytes_of(f.bytes, 2);
    }
    return (struct bytes){NULL, 0};
}

/* TensorProto: dtype 1, tensor_shape 2, tensor_content 4, string_val 8. */
static void put_tensor(struct message *out, const TF_Tensor *value) {
    struct message shape = {0};
    message_number(out, 1, (uint64_t)TF_TensorType(value));
    for (int d = 0; d < TF_NumDims(value); d++) {
        struct message dim = {0};
        message_number(&dim, 1, (uint64_t)TF_Dim(value, d));
        message_message(&shape, 2, &dim);
    }
    message_message(out, 2, &shape);
    if (TF_TensorType(value) != TF_STRING) {
        message_bytes(out, 4, TF_TensorData(value), TF_TensorByteSize(value));
        return;
    }
    const TF_TString *texts = TF_TensorData(value);
    for (int64_t i = 0; i < TF_TensorElementCount(value); i++)
        message_bytes(out, 8, TF_StringGetDataPointer(&texts[i]), TF_StringGetSize(&texts[i]));
}

static void put_attr(struct message *node, const char *name, struct message *value) {
    struct message entry = {0};
    message_text(&entry, 1, name);
    message_message(&entry, 2, value);
    message_message(node, 5, &entry);
}

void part_set_value(struct part *p, const TF_Tensor *value) {
    struct message tensor = {0}, in_attr = {0}, type = {0};
    put_tensor(&tensor, value);
    message_message(&in_attr, 8, &tensor);
    message_number(&type, 6, (uint64_t)TF_TensorType(value));
    while (p->n_inputs) part_drop_input(p, p->n_inputs - 1);
    free(p->op);
    p->op = must_have(strdup("Const"));
    p->rest.n = 0;
    put_attr(&p->rest, "dtype", &type);
    put_attr(&p->rest, "value", &in_attr);
}
