/* Record files, plain or packed: the first byte of the input says which, the rest is the file. Lines of text are
 * read from it, too. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ckpt/reader_state.h"
#include "ckpt/record.h"
#include "os/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sl_error err;
    struct sl_record_reader *r;
    struct sl_byte_stream *s;
    struct sl_reader_state state;
    struct sl_str bytes;
    bool at_end = false;
    char path[64];
    if (size == 0) return 0;
    enum sl_compression compression = data[0] % 4;
    snprintf(path, sizeof path, "/tmp/sluice-fuzz-record-%d", (int)getpid());
    if (sl_file_write(path, data + 1, size - 1, NULL) != SL_OK) abort();
    sl_error_clear(&err);
    if (sl_record_reader_open(&r, path, compression, &err) == SL_OK) {
        while (!at_end && sl_record_reader_next(&bytes, &at_end, r, &err) == SL_OK) {}
        sl_record_reader_close(r);
    }
    at_end = false;
    if (sl_byte_stream_open(&s, path, compression, &err) == SL_OK) {
        while (!at_end && sl_byte_stream_line(&bytes, &at_end, s, &err) == SL_OK) {}
        sl_byte_stream_close(s);
    }
    (void)sl_reader_state_decode(&state, (struct sl_str){(const char *)data, size}, SL_STR("fuzz"), &err);
    unlink(path);
    return 0;
}
