/* Readers: they take names of files (work) out of a queue and give records, each with a key.
 * Threads: everything below but the making wants `mutex`. */
#ifndef SL_BACKENDS_ANY_FILE_READER_H
#define SL_BACKENDS_ANY_FILE_READER_H

#include "backends/any/session_object.h"
#include "base/vec.h"
#include "ckpt/record.h"

enum sl_reader_kind {
    SL_READER_RECORDS,  /* of a record file; key "file:offset" */
    SL_READER_LINES,    /* of text; key "file:number", from 1 */
    SL_READER_FIXED,    /* records of one length; key "file:number", from 0 */
    SL_READER_WHOLE,    /* the whole file; key "file" */
    SL_READER_IDENTITY, /* the name itself is key and record */
};

struct sl_file_reader_spec {
    enum sl_reader_kind kind;
    enum sl_compression compression;
    int64_t skip_lines;                                          /* of each file of lines */
    int64_t header_bytes, record_bytes, footer_bytes, hop_bytes; /* of SL_READER_FIXED */
};

struct sl_file_reader {
    struct sl_session_object base;
    struct sl_file_reader_spec spec;
    struct sl_mutex mutex;
    bool is_working; /* `work` is under way */
    SL_VEC(char) work;
    int64_t work_started, work_finished, records_produced;
    /* of the file that is being read */
    struct sl_byte_stream *stream;
    struct sl_record_reader *records;
    int64_t number;  /* records of this file so far (lines, with those skipped) */
    uint64_t end_at; /* SL_READER_FIXED: records end here */
    SL_VEC(char) window;
};

extern const struct sl_object_type sl_file_reader_type;

/* One reference, the caller's. */
sl_code sl_file_reader_new(struct sl_file_reader **out, const struct sl_file_reader_spec *spec, struct sl_error *err);

/* The next record of the work under way. `*produced` is false at its end, and when there is none; the work is then
 * finished. */
sl_code sl_file_reader_next(bool *produced, TF_TString *key, TF_TString *record, struct sl_file_reader *r,
                            struct sl_error *err);
/* Begins with a file; there must be no work under way. When it cannot be opened there is none afterwards, either. */
sl_code sl_file_reader_start(struct sl_file_reader *r, struct sl_str work, struct sl_error *err);
/* As if nothing had been read. */
void sl_file_reader_reset(struct sl_file_reader *r);
/* INTERNAL, UNIMPLEMENTED: only whole-file and identity readers have a state. `text` is in `arena`. */
sl_code sl_file_reader_save(struct sl_str *text, struct sl_file_reader *r, struct sl_arena *arena,
                            struct sl_error *err);
sl_code sl_file_reader_restore(struct sl_file_reader *r, struct sl_str text, struct sl_error *err);

#endif
