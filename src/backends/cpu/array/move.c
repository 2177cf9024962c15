/* How a move is carried out: the two dims that matter form a plane, whose loop is chosen by how the elements lie;
 * the others are counted through around it. Planes are cut into blocks of rows, and the blocks are what threads
 * share.
 *
 *   copy       target and source both go on by one: runs of bytes
 *   fill       the source stands still
 *   transpose  the target goes on by one in one dim, the source in another: square tiles
 *   walk       anything else */
#include "backends/cpu/array/move.h"

#include <string.h>

#include "backends/cpu/array/move_tiles.h"
#include "os/page.h"

enum {
    BLOCK_ELEMENTS = 16384, /* about what one block of a plane holds */
    RUN_BYTES = 65536,      /* longer runs are cut */
    TILED = 4,              /* both sides of a plane at least this long: tiles pay */
    VIEW_BYTES = 4096,      /* less is copied: a view keeps all of its tensor alive */
    UNTOUCHED_BYTES =
        32 << 20 /* of zeros: tables of which a step writes few rows; blocks of their own, in small pages */
};

void sl_move_dim(struct sl_move *m, int64_t n, int64_t to, int64_t from) {
    if (n == 1) return;
    if (n <= 0 || m->is_empty || m->rank == SL_MOVE_RANK) {
        m->is_empty = true;
        return;
    }
    if (m->rank) {
        struct sl_move_dim *outer = &m->dims[m->rank - 1];
        if (outer->to == n * to && outer->from == n * from) {
            *outer = (struct sl_move_dim){outer->n * n, to, from};
            return;
        }
    }
    m->dims[m->rank++] = (struct sl_move_dim){n, to, from};
}

/* ---- planes */
struct job {
    sl_plane_fn run;
    struct sl_plane plane; /* dim 1 are rows, dim 0 is inside */
    double ns_element;
    int rank; /* of the dims around the plane */
    struct sl_move_dim dims[SL_MOVE_RANK];
    int64_t rows, blocks; /* rows of a block; blocks of a plane */
    int size;
    char *to;
    const char *from;
};

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    int64_t at[SL_MOVE_RANK], block = begin % j->blocks, rest = begin / j->blocks;
    int64_t to = 0, from = 0;
    for (int i = j->rank - 1; i >= 0; i--) {
        at[i] = rest % j->dims[i].n;
        rest /= j->dims[i].n;
        to += at[i] * j->dims[i].to;
        from += at[i] * j->dims[i].from;
    }
    struct sl_plane plane = j->plane;
    for (int64_t item = begin; item < end; item++) {
        int64_t first = block * j->rows, left = j->plane.n1 - first;
        plane.n1 = left < j->rows ? left : j->rows;
        j->run(j->to + (to + first * plane.to1) * j->size, j->from + (from + first * plane.from1) * j->size, &plane);
        if (++block < j->blocks) continue;
        block = 0;
        for (int i = j->rank - 1; i >= 0; i--) {
            to += j->dims[i].to;
            from += j->dims[i].from;
            if (++at[i] < j->dims[i].n) break;
            to -= j->dims[i].n * j->dims[i].to;
            from -= j->dims[i].n * j->dims[i].from;
            at[i] = 0;
        }
    }
}

/* An inner run of 2, 4, 8 or 16 bytes is one element of that size, where the other steps allow it. */
static void widen(struct job *j) {
    if (!j->rank) return;
    struct sl_move_dim inner = j->dims[j->rank - 1];
    if (inner.to != 1 || inner.from != 1 || inner.n > 16) return;
    int64_t bytes = inner.n * j->size;
    if (bytes > 16 || (bytes & (bytes - 1))) return;
    for (int i = 0; i < j->rank - 1; i++)
        if (j->dims[i].to % inner.n || j->dims[i].from % inner.n) return;
    j->rank--;
    j->size = (int)bytes;
    for (int i = 0; i < j->rank; i++) {
        j->dims[i].to /= inner.n;
        j->dims[i].from /= inner.n;
    }
}

static struct sl_move_dim take_dim(struct job *j, int i) {
    if (i < 0) return (struct sl_move_dim){1, 1, 1};
    struct sl_move_dim d = j->dims[i];
    j->rank--;
    for (; i < j->rank; i++) j->dims[i] = j->dims[i + 1];
    return d;
}

