/* Ops as functions, all but datasets and ops without kernels of odd kinds (sl_op adds those by name): made by
 * tools/gen_ops.py from the tables in src/ops.
 *
 *     TF_Output y = sl_relu(s, sl_add_v2(s, sl_matmul(s, x, w), b));
 *     TF_Output z = sl_matmul_with(s, x, y, (struct sl_matmul_attrs){.transpose_b = true});
 *     TF_Output c = sl_conv2d(s, x, w, (struct sl_conv2d_attrs){.strides = SL_INTS(1, 1, 1, 1), .padding = "SAME"});
 *
 * The name is the op's in snake case, the arguments are its inputs in their order. A list of inputs is an array and its
 * length. Attributes that follow from the inputs are not given. When all others have defaults, sl_NAME uses those and
 * sl_NAME_with takes them; when one must be given, sl_NAME takes them. A member that is 0 (NULL, an empty list) is the
 * default, which the comment tells; SL_ZERO_INT and SL_ZERO_FLOAT say 0 where the default is another, and a flag that is
 * true by default is an enum sl_choice. Results: the output, when there is one; a struct of them, by their names; the
 * operation, when there is none or their number is not fixed. Errors: see sluice/scope.h.
 *
 * Names that clash with others end with _op. */
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
