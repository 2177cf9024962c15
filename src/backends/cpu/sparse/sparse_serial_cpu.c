/* Sparse tensors packed up as three tensors each (indices, values, shape) and joined again: as encoded messages, as
 * variants, or in a map of the session that hands out numbers for them. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/sparse/coo.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "base/vec.h"
#include "kernel/resources.h"
#include "os/mutex.h"
#include "tensor/boxed_tensor.h"
#include "tensor/tensor_proto.h"

/* One sparse tensor: indices, values, shape. Owned. */
struct part {
    struct sl_tensor *t[3];
};

static void part_clear(struct part *p) {
    for (int i = 0; i < 3; i++) sl_tensor_unref(p->t[i]);
    *p = (struct part){{NULL}};
}
static void parts_free(struct part *parts, int64_t n) {
    for (int64_t i = 0; i < n; i++) part_clear(&parts[i]);
    sl_free(parts);
}
static struct sl_view view_of(const struct sl_tensor *t) {
    return (struct sl_view){t->data, t->dims, t->count, t->rank, t->dtype};
}

/* ---- tensors as strings and as variants */

static size_t varint_put(char *to, size_t n) {
    size_t bytes = 0;
    for (; n > 127; n >>= 7) to[bytes++] = (char)((n & 127) | 128);
    to[bytes++] = (char)n;
    return bytes;
}

/* Strings as the content of a message: all lengths, then all bytes. */
static sl_code string_content(struct sl_pb_TensorProto *message, const struct sl_tensor *t, struct sl_arena *arena,
                              struct sl_error *err) {
    const TF_TString *strings = t->data;
    size_t room = 10 * (size_t)t->count, n = 0;
    for (int64_t i = 0; i < t->count; i++)
        if (!sl_add_size(&room, room, sl_string_get(&strings[i]).n)) return sl_fail_memory(err, SIZE_MAX);
    char *content = sl_arena_alloc(arena, room);
    if (!content) return sl_fail_memory(err, room);
    for (int64_t i = 0; i < t->count; i++) n += varint_put(content + n, sl_string_get(&strings[i]).n);
    for (int64_t i = 0; i < t->count; i++) {
        struct sl_str s = sl_string_get(&strings[i]);
        if (s.n) memcpy(content + n, s.p, s.n);
        n += s.n;
    }
    message->tensor_content = (struct sl_str){content, n};
    message->string_val.n = 0;
    return SL_OK;
}

