/* The functions of oneDNN that we call, found in libdnnl.so.2 at run time: the product is not linked with it.
 * Included by onednn.c and onednn_library.c alone, where SL_HAVE_ONEDNN says that its header was there. */
#ifndef SL_BACKENDS_CPU_PRODUCT_ONEDNN_LIBRARY_H
#define SL_BACKENDS_CPU_PRODUCT_ONEDNN_LIBRARY_H

#include <dnnl.h>
#include <stdbool.h>

/* clang-format off */
#define SL_ONEDNN_FUNCTIONS(F) \
    F(version) F(engine_create) F(stream_create) F(stream_destroy) F(memory_desc_init_by_strides) \
    F(memory_desc_init_by_tag) F(memory_desc_equal) F(memory_desc_get_size) F(memory_create) \
    F(memory_destroy) F(dilated_convolution_forward_desc_init) \
    F(dilated_convolution_backward_data_desc_init) F(dilated_convolution_backward_weights_desc_init) \
    F(primitive_attr_create) F(primitive_attr_destroy) F(primitive_attr_set_scratchpad_mode) \
    F(primitive_desc_create) F(primitive_desc_destroy) F(primitive_desc_query) F(primitive_desc_query_md) \
    F(reorder_primitive_desc_create) F(primitive_create) F(primitive_destroy) F(primitive_execute) \
    F(sgemm)
/* clang-format on */

struct sl_onednn_library {
#define MEMBER(name) __typeof__(dnnl_##name) *name;
    SL_ONEDNN_FUNCTIONS(MEMBER)
#undef MEMBER
    int (*omp_get_max_threads)(void); /* of this thread */
    void (*omp_set_num_threads)(int);
    dnnl_engine_t engine; /* lives as long as the process */
    bool takes_all;       /* SLUICE_ONEDNN=all: whatever the table of choices says */
};

/* NULL: it is not to be used. */
const struct sl_onednn_library *sl_onednn_library(void);

#endif
