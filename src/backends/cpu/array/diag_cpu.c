/* Diagonals: made into matrices, taken out of them, put into them; and bands of matrices.
 *
 * Diagonal d of a matrix has the elements [i, i + d]; d from `low` to `high` make a band. Packed, the diagonals are
 * rows, the highest first, all as long as the longest; the shorter ones stand at the left or at the right, as the
 * attr align says. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"

/* ---- the band of a matrix */

struct band {
    int64_t rows, columns, low, high;
    int64_t longest; /* elements of a packed row */
    int64_t n;       /* diagonals */
    bool is_high_left, is_low_left;
};

/* The number of a node: which diagonals stand at the left. V2 of the ops and those without a band have no align. */
enum { HIGH_LEFT = 1, LOW_LEFT = 2 };

static sl_code align_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str align;
    SL_TRY(sl_attr_string(&align, setup->attrs, "align", setup->err));
    int flags = 0;
    if (sl_str_starts(align, SL_STR("LEFT_"))) flags |= HIGH_LEFT;
    if (align.n > 5 && strncmp(align.p + align.n - 5, "_LEFT", 5) == 0) flags |= LOW_LEFT;
    *state = (void *)(intptr_t)flags;
    return SL_OK;
}
static sl_code left_create(void **state, struct sl_kernel_setup *setup) {
    (void)setup;
    *state = (void *)(intptr_t)(HIGH_LEFT | LOW_LEFT);
    return SL_OK;
}

static int64_t diagonal_length(const struct band *b, int64_t d) {
    int64_t down = b->rows + (d < 0 ? d : 0), right = b->columns - (d > 0 ? d : 0);
    int64_t n = down < right ? down : right;
    return n > 0 ? n : 0;
}

/* Reads low and high: input `at`, one number or two; `at` < 0: the main diagonal. */
static sl_code read_range(struct band *b, struct sl_kernel_context *k, int at) {
    int64_t flags = sl_state_number(k);
    b->is_high_left = flags & HIGH_LEFT;
    b->is_low_left = flags & LOW_LEFT;
    b->low = b->high = 0;
    if (at >= 0) {
        struct sl_view in = sl_in(k, at);
        if (in.rank > 1)
            return sl_invalid(k, "diag_index must be a scalar or vector, received shape: %s", SHAPE_OF(in));
        if (in.count < 1 || in.count > 2)
            return sl_invalid(k, "diag_index must have only one or two elements, received %" PRId64 " elements.",
                              in.count);
        b->low = sl_index_at(in, 0);
        b->high = sl_index_at(in, in.count - 1);
    }
    if (b->low > b->high)
        return sl_invalid(k, "lower_diag_index must not be larger than upper_diag_index: %" PRId64 " > %" PRId64,
                          b->low, b->high);
    b->n = b->high - b->low + 1;
    return SL_OK;
}

/* Checks the range against the matrix. */
static sl_code fit_range(struct band *b, struct sl_kernel_context *k, struct sl_view matrix) {
    if (matrix.rank < 2) return sl_invalid(k, "input must be at least 2-dim, received shape: %s", SHAPE_OF(matrix));
    b->rows = matrix.dims[matrix.rank - 2];
    b->columns = matrix.dims[matrix.rank - 1];
    if (b->low && (b->low <= -b->rows || b->low >= b->columns))
        return sl_invalid(k,
                          "lower_diag_index is out of bound: %" PRId64 ". It must be between %" PRId64 " and %" PRId64,
                          b->low, -b->rows, b->columns);
    if (b->high && (b->high <= -b->rows || b->high >= b->columns))
        return sl_invalid(k,
                          "upper_diag_index is out of bound: %" PRId64 " It must be between %" PRId64 " and %" PRId64,
                          b->high, -b->rows, b->columns);
    int64_t down = b->rows + (b->high < 0 ? b->high : 0), right = b->columns - (b->low > 0 ? b->low : 0);
    b->longest = down < right ? down : right;
    return SL_OK;
}

