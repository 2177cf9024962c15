/* TF_TString as programs use it: the four kinds, their bytes, who owns what, and a long random walk against a plain
 * array. Compiled as C and as C++; prints the checks that failed. */
#include <stddef.h>
#include <stdio.h>

#include "tensorflow/core/platform/ctstring.h"

static int checks_passed, checks_failed;

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(bool holds, const char *condition, int line) {
    if (holds) {
        checks_passed++;
    } else {
        checks_failed++;
        printf("%s:%d: %s does not hold\n", __FILE__, line, condition);
    }
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

/* An OFFSET string and the characters it points at, as a tensor file maps them. */
struct offset_string {
    TF_TString string;
    char characters[80];
};

static void make_offset(struct offset_string *made, size_t size) {
    memset(made, 0, sizeof *made);
    memcpy(made->characters, letters, size);
    made->string.u.offset.size = (uint32_t)(size << 2 | TF_TSTR_OFFSET);
    made->string.u.offset.offset = (uint32_t)offsetof(struct offset_string, characters);
    made->string.u.offset.count = 1;
}

/* An owner that counts its references. */
struct counting_owner {
    TStringOwnerCApi api;
    int references;
};

static void owner_ref(TStringOwnerCApi *self) { ((struct counting_owner *)self->obj)->references++; }

static bool owner_unref(TStringOwnerCApi *self) { return --((struct counting_owner *)self->obj)->references == 0; }

static void make_owner(struct counting_owner *owner) {
    owner->api.ref = owner_ref;
    owner->api.unref = owner_unref;
    owner->api.obj = owner;
    owner->references = 0;
}

static bool holds(const TF_TString *string, TF_TString_Type type, const char *value, size_t size) {
    return TF_TString_GetType(string) == type && TF_TString_GetSize(string) == size &&
           (size == 0 || memcmp(TF_TString_GetDataPointer(string), value, size) == 0);
}

static bool ends_in_nul(const TF_TString *string) {
    return TF_TString_GetDataPointer(string)[TF_TString_GetSize(string)] == '\0';
}

static void small_strings_are_inline(void) {
    TF_TString string;
    memset(&string, 0xff, sizeof string);
    TF_TString_Init(&string);
    CHECK(holds(&string, TF_TSTR_SMALL, "", 0));
    CHECK(TF_TString_GetCapacity(&string) == 22);
    CHECK(ends_in_nul(&string));

    TF_TString_Copy(&string, letters, 22);
    CHECK(holds(&string, TF_TSTR_SMALL, letters, 22));
    CHECK(TF_TString_GetDataPointer(&string) == (const char *)&string + 1);
    CHECK(string.u.raw.raw[0] == 22 << 2);
    CHECK(ends_in_nul(&string));

    TF_TString_Copy(&string, "a\0b", 3);
    CHECK(holds(&string, TF_TSTR_SMALL, "a\0b", 3));
    TF_TString_Copy(&string, NULL, 0);
    CHECK(holds(&string, TF_TSTR_SMALL, "", 0));
    TF_TString_Dealloc(&string);
}

static void long_strings_are_on_the_heap(void) {
    TF_TString string;
    TF_TString_Init(&string);
    TF_TString_Copy(&string, letters, 23);
    CHECK(holds(&string, TF_TSTR_LARGE, letters, 23));
    CHECK(TF_TString_GetCapacity(&string) == 31);
    CHECK(string.u.large.size == (23 << 2 | 1));
    CHECK(string.u.large.cap == 31);
    CHECK(ends_in_nul(&string));

    TF_TString_Copy(&string, letters, 31);
    CHECK(TF_TString_GetCapacity(&string) == 31);
    TF_TString_Copy(&string, letters, 32);
    CHECK(TF_TString_GetCapacity(&string) == 47);

    TF_TString_Copy(&string, letters, 22);
    CHECK(holds(&string, TF_TSTR_SMALL, letters, 22));
    TF_TString_Copy(&string, letters, 70);
    TF_TString_Dealloc(&string);
    CHECK(holds(&string, TF_TSTR_SMALL, "", 0));
}

static void resizing_keeps_the_beginning(void) {
    TF_TString string;
    TF_TString_Init(&string);
    CHECK(memcmp(TF_TString_Resize(&string, 5, 'x'), "xxxxx", 6) == 0);
    CHECK(holds(&string, TF_TSTR_SMALL, "xxxxx", 5));
    CHECK(memcmp(TF_TString_Resize(&string, 25, 'y'), "xxxxxyyyyyyyyyyyyyyyyyyyy", 26) == 0);
    CHECK(holds(&string, TF_TSTR_LARGE, "xxxxxyyyyyyyyyyyyyyyyyyyy", 25));
    CHECK(memcmp(TF_TString_Resize(&string, 6, 'z'), "xxxxxy", 7) == 0);
    CHECK(holds(&string, TF_TSTR_SMALL, "xxxxxy", 6));

    /* Below half of the room the room is halved; above, it stays. */
    TF_TString_Resize(&string, 255, 'a');
    CHECK(TF_TString_GetCapacity(&string) == 255);
    TF_TString_ResizeUninitialized(&string, 127);
    CHECK(TF_TString_GetCapacity(&string) == 255);
    TF_TString_ResizeUninitialized(&string, 126);
    CHECK(TF_TString_GetCapacity(&string) == 127);
    CHECK(TF_TString_GetSize(&string) == 126);
    CHECK(memcmp(TF_TString_GetDataPointer(&string), "xxxxxyaaaa", 10) == 0);
    CHECK(ends_in_nul(&string));

    /* More than any memory: nothing changes. */
    CHECK(TF_TString_ResizeUninitialized(&string, SIZE_MAX >> 1) == NULL);
    CHECK(TF_TString_GetSize(&string) == 126);
    TF_TString_Reserve(&string, SIZE_MAX);
    CHECK(TF_TString_GetCapacity(&string) == 127);
    TF_TString_AppendN(&string, letters, SIZE_MAX);
    CHECK(TF_TString_GetSize(&string) == 126);
    TF_TString_Dealloc(&string);
}

static void reserving_makes_room(void) {
    TF_TString string;
    TF_TString_Init(&string);
    TF_TString_Copy(&string, "abc", 3);
    TF_TString_Reserve(&string, 22);
    CHECK(holds(&string, TF_TSTR_SMALL, "abc", 3));
    TF_TString_Reserve(&string, 23);
    CHECK(holds(&string, TF_TSTR_LARGE, "abc", 3));
    CHECK(TF_TString_GetCapacity(&string) == 31);
    CHECK(ends_in_nul(&string));
    TF_TString_Reserve(&string, 10);
    CHECK(TF_TString_GetCapacity(&string) == 31);
    TF_TString_ReserveAmortized(&string, 31);
    CHECK(TF_TString_GetCapacity(&string) == 31);
    TF_TString_ReserveAmortized(&string, 32);
    CHECK(TF_TString_GetCapacity(&string) == 63);
    TF_TString_ReserveAmortized(&string, 1000);
    CHECK(TF_TString_GetCapacity(&string) == 1007);
    CHECK(holds(&string, TF_TSTR_LARGE, "abc", 3));
    TF_TString_Dealloc(&string);
}

static void appending(void) {
    TF_TString string, other;
    TF_TString_Init(&string);
    TF_TString_Init(&other);
    TF_TString_AppendN(&string, letters, 20);
    TF_TString_AppendN(&string, letters + 20, 2);
    CHECK(holds(&string, TF_TSTR_SMALL, letters, 22));
    TF_TString_AppendN(&string, letters, 0);
    CHECK(holds(&string, TF_TSTR_SMALL, letters, 22));
    TF_TString_Copy(&other, letters + 22, 30);
    TF_TString_Append(&string, &other);
    CHECK(holds(&string, TF_TSTR_LARGE, letters, 52));
    CHECK(TF_TString_GetCapacity(&string) == 63);
    CHECK(ends_in_nul(&string));

    /* Its own characters, while the memory moves. */
    TF_TString_Copy(&string, "0123456789", 10);
    TF_TString_Append(&string, &string);
    TF_TString_Append(&string, &string);
    CHECK(holds(&string, TF_TSTR_LARGE, "0123456789012345678901234567890123456789", 40));
    TF_TString_AppendN(&string, TF_TString_GetDataPointer(&string) + 35, 5);
    CHECK(holds(&string, TF_TSTR_LARGE, "012345678901234567890123456789012345678956789", 45));

    /* A copy of a part of itself, staying large and becoming small. */
    TF_TString_Copy(&string, TF_TString_GetDataPointer(&string) + 5, 30);
    CHECK(holds(&string, TF_TSTR_LARGE, "567890123456789012345678901234", 30));
    TF_TString_Copy(&string, TF_TString_GetDataPointer(&string) + 1, 4);
    CHECK(holds(&string, TF_TSTR_SMALL, "6789", 4));
    TF_TString_Dealloc(&string);
    TF_TString_Dealloc(&other);
}

static void views_do_not_copy(void) {
    char text[] = "the quick brown fox jumps over the lazy dog";
    TF_TString string;
    TF_TString_Init(&string);
    TF_TString_Copy(&string, letters, 50);
    TF_TString_AssignView(&string, text, 43);
    CHECK(holds(&string, TF_TSTR_VIEW, text, 43));
    CHECK(TF_TString_GetDataPointer(&string) == text);
    CHECK(TF_TString_GetCapacity(&string) == 0);
    CHECK(string.u.view.size == (43 << 2 | 3));
    CHECK(string.u.view.owner_ref == NULL);
    TF_TString_Dealloc(&string);
    CHECK(holds(&string, TF_TSTR_VIEW, text, 43));

    char *own = TF_TString_GetMutableDataPointer(&string);
    CHECK(own != text);
    CHECK(holds(&string, TF_TSTR_LARGE, text, 43));
    own[0] = 'T';
    CHECK(text[0] == 't');

    TF_TString_AssignView(&string, text, 9);
    own = TF_TString_GetMutableDataPointer(&string);
    CHECK(holds(&string, TF_TSTR_SMALL, "the quick", 9));
    CHECK(ends_in_nul(&string));

    TF_TString_AssignView(&string, text, 43);
    TF_TString_AppendN(&string, "!", 1);
    CHECK(holds(&string, TF_TSTR_LARGE, "the quick brown fox jumps over the lazy dog!", 44));
    TF_TString_AssignView(&string, text, 43);
    TF_TString_Reserve(&string, 30);
    CHECK(holds(&string, TF_TSTR_LARGE, text, 43));
    TF_TString_AssignView(&string, text, 43);
    TF_TString_Copy(&string, text + 4, 5);
    CHECK(holds(&string, TF_TSTR_SMALL, "quick", 5));
    CHECK(strcmp(text, "the quick brown fox jumps over the lazy dog") == 0);
    TF_TString_Dealloc(&string);
}

static void views_count_their_owner(void) {
    struct counting_owner owner;
    TF_TString first, second;
    make_owner(&owner);
    TF_TString_Init(&first);
    TF_TString_Init(&second);
    TF_TString_AssignViewWithOwner(&first, letters, 60, &owner.api);
    CHECK(owner.references == 1);
    TF_TString_Assign(&second, &first);
    CHECK(owner.references == 2);
    CHECK(TF_TString_GetDataPointer(&second) == letters);
    TF_TString_Assign(&second, &first);
    CHECK(owner.references == 2);
    TF_TString_Move(&second, &first);
    CHECK(owner.references == 1);
    CHECK(holds(&first, TF_TSTR_SMALL, "", 0));
    CHECK(holds(&second, TF_TSTR_VIEW, letters, 60));

    TF_TString_Assign(&first, &second);
    TF_TString_GetMutableDataPointer(&first);
    CHECK(holds(&first, TF_TSTR_LARGE, letters, 60));
    CHECK(owner.references == 1);
    TF_TString_ResizeUninitialized(&second, 3);
    CHECK(holds(&second, TF_TSTR_SMALL, "abc", 3));
    CHECK(owner.references == 0);

    TF_TString_AssignViewWithOwner(&second, letters, 60, &owner.api);
    TF_TString_Reserve(&second, 100);
    CHECK(owner.references == 0);
    TF_TString_AssignViewWithOwner(&second, letters, 60, &owner.api);
    TF_TString_Dealloc(&second);
    CHECK(owner.references == 0);
    CHECK(holds(&second, TF_TSTR_SMALL, "", 0));
    TF_TString_Dealloc(&first);
}

static void offsets_point_from_their_own_address(void) {
    struct offset_string made;
    TF_TString string;
    TF_TString_Init(&string);
    make_offset(&made, 60);
    CHECK(holds(&made.string, TF_TSTR_OFFSET, letters, 60));
    CHECK(TF_TString_GetDataPointer(&made.string) == made.characters);
    CHECK(TF_TString_GetCapacity(&made.string) == 0);
    TF_TString_Dealloc(&made.string);
    CHECK(holds(&made.string, TF_TSTR_OFFSET, letters, 60));

    TF_TString_Assign(&string, &made.string);
    CHECK(holds(&string, TF_TSTR_VIEW, letters, 60));
    CHECK(TF_TString_GetDataPointer(&string) == made.characters);
    TF_TString_Copy(&string, letters, 40);
    TF_TString_Move(&string, &made.string);
    CHECK(holds(&string, TF_TSTR_VIEW, letters, 60));
    CHECK(holds(&made.string, TF_TSTR_OFFSET, letters, 60));

    CHECK(TF_TString_GetMutableDataPointer(&made.string) != made.characters);
    CHECK(holds(&made.string, TF_TSTR_LARGE, letters, 60));
    TF_TString_Dealloc(&made.string);

    make_offset(&made, 12);
    CHECK(TF_TString_GetMutableDataPointer(&made.string) == (char *)&made.string + 1);
    CHECK(holds(&made.string, TF_TSTR_SMALL, letters, 12));
    make_offset(&made, 60);
    TF_TString_AppendN(&made.string, made.characters, 3);
    CHECK(TF_TString_GetSize(&made.string) == 63);
    CHECK(memcmp(TF_TString_GetDataPointer(&made.string) + 60, "abc", 3) == 0);
    TF_TString_Dealloc(&made.string);
    TF_TString_Dealloc(&string);
}

static void make_kind(TF_TString *string, struct offset_string *offset, int kind) {
    TF_TString_Init(string);
    if (kind == TF_TSTR_SMALL) TF_TString_Copy(string, letters, 10);
    if (kind == TF_TSTR_LARGE) TF_TString_Copy(string, letters, 60);
    if (kind == TF_TSTR_VIEW) TF_TString_AssignView(string, letters, 60);
    if (kind == TF_TSTR_OFFSET) make_offset(offset, 60);
}

static void every_kind_goes_to_every_kind(void) {
    for (int from = 0; from < 4; from++) {
        for (int to = 0; to < 4; to++) {
            for (int move = 0; move < 2; move++) {
                struct offset_string source_offset, target_offset;
                TF_TString source_string, target_string;
                make_kind(&source_string, &source_offset, from);
                make_kind(&target_string, &target_offset, to);
                TF_TString *source = from == TF_TSTR_OFFSET ? &source_offset.string : &source_string;
                TF_TString *target = to == TF_TSTR_OFFSET ? &target_offset.string : &target_string;
                const char *heap = from == TF_TSTR_LARGE ? source->u.large.ptr : NULL;
                if (move) {
                    TF_TString_Move(target, source);
                    CHECK(!heap || target->u.large.ptr == heap);
                    CHECK(TF_TString_GetSize(source) == (from == TF_TSTR_SMALL    ? 10u
                                                         : from == TF_TSTR_OFFSET ? 60u
                                                                                  : 0u));
                } else {
                    TF_TString_Assign(target, source);
                    CHECK(!heap || target->u.large.ptr != heap);
                    CHECK(TF_TString_GetSize(source) == (from == TF_TSTR_SMALL ? 10u : 60u));
                }
                CHECK(holds(target, (TF_TString_Type)(from == TF_TSTR_OFFSET ? TF_TSTR_VIEW : from), letters,
                            from == TF_TSTR_SMALL ? 10 : 60));
                TF_TString_Dealloc(source);
                TF_TString_Dealloc(target);
            }
        }
    }
    TF_TString string;
    TF_TString_Init(&string);
    TF_TString_Copy(&string, letters, 60);
    TF_TString_Assign(&string, &string);
    TF_TString_Move(&string, &string);
    CHECK(holds(&string, TF_TSTR_LARGE, letters, 60));
    TF_TString_Dealloc(&string);
}

/* The same random changes on a TF_TString and on an array; after each the two agree. */
static void a_random_walk_agrees_with_an_array(void) {
    enum { LONGEST = 400 };
    char array[LONGEST], text[LONGEST];
    size_t size = 0;
    uint32_t random = 1;
    int disagreements = 0;
    TF_TString string;
    TF_TString_Init(&string);
    for (int turn = 0; turn < 20000; turn++) {
        random = random * 1664525u + 1013904223u;
        const size_t amount = (random >> 8) % 80;
        for (size_t i = 0; i < amount; i++) text[i] = letters[(i + (size_t)turn) % (sizeof letters - 1)];
        switch (random >> 29) {
        case 0:
            TF_TString_Copy(&string, text, amount);
            memcpy(array, text, size = amount);
            break;
        case 1:
            TF_TString_Resize(&string, amount * 4, 'r');
            if (amount * 4 > size) memset(array + size, 'r', amount * 4 - size);
            size = amount * 4;
            break;
        case 2: TF_TString_Reserve(&string, amount * 4); break;
        case 3:
            TF_TString_AssignView(&string, letters, amount % sizeof letters);
            memcpy(array, letters, size = amount % sizeof letters);
            break;
        case 4:
            if (size > 0) TF_TString_GetMutableDataPointer(&string)[amount % size] = array[amount % size] = '#';
            break;
        default:
            if (size + amount > LONGEST) break;
            TF_TString_AppendN(&string, text, amount);
            memcpy(array + size, text, amount);
            size += amount;
        }
        if (TF_TString_GetSize(&string) != size || memcmp(TF_TString_GetDataPointer(&string), array, size) != 0 ||
            (TF_TString_GetType(&string) != TF_TSTR_VIEW && !ends_in_nul(&string)))
            disagreements++;
    }
    CHECK(disagreements == 0);
    TF_TString_Dealloc(&string);
}

int main(void) {
    small_strings_are_inline();
    long_strings_are_on_the_heap();
    resizing_keeps_the_beginning();
    reserving_makes_room();
    appending();
    views_do_not_copy();
    views_count_their_owner();
    offsets_point_from_their_own_address();
    every_kind_goes_to_every_kind();
    a_random_walk_agrees_with_an_array();
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed == 0 ? 0 : 1;
}
