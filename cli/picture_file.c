/* Pictures are decoded and fitted by graphs of the library's own ops: which formats there are is decided there. */
#include "picture_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "sluice/ops.h"
#include "sluice/scope.h"
#include "tensorflow/c/tf_tstring.h"

static const struct range {
    const char *text;
    double divisor, offset; /* pixel / divisor - offset */
} ranges[] = {
    [PIXELS_UNIT] = {"0..1", 255, 0}, [PIXELS_SIGNED] = {"-1..1", 127.5, 1}, [PIXELS_BYTES] = {"0..255", 1, 0}};

bool pixel_range_parse(enum pixel_range *out, const char *text) {
    for (enum pixel_range r = PIXELS_UNIT; r <= PIXELS_BYTES; r++)
        if (!strcmp(ranges[r].text, text)) {
            *out = r;
            return true;
        }
    return false;
}

bool is_picture_name(const char *path) {
    static const char *const ends[] = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp"};
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
        if (!strcasecmp(ends[i], end)) return true;
    return false;
}

static const char png_head[] = "\x89PNG", jpeg_head[] = "\xff\xd8\xff";

static bool has_head(const void *bytes, size_t n, const char *head) {
    return n > strlen(head) && !memcmp(bytes, head, strlen(head));
}

bool is_picture(const void *bytes, size_t n) {
    static const char *const heads[] = {png_head, jpeg_head, "GIF8", "BM"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (has_head(bytes, n, heads[i])) return true;
    return n > 12 && !memcmp(bytes, "RIFF", 4) && !memcmp((const char *)bytes + 8, "WEBP", 4);
}

/* ---- running a small graph */

static TF_Tensor *run_scope(struct sl_scope *s, TF_Output fetch, char text[PICTURE_TEXT]) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_SessionOptions *options = must_have(TF_NewSessionOptions());
    TF_Tensor *result = NULL;
    TF_Session *session = sl_scope_ok(s) ? TF_NewSession(sl_scope_graph(s), options, status) : NULL;
    if (session) {
        TF_SessionRun(session, NULL, NULL, NULL, 0, &fetch, &result, 1, NULL, 0, NULL, status);
        const char *message = TF_Message(status);
        if (!result) snprintf(text, PICTURE_TEXT, "%.*s", (int)strcspn(message, "\n"), message);
        TF_DeleteSession(session, status);
    } else {
        snprintf(text, PICTURE_TEXT, "%s", sl_scope_ok(s) ? TF_Message(status) : sl_scope_message(s));
    }
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    return result;
}

/* Gray by the weights of ITU-R BT.601; what has no alpha is opaque. */
static void convert_pixel(uint8_t *to, int64_t n_to, const uint8_t *from, int64_t n_from) {
    bool is_grey = n_from < 3;
    uint8_t red = from[0], green = from[is_grey ? 0 : 1], blue = from[is_grey ? 0 : 2];
    if (n_to == 1) {
        to[0] = is_grey ? red : (uint8_t)((299 * red + 587 * green + 114 * blue + 500) / 1000);
        return;
    }
    to[0] = red;
    to[1] = green;
    to[2] = blue;
    if (n_to == 4) to[3] = n_from == 4 ? from[3] : 255;
}

/* Takes the image over. */
static TF_Tensor *convert_channels(TF_Tensor *image, int64_t channels) {
    int64_t had = TF_Dim(image, 2), dims[] = {TF_Dim(image, 0), TF_Dim(image, 1), channels}, n = dims[0] * dims[1];
    if (!channels || had == channels) return image;
    TF_Tensor *out = must_have(TF_AllocateTensor(TF_UINT8, dims, 3, (size_t)(n * channels)));
    for (int64_t i = 0; i < n; i++)
        convert_pixel((uint8_t *)TF_TensorData(out) + i * channels, channels,
                      (const uint8_t *)TF_TensorData(image) + i * had, had);
    TF_DeleteTensor(image);
    return out;
}

/* JPEG and PNG come with the channels that are asked for; the other formats only with their own. */
static TF_Output add_decoder(struct sl_scope *s, TF_Output contents, const void *bytes, size_t n, int64_t channels) {
    bool converts = has_head(bytes, n, jpeg_head) || has_head(bytes, n, png_head);
    struct sl_decode_image_attrs attrs = {.channels = converts ? channels : 0, .expand_animations = SL_NO};
    return sl_decode_image_with(s, contents, attrs);
}

