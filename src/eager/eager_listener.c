/* The listener of each thread. */
#include "eager/eager_listener.h"

atomic_int sl_eager_n_listeners;
static _Thread_local struct sl_eager_listener *mine;

void sl_eager_listen(struct sl_eager_listener *listener) {
    atomic_fetch_add_explicit(&sl_eager_n_listeners, (listener != NULL) - (mine != NULL), memory_order_relaxed);
    mine = listener;
}

struct sl_eager_listener *sl_eager_listener_of_thread(void) {
    return mine;
}