static sl_code pack_string(TF_TString *to, const struct sl_tensor *t, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_TensorProto message;
    struct sl_str bytes;
    sl_arena_init(&arena);
    sl_code code = sl_tensor_to_proto(&message, t, &arena, err);
    if (code == SL_OK && t->dtype == SL_STRING) code = string_content(&message, t, &arena, err);
    if (code == SL_OK) code = sl_tensor_proto_encode(&bytes, &message, &arena, err);
    if (code == SL_OK) code = sl_string_set(to, bytes, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code unpack_string(struct sl_tensor **out, struct sl_str bytes, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_TensorProto message;
    sl_arena_init(&arena);
    sl_code code = sl_tensor_proto_decode(&message, bytes, &arena, NULL);
    if (code != SL_OK) code = sl_fail(err, SL_INVALID_ARGUMENT, "Could not parse serialized proto");
    else code = sl_tensor_from_proto(out, &message, err);
    sl_arena_clear(&arena);
    return code;
}

/* Puts the parts' tensors into elements 3 * i ... of `out`, strings or variants. */
static sl_code pack(struct sl_view out, int64_t i, const struct part *p, struct sl_error *err) {
    for (int j = 0; j < 3; j++) {
        if (out.dtype == SL_STRING) {
            SL_TRY(pack_string((TF_TString *)out.data + 3 * i + j, p->t[j], err));
            continue;
        }
        SL_TRY(sl_boxed_tensor_new((struct sl_object **)out.data + 3 * i + j, p->t[j], err));
    }
    return SL_OK;
}

static sl_code unpack(struct part *p, struct sl_view in, int64_t i, struct sl_error *err) {
    for (int j = 0; j < 3; j++) {
        if (in.dtype == SL_STRING) {
            SL_TRY(unpack_string(&p->t[j], sl_string_get((const TF_TString *)in.data + 3 * i + j), err));
            continue;
        }
        struct sl_tensor *t = sl_boxed_tensor_of(((struct sl_object *const *)in.data)[3 * i + j]);
        if (!t) return sl_fail(err, SL_INVALID_ARGUMENT, "Could not get a tensor from variant %" PRId64, 3 * i + j);
        p->t[j] = sl_tensor_ref(t);
    }
    return SL_OK;
}

/* ---- taking apart: one part for each row of the first dim */

static sl_code new_part(struct part *p, int dtype, int64_t n, int rank, struct sl_error *err) {
    SL_TRY(sl_tensor_new(&p->t[0], SL_INT64, (struct sl_shape){2, (const int64_t[]){n, rank}}, err));
    SL_TRY(sl_tensor_new(&p->t[1], dtype, (struct sl_shape){1, &n}, err));
    return sl_tensor_new(&p->t[2], SL_INT64, (struct sl_shape){1, (const int64_t[]){rank}}, err);
}

static sl_code fill_part(struct part *p, const struct sl_coo *t, int64_t begin, int64_t end, struct sl_error *err) {
    int rank = t->rank - 1, dtype = t->values.dtype;
    size_t row = (size_t)rank * sizeof(int64_t);
    SL_TRY(new_part(p, dtype, end - begin, rank, err));
    for (int64_t e = begin; e < end; e++)
        memcpy((int64_t *)p->t[0]->data + (e - begin) * rank, sl_coo_at(t, e) + 1, row);
    memcpy(p->t[2]->data, t->dims + 1, row);
    return sl_elements_copy(dtype, p->t[1]->data, sl_element(t->values.data, dtype, begin), end - begin, err);
}

/* Calls `take` with one part for each of the rows of `t`, in order. */
typedef sl_code (*take_fn)(void *arg, int64_t row, const struct part *p, struct sl_error *err);
static sl_code each_row(const struct sl_coo *t, struct sl_kernel_context *k, take_fn take, void *arg) {
    int64_t at = 0;
    for (int64_t row = 0; row < t->dims[0]; row++) {
        struct part p = {{NULL}};
        int64_t begin = at;
        while (at < t->n && sl_coo_at(t, at)[0] == row) at++;
        sl_code code = fill_part(&p, t, begin, at, k->err);
        if (code == SL_OK) code = take(arg, row, &p, k->err);
        part_clear(&p);
        SL_TRY(code);
    }
    return SL_OK;
}

static sl_code read_rows(struct sl_coo *t, struct sl_kernel_context *k) {
    SL_TRY(sl_coo_in(t, k, 0, 1, 2));
    if (t->rank < 2) return sl_invalid(k, "Rank of input SparseTensor should be > 1, but saw rank: %d", t->rank);
    SL_TRY(sl_coo_check(t, k));
    return sl_coo_check_order(t, k);
}

/* The three inputs themselves as a part. */
static sl_code part_of_inputs(struct part *p, struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), values = sl_in(k, 1), shape = sl_in(k, 2);
    if (indices.rank != 2)
        return sl_invalid(k, "Input indices should be a matrix but received shape %s", SHAPE_OF(indices));
    if (values.rank != 1)
        return sl_invalid(k, "Input values should be a vector but received shape %s", SHAPE_OF(values));
    if (shape.rank != 1) return sl_invalid(k, "Input shape should be a vector but received shape %s", SHAPE_OF(shape));
    for (int i = 0; i < 3; i++) SL_TRY(sl_in_tensor(&p->t[i], k, i));
    return SL_OK;
}

static sl_code serialize_run(struct sl_kernel_context *k) {
    struct part p = {{NULL}};
    struct sl_view out;
    sl_code code = part_of_inputs(&p, k);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, (struct sl_shape){1, (const int64_t[]){3}});
    if (code == SL_OK) code = pack(out, 0, &p, k->err);
    part_clear(&p);
    return code;
}

static sl_code take_packed(void *arg, int64_t row, const struct part *p, struct sl_error *err) {
    return pack(*(const struct sl_view *)arg, row, p, err);
}
static sl_code serialize_many_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    struct sl_view out;
    SL_TRY(read_rows(&t, k));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, (const int64_t[]){t.dims[0], 3}}));
    return each_row(&t, k, take_packed, &out);
}

