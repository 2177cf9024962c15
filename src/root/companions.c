/* To add a companion: its row here, its files in cmake/rooms.cmake, what it holds in src/companion. */
#include "root/companions.h"

#include <string.h>

#include "companion/companion.h"
#include "ops/op_row.h"
#include "os/once.h"

/* There when the program has them linked in; then nothing is loaded. */
#define LINKED __attribute__((weak, visibility("hidden")))
extern const struct sl_companion sl_companion_data LINKED;
extern const struct sl_companion sl_companion_images LINKED;
extern const struct sl_companion sl_companion_kernels LINKED;
extern const struct sl_companion sl_companion_net LINKED;
/* There in the shared library alone. */
extern const struct sl_core sl_core LINKED;

/* The families of ops whose kernels are in a companion as far as the library has none: it is asked first. */
#define OP(name, ...)    SL_ROW_##name,
#define OP_AS(name, ...) SL_ROW_##name,
#define DEPRECATED(...)
static const uint16_t ops_of_data[] = {
#include "ops/dataset.def"
    SL_ROW_MapDefun,
};
static const uint16_t ops_of_images[] = {
#include "ops/image.def"
    SL_ROW_ImageSummary,
};
static const uint16_t ops_of_kernels[] = {
#include "ops/linalg.def"
#include "ops/quant.def"
#include "ops/signal.def"
#include "ops/sparse.def"
    SL_ROW_Conj, /* of CSR matrices */
    SL_ROW_EditDistance,
};
#undef OP
#undef OP_AS
#undef DEPRECATED

static const struct {
    const char *name, *what; /* the second is in it, for messages */
    const struct sl_companion *linked;
    const uint16_t *ops;
    size_t n_ops;
} companions[SL_COMPANION_COUNT] = {
#define OPS(ops) ops, sizeof ops / sizeof *ops
    [SL_COMPANION_DATA] = {"data", "Its kernels are", &sl_companion_data, OPS(ops_of_data)},
    [SL_COMPANION_IMAGES] = {"images", "Its kernels are", &sl_companion_images, OPS(ops_of_images)},
    [SL_COMPANION_KERNELS] = {"kernels", "Its kernels are", &sl_companion_kernels, OPS(ops_of_kernels)},
    [SL_COMPANION_NET] = {"net", "Connections to other processes are", &sl_companion_net, NULL, 0},
};

static struct {
    struct sl_once once;
    const struct sl_companion *companion;
} made[SL_COMPANION_COUNT] = {{SL_ONCE_INIT, NULL}, {SL_ONCE_INIT, NULL}, {SL_ONCE_INIT, NULL}, {SL_ONCE_INIT, NULL}};

static int source_of(struct sl_str op) {
    for (int c = 0; c < SL_COMPANION_COUNT; c++)
        for (size_t i = 0; i < companions[c].n_ops; i++)
            if (sl_str_eq(sl_row_name(companions[c].ops[i]), op)) return c;
    return -1;
}

static sl_code make(void *which, struct sl_error *err) {
    size_t c = *(const size_t *)which;
    const char *name = companions[c].name;
    struct sl_error why;
    made[c].companion = companions[c].linked;
    if (made[c].companion) return SL_OK;
    if (!&sl_core)
        return sl_fail(err, SL_UNIMPLEMENTED, "%s in libsluice_%s.a, which the program is not linked with.",
                       companions[c].what, name);
    sl_code code = sl_companion_load(&made[c].companion, name, &sl_core, &why);
    if (code == SL_OK) return SL_OK;
    return sl_fail(err, code,
                   "%s in libsluice_%s.so, which belongs beside libtensorflow.so.2 or in the folder that "
                   "SLUICE_COMPANIONS names, and which cannot be used:\n  %s",
                   companions[c].what, name, why.message);
}

static sl_code load(const struct sl_kernel_family **families, size_t *n, int source, struct sl_error *err) {
    size_t c = (size_t)source;
    SL_TRY(sl_once_run(&made[c].once, make, &c, err));
    *families = made[c].companion->families;
    *n = made[c].companion->n;
    return SL_OK;
}

const struct sl_kernel_sources sl_root_companions = {source_of, load};

sl_code sl_root_dist_door(const struct sl_dist_door **out, struct sl_error *err) {
    size_t c = SL_COMPANION_NET;
    SL_TRY(sl_once_run(&made[c].once, make, &c, err));
    *out = made[c].companion->dist;
    return SL_OK;
}

sl_code sl_root_serving_door(const struct sl_serving_door **out, struct sl_error *err) {
    size_t c = SL_COMPANION_NET;
    SL_TRY(sl_once_run(&made[c].once, make, &c, err));
    *out = made[c].companion->serving;
    return SL_OK;
}
