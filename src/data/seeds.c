/* Sources of seeds. Called by shuffles and by the kernels of seed generators. */
#include "data/seeds.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "kernel/philox.h"
#include "os/clock.h"
#include "os/mutex.h"

struct source {
    struct sl_object object;
    struct sl_mutex mutex; /* guards words */
    struct sl_philox_words words;
    int64_t fixed[2];
    bool changes;
};

static void source_free(struct sl_object *object) {
    sl_mutex_clear(&((struct source *)object)->mutex);
    sl_free(object);
}

const struct sl_object_type sl_seed_source_type = {.name = "tensorflow::data::SeedGeneratorManager",
                                                   .free = source_free};

void sl_seeds_resolve(int64_t seeds[2]) {
    if (seeds[0] || seeds[1]) return;
    if (getrandom(seeds, 2 * sizeof *seeds, 0) != (ssize_t)(2 * sizeof *seeds)) seeds[0] = sl_clock_ns();
}

sl_code sl_seed_source_new(struct sl_object **out, const int64_t seeds[2], bool changes, struct sl_error *err) {
    struct source *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    sl_object_init(&s->object, &sl_seed_source_type);
    sl_mutex_init(&s->mutex);
    s->words = sl_philox_words_at(sl_philox_at((uint64_t)seeds[0], 0, (uint64_t)seeds[1]));
    s->fixed[0] = seeds[0];
    s->fixed[1] = seeds[1];
    s->changes = changes;
    *out = &s->object;
    return SL_OK;
}

void sl_seed_source_draw(int64_t pair[2], struct sl_object *source) {
    struct source *s = (struct source *)source;
    sl_mutex_lock(&s->mutex);
    for (int i = 0; i < 2; i++) pair[i] = s->changes ? (int64_t)sl_philox_word(&s->words) : s->fixed[i];
    sl_mutex_unlock(&s->mutex);
}
