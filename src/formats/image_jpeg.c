/* JPEG by libjpeg. It reports errors by a jump: everything that outlives a call is in `struct session`, which is
 * cleared in one place, and no function between setjmp and the library owns anything. */
#include "formats/image_codec.h"

#if SL_HAVE_JPEG
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

/* A progressive file may ask for any number of passes over the image; nobody's has so many. */
enum { SCANS_MAX = 200 };

struct session {
    struct jpeg_error_mgr errors; /* the first member: the library gives its address back */
    jmp_buf stop;
    struct sl_error *err;
    sl_code code;
    union {
        struct jpeg_decompress_struct in;
        struct jpeg_compress_struct out;
    };
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    bool has_ended;
    int64_t row;             /* rows of the image that came from the file */
    unsigned char *row_room; /* one row, when it cannot be decoded in place */
    struct jpeg_destination_mgr target;
    unsigned char chunk[4096];
    struct sl_text *text;
};

static void stop_on_error(j_common_ptr library) {
    struct session *s = (struct session *)(void *)library->err;
    char message[JMSG_LENGTH_MAX];
    library->err->format_message(library, message);
    s->code = sl_fail(s->err, SL_INVALID_ARGUMENT, "Invalid JPEG data or crop window: %s", message);
    longjmp(s->stop, 1);
}
static void be_silent(j_common_ptr library, int level) {
    if (level < 0) library->err->num_warnings++;
}
static void no_message(j_common_ptr library) { (void)library; }

static struct jpeg_error_mgr *errors_of(struct session *s, struct sl_error *err) {
    s->err = err;
    s->code = SL_OK;
    jpeg_std_error(&s->errors);
    s->errors.error_exit = stop_on_error;
    s->errors.emit_message = be_silent;
    s->errors.output_message = no_message;
    return &s->errors;
}

/* ---- source: the whole file is in memory. Behind its end stands an end mark. */
static void source_start(j_decompress_ptr in) { (void)in; }
static boolean source_more(j_decompress_ptr in) {
    static const JOCTET end[2] = {0xff, JPEG_EOI};
    struct session *s = in->client_data;
    s->has_ended = true;
    s->source.next_input_byte = end;
    s->source.bytes_in_buffer = 2;
    return TRUE;
}
static void source_skip(j_decompress_ptr in, long n) {
    struct session *s = in->client_data;
    if (n <= 0) return;
    if ((size_t)n > s->source.bytes_in_buffer) {
        (void)source_more(in);
        return;
    }
    s->source.next_input_byte += n;
    s->source.bytes_in_buffer -= (size_t)n;
}
static void source_end(j_decompress_ptr in) { (void)in; }

static void count_scans(j_common_ptr library) {
    struct session *s = library->client_data;
    if (library->is_decompressor && s->in.input_scan_number > SCANS_MAX) {
        s->code = sl_fail(s->err, SL_INVALID_ARGUMENT, "Invalid JPEG data: more than %d scans", SCANS_MAX);
        longjmp(s->stop, 1);
    }
}

/* The header is read, the library ready to be told what is wanted. */
static void open_file(struct session *s, struct sl_str file) {
    jpeg_create_decompress(&s->in);
    s->in.client_data = s;
    s->source = (struct jpeg_source_mgr){.next_input_byte = (const JOCTET *)file.p,
                                         .bytes_in_buffer = file.n,
                                         .init_source = source_start,
                                         .fill_input_buffer = source_more,
                                         .skip_input_data = source_skip,
                                         .resync_to_restart = jpeg_resync_to_restart,
                                         .term_source = source_end};
    s->in.src = &s->source;
    s->progress.progress_monitor = count_scans;
    s->in.progress = &s->progress;
    jpeg_read_header(&s->in, TRUE);
}

/* ---- decoding */
static bool has_four_inks(const struct session *s) {
    return s->in.jpeg_color_space == JCS_CMYK || s->in.jpeg_color_space == JCS_YCCK;
}

static void choose(struct session *s, const struct sl_jpeg_reading *how) {
    int channels = how->channels ? how->channels : s->in.num_components < 3 ? s->in.num_components : 3;
    s->in.out_color_space = channels == 1      ? JCS_GRAYSCALE
                            : has_four_inks(s) ? JCS_CMYK
                            : channels == 3    ? JCS_RGB
                                               : s->in.jpeg_color_space;
    s->in.do_fancy_upsampling = how->is_fancy;
    s->in.dct_method = how->dct == SL_JPEG_FAST ? JDCT_IFAST : JDCT_ISLOW;
    s->in.scale_num = 1;
    s->in.scale_denom = (unsigned)how->ratio;
    jpeg_calc_output_dimensions(&s->in);
}