/* Moves all diagonals of `count` matrices, into the packed form or out of it. */
static sl_code move_band(struct sl_kernel_context *k, const struct band *b, bool to_packed, struct sl_view matrix,
                         struct sl_view packed, int64_t count) {
    for (int64_t d = b->high; d >= b->low; d--) {
        int64_t n = diagonal_length(b, d);
        bool is_left = (d >= 0 && b->is_high_left) || (d <= 0 && b->is_low_left);
        int64_t in_matrix = d < 0 ? -d * b->columns : d;
        int64_t in_packed = (b->high - d) * b->longest + (is_left ? 0 : b->longest - n);
        struct sl_move m = sl_move_start();
        int64_t each = b->rows * b->columns, each_packed = b->n * b->longest;
        sl_move_dim(&m, count, to_packed ? each_packed : each, to_packed ? each : each_packed);
        sl_move_dim(&m, n, to_packed ? 1 : b->columns + 1, to_packed ? b->columns + 1 : 1);
        if (m.is_empty) continue;
        void *p = sl_element(packed.data, packed.dtype, in_packed),
             *q = sl_element(matrix.data, matrix.dtype, in_matrix);
        SL_TRY(sl_move_run(k, &m, matrix.dtype, to_packed ? p : q, to_packed ? q : p));
    }
    return SL_OK;
}

/* ---- MatrixDiag */

static const unsigned char zero[16];

/* One optional scalar input; -1 when there is none. */
static sl_code read_size(int64_t *out, struct sl_kernel_context *k, int at, const char *name) {
    struct sl_view in = sl_in(k, at);
    if (in.rank) return sl_invalid(k, "%s must be a scalar", name);
    *out = sl_index_at(in, 0);
    return SL_OK;
}

static sl_code read_padding(const void **value, struct sl_kernel_context *k, int at) {
    struct sl_view in = sl_in(k, at);
    if (in.rank) return sl_invalid(k, "padding_value must be a scalar");
    *value = in.data;
    return SL_OK;
}

static sl_code infer_size(struct band *b, struct sl_kernel_context *k) {
    int64_t least_rows = b->longest - (b->high < 0 ? b->high : 0);
    int64_t least_columns = b->longest + (b->low > 0 ? b->low : 0);
    if (b->rows == -1 && b->columns == -1)
        b->rows = b->columns = least_rows > least_columns ? least_rows : least_columns;
    if (b->rows == -1) b->rows = least_rows;
    if (b->columns == -1) b->columns = least_columns;
    if (b->rows < least_rows) return sl_invalid(k, "The number of rows is too small.");
    if (b->columns < least_columns) return sl_invalid(k, "The number of columns is too small.");
    if (b->rows != least_rows && b->columns != least_columns)
        return sl_invalid(
            k, "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.");
    return SL_OK;
}

static sl_code matrix_diag_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    struct band b = {.rows = -1, .columns = -1};
    const void *padding = zero;
    int64_t dims[SL_MAX_RANK + 1];
    bool has_range = sl_in_count(k) > 1;
    if (x.rank < 1) return sl_invalid(k, "diagonal must be at least 1-dim, received shape: %s", SHAPE_OF(x));
    SL_TRY(read_range(&b, k, has_range ? 1 : -1));
    if (has_range) {
        SL_TRY(read_size(&b.rows, k, 2, "num_rows"));
        SL_TRY(read_size(&b.columns, k, 3, "num_cols"));
        SL_TRY(read_padding(&padding, k, 4));
    }
    int batch = b.n > 1 ? x.rank - 2 : x.rank - 1;
    if (b.n > 1 && (batch < 0 || x.dims[batch] != b.n))
        return sl_invalid(k, "The number of diagonals provided in the input does not match the lower_diag_index and "
                             "upper_diag_index range.");
    b.longest = x.dims[x.rank - 1];
    SL_TRY(infer_size(&b, k));
    if (batch + 2 > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", batch + 2);
    if (batch) memcpy(dims, x.dims, (size_t)batch * sizeof *dims);
    dims[batch] = b.rows;
    dims[batch + 1] = b.columns;
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){batch + 2, dims}));
    if (y.count == 0) return SL_OK;
    SL_TRY(sl_move_fill(k, y.dtype, y.data, padding, y.count));
    return move_band(k, &b, false, y, x, sl_dims_product(dims, 0, batch));
}

