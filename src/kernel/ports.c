/* Rows and memories of nodes that are not on the host's devices. Called by placement, the copy pass and the
 * compiler. */
#include "kernel/ports.h"

#include <string.h>

#include "kernel/rendezvous.h"
#include "ops/op_row.h"
#include "ops/op_signature.h"

static bool is_of(const struct sl_kernel_def *def, const char *device_type) {
    return def->device && !strcmp(def->device, device_type);
}

/* ---- rows */

static bool all_in(sl_dtype_set set, const uint8_t *types, int n) {
    for (int i = 0; i < n; i++)
        if (sl_dtype_is_ref(types[i]) || !sl_set_has(set, types[i])) return false;
    return true;
}

static bool names_functions(const struct sl_op *op) {
    for (int i = 0; i < op->n_attrs; i++)
        if (op->attrs[i].kind == SL_ATTR_FUNC) return true;
    return false;
}

sl_code sl_kernel_find_on(const struct sl_kernel_def **out, struct sl_kernel_table *t,
                          const struct sl_kernel_site *site, const struct sl_device_type *type, struct sl_error *err) {
    static const sl_dtype_set small = SL_SET(INT32) | SL_SET(BOOL);
    bool is_host = !strcmp(type->name, SL_HOST_DEVICE);
    sl_code code = sl_kernel_find(out, t, site->op->name, site->name, type->name, site->attrs, err);
    if (is_host) return code;
    if (code == SL_OK) {
        bool calls = !(*out)->device && !((*out)->flags & SL_KERNEL_MOVES) && names_functions(site->op);
        return calls ? sl_fail(err, SL_UNIMPLEMENTED, "%.*s calls its functions on the host alone",
                               SL_STR_ARG(site->op->name))
                     : SL_OK;
    }
    if (!all_in(small, site->in_types, site->n_in) || !all_in(small, site->out_types, site->n_out)) return code;
    if (sl_kernel_find(out, t, site->op->name, site->name, SL_HOST_DEVICE, site->attrs, NULL) != SL_OK) return code;
    if (err) sl_error_clear(err);
    return SL_OK;
}

/* ---- ports */

/* Whether `name` stands in "one, !other"; `*on_host` says how. */
static bool is_listed(bool *on_host, const char *list, struct sl_str name) {
    for (const char *at = list; at && *at;) {
        *on_host = *at != '!';
        at += *at == '!';
        size_t n = strcspn(at, ",");
        if (n == name.n && !memcmp(at, name.p, n)) return true;
        at += n;
        at += strspn(at, ", ");
    }
    return false;
}

typedef void range_function(int *first, int *n, const struct sl_op *op, int arg, const struct sl_attrs *bound);

static void set_listed(bool *on_host, const char *list, const struct sl_kernel_site *site, const struct sl_op_arg *args,
                       int n_args, range_function *range) {
    for (int a = 0; a < n_args; a++) {
        int first, n;
        bool is_on_host;
        if (!is_listed(&is_on_host, list, args[a].name)) continue;
        range(&first, &n, site->op, a, site->attrs);
        memset(on_host + first, is_on_host, (size_t)n);
    }
}

/* Peers in other processes read on the host. */
static bool sends_to_peer(const struct sl_kernel_site *site) {
    struct sl_rendezvous_pair pair;
    return site->op->index == SL_ROW__Send && sl_rendezvous_pair_read(&pair, site->attrs, NULL) == SL_OK &&
           sl_rendezvous_pair_leaves(&pair);
}

void sl_kernel_ports(bool *on_host, const struct sl_kernel_def *def, const struct sl_kernel_site *site) {
    bool moves = !def->device && def->flags & SL_KERNEL_MOVES && !sends_to_peer(site);
    bool is_hosts = def->device ? is_of(def, SL_HOST_DEVICE) : !moves;
    const sl_dtype_set always = is_hosts ? SL_SET_ALL : moves ? SL_SET_ON_HOST : SL_SET_ON_HOST & ~SL_SET(INT32);
    for (int i = 0; i < site->n_in; i++) on_host[i] = sl_set_has(always, sl_dtype_base(site->in_types[i]));
    for (int o = 0; o < site->n_out; o++)
        on_host[site->n_in + o] = sl_set_has(always, sl_dtype_base(site->out_types[o]));
    if (is_hosts || !def->host) return;
    set_listed(on_host, def->host, site, site->op->inputs, site->op->n_inputs, sl_op_input_range);
    set_listed(on_host + site->n_in, def->host, site, site->op->outputs, site->op->n_outputs, sl_op_output_range);
}
