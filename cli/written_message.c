/* Numbers are varints, everything else has a length before it. */
#include "written_message.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

static void put_varint(struct message *m, uint64_t value) {
    if (m->n + 10 > m->room) m->p = must_allocate(m->p, m->room = 2 * m->room + 64);
    for (; value > 127; value >>= 7) m->p[m->n++] = (unsigned char)(value | 128);
    m->p[m->n++] = (unsigned char)value;
}

void message_number(struct message *m, int field, uint64_t value) {
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, value);
}

void message_bytes(struct message *m, int field, const void *bytes, size_t n) {
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, n);
    if (m->n + n > m->room) m->p = must_allocate(m->p, m->room = 2 * m->room + n);
    if (n) memcpy(m->p + m->n, bytes, n);
    m->n += n;
}

void message_text(struct message *m, int field, const char *text) { message_bytes(m, field, text, strlen(text)); }

void message_message(struct message *m, int field, struct message *inner) {
    message_bytes(m, field, inner->p, inner->n);
    free(inner->p);
    *inner = (struct message){0};
}
