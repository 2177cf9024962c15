/* The nodes of a GraphDef as an import sees them, from a message or from its bytes.
 *
 * Bytes are read once, in the order that every serializer keeps: name, op, inputs, device, then attrs and the rest,
 * all of which stay bytes. Most nodes of a large graph say the same from the attrs on as others of their op: such
 * nodes are of one kind, and only the first of a kind has its attrs decoded, checked and kept, for all of them. What
 * is not in this order, or not known here, is left to those who decode the whole message. */
#include "graph/import_bytes.h"

#include "base/hash.h"
#include "os/page.h"
#include "proto/wire.h"

enum { MOST_SHARED = 256 /* bytes of a kind that is looked for among those there are */ };

/* ---- a message */
sl_code sl_import_read_message(struct sl_import *im, const struct sl_pb_GraphDef *def) {
    im->n = def->node.n;
    im->library = def->library;
    im->versions = def->versions;
    im->entries = SL_ARENA_ARRAY(&im->scratch, struct sl_import_entry, im->n);
    struct sl_import_kind *kinds = SL_ARENA_ARRAY(&im->scratch, struct sl_import_kind, im->n);
    if (!im->entries || !kinds) return sl_fail_memory(im->err, im->n * sizeof *kinds);
    for (size_t i = 0; i < im->n; i++) {
        const struct sl_pb_NodeDef *node = &def->node.items[i];
        if (node->input.n > INT32_MAX)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "The GraphDef has more than %d inputs", INT32_MAX);
        im->entries[i] = (struct sl_import_entry){.name = node->name,
                                                  .kind = &kinds[i],
                                                  .inputs = node->input.items,
                                                  .n_inputs = (uint32_t)node->input.n & INT32_MAX};
        for (size_t k = 1; k < node->input.n; k++)
            im->entries[i].is_mixed |=
                sl_import_is_control(node->input.items[k - 1]) && !sl_import_is_control(node->input.items[k]);
        kinds[i] = (struct sl_import_kind){.def = node,
                                           .op_name = node->op,
                                           .wanted_device = node->device,
                                           .is_merge = sl_str_is(node->op, "Merge") || sl_str_is(node->op, "RefMerge"),
                                           .is_next = sl_str_is(node->op, "NextIteration") ||
                                                      sl_str_is(node->op, "RefNextIteration")};
    }
    return SL_OK;
}

/* ---- bytes */
struct sl_str sl_import_input(const struct sl_import *im, const void **at) {
    if (!im->is_bytes) {
        const struct sl_str *input = *at;
        *at = input + 1;
        return *input;
    }
    const uint8_t *p = (const uint8_t *)*at + 1; /* all of it was read before: it has a tag, a length and an end */
    size_t n = *p & 0x7f;
    for (int shift = 7; *p++ >= 0x80; shift += 7) n |= (size_t)(*p & 0x7f) << shift;
    *at = p + n;
    return (struct sl_str){(const char *)p, n};
}

static bool is_rest(struct sl_str rest) {
    struct sl_import_reader r = sl_import_reader_of(rest);
    struct sl_str field;
    while (r.p < r.end)
        if (!sl_import_field(&field, &r, SL_NODE_ATTR) && !sl_import_field(&field, &r, SL_NODE_DEBUG_INFO) &&
            !sl_import_field(&field, &r, SL_NODE_FULL_TYPE))
            return false;
    return true;
}

static struct sl_import_kind *new_kind(struct sl_import_kinds *kinds, struct sl_str op, struct sl_str device,
                                       struct sl_str rest) {
    if (!is_rest(rest) || !sl_utf8_valid(device)) return NULL;
    struct sl_import_kind *kind = SL_ARENA_NEW(&kinds->im->scratch, struct sl_import_kind);
    kinds->is_out_of_memory = !kind;
    if (!kind) return NULL;
    kind->op_name = op;
    kind->wanted_device = device;
    kind->rest = rest;
    kind->is_merge = sl_str_is(op, "Merge") || sl_str_is(op, "RefMerge");
    kind->is_next = sl_str_is(op, "NextIteration") || sl_str_is(op, "RefNextIteration");
    return kind;
}

struct sl_import_kind *sl_import_other_kind(struct sl_import_kinds *kinds, struct sl_str op, struct sl_str device,
                                            struct sl_str rest) {
    if (rest.n > MOST_SHARED) return new_kind(kinds, op, device, rest);
    uint32_t hash = sl_hash_name(rest.p, rest.n) ^ sl_hash_name(op.p, op.n);
    struct sl_import_kind **slot = &kinds->shared[hash % SL_IMPORT_SHARED];
    if (!*slot || !sl_import_is_of(*slot, op, device, rest)) *slot = new_kind(kinds, op, device, rest);
    return kinds->last = *slot;
}

