/* Reading them. Called when kernels of dataset ops are made. */
#include "backends/any/snapshot_settings.h"

#include "data/file_names.h"
#include "data/snapshot.h"

static bool has_attr(const struct sl_kernel_setup *setup, const char *name) {
    return sl_attr_find(setup->attrs, sl_str_of(name)) != NULL;
}

static sl_code read_compression(struct sl_snapshot_settings *s, struct sl_kernel_setup *setup) {
    struct sl_str word;
    if (!has_attr(setup, "compression")) return SL_OK;
    SL_TRY(sl_attr_string(&word, setup->attrs, "compression", setup->err));
    return sl_chunk_compression_parse(&s->compression, word, setup->err);
}

static sl_code new_settings(struct sl_snapshot_settings **out, struct sl_dataset_spec *spec,
                            struct sl_kernel_setup *setup) {
    *out = SL_ARENA_NEW(&spec->arena, struct sl_snapshot_settings);
    if (!*out) return sl_fail_memory(setup->err, sizeof **out);
    **out = (struct sl_snapshot_settings){.version = 2, .name = "", .reader_prefix = "", .writer_prefix = ""};
    spec->settings = *out;
    return SL_OK;
}

sl_code sl_snapshot_settings_read(struct sl_dataset_spec *spec, struct sl_kernel_setup *setup) {
    struct sl_snapshot_settings *s;
    int64_t hash;
    SL_TRY(new_settings(&s, spec, setup));
    SL_TRY(read_compression(s, setup));
    if (has_attr(setup, "version")) SL_TRY(sl_attr_int32(&s->version, setup->attrs, "version", setup->err));
    if (!has_attr(setup, "hash_valid")) return SL_OK;
    SL_TRY(sl_attr_bool(&s->has_hash, setup->attrs, "hash_valid", setup->err));
    SL_TRY(sl_attr_int(&hash, setup->attrs, "hash", setup->err));
    s->hash = (uint64_t)hash;
    return SL_OK;
}

static sl_code read_text(const char **out, struct sl_dataset_spec *spec, struct sl_kernel_setup *setup,
                         const char *attr) {
    struct sl_str text;
    SL_TRY(sl_attr_string(&text, setup->attrs, attr, setup->err));
    return sl_file_name_copy(out, text, &spec->arena, setup->err);
}

static sl_code read_mode(struct sl_snapshot_settings *s, struct sl_kernel_setup *setup) {
    static const char *const words[] = {"auto", "read", "write", "passthrough"};
    struct sl_str word;
    SL_TRY(sl_attr_string(&word, setup->attrs, "mode", setup->err));
    for (int i = 0; i < 4; i++)
        if (sl_str_is(word, words[i])) {
            s->mode = (enum sl_snapshot_mode)i;
            return SL_OK;
        }
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "mode must be either 'auto', 'read', 'write', or 'passthrough'.");
}

sl_code sl_older_snapshot_settings_read(struct sl_dataset_spec *spec, struct sl_kernel_setup *setup) {
    struct sl_snapshot_settings *s;
    SL_TRY(new_settings(&s, spec, setup));
    SL_TRY(read_compression(s, setup));
    if (s->compression == SL_COMPRESSION_ZLIB)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "compression must be either '', 'GZIP' or 'SNAPPY'.");
    SL_TRY(read_mode(s, setup));
    SL_TRY(read_text(&s->reader_prefix, spec, setup, "reader_path_prefix"));
    SL_TRY(read_text(&s->writer_prefix, spec, setup, "writer_path_prefix"));
    SL_TRY(read_text(&s->name, spec, setup, "snapshot_name"));
    SL_TRY(sl_attr_int(&s->chunk_bytes, setup->attrs, "shard_size_bytes", setup->err));
    SL_TRY(sl_attr_int(&s->expiry_seconds, setup->attrs, "pending_snapshot_expiry_seconds", setup->err));
    SL_TRY(sl_attr_bool(&s->shuffles, setup->attrs, "shuffle_on_read", setup->err));
    SL_TRY(sl_attr_int(&s->seeds[0], setup->attrs, "seed", setup->err));
    return sl_attr_int(&s->seeds[1], setup->attrs, "seed2", setup->err);
}
