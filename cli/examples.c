/* Feeds of a training: reading them once, cutting batches. */
#include "examples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* ---- reading */

/* Whether all that is cut has equally many examples. */
static bool count_examples(struct examples *e, const char *name, const TF_Tensor *t) {
    int64_t count = TF_NumDims(t) ? TF_Dim(t, 0) : 0;
    if (!count) {
        complain("feed %s: there is no example in the file", name);
    } else if (e->count && e->count != count) {
        complain("feed %s has %" PRId64 " examples, feed %s has %" PRId64, e->cut_name, e->count, name, count);
    } else {
        if (!e->count) e->cut_name = name;
        e->count = count;
        return true;
    }
    return false;
}

static void push(struct examples *e, TF_Output output, TF_Tensor *t, bool is_cut) {
    size_t n = (size_t)e->n + 1;
    e->outputs = must_allocate(e->outputs, n * sizeof *e->outputs);
    e->wholes = must_allocate(e->wholes, n * sizeof *e->wholes);
    e->values = must_allocate(e->values, n * sizeof *e->values);
    e->is_cut = must_allocate(e->is_cut, n * sizeof *e->is_cut);
    e->outputs[e->n] = output;
    e->wholes[e->n] = t;
    e->values[e->n] = is_cut ? NULL : t;
    e->is_cut[e->n++] = is_cut;
}

bool examples_add(struct examples *e, TF_Graph *graph, const struct loaded_model *model, char *text) {
    struct feed_input input;
    char *equals = strchr(text, '=');
    *equals = 0; /* there is one: `text` is NAME=VALUE */
    if (!feed_input_find(&input, graph, model, text)) return false;
    TF_Tensor *t = feed_value_read(&input, equals + 1, &e->rules, e->batch);
    bool is_cut = e->batch && ends_with(equals + 1, ".npy");
    if (t && is_cut && !count_examples(e, text, t)) {
        TF_DeleteTensor(t);
        return false;
    }
    if (t) push(e, input.output, t, is_cut);
    return t != NULL;
}

/* ---- cutting */

/* A number that looks random: the finaliser of splitmix64 (Steele, Lea, Flood 2014) over a counter. */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The order of a round: Fisher and Yates. */
static void shuffle(struct examples *e, int64_t round) {
    uint64_t state = mix((uint64_t)e->seed) + (uint64_t)round * 0xd1342543de82ef95u;
    if (!e->order) e->order = must_allocate(NULL, (size_t)e->count * sizeof *e->order);
    for (int64_t i = 0; i < e->count; i++) e->order[i] = i;
    for (int64_t i = e->count - 1; i > 0; i--) {
        state += 0x9e3779b97f4a7c15u;
        int64_t other = (int64_t)(mix(state) % (uint64_t)(i + 1)), mine = e->order[i];
        e->order[i] = e->order[other];
        e->order[other] = mine;
    }
    e->round = round;
}

/* Which example stands at place `p` of all batches in a row. */
static int64_t example_at(struct examples *e, int64_t p) {
    if (!e->shuffles) return p % e->count;
    if (!e->order || e->round != p / e->count) shuffle(e, p / e->count);
    return e->order[p % e->count];
}

static TF_Tensor *new_batch(const TF_Tensor *whole, int64_t batch) {
    enum { MOST_DIMS = 64 }; /* as in npy.c */
    int64_t dims[MOST_DIMS];
    size_t bytes = TF_TensorByteSize(whole) / (size_t)TF_Dim(whole, 0) * (size_t)batch;
    for (int i = 0; i < TF_NumDims(whole) && i < MOST_DIMS; i++) dims[i] = i ? TF_Dim(whole, i) : batch;
    return must_have(TF_AllocateTensor(TF_TensorType(whole), dims, TF_NumDims(whole), bytes));
}

static void copy_example(TF_Tensor *to, int64_t place, const TF_Tensor *from, int64_t example) {
    size_t bytes = TF_TensorByteSize(from) / (size_t)TF_Dim(from, 0);
    char *target = (char *)TF_TensorData(to) + (size_t)place * bytes;
    const char *source = (const char *)TF_TensorData(from) + (size_t)example * bytes;
    if (TF_TensorType(from) != TF_STRING) {
        memcpy(target, source, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += sizeof(TF_TString)) {
        const TF_TString *text = (const TF_TString *)(const void *)(source + at);
        TF_TString *copy = (TF_TString *)(void *)(target + at);
        TF_StringInit(copy);
        TF_StringCopy(copy, TF_StringGetDataPointer(text), TF_StringGetSize(text));
    }
}

static void drop_batches(struct examples *e) {
    for (int i = 0; i < e->n; i++)
        if (e->is_cut[i]) {
            TF_DeleteTensor(e->values[i]);
            e->values[i] = NULL;
        }
}

void examples_take(struct examples *e, int64_t step) {
    if (!e->count) return;
    drop_batches(e);
    for (int i = 0; i < e->n; i++)
        if (e->is_cut[i]) e->values[i] = new_batch(e->wholes[i], e->batch);
    for (int64_t place = 0; place < e->batch; place++) {
        int64_t example = example_at(e, step * e->batch + place);
        for (int i = 0; i < e->n; i++)
            if (e->is_cut[i]) copy_example(e->values[i], place, e->wholes[i], example);
    }
}

void examples_clear(struct examples *e) {
    drop_batches(e);
    for (int i = 0; i < e->n; i++) TF_DeleteTensor(e->wholes[i]);
    free(e->outputs);
    free(e->wholes);
    free(e->values);
    free(e->is_cut);
    free(e->order);
}