/* uint8 [height, width, channels]; channels 0: as many as the file has. The bytes are those of a picture. */
static TF_Tensor *decode(const void *bytes, size_t n, int64_t channels, char text[PICTURE_TEXT]) {
    TF_Graph *graph = must_have(TF_NewGraph());
    struct sl_scope *s = must_have(sl_scope_new(graph));
    TF_Tensor *file = must_have(TF_AllocateTensor(TF_STRING, NULL, 0, sizeof(TF_TString)));
    TF_TString_Init(TF_TensorData(file));
    TF_TString_Copy(TF_TensorData(file), bytes, n);
    TF_Output contents = sl_constant(s, file);
    TF_DeleteTensor(file);
    TF_Tensor *image = run_scope(s, add_decoder(s, contents, bytes, n, channels), text);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    return image ? convert_channels(image, channels) : NULL;
}

/* ---- where height, width and channels stand */

struct layout {
    int batch, height, width, channels; /* positions among the dims; -1: there is none */
    bool is_flat;                       /* one dimension, or one of a batch, holds everything */
};

static bool counts_channels(int64_t dim) { return dim == 1 || dim == 3 || dim == 4; }
static bool is_grey_or_colour(int64_t dim) { return dim == 1 || dim == 3; }

/* Channels last, unless they are seen elsewhere: four in a dimension may be four channels or four pixels. */
static bool find_layout(struct layout *out, const struct picture_input *in) {
    static const struct layout last = {0, 1, 2, 3, false}, first = {0, 2, 3, 1, false}, one_last = {-1, 0, 1, 2, false},
                               one_first = {-1, 1, 2, 0, false}, greys = {0, 1, 2, -1, false},
                               grey = {-1, 0, 1, -1, false};
    const int64_t *d = in->dims;
    int rank = in->rank;
    bool is_batch = rank == 3 && d[0] <= 1 && d[1] >= 0 && d[2] >= 0;
    if (rank < 0) *out = last;
    else if (rank == 4 && is_grey_or_colour(d[3])) *out = last;
    else if (rank == 4 && is_grey_or_colour(d[1])) *out = first;
    else if (rank == 4 && (d[3] == 4 || (d[3] < 0 && d[1] != 4))) *out = last;
    else if (rank == 4 && d[1] == 4) *out = first;
    else if (rank == 3 && is_grey_or_colour(d[2])) *out = one_last;
    else if (rank == 3 && d[0] == 3) *out = one_first;
    else if (is_batch) *out = greys;
    else if (rank == 3 && (d[2] < 0 || d[2] == 4)) *out = one_last;
    else if (rank == 3 && d[0] == 4) *out = one_first;
    else if (rank == 2) *out = grey;
    else return false;
    return true;
}

/* A picture of just as many elements as an input of one dimension has. */
static bool find_flat(struct layout *out, int64_t *channels, const struct picture_input *in, const TF_Tensor *image) {
    int64_t pixels = TF_Dim(image, 0) * TF_Dim(image, 1);
    int last = in->rank - 1;
    if (in->rank < 1 || in->rank > 2 || in->dims[last] < 1 || !pixels || in->dims[last] % pixels) return false;
    *channels = in->dims[last] / pixels;
    *out = (struct layout){last - 1, -1, -1, last, true};
    return counts_channels(*channels);
}

static int64_t dim_at(const struct picture_input *in, int position) {
    return position < 0 || in->rank < 0 ? -1 : in->dims[position];
}

/* ---- fitting */

/* The picture in one piece: a batch of one. */
static TF_Output fit_size(struct sl_scope *s, const TF_Tensor *image, int64_t height, int64_t width) {
    TF_Output batch = sl_expand_dims(s, sl_constant(s, image), sl_scalar(s, TF_INT32, 0));
    if (height == TF_Dim(image, 0) && width == TF_Dim(image, 1)) return batch;
    struct sl_resize_bilinear_attrs centred = {.half_pixel_centers = true};
    return sl_resize_bilinear_with(s, batch, sl_int_vector(s, SL_INTS(height, width)), centred);
}

static TF_Output scale(struct sl_scope *s, TF_Output x, TF_DataType type, enum pixel_range range) {
    bool is_wide = type == TF_DOUBLE, is_real = is_wide || type == TF_FLOAT || type == TF_HALF || type == TF_BFLOAT16;
    if (!is_real && sl_type_of(s, x) == TF_FLOAT) x = sl_round(s, x); /* it was resized */
    if (is_real) x = sl_cast(s, x, (struct sl_cast_attrs){.DstT = is_wide ? TF_DOUBLE : TF_FLOAT});
    if (range != PIXELS_BYTES) x = sl_real_div(s, x, sl_scalar_like(s, x, ranges[range].divisor));
    if (range == PIXELS_SIGNED) x = sl_sub(s, x, sl_scalar_like(s, x, ranges[range].offset));
    return sl_cast(s, x, (struct sl_cast_attrs){.DstT = type});
}

