/* Models by name; a list, as there are few. */
#include "serving/model_hosts.h"

#include "base/alloc.h"
#include "os/file.h"
#include "proto/text_format.h"

enum { FILE_MOST = 16 << 20 };

static sl_code open_one(struct sl_model_hosts *hosts, const struct sl_model_host_options *options,
                        struct sl_error *err) {
    struct sl_model_host *other;
    SL_TRY(sl_model_host_new(&hosts->items[hosts->n], options, err));
    const char *name = hosts->items[hosts->n]->name;
    bool is_twice = sl_model_hosts_find(&other, hosts, sl_str_of(name), NULL) == SL_OK;
    hosts->n++;
    return is_twice ? sl_fail(err, SL_INVALID_ARGUMENT, "there are two models of the name %s", name) : SL_OK;
}

/* ---- a ModelServerConfig */

static sl_code read_policy(struct sl_version_policy *out, const struct sl_pb_serving_ServableVersionPolicy *policy,
                           struct sl_error *err) {
    *out = (struct sl_version_policy){.latest = 1};
    if (!policy) return SL_OK;
    switch (policy->which) {
    case SL_PB_serving_ServableVersionPolicy_latest:
        out->latest =
            policy->latest->num_versions < SL_VERSIONS_SERVED ? (int)policy->latest->num_versions : SL_VERSIONS_SERVED;
        break;
    case SL_PB_serving_ServableVersionPolicy_all: out->is_all = true; break;
    case SL_PB_serving_ServableVersionPolicy_specific:
        out->versions = policy->specific->versions.items;
        out->n_versions = policy->specific->versions.n;
        if (!out->n_versions) return sl_fail(err, SL_INVALID_ARGUMENT, "a policy of specific versions names none");
        break;
    default: break;
    }
    return SL_OK;
}

static sl_code read_labels(struct sl_model_host_options *options, const struct sl_pb_map_string_int64 *map,
                           struct sl_arena *arena, struct sl_error *err) {
    struct sl_version_label *labels = SL_ARENA_ARRAY(arena, struct sl_version_label, map->n + 1);
    if (!labels) return sl_fail_memory(err, map->n * sizeof *labels);
    for (size_t i = 0; i < map->n; i++) labels[i] = (struct sl_version_label){map->items[i].key, map->items[i].value};
    options->labels = labels;
    options->n_labels = map->n;
    return SL_OK;
}

static sl_code open_configured(struct sl_model_hosts *hosts, struct sl_model_host_options options,
                               const struct sl_pb_serving_ModelConfig *config, struct sl_arena *arena,
                               struct sl_error *err) {
    if (!config->name.n || !config->base_path.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a model wants a name and a base_path");
    if (config->model_platform.n && !sl_str_is(config->model_platform, "tensorflow"))
        return sl_fail(err, SL_UNIMPLEMENTED, "model %.*s: there is no platform \"%.*s\", but \"tensorflow\"",
                       SL_STR_ARG(config->name), SL_STR_ARG(config->model_platform));
    options.name = sl_arena_str(arena, config->name).p;
    options.dir = sl_arena_str(arena, config->base_path).p;
    if (!options.name || !options.dir) return sl_fail_memory(err, config->base_path.n);
    SL_TRY(read_policy(&options.policy, config->model_version_policy, err));
    SL_TRY(read_labels(&options, &config->version_labels, arena, err));
    return open_one(hosts, &options, err);
}

static sl_code open_all(struct sl_model_hosts *hosts, const struct sl_model_host_options *options, struct sl_str text,
                        struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_serving_ModelServerConfig config;
    SL_TRY(sl_pb_text_parse(&config, SL_PB_TYPE_OF(serving_ModelServerConfig), text, arena, err));
    const struct sl_pb_serving_ModelConfigList *list = config.model_config_list;
    if (!list || !list->config.n || list->config.n > SL_MODELS_MOST)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a server has from 1 to %d models", SL_MODELS_MOST);
    hosts->items = sl_calloc(list->config.n, sizeof *hosts->items);
    if (!hosts->items) return sl_fail_memory(err, list->config.n * sizeof *hosts->items);
    for (size_t i = 0; i < list->config.n; i++)
        SL_TRY(open_configured(hosts, *options, &list->config.items[i], arena, err));
    return SL_OK;
}

static sl_code open_file(struct sl_model_hosts *hosts, const struct sl_model_host_options *options, const char *file,
                         struct sl_error *err) {
    struct sl_error why;
    struct sl_arena arena;
    char *text;
    size_t n;
    SL_TRY(sl_file_read(&text, &n, file, FILE_MOST, err));
    sl_arena_init(&arena);
    sl_code code = open_all(hosts, options, (struct sl_str){text, n}, &arena, &why);
    if (code != SL_OK) (void)sl_fail(err, code, "%s: %s", file, why.message);
    sl_arena_clear(&arena);
    sl_free(text);
    return code;
}

/* ---- all of them */

sl_code sl_model_hosts_open(struct sl_model_hosts *out, const struct sl_model_host_options *options, const char *file,
                            struct sl_error *err) {
    *out = (struct sl_model_hosts){.n = 0};
    if (file) return open_file(out, options, file, err);
    out->items = sl_calloc(1, sizeof *out->items);
    return out->items ? open_one(out, options, err) : sl_fail_memory(err, sizeof *out->items);
}

void sl_model_hosts_close(struct sl_model_hosts *hosts) {
    for (int i = 0; i < hosts->n; i++) sl_model_host_free(hosts->items[i]);
    sl_free(hosts->items);
    *hosts = (struct sl_model_hosts){.n = 0};
}

sl_code sl_model_hosts_find(struct sl_model_host **out, const struct sl_model_hosts *hosts, struct sl_str name,
                            struct sl_error *err) {
    for (int i = 0; i < hosts->n; i++) {
        *out = hosts->items[i];
        if (sl_str_is(name, (*out)->name)) return SL_OK;
    }
    return sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Latest(%.*s)", SL_STR_ARG(name));
}
