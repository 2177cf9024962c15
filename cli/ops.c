/* sluice ops: the ops of the library and their kernels. OpDefs and KernelLists come as protobuf bytes; the few
 * fields that are shown are read here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

const struct option ops_options[] = {
    {"missing", NULL, "only ops without a kernel"},
    {NULL, NULL, NULL},
};

/* ---- protobuf bytes: steps through the fields of a message */
struct bytes {
    const unsigned char *p;
    size_t n;
};
struct field {
    uint32_t number;
    uint64_t value;     /* varints */
    struct bytes bytes; /* length-delimited fields */
};

static bool varint(uint64_t *out, struct bytes *b) {
    *out = 0;
    for (int shift = 0; shift < 64 && b->n; shift += 7) {
        unsigned char c = *b->p++;
        b->n--;
        *out |= (uint64_t)(c & 127) << shift;
        if (c < 128) return true;
    }
    return false;
}

static bool next_field(struct field *f, struct bytes *b) {
    uint64_t key, length;
    if (!b->n || !varint(&key, b)) return false;
    f->number = (uint32_t)(key >> 3);
    f->bytes = (struct bytes){NULL, 0};
    f->value = 0;
    switch (key & 7) {
    case 0: return varint(&f->value, b);
    case 1: length = 8; break;
    case 5: length = 4; break;
    default:
        if (!varint(&length, b)) return false;
    }
    if (length > b->n) return false;
    f->bytes = (struct bytes){b->p, (size_t)length};
    b->p += length;
    b->n -= (size_t)length;
    return true;
}

static struct bytes text_of(struct bytes message, uint32_t number) {
    struct field f;
    while (next_field(&f, &message))
        if (f.number == number) return f.bytes;
    return (struct bytes){(const unsigned char *)"", 0};
}

static uint64_t number_of(struct bytes message, uint32_t number) {
    struct field f;
    while (next_field(&f, &message))
        if (f.number == number) return f.value;
    return 0;
}

#define TEXT(b) (int)(b).n, (const char *)(b).p

/* ---- one op */

/* OpDef.ArgDef: name 1, type 3, type_attr 4, number_attr 5, type_list_attr 6, is_ref 16. */
static void print_arg(struct bytes arg, const char *comma) {
    struct bytes number = text_of(arg, 5), type = text_of(arg, 4), list = text_of(arg, 6), name = text_of(arg, 1);
    printf("%s%.*s: ", comma, TEXT(name));
    if (number.n) printf("%.*s * ", TEXT(number));
    if (number_of(arg, 16)) printf("Ref(");
    if (list.n) printf("%.*s", TEXT(list));
    else if (type.n) printf("%.*s", TEXT(type));
    else printf("%s", type_name((TF_DataType)number_of(arg, 3)));
    if (number_of(arg, 16)) printf(")");
}

/* AttrValue.ListValue.type (6) of an allowed_values (7), packed or not. */
static void print_allowed(struct bytes attr) {
    struct bytes list = text_of(text_of(attr, 7), 1);
    struct field f;
    const char *comma = " in {";
    bool any = false;
    while (next_field(&f, &list)) {
        struct bytes packed = f.bytes;
        uint64_t type = f.value;
        if (f.number == 2) {
            printf("%s'%.*s'", comma, TEXT(f.bytes));
            comma = ", ";
            any = true;
        }
        if (f.number != 6) continue;
        if (!packed.p) {
            printf("%s%s", comma, type_name((TF_DataType)type));
            comma = ", ";
            any = true;
        }
        while (packed.n && varint(&type, &packed)) {
            printf("%s%s", comma, type_name((TF_DataType)type));
            comma = ", ";
            any = true;
        }
    }
    if (any) printf("}");
}

static void print_kernels(const char *name) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *list = TF_GetRegisteredKernelsForOp(name, status);
    if (TF_GetCode(status) != TF_OK || !list || !list->length) {
        printf("kernels  none: the op can stand in a graph but not run\n");
    } else {
        struct bytes all = {list->data, list->length};
        struct field kernel;
        while (next_field(&kernel, &all)) {
            if (kernel.number != 1) continue;
            struct bytes inner = kernel.bytes;
            struct field constraint;
            struct bytes device = text_of(kernel.bytes, 2);
            printf("kernel   %.*s", TEXT(device));
            while (next_field(&constraint, &inner)) {
                if (constraint.number != 3) continue;
                struct bytes attr = text_of(constraint.bytes, 1), types = text_of(text_of(constraint.bytes, 2), 1);
                struct field f;
                printf("  %.*s:", TEXT(attr));
                while (next_field(&f, &types)) {
                    uint64_t type = f.value;
                    if (f.number != 6) continue;
                    if (!f.bytes.p) printf(" %s", type_name((TF_DataType)type));
                    while (f.bytes.n && varint(&type, &f.bytes)) printf(" %s", type_name((TF_DataType)type));
                }
            }
            printf("\n");
        }
    }
    if (list) TF_DeleteBuffer(list);
    TF_DeleteStatus(status);
}

/* OpDef: name 1, input_arg 2, output_arg 3, attr 4. */
static void print_op(struct bytes op, const char *name) {
    struct field f;
    struct bytes rest = op;
    const char *comma = "";
    printf("%s(", name);
    for (; next_field(&f, &rest);)
        if (f.number == 2) print_arg(f.bytes, comma), comma = ", ";
    printf(")");
    comma = " -> ";
    for (rest = op; next_field(&f, &rest);)
        if (f.number == 3) print_arg(f.bytes, comma), comma = ", ";
    printf("\n");
    for (rest = op; next_field(&f, &rest);) {
        if (f.number != 4) continue;
        struct bytes attr = text_of(f.bytes, 1), type = text_of(f.bytes, 2);
        printf("attr     %.*s: %.*s", TEXT(attr), TEXT(type));
        print_allowed(f.bytes);
        if (number_of(f.bytes, 5)) printf(" >= %" PRId64, (int64_t)number_of(f.bytes, 6));
        printf("\n");
    }
    if (number_of(op, 17)) printf("stateful\n");
    print_kernels(name);
}

static bool has_kernel(const char *name) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *list = TF_GetRegisteredKernelsForOp(name, status);
    bool found = TF_GetCode(status) == TF_OK && list && list->length > 0;
    if (list) TF_DeleteBuffer(list);
    TF_DeleteStatus(status);
    return found;
}

int ops_command(int argc, char **argv) {
    const struct command *self = find_command("ops");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    const char *wanted = NULL;
    bool only_missing = false, found = false;
    while (next_argument(&a, &option, &value)) {
        if (option) only_missing = true;
        else wanted = value;
    }
    if (a.failed) return EXIT_USAGE;
    TF_Buffer *list = TF_GetAllOpList();
    if (!list) return complain("the list of ops cannot be made");
    struct bytes all = {list->data, list->length};
    struct field op;
    int count = 0, kernels = 0;
    while (next_field(&op, &all)) {
        char name[256];
        struct bytes text = text_of(op.bytes, 1);
        snprintf(name, sizeof name, "%.*s", TEXT(text));
        if (wanted) {
            if (strcmp(name, wanted) != 0) continue;
            print_op(op.bytes, name);
            found = true;
            break;
        }
        bool runs = has_kernel(name);
        count++;
        kernels += runs;
        if (!only_missing || !runs) printf("%-44s %s\n", name, runs ? "kernel" : "-");
    }
    TF_DeleteBuffer(list);
    if (!wanted) printf("%d ops, %d with a kernel\n", count, kernels);
    else if (!found) return complain("there is no op '%s'; 'sluice ops' lists all", wanted);
    return EXIT_OK;
}
