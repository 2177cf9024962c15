/* Memory that two processes have: what is written comes, and lies about it are found out. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dist/shared_values.h"
#include "proto/wire.h"
#include "unit/unit.h"

enum { SIZE = 2 << 20 };
static struct sl_shared_blocks *blocks;
static struct sl_shared_maps *maps;
static struct sl_error err;
static char content[SIZE];

static int begin(void **state) {
    (void)state;
    assert_ok(err, sl_shared_blocks_new(&blocks, 5 * SIZE, &err));
    assert_ok(err, sl_shared_maps_new(&maps, &err));
    for (int i = 0; i < SIZE; i++) content[i] = (char)(i * 31 + i / 1000);
    return 0;
}

static int end(void **state) {
    (void)state;
    sl_shared_blocks_unref(blocks);
    sl_shared_maps_free(maps);
    return 0;
}

static struct sl_shared_block *take(size_t size) {
    struct sl_shared_block *block = sl_shared_block_take(blocks, size);
    assert_non_null(block);
    return block;
}

static void another_process_writes(void **state) {
    (void)state;
    struct sl_shared_block *block = take(SIZE);
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct sl_shared_maps *own = NULL;
        bool is_good =
            sl_shared_maps_new(&own, NULL) == SL_OK && sl_shared_maps_write(own, &block->offer, content, SIZE);
        _exit(is_good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_memory_equal(block->data, content, SIZE);
    sl_shared_block_give(block);
}

static void blocks_come_again(void **state) {
    (void)state;
    struct sl_shared_block *block = take(SIZE), *other = take(SIZE);
    for (int i = 0; i < 3; i++) assert_true(sl_shared_maps_write(maps, &block->offer, content, 1000));
    sl_shared_block_give(block);
    assert_ptr_equal(take(SIZE - 5000), block);
    struct sl_shared_offer dropped = block->offer;
    sl_shared_block_drop(block);
    sl_shared_block_give(other);
    assert_true(sl_shared_maps_trim(maps)); /* it has just been written to */
    assert_false(sl_shared_maps_trim(maps));
    assert_false(sl_shared_maps_write(maps, &dropped, content, 1000)); /* and has gone */
}

static void there_is_a_limit(void **state) {
    (void)state;
    struct sl_shared_block *all[5];
    for (int i = 0; i < 5; i++) all[i] = take(SIZE);
    assert_null(sl_shared_block_take(blocks, SIZE));
    for (int i = 0; i < 5; i++) {
        assert_true(sl_shared_maps_write(maps, &all[i]->offer, content, SIZE)); /* more than there are maps */
        sl_shared_block_give(all[i]);
    }
    sl_shared_block_give(take(4 * SIZE)); /* the place of those that are kept */
    assert_null(sl_shared_block_take(blocks, 6 * SIZE));
}

static void lies_are_found_out(void **state) {
    (void)state;
    struct sl_shared_block *block = take(SIZE);
    const struct sl_shared_offer offer = block->offer;
    struct sl_shared_offer lie = offer;
    assert_false(sl_shared_maps_write(maps, &offer, content, SIZE + 4096)); /* does not fit */
    lie.number[1]++;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    lie = offer, lie.size += 4096;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    lie = offer, lie.size = UINT64_MAX;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    lie = offer, lie.process = UINT64_MAX;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    lie = offer, lie.process = 0;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    lie = offer, lie.descriptor = 100000;
    assert_false(sl_shared_maps_write(maps, &lie, content, 10));
    /* Files of others, with the number and size that are said. */
    char zeros[4096] = {0};
    memcpy(zeros, offer.number, sizeof offer.number);
    int fds[3] = {open("test_shared_values.file", O_RDWR | O_CREAT | O_TRUNC, 0600), memfd_create("other", MFD_CLOEXEC),
                  memfd_create("sluice-values", MFD_CLOEXEC)}; /* the last may shrink */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(write(fds[i], zeros, sizeof zeros), sizeof zeros);
        assert_int_equal(ftruncate(fds[i], 4096 + SIZE), 0);
        lie = offer, lie.descriptor = (uint64_t)fds[i];
        assert_false(sl_shared_maps_write(maps, &lie, content, SIZE));
        close(fds[i]);
    }
    unlink("test_shared_values.file");
    assert_true(sl_shared_maps_write(maps, &offer, content, SIZE));
    sl_shared_block_give(block);
}

/* ---- messages */

static sl_code read_answer(struct sl_value *out, struct sl_rpc_message *m, struct sl_shared_block *block,
                           uint64_t added_bytes, int dtype) {
    struct sl_pb_RecvTensorResponse answer;
    struct sl_arena arena;
    uint64_t written;
    assert_int_equal(m->n, 1);
    sl_arena_init(&arena);
    const struct sl_str bytes = {m->pieces[0].data, m->pieces[0].size};
    assert_ok(err, sl_pb_decode(&answer, SL_PB_TYPE_OF(RecvTensorResponse), bytes, &arena, &err));
    assert_true(sl_shared_is_written(&answer));
    memcpy(&written, answer.transport_options->value.p, sizeof written);
    written += added_bytes;
    answer.transport_options->value.p = (char *)&written;
    if (dtype) answer.tensor->dtype = dtype;
    sl_code code = sl_shared_read(out, &answer, block, &err);
    sl_arena_clear(&arena);
    return code;
}

static void values_come_in_blocks(void **state) {
    (void)state;
    struct sl_shared_block *block = take(SIZE), *small = take(4096);
    struct sl_tensor *t;
    struct sl_value value, come;
    struct sl_rpc_message m = {.n = 0};
    bool is_written;
    assert_ok(err, sl_tensor_new(&t, SL_FLOAT, (struct sl_shape){2, (const int64_t[]){2, SIZE / 8}}, &err));
    memcpy(t->data, content, SIZE);
    value = sl_value_of_tensor(t);
    assert_true(sl_shared_fits(&block->offer, &value));
    assert_false(sl_shared_fits(&small->offer, &value));
    assert_ok(err, sl_shared_answer_add(&is_written, &m, maps, &block->offer, &value, 7, &err));
    assert_true(is_written);
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, small, 0, 0));
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, NULL, 0, 0));
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, block, 8, 0));
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, block, 0, SL_STRING));
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, block, 0, SL_DOUBLE));
    assert_fails(err, SL_INVALID_ARGUMENT, "not in the memory", read_answer(&come, &m, block, 0, 12345));
    assert_ok(err, read_answer(&come, &m, block, 0, 0));
    assert_ptr_equal(come.tensor->data, block->data);
    assert_int_equal(come.tensor->dims[1], SIZE / 8);
    assert_memory_equal(come.tensor->data, content, SIZE);
    sl_value_clear(&come);
    assert_ptr_equal(take(SIZE), block); /* it has come back */
    sl_shared_block_give(block);
    sl_shared_block_give(small);
    sl_rpc_message_clear(&m);
    sl_value_clear(&value);
}

int main(void) {
    struct sl_shared_blocks *all = NULL;
    struct sl_shared_block *block =
        sl_shared_blocks_new(&all, SIZE, NULL) == SL_OK ? sl_shared_block_take(all, 4096) : NULL;
    if (block) sl_shared_block_drop(block);
    sl_shared_blocks_unref(all);
    if (!block) return 0; /* the system has none */
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(another_process_writes), TEST(blocks_come_again),     TEST(there_is_a_limit),
        TEST(lies_are_found_out),     TEST(values_come_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
