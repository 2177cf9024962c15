/* Two object-based checkpoints, matched with each other both ways: their object graphs as the input has them, with a
 * tensor for most of the keys that stand in them.
 *
 *     two bytes: the length of the first TrackableObjectGraph; that; the second one */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ckpt/bundle.h"
#include "ckpt/object_graph.h"
#include "proto/wire.h"

static char folder[] = "/tmp/sluice-fuzz-XXXXXX";

/* Every fifth key has no tensor; shapes follow from the keys. */
static void add_tensors(struct sl_bundle_writer *w, struct sl_str graph) {
    struct sl_arena arena;
    struct sl_pb_TrackableObjectGraph g;
    sl_arena_init(&arena);
    if (sl_pb_decode(&g, SL_PB_TYPE(TrackableObjectGraph), graph, &arena, NULL) == SL_OK)
        for (size_t n = 0, count = 0; n < g.nodes.n && n < 64; n++)
            for (size_t a = 0; a < g.nodes.items[n].attributes.n && a < 8; a++) {
                const struct sl_str key = g.nodes.items[n].attributes.items[a].checkpoint_key;
                const int64_t dims[] = {1 + (int64_t)key.n % 3};
                struct sl_tensor *t;
                if (++count % 5 == 0 ||
                    sl_tensor_new(&t, key.n % 2 ? SL_FLOAT : SL_INT32, (struct sl_shape){1, dims}, NULL))
                    continue;
                memset(t->data, 0, t->bytes);
                (void)sl_bundle_writer_add(w, key, t, NULL); /* it may be there already */
                sl_tensor_unref(t);
            }
    sl_arena_clear(&arena);
}

static bool write_checkpoint(const char *prefix, struct sl_str graph) {
    struct sl_bundle_writer *w;
    struct sl_tensor *bytes;
    if (sl_bundle_writer_open(&w, prefix, NULL, NULL) != SL_OK ||
        sl_tensor_new(&bytes, SL_STRING, SL_SHAPE_SCALAR, NULL))
        abort();
    if (sl_string_set(bytes->data, graph, NULL)) abort();
    add_tensors(w, graph);
    sl_code code = sl_bundle_writer_add(w, sl_object_graph_key, bytes, NULL);
    sl_tensor_unref(bytes);
    if (code == SL_OK) return sl_bundle_writer_finish(w, NULL) == SL_OK;
    sl_bundle_writer_abandon(w);
    return false;
}

static void match(struct sl_object_checkpoint *from, struct sl_object_checkpoint *model) {
    struct sl_object_match *matches;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_error_clear(&err);
    if (sl_object_checkpoint_match(&matches, from, model, &arena, &err) == SL_OK)
        for (size_t i = 0; i < model->n; i++)
            if (matches[i].from && (matches[i].from < from->entries || matches[i].from >= from->entries + from->n))
                abort();
    for (size_t i = 0; i < model->n; i++) (void)sl_object_checkpoint_find(from, model->entries[i].key);
    sl_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char prefix[2][64], path[96];
    struct sl_object_checkpoint c[2];
    if (size < 2) return 0;
    size_t first = (size_t)data[0] | (size_t)data[1] << 8;
    if (first > size - 2) first = size - 2;
    const struct sl_str graphs[2] = {{(const char *)data + 2, first},
                                     {(const char *)data + 2 + first, size - 2 - first}};
    if (folder[sizeof folder - 2] == 'X' && !mkdtemp(folder)) abort();
    bool is_open[2] = {false};
    for (int i = 0; i < 2; i++) {
        snprintf(prefix[i], sizeof prefix[i], "%s/c%d", folder, i);
        is_open[i] =
            write_checkpoint(prefix[i], graphs[i]) && sl_object_checkpoint_open(&c[i], prefix[i], NULL) == SL_OK;
    }
    if (is_open[0] && is_open[1]) {
        match(&c[0], &c[1]);
        match(&c[1], &c[0]);
        match(&c[0], &c[0]);
    }
    for (int i = 0; i < 2; i++) {
        static const char *const ends[] = {".index", ".data-00000-of-00001"};
        if (is_open[i]) sl_object_checkpoint_close(&c[i]);
        for (int e = 0; e < 2; e++) {
            snprintf(path, sizeof path, "%s%s", prefix[i], ends[e]);
            unlink(path);
        }
    }
    rmdir(folder);
    memcpy(folder, "/tmp/sluice-fuzz-XXXXXX", sizeof folder);
    return 0;
}