/* ---- putting together: part i stands at place i of the dims before its own */

static sl_code check_part(struct sl_kernel_context *k, const struct part *p, int64_t i, int64_t rank) {
    struct sl_view indices = view_of(p->t[0]), values = view_of(p->t[1]), shape = view_of(p->t[2]);
    if (indices.dtype != SL_INT64 || indices.rank != 2)
        return sl_invalid(k, "Expected SparseTensor[%" PRId64 "].indices to be an int64 matrix, but received shape %s",
                          i, SHAPE_OF(indices));
    if (values.rank != 1 || values.count != indices.dims[0])
        return sl_invalid(k,
                          "Expected row counts of indices and values of SparseTensor[%" PRId64
                          "] to match, but received shapes %s and %s",
                          i, SHAPE_OF(indices), SHAPE_OF(values));
    if (shape.dtype != SL_INT64 || shape.rank != 1 || shape.count != indices.dims[1])
        return sl_invalid(k,
                          "Expected column counts of indices to match size of shape of SparseTensor[%" PRId64
                          "], but received shapes %s and %s",
                          i, SHAPE_OF(indices), SHAPE_OF(shape));
    if (values.dtype != sl_out_type(k, 1))
        return sl_invalid(k, "Requested SparseTensor of type %s but SparseTensor[%" PRId64 "].values.dtype() == %s",
                          sl_dtype_name(sl_out_type(k, 1)), i, sl_dtype_name(values.dtype));
    if (shape.count != rank)
        return sl_invalid(k,
                          "Inconsistent %s across SparseTensors: rank prior to SparseTensor[%" PRId64 "] was: %" PRId64
                          " but rank of SparseTensor[%" PRId64 "] is: %" PRId64,
                          strncmp(k->node->def->op, "Deserialize", 11) == 0 ? "shape" : "rank", i, rank, i,
                          shape.count);
    return SL_OK;
}

/* Where the prefix dims put part i: `at` gets its coordinates there. */
static void prefix_at(int64_t *at, int64_t i, const int64_t *prefix, int n_prefix) {
    for (int d = n_prefix - 1; d >= 0; d--) {
        at[d] = i % prefix[d];
        i /= prefix[d];
    }
}

static sl_code join(struct sl_kernel_context *k, const struct part *parts, int64_t n, const int64_t *prefix,
                    int n_prefix) {
    int64_t dims[SL_MAX_RANK] = {0}, total = 0, own = parts[0].t[2]->count;
    if (own + n_prefix > SL_MAX_RANK) return sl_invalid(k, "Rank of the result would be more than %d", SL_MAX_RANK);
    int rank = (int)own + n_prefix;
    if (n_prefix) memcpy(dims, prefix, (size_t)n_prefix * sizeof *dims);
    for (int64_t i = 0; i < n; i++) {
        SL_TRY(check_part(k, &parts[i], i, own));
        const int64_t *shape = parts[i].t[2]->data;
        for (int d = 0; d < own; d++)
            if (i == 0 || shape[d] > dims[n_prefix + d]) dims[n_prefix + d] = shape[d];
        total += parts[i].t[1]->count;
    }
    struct sl_coo_out out;
    SL_TRY(sl_coo_out(&out, k, 0, total, rank, dims));
    int64_t *at = out.indices, place = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t *from = parts[i].t[0]->data;
        int64_t count = parts[i].t[1]->count;
        for (int64_t e = 0; e < count; e++, at += rank, from += own) {
            prefix_at(at, i, prefix, n_prefix);
            if (own) memcpy(at + n_prefix, from, (size_t)own * sizeof *at);
        }
        int dtype = out.values.dtype;
        SL_TRY(sl_elements_copy(dtype, sl_element(out.values.data, dtype, place), parts[i].t[1]->data, count, k->err));
        place += count;
    }
    return SL_OK;
}

