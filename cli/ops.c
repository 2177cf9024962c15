/* sluice ops: the ops of the library and their kernels. OpDefs and KernelLists come as protobuf bytes; the few
 * fields that are shown are read here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "nearest.h"
#include "protobuf_bytes.h"

const struct option ops_options[] = {
    {"missing", NULL, "only ops without a kernel"},
    {NULL, NULL, NULL},
};

#define TEXT(b) (int)(b).n, (const char *)(b).p

/* ---- one op */

/* OpDef.ArgDef: name 1, type 3, type_attr 4, number_attr 5, type_list_attr 6, is_ref 16. */
static void print_arg(struct bytes arg, const char *comma) {
    struct bytes number = bytes_of(arg, 5), type = bytes_of(arg, 4), list = bytes_of(arg, 6), name = bytes_of(arg, 1);
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
    struct bytes list = bytes_of(bytes_of(attr, 7), 1);
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
        while (packed.n && next_varint(&type, &packed)) {
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
            struct bytes device = bytes_of(kernel.bytes, 2);
            printf("kernel   %.*s", TEXT(device));
            while (next_field(&constraint, &inner)) {
                if (constraint.number != 3) continue;
                struct bytes attr = bytes_of(constraint.bytes, 1), types = bytes_of(bytes_of(constraint.bytes, 2), 1);
                struct field f;
                printf("  %.*s:", TEXT(attr));
                while (next_field(&f, &types)) {
                    uint64_t type = f.value;
                    if (f.number != 6) continue;
                    if (!f.bytes.p) printf(" %s", type_name((TF_DataType)type));
                    while (f.bytes.n && next_varint(&type, &f.bytes)) printf(" %s", type_name((TF_DataType)type));
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
        struct bytes attr = bytes_of(f.bytes, 1), type = bytes_of(f.bytes, 2);
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
    must_have_memory(status);
    bool found = list && list->length > 0;
    if (list) TF_DeleteBuffer(list);
    TF_DeleteStatus(status);
    return found;
}

enum { OP_NAME = 256 };

static void suggest_op(const char *wanted, char (*names)[OP_NAME], int n) {
    struct nearest nearest = {.wanted = wanted};
    complain("there is no op '%s'; 'sluice ops' lists all", wanted);
    for (int i = 0; i < n; i++) nearest_offer(&nearest, names[i]);
    nearest_say(&nearest);
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
        else if (wanted) return complain_usage(self, "one op at a time, please: '%s' and '%s'", wanted, value);
        else wanted = value;
    }
    if (a.failed) return EXIT_USAGE;
    TF_Buffer *list = TF_GetAllOpList();
    if (!list) return complain("the list of ops cannot be made");
    struct bytes all = {list->data, list->length};
    struct field op;
    int count = 0, kernels = 0;
    char(*names)[OP_NAME] = must_allocate(NULL, OP_NAME);
    while (next_field(&op, &all)) {
        struct bytes text = bytes_of(op.bytes, 1);
        names = must_allocate(names, (size_t)(count + 1) * OP_NAME);
        char *name = names[count++];
        snprintf(name, OP_NAME, "%.*s", TEXT(text));
        if (wanted && strcmp(name, wanted) != 0) continue;
        if (wanted) {
            print_op(op.bytes, name);
            found = true;
            break;
        }
        bool runs = has_kernel(name);
        kernels += runs;
        if (!only_missing || !runs) printf("%-44s %s\n", name, runs ? "kernel" : "-");
    }
    TF_DeleteBuffer(list);
    if (!wanted) printf("%d ops, %d with a kernel; internal ones, \"_NAME\", are not listed\n", count, kernels);
    else if (!found) suggest_op(wanted, names, count);
    free(names);
    return wanted && !found ? EXIT_FAILED : EXIT_OK;
}
