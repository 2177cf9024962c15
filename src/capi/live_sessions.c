/* The sessions that TF_Reset reaches: every one from when it is made until it is deleted. */
#include "capi/handles.h"

static struct {
    struct sl_mutex mutex;
    TF_Session *first;
} live = {.mutex = SL_MUTEX_INIT};

void sl_live_sessions_add(TF_Session *session) {
    sl_mutex_lock(&live.mutex);
    session->next_live = live.first;
    session->at_live = &live.first;
    if (live.first) live.first->at_live = &session->next_live;
    live.first = session;
    sl_mutex_unlock(&live.mutex);
}

void sl_live_sessions_remove(TF_Session *session) {
    sl_mutex_lock(&live.mutex);
    *session->at_live = session->next_live;
    if (session->next_live) session->next_live->at_live = session->at_live;
    sl_mutex_unlock(&live.mutex);
}

void sl_live_sessions_each(void (*visit)(TF_Session *session, void *arg), void *arg) {
    sl_mutex_lock(&live.mutex);
    for (TF_Session *s = live.first; s; s = s->next_live) visit(s, arg);
    sl_mutex_unlock(&live.mutex);
}
