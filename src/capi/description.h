/* An operation under construction: what TF_NewOperation starts and TF_FinishOperation ends. The setters of
 * capi_attr_set.c add attrs to it. One owner. The first mistake is kept and told at the end. */
#ifndef SL_CAPI_DESCRIPTION_H
#define SL_CAPI_DESCRIPTION_H

#include "capi/handles.h"
#include "ops/op_signature.h"

struct TF_OperationDescription {
    TF_Graph *graph;
    struct sl_arena arena; /* of everything below but the arrays */
    struct sl_str type, name, device;
    SL_VEC(struct sl_port) inputs;
    SL_VEC(struct sl_given_input) given; /* the same, argument by argument */
    SL_VEC(struct sl_node *) controls;
    SL_VEC(struct sl_attr) attrs;
    SL_VEC(struct sl_str) colocations;  /* "loc:@NAME": the value of _class */
    SL_VEC(struct sl_tensor *) tensors; /* references to what attrs borrow elements from */
    sl_code code;                       /* of the first mistake */
    bool says_where;                    /* whether its message lacks "while building NodeDef ..." */
    const char *message;                /* in `arena` */
};

/* Ends one that is not to be finished. TF_FinishOperation ends it otherwise. */
void sl_description_free(TF_OperationDescription *d);
/* Keeps a mistake, unless there is one already. */
void sl_description_fail(TF_OperationDescription *d, sl_code code, bool says_where, const char *format, ...)
    SL_PRINTF(4, 5);
/* Keeps "out of memory". */
void sl_description_no_memory(TF_OperationDescription *d);
/* A new, empty value of that kind (SL_PB_AttrValue_...) for sl_description_set; NULL when `d` is or memory is out. */
struct sl_pb_AttrValue *sl_description_value(TF_OperationDescription *d, int which);
/* The same with an empty list in it. */
struct sl_pb_AttrValue *sl_description_list(TF_OperationDescription *d);
/* Sets an attr; `value` may be NULL, then nothing happens. Name is copied, value borrowed from the arena. */
void sl_description_set(TF_OperationDescription *d, const char *name, const struct sl_pb_AttrValue *value);
/* A copy of `n` bytes in the arena; NULL when memory is out, which is kept. */
char *sl_description_copy(TF_OperationDescription *d, const void *p, size_t n);

#endif