static TF_Output arrange(struct sl_scope *s, TF_Output x, const struct layout *l, const struct picture_input *in) {
    if (l->channels >= 0 && l->channels < l->height) x = sl_transpose(s, x, sl_int_vector(s, SL_INTS(0, 3, 1, 2)));
    if (l->is_flat && l->batch < 0) return sl_reshape(s, x, sl_int_vector(s, SL_INTS(-1)));
    if (l->is_flat) return sl_reshape(s, x, sl_int_vector(s, SL_INTS(1, -1)));
    if (in->rank < 0 || in->rank == 4) return x;
    int64_t gone = l->batch < 0 ? 0 : 3; /* the batch, or the channels, of which there is one */
    x = sl_squeeze_with(s, x, (struct sl_squeeze_attrs){.squeeze_dims = {&gone, 1}});
    if (in->rank == 3) return x;
    gone = 2;
    return sl_squeeze_with(s, x, (struct sl_squeeze_attrs){.squeeze_dims = {&gone, 1}});
}

static TF_Tensor *fit(const TF_Tensor *image, const struct layout *l, const struct picture_input *in,
                      enum pixel_range range, char text[PICTURE_TEXT]) {
    int64_t height = dim_at(in, l->height), width = dim_at(in, l->width);
    if (height < 0) height = TF_Dim(image, 0);
    if (width < 0) width = TF_Dim(image, 1);
    TF_Graph *graph = must_have(TF_NewGraph());
    struct sl_scope *s = must_have(sl_scope_new(graph));
    TF_Output x = arrange(s, scale(s, fit_size(s, image, height, width), in->type, range), l, in);
    TF_Tensor *result = run_scope(s, x, text);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    if (!result) return NULL;
    int at = snprintf(text, PICTURE_TEXT, "%" PRId64 " x %" PRId64 " pixels", TF_Dim(image, 1), TF_Dim(image, 0));
    if (height != TF_Dim(image, 0) || width != TF_Dim(image, 1))
        at += snprintf(text + at, PICTURE_TEXT - (size_t)at, " resized to %" PRId64 " x %" PRId64, width, height);
    snprintf(text + at, PICTURE_TEXT - (size_t)at, ", %" PRId64 " channel%s, values %s", TF_Dim(image, 2),
             TF_Dim(image, 2) == 1 ? "" : "s", ranges[range].text);
    return result;
}

/* ---- as a whole */

static TF_Tensor *refuse(char text[PICTURE_TEXT], const char *why) {
    snprintf(text, PICTURE_TEXT, "%s", why);
    return NULL;
}

/* False when pictures of that range are none of the input's type; the usual range is decided here. */
static bool find_range(enum pixel_range *range, const struct picture_input *in) {
    static const TF_DataType reals[] = {TF_FLOAT, TF_DOUBLE, TF_HALF, TF_BFLOAT16},
                             wholes[] = {TF_UINT8, TF_INT32, TF_INT64, TF_INT16, TF_UINT16};
    *range = in->range ? in->range : PIXELS_UNIT;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (in->type == reals[i]) return true;
    *range = PIXELS_BYTES;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (in->type == wholes[i]) return !in->range || in->range == PIXELS_BYTES;
    return false;
}

TF_Tensor *picture_decode(const void *bytes, size_t n, const struct picture_input *in, char text[PICTURE_TEXT]) {
    struct layout l = {.batch = -1};
    enum pixel_range range;
    int64_t channels = 0;
    if (!n) return refuse(text, "the file is empty");
    if (!is_picture(bytes, n)) return refuse(text, "the file is no PNG, JPEG, GIF, BMP or WebP picture");
    if (!find_range(&range, in)) {
        snprintf(text, PICTURE_TEXT, "a picture with values %s is no input of type %s",
                 ranges[in->range ? in->range : PIXELS_BYTES].text, type_name(in->type));
        return NULL;
    }
    TF_Tensor *image = in->rank == 1 || in->rank == 2 ? decode(bytes, n, 0, text) : NULL;
    bool is_flat = image && find_flat(&l, &channels, in, image);
    if (image) TF_DeleteTensor(image);
    else if (in->rank == 1 || in->rank == 2) return NULL;
    if (!is_flat) {
        if (!find_layout(&l, in)) return refuse(text, "a picture does not fit the shape of the input");
        channels = l.channels < 0 ? 1 : dim_at(in, l.channels) < 0 ? 3 : dim_at(in, l.channels);
    }
    if (dim_at(in, l.batch) > 1) {
        snprintf(text, PICTURE_TEXT, "the input takes a batch of %" PRId64 ", and a picture is one",
                 dim_at(in, l.batch));
        return NULL;
    }
    image = decode(bytes, n, channels, text);
    TF_Tensor *result = image ? fit(image, &l, in, range, text) : NULL;
    if (image) TF_DeleteTensor(image);
    return result;
}
