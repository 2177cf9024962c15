/* Sources of seeds. Called by shuffles and by the kernels of seed generators. */
#include "data/seeds.h"

#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "data/input_dataset.h"
#include "os/clock.h"
#include "os/mutex.h"

struct source {
    struct sl_object object;
    struct sl_mutex mutex; /* guards words, drawn */
    struct sl_philox_words words;
    int64_t drawn;
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
    s->words = sl_seeded_words(seeds, 0);
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
    s->drawn += s->changes ? 2 : 1;
    sl_mutex_unlock(&s->mutex);
}

struct sl_philox_words sl_seeded_words(const int64_t seeds[2], uint64_t n) {
    struct sl_philox_words words =
        sl_philox_words_at(sl_philox_at((uint64_t)seeds[0], n / 4, (uint64_t)seeds[1])); /* four words a block */
    for (uint64_t i = 0; i < n % 4; i++) sl_philox_word(&words);
    return words;
}

int64_t sl_seed_source_drawn(struct sl_object *source) {
    struct source *s = (struct source *)source;
    sl_mutex_lock(&s->mutex);
    const int64_t drawn = s->drawn;
    sl_mutex_unlock(&s->mutex);
    return drawn;
}

void sl_seed_source_go_to(struct sl_object *source, int64_t drawn) {
    struct source *s = (struct source *)source;
    sl_mutex_lock(&s->mutex);
    s->drawn = drawn;
    s->words = sl_seeded_words(s->fixed, (uint64_t)drawn);
    sl_mutex_unlock(&s->mutex);
}

void sl_seed_source_seeds(int64_t seeds[2], const struct sl_object *source) {
    memcpy(seeds, ((const struct source *)source)->fixed, 2 * sizeof *seeds);
}

void sl_seed_source_at_random(int64_t pair[2], const struct sl_object *source) {
    const struct source *s = (const struct source *)source;
    pair[0] = s->fixed[0];
    pair[1] = s->fixed[s->changes];
}

struct sl_object *sl_seed_source_of(const struct sl_dataset *d, int i) {
    if (i >= d->n_values || d->values[i].dtype != SL_RESOURCE) return NULL;
    const struct sl_view v = sl_value_view(&d->values[i]);
    struct sl_object *o = v.count == 1 ? *(struct sl_object **)v.data : NULL;
    return o && o->type == &sl_seed_source_type ? o : NULL;
}
