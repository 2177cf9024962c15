/* Where a session keeps its peers: in a container of their own, which no reset of the session's variables drops. */
#include "kernel/collective_peers.h"

#define CONTAINER SL_STR("_collective_peers")
#define NAME      SL_STR("peers")

static void peers_free(struct sl_object *object) {
    struct sl_collective_peers *peers = (struct sl_collective_peers *)object;
    peers->methods->free(peers);
}

static const struct sl_object_type peers_type = {.name = "tensorflow::CollectiveExecutor", .free = peers_free};

void sl_collective_peers_init(struct sl_collective_peers *peers, const struct sl_collective_peers_methods *methods) {
    sl_object_init(&peers->object, &peers_type);
    peers->methods = methods;
}

struct sl_collective_peers *sl_collective_peers_of(struct sl_resources *resources) {
    struct sl_object *object = NULL;
    if (sl_resources_find(&object, resources, CONTAINER, &peers_type, NAME, NULL) != SL_OK) return NULL;
    return (struct sl_collective_peers *)object;
}

sl_code sl_collective_peers_add(struct sl_resources *resources, struct sl_collective_peers *peers,
                                struct sl_error *err) {
    return sl_resources_add(resources, CONTAINER, NAME, &peers->object, err);
}

void sl_collective_peers_remove(struct sl_resources *resources) {
    (void)sl_resources_remove(resources, CONTAINER, &peers_type, NAME, NULL);
}
