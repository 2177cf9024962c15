/* A cache of kernel instances: a request that equals an earlier one gets the same instance. The process has one
 * cache for all drivers; a session has one more for its stateful nodes, whose instances have an identity.
 *
 * The cache keeps at most `most` instances without identity, and drops one that was not asked for lately; who
 * holds a reference keeps it. Those with an identity stay until the cache ends. Threads: thread-safe. A look-up
 * takes one of several locks and compares attrs in full; no lock is held while a kernel is made. */
#ifndef SL_KERNEL_INSTANCE_CACHE_H
#define SL_KERNEL_INSTANCE_CACHE_H

#include "kernel/instance.h"
#include "kernel/table.h"

/* `kernels` has the rows. `functions` (may be NULL): calls by way of these are shared, too. Both outlive the cache.
 * `most` 0: only instances with an identity are kept. */
sl_code sl_kernel_cache_new(struct sl_kernel_cache **out, struct sl_kernel_table *kernels,
                            struct sl_functions *functions, size_t most, struct sl_error *err);
/* Drops the cache's references. NULL is fine. */
void sl_kernel_cache_free(struct sl_kernel_cache *cache);
struct sl_kernel_table *sl_kernel_cache_table(const struct sl_kernel_cache *cache);
struct sl_functions *sl_kernel_cache_functions(const struct sl_kernel_cache *cache);
/* How many instances it has. */
size_t sl_kernel_cache_count(struct sl_kernel_cache *cache);

/* ---- for sl_kernel_prepare */
/* Equal requests have equal hashes; node, types, constants and functions do not count. */
uint64_t sl_kernel_request_hash(const struct sl_kernel_request *request);
/* The instance that an equal request was answered with, a new reference; NULL: there is none. */
struct sl_kernel_instance *sl_kernel_cache_find(struct sl_kernel_cache *cache, const struct sl_kernel_request *request,
                                                uint64_t hash);
/* Takes in an instance whose `request` and `hash` are set. Gives the one that is in the cache afterwards, a new
 * reference: another one when somebody was faster. `made` keeps the caller's reference. When memory is out it gives
 * `made`, and the cache does not have it. */
struct sl_kernel_instance *sl_kernel_cache_add(struct sl_kernel_cache *cache, struct sl_kernel_instance *made);

#endif