/* One row of red, green, blue from cyan, magenta, yellow, black. Adobe's files hold them inverted. */
static void rgb_of_inks(unsigned char *to, const unsigned char *from, int64_t n, bool is_inverted) {
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            const int ink = from[4 * i + c], black = from[4 * i + 3];
            to[3 * i + c] = (unsigned char)(is_inverted ? black * ink / 255 : (255 - black) * (255 - ink) / 255);
        }
}

struct plan {
    struct sl_image_size whole;
    int64_t y, x, height, width; /* the part that is kept */
};
static sl_code make_plan(struct plan *p, const struct session *s, const struct sl_jpeg_reading *how) {
    const int64_t channels = s->in.out_color_space == JCS_CMYK ? 3 : s->in.output_components;
    p->whole = (struct sl_image_size){1, s->in.output_height, s->in.output_width, channels};
    p->y = p->x = 0;
    p->height = p->whole.height;
    p->width = p->whole.width;
    if (!how->is_cropped) return SL_OK;
    if (how->crop_y < 0 || how->crop_x < 0 || how->crop_height <= 0 || how->crop_width <= 0 ||
        how->crop_y > p->height - how->crop_height || how->crop_x > p->width - how->crop_width)
        return sl_fail(s->err, SL_INVALID_ARGUMENT,
                       "Invalid JPEG data or crop window: image %lld x %lld, window of %lld x %lld at (%lld, %lld)",
                       (long long)p->height, (long long)p->width, (long long)how->crop_height,
                       (long long)how->crop_width, (long long)how->crop_y, (long long)how->crop_x);
    p->y = how->crop_y;
    p->x = how->crop_x;
    p->height = how->crop_height;
    p->width = how->crop_width;
    return SL_OK;
}

/* Rows up to the last that is wanted. Behind the end of a file the library makes up rows, which cost as much as others:
 * none is read that nobody gets. */
static void read_rows(struct session *s, const struct plan *p, bool may_be_cut, unsigned char *pixels) {
    const int64_t kept = p->width * p->whole.channels;
    const bool in_place = p->width == p->whole.width && s->in.out_color_space != JCS_CMYK;
    for (int64_t y = 0; y < p->y + p->height && (may_be_cut || !s->has_ended); y++) {
        unsigned char *to = y < p->y ? NULL : pixels + (y - p->y) * kept;
        JSAMPROW row = in_place && to ? to : s->row_room;
        if (jpeg_read_scanlines(&s->in, &row, 1) != 1) break;
        if (!s->has_ended) s->row = y + 1;
        if (!to || row == to) continue;
        if (s->in.out_color_space == JCS_CMYK) rgb_of_inks(to, row + 4 * p->x, p->width, s->in.saw_Adobe_marker);
        else memcpy(to, row + p->x * p->whole.channels, (size_t)kept);
    }
}

/* A block of 8 x 8 takes a bit or more, so a short file has no large image: refused before there is memory for it. */
static sl_code check_length(const struct session *s, const struct sl_jpeg_reading *how, struct sl_str file) {
    const uint64_t blocks = (((uint64_t)s->in.image_width + 7) / 8) * (((uint64_t)s->in.image_height + 7) / 8);
    if (how->may_be_cut || s->in.arith_code || blocks / 8 <= file.n) return SL_OK;
    return sl_fail(s->err, SL_INVALID_ARGUMENT,
                   "Invalid JPEG data: premature end of data: %zu bytes for %u x %u pixels", file.n, s->in.image_width,
                   s->in.image_height);
}

/* Everything that may jump. */
static sl_code decode(struct session *s, const struct sl_jpeg_reading *how, struct sl_str file,
                      const struct sl_image_sink *sink) {
    struct plan p;
    void *pixels;
    if (setjmp(s->stop)) return s->code;
    open_file(s, file);
    SL_TRY(check_length(s, how, file));
    choose(s, how);
    SL_TRY(make_plan(&p, s, how));
    SL_TRY(sl_image_place(&pixels, sink, (struct sl_image_size){1, p.height, p.width, p.whole.channels}, 1, s->err));
    const size_t bytes = (size_t)s->in.output_width * 4;
    s->row_room = sl_malloc(bytes);
    if (!s->row_room) return sl_fail_memory(s->err, bytes);
    jpeg_start_decompress(&s->in);
    read_rows(s, &p, how->may_be_cut, pixels);
    const bool is_cut = s->has_ended && s->row < p.y + p.height;
    if (is_cut && !how->may_be_cut)
        return sl_fail(s->err, SL_INVALID_ARGUMENT, "Invalid JPEG data: premature end of data at row %lld of %lld",
                       (long long)s->row, (long long)p.whole.height);
    return SL_OK;
}

sl_code sl_jpeg_decode(const struct sl_jpeg_reading *how, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err) {
    struct session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->in.err = errors_of(s, err);
    sl_code code = decode(s, how, file, sink);
    jpeg_destroy_decompress(&s->in);
    sl_free(s->row_room);
    sl_free(s);
    return code;
}