static sl_code deserialize(struct sl_kernel_context *k, struct sl_view in) {
    int64_t n = in.count / 3;
    if (n == 0) return sl_invalid(k, "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
    struct part *parts = sl_calloc((size_t)n, sizeof *parts);
    if (!parts) return sl_fail_memory(k->err, (size_t)n * sizeof *parts);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < n && code == SL_OK; i++) code = unpack(&parts[i], in, i, k->err);
    if (code == SL_OK) code = join(k, parts, n, in.dims, in.rank - 1);
    parts_free(parts, n);
    return code;
}
static sl_code deserialize_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    if (in.rank < 1) return sl_invalid(k, "Serialized sparse should have non-zero rank %s", SHAPE_OF(in));
    if (in.dims[in.rank - 1] != 3)
        return sl_invalid(k, "Serialized sparse should have 3 as the last dimension %s", SHAPE_OF(in));
    return deserialize(k, in);
}
static sl_code deserialize_many_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    if (in.rank != 2) return sl_invalid(k, "Serialized sparse should be a matrix but received shape %s", SHAPE_OF(in));
    if (in.dims[1] != 3)
        return sl_invalid(k, "Serialized sparse should have 3 columns but received shape %s", SHAPE_OF(in));
    return deserialize(k, in);
}

/* ---- the map: what is added gets the next number, and leaves when it is taken */

struct numbered {
    int64_t number;
    struct part part;
};
struct tensors_map {
    struct sl_object object;
    struct sl_mutex mutex;
    SL_VEC(struct numbered) kept;
    int64_t next;
};

static void map_free(struct sl_object *object) {
    struct tensors_map *map = (struct tensors_map *)object;
    for (size_t i = 0; i < map->kept.n; i++) part_clear(&map->kept.items[i].part);
    sl_vec_free(&map->kept);
    sl_mutex_clear(&map->mutex);
    sl_free(map);
}
static const struct sl_object_type map_type = {.name = "tensorflow::SparseTensorsMap", .free = map_free};

static sl_code map_make(struct sl_object **out, void *arg, struct sl_error *err) {
    (void)arg;
    struct tensors_map *map = sl_calloc(1, sizeof *map);
    if (!map) return sl_fail_memory(err, sizeof *map);
    sl_object_init(&map->object, &map_type);
    sl_mutex_init(&map->mutex);
    *out = &map->object;
    return SL_OK;
}

/* Names of the attrs; they stay with the node. */
struct map_names {
    struct sl_arena arena;
    struct sl_str container, name;
};
static void names_destroy(void *state) {
    struct map_names *names = state;
    sl_arena_clear(&names->arena);
    sl_free(names);
}
static sl_code names_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str container, name;
    SL_TRY(sl_attr_string(&container, setup->attrs, "container", setup->err));
    SL_TRY(sl_attr_string(&name, setup->attrs, "shared_name", setup->err));
    struct map_names *names = sl_calloc(1, sizeof *names);
    if (!names) return sl_fail_memory(setup->err, sizeof *names);
    sl_arena_init(&names->arena);
    names->container = sl_arena_str(&names->arena, container);
    names->name = sl_arena_str(&names->arena, name.n ? name : setup->name);
    if (names->container.p && names->name.p) {
        *state = names;
        return SL_OK;
    }
    names_destroy(names);
    return sl_fail_memory(setup->err, name.n);
}

static sl_code map_hold(struct tensors_map **out, struct sl_kernel_context *k) {
    const struct map_names *names = k->state;
    struct sl_object *object;
    SL_TRY(sl_resources_find_or_make(&object, k->env->session_resources, names->container, &map_type, names->name,
                                     map_make, NULL, k->err));
    *out = (struct tensors_map *)object;
    return SL_OK;
}

static sl_code map_add(int64_t *number, struct tensors_map *map, const struct part *p, struct sl_error *err) {
    sl_mutex_lock(&map->mutex);
    struct numbered n = {map->next, *p};
    int failed = sl_vec_push(&map->kept, n);
    if (!failed) {
        for (int i = 0; i < 3; i++) sl_tensor_ref(p->t[i]);
        *number = map->next++;
    }
    sl_mutex_unlock(&map->mutex);
    return failed ? sl_fail_memory(err, sizeof n) : SL_OK;
}