/* ---- MatrixDiagPart */

static sl_code matrix_diag_part_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    struct band b;
    const void *padding = zero;
    int64_t dims[SL_MAX_RANK];
    bool has_range = sl_in_count(k) > 1;
    SL_TRY(read_range(&b, k, has_range ? 1 : -1));
    if (has_range) SL_TRY(read_padding(&padding, k, 2));
    SL_TRY(fit_range(&b, k, x));
    int rank = x.rank - 2;
    int64_t count = sl_dims_product(x.dims, 0, rank);
    if (rank) memcpy(dims, x.dims, (size_t)rank * sizeof *dims);
    if (b.n > 1) dims[rank++] = b.n;
    dims[rank++] = b.longest;
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    if (y.count == 0) return SL_OK;
    if (b.n > 1) SL_TRY(sl_move_fill(k, y.dtype, y.data, padding, y.count));
    return move_band(k, &b, true, x, y, count);
}

/* ---- MatrixSetDiag */

static sl_code matrix_set_diag_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), d = sl_in(k, 1), y;
    struct band b;
    SL_TRY(read_range(&b, k, sl_in_count(k) > 2 ? 2 : -1));
    if (d.rank < 1) return sl_invalid(k, "diagonal must be at least 1-dim, received shape: %s", SHAPE_OF(d));
    SL_TRY(fit_range(&b, k, x));
    int batch = x.rank - 2;
    bool fits = d.rank == batch + (b.n > 1) + 1 && sl_dims_equal(x, d, 0, batch) && d.dims[d.rank - 1] == b.longest;
    if (!fits || (b.n > 1 && d.dims[batch] != b.n))
        return sl_invalid(
            k,
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not "
            "equal to the longests diagonal in range [lower_diag_index:upper_diag_index].\nInput shape: "
            "%s\nDiagonal shape: %s",
            SHAPE_OF(x), SHAPE_OF(d));
    const void *old = x.data;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.count == 0) return SL_OK;
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    return move_band(k, &b, false, y, d, sl_dims_product(y.dims, 0, batch));
}

/* ---- MatrixBandPart: what is outside the band becomes zero */

struct clear {
    char *data;
    int64_t rows, columns, size, lower, upper; /* lower, upper: -1 keeps all on that side */
};

/* Items: rows of all matrices. */
static void clear_rows(void *arg, int64_t begin, int64_t end) {
    const struct clear *c = arg;
    for (int64_t item = begin; item < end; item++) {
        int64_t row = item % c->rows;
        char *to = c->data + item * c->columns * c->size;
        int64_t first = c->lower >= 0 && row > c->lower ? row - c->lower : 0;
        int64_t last = c->upper >= 0 && row + c->upper + 1 < c->columns ? row + c->upper + 1 : c->columns;
        if (first > c->columns) first = c->columns;
        memset(to, 0, (size_t)(first * c->size));
        if (last < c->columns) memset(to + last * c->size, 0, (size_t)((c->columns - last) * c->size));
    }
}

