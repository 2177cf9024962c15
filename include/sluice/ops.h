/* A function for each op; tools/gen_ops.py makes them from the tables in src/ops. Datasets and some ops without
 * kernels have none: sl_op adds those by name.
 *
 *     TF_Output y = sl_relu(s, sl_add_v2(s, sl_matmul(s, x, w), b));
 *     TF_Output z = sl_matmul_with(s, x, y, (struct sl_matmul_attrs){.transpose_b = true});
 *     TF_Output c = sl_conv2d(s, x, w, (struct sl_conv2d_attrs){.strides = SL_INTS(1, 1, 1, 1), .padding = "SAME"});
 *
 * Names: the op's name in snake case behind sl_; a name that clashes with another ends with _op. Inputs: the op's
 * inputs, in its order. A list of inputs is an array and its length. Attributes: those that follow from the inputs
 * are not given. When all others have defaults, sl_NAME uses these and sl_NAME_with takes a struct of attributes;
 * when one must be given, sl_NAME takes the struct. A member that is 0 (NULL, an empty list) has its default,
 * which the comment tells. Where the default is not 0, SL_ZERO_INT and SL_ZERO_FLOAT stand for 0, and a flag that
 * is true by default is an enum sl_choice. Results: the output, when there is one; a struct of outputs, when there
 * are more; the operation, when there is none or when their number depends on attributes. Errors: see
 * sluice/scope.h. */
#ifndef SLUICE_OPS_H
#define SLUICE_OPS_H

#include "sluice/gen/array_ops.h"
#include "sluice/gen/clustering_ops.h"
#include "sluice/gen/collective_ops.h"
#include "sluice/gen/control_ops.h"
#include "sluice/gen/conv_ops.h"
#include "sluice/gen/debug_ops.h"
#include "sluice/gen/function_ops.h"
#include "sluice/gen/image_ops.h"
#include "sluice/gen/io_ops.h"
#include "sluice/gen/linalg_ops.h"
#include "sluice/gen/list_ops.h"
#include "sluice/gen/lookup_ops.h"
#include "sluice/gen/math_ops.h"
#include "sluice/gen/matmul_ops.h"
#include "sluice/gen/nn_ops.h"
#include "sluice/gen/norm_ops.h"
#include "sluice/gen/optimizer_ops.h"
#include "sluice/gen/parse_ops.h"
#include "sluice/gen/pool_ops.h"
#include "sluice/gen/quant_ops.h"
#include "sluice/gen/queue_ops.h"
#include "sluice/gen/random_ops.h"
#include "sluice/gen/reduce_ops.h"
#include "sluice/gen/scatter_ops.h"
#include "sluice/gen/segment_ops.h"
#include "sluice/gen/signal_ops.h"
#include "sluice/gen/sparse_ops.h"
#include "sluice/gen/string_ops.h"
#include "sluice/gen/tensorarray_ops.h"
#include "sluice/gen/variable_ops.h"

#endif
