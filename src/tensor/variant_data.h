/* Variants as they stand in files: a type name, bytes that the type understands, and tensors. Positions of iterators
 * and packed elements are kept like that also in memory. Immutable once made; thread-safe. */
#ifndef SL_TENSOR_VARIANT_DATA_H
#define SL_TENSOR_VARIANT_DATA_H

#include "base/str.h"
#include "tensor/object.h"
#include "tensor/tensor.h"

struct sl_variant_data {
    struct sl_object object;
    struct sl_str type_name, metadata;
    struct sl_tensor **tensors;
    size_t n;
};
extern const struct sl_object_type sl_variant_data_type;

/* Those types whose variants are of this form; of ragged tensors only those that were read: splits, then values. */
#define SL_VARIANT_ITERATOR_STATE     "tensorflow::Iterator"
#define SL_VARIANT_COMPRESSED_ELEMENT "tensorflow.data.CompressedElement"
#define SL_VARIANT_TENSOR             "tensorflow::Tensor"
#define SL_VARIANT_RAGGED_TENSOR      "RaggedTensorVariant"
#define SL_VARIANT_TENSOR_LIST        "tensorflow::TensorList" /* as it comes from another process; see list_message.h */
#define SL_VARIANT_OPTIONAL           "tensorflow::data::Optional" /* likewise */
#define SL_VARIANT_DATASET            "sluice::Dataset"            /* data/dataset_message.h */

/* One reference, the caller's; texts are copied, tensors shared. */
sl_code sl_variant_data_new(struct sl_object **out, struct sl_str type_name, struct sl_str metadata,
                            struct sl_tensor *const *tensors, size_t n, struct sl_error *err);
/* The object as such a variant; NULL: it is none, or not of this type. */
const struct sl_variant_data *sl_variant_data_of(const struct sl_object *o, const char *type_name);

#endif
