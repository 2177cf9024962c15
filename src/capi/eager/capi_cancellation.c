/* TFE_CancellationManager: a cancellation, and callbacks that are told by tokens. */
#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "kernel/cancellation.h"
#include "sluice/cancel.h"

struct sl_cancel_entry {
    struct sl_cancel_entry *next;
    TFE_CancellationToken token;
    TFE_CancelCallback callback;
};

TFE_CancellationManager *TFE_NewCancellationManager(void) {
    TFE_CancellationManager *m = sl_calloc(1, sizeof *m);
    if (!m) return NULL;
    m->last_token = -1;
    sl_mutex_init(&m->mutex);
    sl_condition_init(&m->idle);
    if (sl_cancellation_new(&m->cancellation, NULL, NULL) == SL_OK) return m;
    TFE_DeleteCancellationManager(m);
    return NULL;
}

static void free_entries(struct sl_cancel_entry *e) {
    for (struct sl_cancel_entry *next; e; e = next) {
        next = e->next;
        sl_free(e);
    }
}

void TFE_DeleteCancellationManager(TFE_CancellationManager *manager) {
    if (!manager) return;
    free_entries(manager->entries);
    sl_cancellation_free(manager->cancellation);
    sl_condition_clear(&manager->idle);
    sl_mutex_clear(&manager->mutex);
    sl_free(manager);
}

static bool read_flag(TFE_CancellationManager *m, const bool *flag) {
    sl_mutex_lock(&m->mutex);
    const bool is_on = *flag;
    sl_mutex_unlock(&m->mutex);
    return is_on;
}

bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *manager) {
    if (!manager) return false;
    return read_flag(manager, &manager->is_cancelled);
}
bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *manager) {
    if (!manager) return false;
    return read_flag(manager, &manager->is_cancelling);
}

/* Callbacks run on this thread, with no lock held, before anybody is told that it is cancelled. */
void TFE_CancellationManagerStartCancel(TFE_CancellationManager *manager) {
    if (!manager) return;
    sl_mutex_lock(&manager->mutex);
    const bool is_first = !manager->is_cancelling && !manager->is_cancelled;
    struct sl_cancel_entry *entries = is_first ? manager->entries : NULL;
    if (is_first) {
        manager->is_cancelling = true;
        manager->entries = NULL;
    }
    sl_mutex_unlock(&manager->mutex);
    if (!is_first) return;
    for (struct sl_cancel_entry *e = entries; e; e = e->next) e->callback.callback(e->callback.context);
    free_entries(entries);
    sl_cancellation_start(manager->cancellation, SL_CANCELLED, "The operation was cancelled.");
    sl_mutex_lock(&manager->mutex);
    manager->is_cancelling = false;
    manager->is_cancelled = true;
    sl_condition_broadcast(&manager->idle);
    sl_mutex_unlock(&manager->mutex);
}

TFE_CancellationToken TFE_CancellationManagerGetToken(TFE_CancellationManager *manager) {
    if (!manager) return -1;
    sl_mutex_lock(&manager->mutex);
    const TFE_CancellationToken token = ++manager->last_token;
    sl_mutex_unlock(&manager->mutex);
    return token;
}

bool TFE_CancellationManagerRegisterCallback(TFE_CancellationManager *manager, TFE_CancellationToken token,
                                             const TFE_CancelCallback *callback, const char *callback_name) {
    if (!manager || !callback) return false;
    struct sl_cancel_entry *e = sl_malloc(sizeof *e);
    (void)callback_name;
    if (!e) return false;
    *e = (struct sl_cancel_entry){NULL, token, *callback};
    sl_mutex_lock(&manager->mutex);
    const bool is_open = !manager->is_cancelling && !manager->is_cancelled;
    if (is_open) {
        e->next = manager->entries;
        manager->entries = e;
    }
    sl_mutex_unlock(&manager->mutex);
    if (!is_open) sl_free(e);
    return is_open;
}

/* With the mutex held. */
static void take_entry(TFE_CancellationManager *m, TFE_CancellationToken token) {
    struct sl_cancel_entry **at = &m->entries;
    while (*at && (*at)->token != token) at = &(*at)->next;
    struct sl_cancel_entry *e = *at;
    if (!e) return;
    *at = e->next;
    sl_free(e);
}

bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *manager, TFE_CancellationToken token) {
    if (!manager) return false;
    sl_mutex_lock(&manager->mutex);
    while (manager->is_cancelling) sl_condition_wait(&manager->idle, &manager->mutex);
    const bool is_open = !manager->is_cancelled;
    if (is_open) take_entry(manager, token);
    sl_mutex_unlock(&manager->mutex);
    return is_open;
}

bool TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *manager, TFE_CancellationToken token) {
    if (!manager) return false;
    sl_mutex_lock(&manager->mutex);
    const bool is_open = !manager->is_cancelling && !manager->is_cancelled;
    if (is_open) take_entry(manager, token);
    sl_mutex_unlock(&manager->mutex);
    return is_open;
}

void sl_thread_stops_with(TFE_CancellationManager *manager) {
    sl_cancellation_of_thread_set(manager ? manager->cancellation : NULL);
}