static bool read_node(struct sl_import_entry *entry, struct sl_import_kinds *kinds, struct sl_str bytes) {
    struct sl_import_reader r = sl_import_reader_of(bytes);
    struct sl_str op, input, device = SL_STR("");
    *entry = (struct sl_import_entry){0};
    if (!sl_import_field(&entry->name, &r, SL_NODE_NAME) || !sl_import_field(&op, &r, SL_NODE_OP)) return false;
    entry->inputs = r.p;
    uint32_t n_inputs = 0;
    bool was_control = false;
    for (; sl_import_field(&input, &r, SL_NODE_INPUT); n_inputs++) {
        entry->is_mixed |= was_control && !sl_import_is_control(input);
        was_control = sl_import_is_control(input);
    }
    entry->n_inputs = n_inputs & INT32_MAX; /* the bytes are fewer */
    (void)sl_import_field(&device, &r, SL_NODE_DEVICE);
    entry->kind = sl_import_kind_of(kinds, op, device, (struct sl_str){(const char *)r.p, (size_t)(r.end - r.p)});
    return entry->kind != NULL;
}

/* The functions stay bytes, of which each makes its own message; what follows them is decoded here. */
static sl_code read_library(bool *is_usual, struct sl_import *im, struct sl_import_reader r) {
    struct sl_pb_FunctionDefLibrary *library = SL_ARENA_NEW(&im->scratch, struct sl_pb_FunctionDefLibrary);
    struct sl_str function;
    while (sl_import_field(&function, &r, SL_LIBRARY_FUNCTION))
        if (sl_vec_push(&im->functions, function)) return sl_fail_memory(im->err, sizeof function);
    if (!library) return sl_fail_memory(im->err, sizeof *library);
    struct sl_str rest = {(const char *)r.p, (size_t)(r.end - r.p)};
    *is_usual = sl_pb_decode(library, SL_PB_TYPE(FunctionDefLibrary), rest, &im->scratch, NULL) == SL_OK &&
                !library->function.n;
    im->library = library;
    return SL_OK;
}

/* What follows the nodes: the library and the versions. */
static sl_code read_end(bool *is_usual, struct sl_import *im, struct sl_import_reader r) {
    struct sl_pb_GraphDef *def = SL_ARENA_NEW(&im->scratch, struct sl_pb_GraphDef);
    struct sl_str library;
    if (!def) return sl_fail_memory(im->err, sizeof *def);
    if (sl_import_field(&library, &r, SL_GRAPH_LIBRARY))
        SL_TRY(read_library(is_usual, im, sl_import_reader_of(library)));
    struct sl_str rest = {(const char *)r.p, (size_t)(r.end - r.p)};
    *is_usual = *is_usual && sl_pb_decode(def, SL_PB_TYPE(GraphDef), rest, &im->scratch, NULL) == SL_OK &&
                !def->node.n && !def->library;
    im->versions = def->versions;
    return SL_OK;
}

sl_code sl_import_begin_bytes(bool *is_usual, struct sl_import *im, struct sl_str bytes) {
    struct sl_import_reader r = sl_import_reader_of(bytes);
    struct sl_str node;
    im->is_bytes = true;
    im->bytes = bytes;
    *is_usual = bytes.n <= INT32_MAX;
    if (!*is_usual) return SL_OK;
    while (sl_import_field(&node, &r, SL_GRAPH_NODE)) im->n++;
    return read_end(is_usual, im, r);
}

struct sl_import_kinds *sl_import_new_kinds(struct sl_import *im) {
    struct sl_import_kinds *kinds = SL_ARENA_NEW(&im->scratch, struct sl_import_kinds);
    if (kinds) kinds->im = im;
    return kinds;
}

sl_code sl_import_read_bytes(bool *is_usual, struct sl_import *im) {
    struct sl_import_reader r = sl_import_reader_of(im->bytes);
    struct sl_str node;
    im->entries = sl_arena_alloc(&im->scratch, im->n * sizeof *im->entries); /* n is less than the bytes are */
    struct sl_import_kinds *kinds = sl_import_new_kinds(im);
    if (!im->entries || !kinds) return sl_fail_memory(im->err, im->n * sizeof *im->entries);
    sl_pages_prepare(im->entries, im->n * sizeof *im->entries);
    for (size_t i = 0; i < im->n && *is_usual; i++)
        *is_usual = sl_import_field(&node, &r, SL_GRAPH_NODE) && read_node(&im->entries[i], kinds, node);
    return kinds->is_out_of_memory ? sl_fail_memory(im->err, sizeof(struct sl_import_kind)) : SL_OK;
}
