/* Tensors as text in nested brackets. Called by StringFormat. */
#include "backends/cpu/string/tensor_text.h"

#include "backends/cpu/number.h"
#include "tensor/summary.h"

void sl_text_add_escaped(struct sl_text *t, struct sl_str s) {
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case '\n': sl_text_words(t, "\\n"); break;
        case '\r': sl_text_words(t, "\\r"); break;
        case '\t': sl_text_words(t, "\\t"); break;
        case '"': sl_text_words(t, "\\\""); break;
        case '\'': sl_text_words(t, "\\'"); break;
        case '\\': sl_text_words(t, "\\\\"); break;
        default:
            if ((unsigned char)s.p[i] >= 0x20 && s.p[i] != 0x7f) sl_text_byte(t, s.p[i]);
            else sl_text_format(t, "\\%03o", (unsigned)s.p[i]);
        }
    }
}

static void add_element(struct sl_text *t, struct sl_view v, int64_t i) {
    char text[SL_ELEMENT_TEXT];
    const void *element = (const char *)v.data + (size_t)i * sl_dtype_size(v.dtype);
    float normal_float;
    double normal_double;
    if (v.dtype == SL_STRING) {
        sl_text_byte(t, '"');
        sl_text_add_escaped(t, sl_string_get(element));
        sl_text_byte(t, '"');
    } else {
        if (v.dtype == SL_FLOAT) {
            normal_float = (float)sl_normal_of_float(((const float *)v.data)[i]);
            element = &normal_float;
        } else if (v.dtype == SL_DOUBLE) {
            normal_double = sl_normal_of_double(((const double *)v.data)[i]);
            element = &normal_double;
        }
        sl_text_words(t, sl_element_text(text, v.dtype, element));
    }
}

/* What stands between two parts of dimension d: a space within the last one, else lines, and spaces under the
 * brackets. */
static void add_gap(struct sl_text *t, struct sl_view v, int d) {
    for (int lines = d + 1; lines < v.rank; lines++) sl_text_byte(t, '\n');
    for (int spaces = 0; spaces <= (d == v.rank - 1 ? 0 : d); spaces++) sl_text_byte(t, ' ');
}

/* Dimension d of the part that begins at element `at`, each index of d being `stride` elements. */
static void add_dimension(struct sl_text *t, struct sl_view v, int64_t edge, int d, int64_t at, int64_t stride) {
    const int64_t n = v.dims[d], left_out = edge < n - edge ? n - 2 * edge : 0;
    sl_text_byte(t, '[');
    for (int64_t i = 0; i < n && !t->is_broken; i++) {
        if (i || edge == 0) add_gap(t, v, d);
        if (i == edge && left_out > 0) {
            sl_text_words(t, "...");
            i += left_out;
            if (i == n) break;
            add_gap(t, v, d);
        }
        if (d == v.rank - 1) add_element(t, v, at + i);
        else add_dimension(t, v, edge, d + 1, at + i * stride, v.dims[d + 1] ? stride / v.dims[d + 1] : 0);
    }
    sl_text_byte(t, ']');
}

void sl_text_add_tensor(struct sl_text *t, struct sl_view v, int64_t edge) {
    if (edge < 0 || edge > v.count) edge = v.count;
    if (v.rank) add_dimension(t, v, edge, 0, 0, v.dims[0] ? v.count / v.dims[0] : 0);
    else if (edge == 0) sl_text_words(t, "...");
    else add_element(t, v, 0);
}
