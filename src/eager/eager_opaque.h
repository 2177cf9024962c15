/* Values that are not in the memory of a context's devices: those of custom devices, and packs. A handle that has one
 * answers by its methods; ops on it go ways of their own (eager_opaque.c), which contexts without such handles never
 * enter.
 *
 *     op ──► whose is it? ──► a custom device runs it
 *                      └────► inputs are fetched or packed, and it runs as any other
 *
 * A pack stands for one tensor on each of several devices. Threads: as handles; methods are called with no lock held. */
#ifndef SL_EAGER_EAGER_OPAQUE_H
#define SL_EAGER_EAGER_OPAQUE_H

#include "eager/eager_op.h"

struct sl_eager_opaque;

struct sl_eager_opaque_methods {
    sl_code (*rank)(int *out, struct sl_eager_opaque *v, struct sl_error *err);
    sl_code (*dim)(int64_t *out, struct sl_eager_opaque *v, int i, struct sl_error *err);
    /* A new handle of the value on a device of the context. */
    sl_code (*copy_out)(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                        struct sl_error *err);
    sl_code (*pointer)(void **out, struct sl_eager_opaque *v, struct sl_error *err);
    void (*free)(struct sl_eager_opaque *v);
};
struct sl_eager_opaque {
    const struct sl_eager_opaque_methods *methods;
    const struct sl_device_name *place; /* both borrowed from what the value belongs to */
    const char *device;                 /* the same as text */
};

/* A handle of it, which takes it over, also on failure. */
sl_code sl_eager_opaque_handle(struct sl_eager_handle **out, struct sl_eager_context *context,
                               struct sl_eager_opaque *value, int dtype, struct sl_error *err);

/* ---- custom devices: made of functions of the caller's */
struct sl_eager_custom_device;

/* `out`: new handles. */
struct sl_eager_custom_methods {
    sl_code (*copy_in)(struct sl_eager_handle **out, struct sl_eager_custom_device *d, struct sl_eager_context *context,
                       struct sl_eager_handle *h, struct sl_error *err);
    sl_code (*execute)(struct sl_eager_handle **outputs, int *n, struct sl_eager_custom_device *d,
                       struct sl_eager_op *op, struct sl_error *err);
    sl_code (*pack)(struct sl_eager_handle **out, struct sl_eager_custom_device *d, struct sl_eager_context *context,
                    struct sl_eager_handle *const *parts, int n, struct sl_error *err);
    /* Whether an op with inputs there runs there, whatever device it asks for. */
    sl_code (*pins)(bool *out, struct sl_eager_custom_device *d, struct sl_eager_op *op, struct sl_error *err);
    void (*free)(struct sl_eager_custom_device *d); /* with the context */
};
struct sl_eager_custom_device {
    const struct sl_eager_custom_methods *methods;
    bool can_pin; /* `pins` may be asked */
    struct sl_device_name parsed;
    char name[SL_DEVICE_TEXT];
    struct sl_eager_custom_device *next;
    bool is_far; /* of another task: nothing runs there that does not ask for it, or for a resource that is there */
};

/* Takes it over when all is well. `name`: in full, else INVALID_ARGUMENT; ALREADY_EXISTS when the context has a device
 * of that name. */
sl_code sl_eager_add_custom(struct sl_eager_context *c, struct sl_eager_custom_device *d, struct sl_str name,
                            struct sl_error *err);
/* The one that a name means, in full or in part; NULL. */
struct sl_eager_custom_device *sl_eager_find_custom(struct sl_eager_context *c, struct sl_str name);
/* The one that the value of a handle lies on; NULL. */
struct sl_eager_custom_device *sl_eager_custom_of(const struct sl_eager_handle *h);
/* With the context's end. */
void sl_eager_free_customs(struct sl_eager_context *c);

/* ---- clusters */
struct sl_eager_cluster_methods {
    void (*free)(struct sl_eager_cluster *self); /* with the context, while that still has all */
    sl_code (*update)(struct sl_eager_cluster *self, struct sl_str server_def, struct sl_error *err);
    /* OK, or why the task of this name does not answer. */
    sl_code (*check_alive)(struct sl_eager_cluster *self, struct sl_str task, struct sl_error *err);
    /* A function that is called on a device of the context: `*is_done` when other tasks had to have a part in it. */
    sl_code (*call)(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_cluster *self,
                    struct sl_eager_op *op, struct sl_error *err);
    void (*forget)(struct sl_eager_cluster *self, struct sl_str function); /* it is in the library no more */
};

/* ---- packs */
/* A pack of the handles, which are shared; or what the custom device of the first one makes of them. */
sl_code sl_eager_pack(struct sl_eager_handle **out, struct sl_eager_context *c, struct sl_eager_handle *const *parts,
                      int n, struct sl_error *err);

/* ---- ops and copies */
/* What an op in a context with opaque values needs before it may run: `*is_done` when a custom device has run it; else
 * its inputs are plain afterwards. */
sl_code sl_eager_execute_opaque(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                                struct sl_error *err);

#endif
