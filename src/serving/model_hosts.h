/* The models of a server: one, or those that a ModelServerConfig names. Constant once they are open; thread-safe. */
#ifndef SL_SERVING_MODEL_HOSTS_H
#define SL_SERVING_MODEL_HOSTS_H

#include "serving/model_host.h"

enum { SL_MODELS_MOST = 1024 };

/* Zeroed: none. */
struct sl_model_hosts {
    struct sl_model_host **items;
    int n;
};

/* One model, as the options say; or, with a `file`, those that it names: a ModelServerConfig in protobuf's text format,
 *
 *     model_config_list { config { name: 'half' base_path: '/models/half' model_platform: 'tensorflow'
 *         model_version_policy { specific { versions: 3 versions: 4 } } version_labels { key: 'stable' value: 3 } } }
 *
 * whose folders, names, versions and labels are in the place of the options' own. INVALID_ARGUMENT for what is none; the
 * errors of sl_model_host_new. Close it in any case. */
sl_code sl_model_hosts_open(struct sl_model_hosts *out, const struct sl_model_host_options *options, const char *file,
                            struct sl_error *err);
void sl_model_hosts_close(struct sl_model_hosts *hosts);

/* Borrowed. NOT_FOUND "Servable not found for request: Latest(NAME)". */
sl_code sl_model_hosts_find(struct sl_model_host **out, const struct sl_model_hosts *hosts, struct sl_str name,
                            struct sl_error *err);

#endif