static sl_code map_take(struct part *p, struct tensors_map *map, int64_t number, struct sl_error *err) {
    size_t at = 0;
    sl_mutex_lock(&map->mutex);
    while (at < map->kept.n && map->kept.items[at].number != number) at++;
    bool is_there = at < map->kept.n;
    if (is_there) {
        *p = map->kept.items[at].part;
        memmove(&map->kept.items[at], &map->kept.items[at + 1], (--map->kept.n - at) * sizeof *map->kept.items);
    }
    sl_mutex_unlock(&map->mutex);
    return is_there ? SL_OK
                    : sl_fail(err, SL_INVALID_ARGUMENT, "Unable to find SparseTensor: %" PRId64 " in map", number);
}

static sl_code add_run(struct sl_kernel_context *k) {
    struct part p = {{NULL}};
    struct tensors_map *map = NULL;
    int64_t number = 0;
    sl_code code = part_of_inputs(&p, k);
    struct sl_coo t;
    if (code == SL_OK) code = sl_coo_in(&t, k, 0, 1, 2);
    if (code == SL_OK) code = map_hold(&map, k);
    if (code == SL_OK) code = map_add(&number, map, &p, k->err);
    if (code == SL_OK) code = sl_out_int(k, 0, number);
    part_clear(&p);
    if (map) sl_object_unref(&map->object);
    return code;
}

struct adding {
    struct tensors_map *map;
    int64_t *numbers;
    bool takes_empty; /* rows without entries get their numbers after all others */
};
static sl_code take_added(void *arg, int64_t row, const struct part *p, struct sl_error *err) {
    struct adding *a = arg;
    if ((p->t[1]->count == 0) != a->takes_empty) return SL_OK;
    return map_add(&a->numbers[row], a->map, p, err);
}
static sl_code add_many_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    struct sl_view out;
    struct adding a;
    SL_TRY(read_rows(&t, k));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, t.dims}));
    SL_TRY(map_hold(&a.map, k));
    a.numbers = out.data;
    a.takes_empty = false;
    sl_code code = each_row(&t, k, take_added, &a);
    a.takes_empty = true;
    if (code == SL_OK) code = each_row(&t, k, take_added, &a);
    sl_object_unref(&a.map->object);
    return code;
}

static sl_code take_many_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    struct tensors_map *map;
    if (in.rank != 1) return sl_invalid(k, "sparse_handles should be a vector but received shape %s", SHAPE_OF(in));
    if (in.count == 0)
        return sl_invalid(k, "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
    SL_TRY(map_hold(&map, k));
    struct part *parts = sl_calloc((size_t)in.count, sizeof *parts);
    sl_code code = parts ? SL_OK : sl_fail_memory(k->err, (size_t)in.count * sizeof *parts);
    for (int64_t i = 0; i < in.count && code == SL_OK; i++)
        code = map_take(&parts[i], map, ((const int64_t *)in.data)[i], k->err);
    if (code == SL_OK) code = join(k, parts, in.count, &in.count, 1);
    if (parts) parts_free(parts, in.count);
    sl_object_unref(&map->object);
    return code;
}

#define ALL          RULE("T", SL_SET_ALL)
#define PACKED       (SL_SET(STRING) | SL_SET(VARIANT))
#define COST(op_run) .run = op_run, .cost_ns = 500, .cost_element = 3
#define NAMED        .create = names_create, .destroy = names_destroy
/* clang-format off */
const struct sl_kernel_def sl_cpu_sparse_serial_rows[] = {
    KERNEL("SerializeSparse", ALL RULE("out_type", PACKED), COST(serialize_run))
    KERNEL("SerializeManySparse", ALL RULE("out_type", PACKED), COST(serialize_many_run))
    KERNEL("DeserializeSparse", RULE("dtype", SL_SET_ALL) RULE("Tserialized", PACKED), COST(deserialize_run))
    KERNEL("DeserializeManySparse", RULE("dtype", SL_SET_ALL), COST(deserialize_many_run))
    KERNEL("AddSparseToTensorsMap", ALL, COST(add_run), NAMED)
    KERNEL("AddManySparseToTensorsMap", ALL, COST(add_many_run), NAMED)
    KERNEL("TakeManySparseFromTensorsMap", RULE("dtype", SL_SET_ALL), COST(take_many_run), NAMED)
    SL_ROWS_END
};
/* clang-format on */