static sl_code band_part_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), lower = sl_in(k, 1), upper = sl_in(k, 2), y;
    if (x.rank < 2) return sl_invalid(k, "input must be at least 2-dim, received shape: %s", SHAPE_OF(x));
    if (lower.rank) return sl_invalid(k, "num_lower must be scalar, got shape %s", SHAPE_OF(lower));
    if (upper.rank) return sl_invalid(k, "num_upper must be scalar, got shape %s", SHAPE_OF(upper));
    struct clear c = {NULL,
                      x.dims[x.rank - 2],
                      x.dims[x.rank - 1],
                      (int64_t)sl_dtype_size(x.dtype),
                      sl_index_at(lower, 0),
                      sl_index_at(upper, 0)};
    if (c.lower > c.rows)
        return sl_invalid(k,
                          "num_lower must be negative or less or equal to number of rows (%" PRId64 ") got: %" PRId64,
                          c.rows, c.lower);
    if (c.upper > c.columns)
        return sl_invalid(k,
                          "num_upper must be negative or less or equal to number of columns (%" PRId64
                          ") got: %" PRId64,
                          c.columns, c.upper);
    const void *old = x.data;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    c.data = y.data;
    if (y.count) sl_kernel_split(k, y.count / c.columns, 4 + 0.05 * (double)(c.columns * c.size), clear_rows, &c);
    return SL_OK;
}

/* ---- Diag, DiagPart: a tensor of any shape on the diagonal of one of twice the rank */

static sl_code diag_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t dims[2 * SL_MAX_RANK];
    if (x.rank < 1) return sl_invalid(k, "Input must be at least rank 1, got 0");
    if (2 * x.rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", 2 * x.rank);
    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    memcpy(dims + x.rank, x.dims, (size_t)x.rank * sizeof *dims);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){2 * x.rank, dims}));
    sl_move_zero(k, y);
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, x.count, x.count + 1, 1);
    return sl_move_run(k, &m, x.dtype, y.data, x.data);
}

static sl_code diag_part_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int rank = x.rank / 2;
    if (x.rank % 2 || x.rank == 0)
        return sl_invalid(k, "The rank of the tensor should be even and positive, got shape %s", SHAPE_OF(x));
    for (int i = 0; i < rank; i++)
        if (x.dims[i] != x.dims[rank + i])
            return sl_invalid(k, "Invalid shape %s: dimensions %d and %d do not match.", SHAPE_OF(x), i, rank + i);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, x.dims}));
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, y.count, 1, y.count + 1);
    return sl_move_run(k, &m, x.dtype, y.data, x.data);
}

#define PLAIN        RULE("T", SL_SET_NUMBERS | SL_SET(BOOL))
#define COST(op_run) .run = op_run, .cost_element = 0.5f
/* clang-format off */
const struct sl_kernel_def sl_cpu_diag_rows[] = {
    KERNEL("Diag", PLAIN, COST(diag_run))
    KERNEL("DiagPart", PLAIN, COST(diag_part_run))
    KERNEL("MatrixDiag", PLAIN, COST(matrix_diag_run), .create = left_create)
    KERNEL("MatrixDiagV2", PLAIN, COST(matrix_diag_run), .create = left_create)
    KERNEL("MatrixDiagV3", PLAIN, COST(matrix_diag_run), .create = align_create)
    KERNEL("MatrixDiagPart", PLAIN, COST(matrix_diag_part_run), .create = left_create)
    KERNEL("MatrixDiagPartV2", PLAIN, COST(matrix_diag_part_run), .create = left_create)
    KERNEL("MatrixDiagPartV3", PLAIN, COST(matrix_diag_part_run), .create = align_create)
    KERNEL("MatrixSetDiag", PLAIN, COST(matrix_set_diag_run), .create = left_create)
    KERNEL("MatrixSetDiagV2", PLAIN, COST(matrix_set_diag_run), .create = left_create)
    KERNEL("MatrixSetDiagV3", PLAIN, COST(matrix_set_diag_run), .create = align_create)
    KERNEL("MatrixBandPart", PLAIN, COST(band_part_run))
    KERNEL("BatchMatrixDiag", PLAIN, COST(matrix_diag_run), .create = left_create)
    KERNEL("BatchMatrixDiagPart", PLAIN, COST(matrix_diag_part_run), .create = left_create)
    KERNEL("BatchMatrixSetDiag", PLAIN, COST(matrix_set_diag_run), .create = left_create)
    KERNEL("BatchMatrixBandPart", PLAIN, COST(band_part_run))
    SL_ROWS_END
};
/* clang-format on */
