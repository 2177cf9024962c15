/* Queues of ready nodes: they keep their order whatever is moved between them, as a model of plain arrays does. */
#include "exec/ready_queue.h"
#include "unit/unit.h"

enum { QUEUES = 3, MOST = 4096, ROUNDS = 20000 };

/* Nodes are told apart by an address that is never looked at. */
static struct sl_ready_node numbered(uintptr_t number) {
    return (struct sl_ready_node){.iteration = (struct sl_iteration *)(number * 8)};
}

struct model {
    uintptr_t numbers[MOST];
    size_t n;
};

static void take_front(struct model *m, size_t n) {
    m->n -= n;
    memmove(m->numbers, m->numbers + n, m->n * sizeof *m->numbers);
}

static void expect_equal(const struct sl_ready_queue *q, const struct model *m) {
    assert_int_equal(q->n, m->n);
    for (size_t i = 0; i < m->n; i++) assert_ptr_equal(sl_ready_at(q, i)->iteration, (void *)(m->numbers[i] * 8));
}

static void order_is_kept(void **state) {
    static struct model models[QUEUES];
    struct sl_ready_queue queues[QUEUES] = {0};
    uint32_t random = 1;
    uintptr_t number = 1;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 1664525 + 1013904223;
        int a = (int)(random >> 28) % QUEUES, b = (a + 1) % QUEUES;
        struct model *from = &models[a], *to = &models[b];
        size_t n = (random >> 8) % 100;
        if (random >> 24 & 1) {
            for (; n && from->n < MOST; n--, number++) {
                assert_int_equal(sl_ready_push(&queues[a], numbered(number)), 0);
                from->numbers[from->n++] = number;
            }
        } else if (random >> 25 & 1) {
            for (; n && from->n; n--) {
                assert_ptr_equal(sl_ready_pop(&queues[a]).iteration, (void *)(from->numbers[0] * 8));
                take_front(from, 1);
            }
        } else {
            if (n > from->n || random >> 26 & 1) n = from->n;
            if (to->n + n > MOST) continue;
            assert_int_equal(sl_ready_move(&queues[b], &queues[a], n), 0);
            memcpy(to->numbers + to->n, from->numbers, n * sizeof *from->numbers);
            to->n += n;
            take_front(from, n);
        }
        expect_equal(&queues[a], from);
        expect_equal(&queues[b], to);
    }
    for (int i = 0; i < QUEUES; i++) sl_ready_free(&queues[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
