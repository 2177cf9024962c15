/* Telling the formats of graphs apart by their first bytes: text from binary, MetaGraphs from graphs. Nothing is
 * decoded: a large file costs as much as a small one. */
#include <ctype.h>
#include <string.h>

#include "ckpt/coding.h"
#include "front/meta_graph.h"

/* Text has no control characters but white space near its beginning; a binary message begins with a field key. */
bool sl_is_graph_text(struct sl_str bytes) {
    size_t n = bytes.n < 512 ? bytes.n : 512;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes.p[i];
        if (c < 0x20 && c != '\n' && c != '\r' && c != '\t') return false;
    }
    return n > 0 && bytes.p[0] != '\n'; /* "\n" is the key of the first node */
}

/* The first word that is no comment. */
static struct sl_str first_word(struct sl_str text) {
    const char *at = text.p, *end = text.p + text.n;
    while (at < end && (isspace((unsigned char)*at) || *at == '#')) {
        const char *line = *at == '#' ? memchr(at, '\n', (size_t)(end - at)) : at;
        at = line ? line + 1 : end;
    }
    const char *begin = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_')) at++;
    return (struct sl_str){begin, (size_t)(at - begin)};
}

/* The contents of the first field of this number, which has a length; false when there is none before what makes no
 * sense. */
static bool find_field(struct sl_str *out, struct sl_str message, uint64_t number) {
    const char *at = message.p, *end = message.p + message.n;
    uint64_t key, n;
    while (at < end && sl_get_varint(&key, &at, end)) {
        if ((key & 7) == 2) {
            if (!sl_get_varint(&n, &at, end) || n > (uint64_t)(end - at)) return false;
            *out = (struct sl_str){at, (size_t)n};
            if (key >> 3 == number) return true;
        } else if ((key & 7) == 0) {
            if (!sl_get_varint(&n, &at, end)) return false;
            n = 0;
        } else {
            n = (key & 7) == 1 ? 8 : (key & 7) == 5 ? 4 : (uint64_t)-1;
            if (n > (uint64_t)(end - at)) return false;
        }
        at += n;
    }
    return false;
}

/* Whether the first field 1 is a node: it has a name and an op. In a MetaGraphDef it says where the graph is from:
 * if there is a field 2, that is a list of descriptions, which begins with a key. */
static bool is_node(struct sl_str first) {
    struct sl_str name, op;
    return find_field(&name, first, 1) && name.n && find_field(&op, first, 2) && op.n && (unsigned char)op.p[0] > ' ';
}

bool sl_begins_with_node(struct sl_str bytes) {
    struct sl_str first;
    return find_field(&first, bytes, 1) && is_node(first);
}

/* Whether the first field 2 is the graph of a MetaGraphDef, not a library: its first node has a name, where a
 * function has the message of its signature. */
static bool begins_with_graph(struct sl_str second) {
    struct sl_str item, name;
    return find_field(&item, second, 1) && find_field(&name, item, 1) && name.n && (unsigned char)name.p[0] > ' ';
}

bool sl_is_meta_graph(struct sl_str bytes) {
    static const char *const fields[] = {"meta_info_def", "graph_def",      "saver_def",       "collection_def",
                                         "signature_def", "asset_file_def", "object_graph_def"};
    struct sl_str part;
    if (sl_is_graph_text(bytes)) {
        struct sl_str word = first_word(bytes);
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (sl_str_is(word, fields[i])) return true;
        return false;
    }
    return !sl_begins_with_node(bytes) && find_field(&part, bytes, 2) && begins_with_graph(part);
}