/* The dim in which the source goes on by one, when that is worth tiles. */
static int tiled_dim(const struct job *j, struct sl_move_dim inner) {
    if (inner.to != 1 || inner.n < TILED) return -1;
    for (int i = j->rank - 1; i >= 0; i--)
        if (j->dims[i].from == 1 && j->dims[i].n >= TILED) return i;
    return -1;
}

static void choose_plane(struct job *j) {
    struct sl_move_dim inner = take_dim(j, j->rank - 1), rows;
    int tiled = -1;
    if (inner.to == 1 && inner.from == 1) {
        j->run = sl_plane_copy(j->size);
        j->ns_element = 0.05 * j->size + 2.0 / (double)inner.n;
    } else if (inner.to == 1 && inner.from == 0) {
        j->run = sl_plane_fill(j->size);
        j->ns_element = 0.05 * j->size + 2.0 / (double)inner.n;
    } else if ((tiled = tiled_dim(j, inner)) >= 0) {
        j->run = sl_plane_transpose(j->size);
        j->ns_element = 0.1 * j->size;
    } else {
        j->run = sl_plane_walk(j->size);
        j->ns_element = 0.1 * j->size + 0.5;
    }
    rows = take_dim(j, tiled >= 0 ? tiled : j->rank - 1);
    j->plane = (struct sl_plane){rows.n, rows.to, rows.from, inner.n, inner.to, inner.from};
    j->rows = BLOCK_ELEMENTS / inner.n & -64;
    if (j->rows < 1) j->rows = tiled >= 0 ? 64 : 1;
    j->blocks = (rows.n - 1) / j->rows + 1;
}

static void run_plain(struct sl_kernel_context *k, const struct sl_move_dim *dims, int rank, int size, void *to,
                      const void *from) {
    struct job j;
    j.size = size;
    j.to = to;
    j.from = from;
    j.rank = rank;
    if (rank) memcpy(j.dims, dims, (size_t)rank * sizeof *dims);
    widen(&j);
    choose_plane(&j);
    int64_t planes = 1;
    for (int i = 0; i < j.rank; i++) planes *= j.dims[i].n;
    int64_t rows = j.plane.n1 < j.rows ? j.plane.n1 : j.rows;
    sl_kernel_split(k, planes * j.blocks, j.ns_element * (double)(rows * j.plane.n0) + 2, run_blocks, &j);
}

/* Long runs become rows of RUN_BYTES and a rest, so that threads can share them. */
static void run_cut(struct sl_kernel_context *k, const struct sl_move *m, int size, void *to, const void *from) {
    int64_t each = RUN_BYTES / size, n = m->rank ? m->dims[m->rank - 1].n : 1;
    if (n < 2 * each) {
        run_plain(k, m->dims, m->rank, size, to, from);
        return;
    }
    struct sl_move_dim dims[SL_MOVE_RANK + 1], inner = m->dims[m->rank - 1];
    memcpy(dims, m->dims, (size_t)m->rank * sizeof *dims);
    dims[m->rank - 1] = (struct sl_move_dim){n / each, each * inner.to, each * inner.from};
    dims[m->rank] = (struct sl_move_dim){each, inner.to, inner.from};
    if (m->rank < SL_MOVE_RANK) run_plain(k, dims, m->rank + 1, size, to, from);
    else run_plain(k, m->dims, m->rank, size, to, from);
    if (n % each == 0 || m->rank == SL_MOVE_RANK) return;
    dims[m->rank - 1] = (struct sl_move_dim){n % each, inner.to, inner.from};
    int64_t done = n - n % each;
    run_plain(k, dims, m->rank, size, (char *)to + done * inner.to * size,
              (const char *)from + done * inner.from * size);
}

/* About what it takes to copy `n` elements. */
static int64_t copy_ns(int dtype, const void *from, int64_t n) {
    enum { NS_EACH = 30, BYTES_PER_NS = 4 };
    int64_t ns = n * NS_EACH;
    for (int64_t i = 0; dtype == SL_STRING && i < n; i++)
        ns += (int64_t)(TF_TString_GetSize((const TF_TString *)from + i) / BYTES_PER_NS);
    return ns;
}