static sl_code read_size(struct session *s, struct sl_image_size *size, struct sl_str file) {
    if (setjmp(s->stop)) return s->code;
    open_file(s, file);
    *size = (struct sl_image_size){1, s->in.image_height, s->in.image_width, s->in.num_components};
    return SL_OK;
}
sl_code sl_jpeg_size(struct sl_image_size *size, struct sl_str file, struct sl_error *err) {
    struct session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->in.err = errors_of(s, err);
    sl_code code = read_size(s, size, file);
    jpeg_destroy_decompress(&s->in);
    sl_free(s);
    return code;
}

/* ---- encoding */
static void target_start(j_compress_ptr out) {
    struct session *s = out->client_data;
    s->target.next_output_byte = s->chunk;
    s->target.free_in_buffer = sizeof s->chunk;
}
static boolean target_flush(j_compress_ptr out) { /* the chunk is full, whatever the count says */
    struct session *s = out->client_data;
    sl_text_add(s->text, (struct sl_str){(const char *)s->chunk, sizeof s->chunk});
    target_start(out);
    return TRUE;
}
static void target_end(j_compress_ptr out) {
    struct session *s = out->client_data;
    sl_text_add(s->text, (struct sl_str){(const char *)s->chunk, sizeof s->chunk - s->target.free_in_buffer});
}

static void write_xmp(struct session *s, struct sl_str xmp) {
    static const char name[] = "http://ns.adobe.com/xap/1.0/"; /* with its NUL */
    jpeg_write_m_header(&s->out, JPEG_APP0 + 1, (unsigned)(sizeof name + xmp.n));
    for (size_t i = 0; i < sizeof name; i++) jpeg_write_m_byte(&s->out, (unsigned char)name[i]);
    for (size_t i = 0; i < xmp.n; i++) jpeg_write_m_byte(&s->out, (unsigned char)xmp.p[i]);
}

/* Everything that may jump. */
static sl_code encode(struct session *s, const struct sl_jpeg_writing *how, const uint8_t *pixels,
                      struct sl_image_size size) {
    if (setjmp(s->stop)) return s->code;
    jpeg_create_compress(&s->out);
    s->out.client_data = s;
    s->target.init_destination = target_start;
    s->target.empty_output_buffer = target_flush;
    s->target.term_destination = target_end;
    s->out.dest = &s->target;
    s->out.image_height = (JDIMENSION)size.height;
    s->out.image_width = (JDIMENSION)size.width;
    s->out.input_components = (int)size.channels;
    s->out.in_color_space = size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&s->out);
    s->out.optimize_coding = how->is_optimised;
    s->out.density_unit = how->is_per_cm ? 2 : 1;
    s->out.X_density = (UINT16)how->x_density;
    s->out.Y_density = (UINT16)how->y_density;
    jpeg_set_quality(&s->out, how->quality, TRUE);
    if (how->is_progressive) jpeg_simple_progression(&s->out);
    for (int c = 0; !how->is_subsampled && c < s->out.num_components; c++)
        s->out.comp_info[c].h_samp_factor = s->out.comp_info[c].v_samp_factor = 1;
    jpeg_start_compress(&s->out, TRUE);
    if (how->xmp.n) write_xmp(s, how->xmp);
    for (int64_t y = 0; y < size.height; y++) { /* the library does not write to rows */
        union {
            const uint8_t *from;
            JSAMPROW row;
        } r = {pixels + y * size.width * size.channels};
        jpeg_write_scanlines(&s->out, &r.row, 1);
    }
    jpeg_finish_compress(&s->out);
    return SL_OK;
}

sl_code sl_jpeg_encode(struct sl_text *to, const struct sl_jpeg_writing *how, const uint8_t *pixels,
                       struct sl_image_size size, struct sl_error *err) {
    struct session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->out.err = errors_of(s, err);
    s->text = to;
    sl_code code = encode(s, how, pixels, size);
    jpeg_destroy_compress(&s->out);
    sl_free(s);
    if (code != SL_OK) return sl_fail(err, SL_INTERNAL, "JPEG encoding failed");
    return code;
}

#else
static sl_code lacking(struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "JPEG needs the library libjpeg, which is not built in");
}
sl_code sl_jpeg_decode(const struct sl_jpeg_reading *how, struct sl_str file, const struct sl_image_sink *sink,
                       struct sl_error *err) {
    (void)how, (void)file, (void)sink;
    return lacking(err);
}
sl_code sl_jpeg_size(struct sl_image_size *size, struct sl_str file, struct sl_error *err) {
    (void)size, (void)file;
    return lacking(err);
}
sl_code sl_jpeg_encode(struct sl_text *to, const struct sl_jpeg_writing *how, const uint8_t *pixels,
                       struct sl_image_size size, struct sl_error *err) {
    (void)to, (void)how, (void)pixels, (void)size;
    return lacking(err);
}
#endif