/* `n` elements that lie side by side in both. */
static sl_code copy_run(struct sl_pace *pace, int dtype, void *to, const void *from, int64_t n) {
    enum { PIECE = 256 };
    const int64_t size = (int64_t)sl_dtype_size(dtype);
    for (int64_t at = 0; at < n; at += PIECE) {
        const int64_t piece = n - at < PIECE ? n - at : PIECE;
        const void *source = (const char *)from + at * size;
        if (sl_pace_ends(pace, copy_ns(dtype, source, piece))) return SL_CANCELLED;
        SL_TRY(sl_elements_copy(dtype, (char *)to + at * size, source, piece, pace->k->err));
    }
    return SL_OK;
}

/* Strings and objects, one thread. */
static sl_code run_values(struct sl_kernel_context *k, const struct sl_move *m, int dtype, void *to, const void *from) {
    int64_t at[SL_MOVE_RANK] = {0}, size = (int64_t)sl_dtype_size(dtype), run = 1;
    int rank = m->rank;
    struct sl_pace pace = sl_pace_of(k);
    if (rank && m->dims[rank - 1].to == 1 && m->dims[rank - 1].from == 1) run = m->dims[--rank].n;
    for (;;) {
        SL_TRY(copy_run(&pace, dtype, to, from, run));
        int i = rank - 1;
        for (; i >= 0; i--) {
            const struct sl_move_dim *d = &m->dims[i];
            bool is_more = ++at[i] < d->n;
            int64_t steps = is_more ? 1 : 1 - d->n;
            to = (char *)to + steps * d->to * size;
            from = (const char *)from + steps * d->from * size;
            if (is_more) break;
            at[i] = 0;
        }
        if (i < 0) return SL_OK;
    }
}

sl_code sl_move_run(struct sl_kernel_context *k, const struct sl_move *m, int dtype, void *to, const void *from) {
    if (m->is_empty) return SL_OK;
    if (!sl_dtype_is_plain(dtype)) return run_values(k, m, dtype, to, from);
    run_cut(k, m, (int)sl_dtype_size(dtype), to, from);
    return SL_OK;
}

sl_code sl_move_all(struct sl_kernel_context *k, int dtype, void *to, const void *from, int64_t count) {
    size_t size = sl_dtype_size(dtype);
    if (count > 0 && sl_dtype_is_plain(dtype) && (uint64_t)count < 2 * RUN_BYTES / size) {
        memcpy(to, from, (size_t)count * size);
        return SL_OK;
    }
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, count, 1, 1);
    return sl_move_run(k, &m, dtype, to, from);
}

sl_code sl_move_fill(struct sl_kernel_context *k, int dtype, void *to, const void *value, int64_t count) {
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, count, 1, 0);
    return sl_move_run(k, &m, dtype, to, value);
}

struct zero {
    char *to;
};
static void run_zero(void *arg, int64_t begin, int64_t end) {
    memset(((struct zero *)arg)->to + begin, 0, (size_t)(end - begin));
}

void sl_move_zero(struct sl_kernel_context *k, struct sl_view fresh) {
    if (!sl_dtype_is_plain(fresh.dtype)) return;
    const int64_t bytes = fresh.count * (int64_t)sl_dtype_size(fresh.dtype);
    if (bytes >= UNTOUCHED_BYTES && sl_pages_zero(fresh.data, (size_t)bytes)) return;
    struct zero z = {fresh.data};
    sl_kernel_split(k, bytes, 0.03, run_zero, &z);
}

sl_code sl_move_part(struct sl_kernel_context *k, int o, int i, struct sl_shape shape, int64_t offset) {
    struct sl_view x = sl_in(k, i), y;
    int64_t count;
    SL_TRY(sl_shape_count(&count, shape, k->err));
    if (shape.rank > 0 && sl_dtype_is_plain(x.dtype) && (uint64_t)count * sl_dtype_size(x.dtype) >= VIEW_BYTES) {
        struct sl_tensor *base, *part;
        SL_TRY(sl_in_tensor(&base, k, i));
        sl_code code = sl_tensor_view(&part, base, x.dtype, shape, offset, k->err);
        sl_tensor_unref(base);
        if (code == SL_OK) sl_out_tensor(k, o, part);
        return code;
    }
    SL_TRY(sl_out_new(&y, k, o, shape));
    return sl_move_all(k, x.dtype, y.data, sl_element(x.data, x.dtype, offset), y.count);
}
