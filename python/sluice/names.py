"""Public names: which module implements each, and in which namespaces it is.

A row is a module of this package, with the names that it has by namespace: "tf" is the package itself, "math" is
tf.math; several namespaces may share a row of names. `public=own` where the module calls it otherwise.
What compat.v1.X has not of its own is X's; compat.v2 is the package itself.
"""

from __future__ import annotations

NAMES: dict[str, dict[str, str]] = {
    "as_tensorflow": {"tf": "install_as_tensorflow"},
    "core.dtypes": {
        "tf dtypes": "DType as_dtype float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 string "
        "complex64 complex128 half double resource variant qint8 quint8 qint16 quint16 qint32 bool=bool_",
        "dtypes compat.v1": "QUANTIZED_DTYPES",
        "dtypes.experimental experimental": "float4_e2m1fn float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
        "float8_e5m2fnuz int2 int4 uint2 uint4",
    },
    "_native": {"__internal__": "EagerTensor"},
    "core.composite_tensor": {"__internal__": "CompositeTensor"},
    "core.dispatch": {"__internal__.dispatch": "GlobalOpDispatcher OpDispatcher"},
    "core.func_graph": {"__internal__": "FuncGraph"},
    "internal.contexts": {
        "__internal__": "get_name_scope",
        "__internal__.eager_context": "eager_mode get_config get_device_name",
        "__internal__.ops": "is_resource_variable",
        "__internal__.saved_model": "decode_proto encode_structure",
        "__internal__.smart_cond": "smart_cond",
        "__internal__.tf2": "enabled",
    },
    "internal.decorators": {
        "__internal__.decorator": "make_decorator unwrap",
        "__internal__.dispatch": "add_dispatch_support",
    },
    "internal.keras_hooks": {
        "__internal__": "execute_fn_for_device register_call_context_function register_clear_session_function "
        "register_get_session_function register_load_model_function",
        "__internal__.autograph": "control_status_ctx",
        "__internal__.distribute": "variable_sync_on_read_context",
        "__internal__.feature_column": "deserialize_feature_column serialize_feature_column",
        "__internal__.mixed_precision": "register_loss_scale_wrapper",
        "__internal__.tracking": "register_session_provider",
        "__internal__.train": "is_mixed_precision_graph_rewrite_enabled set_using_mixed_precision_policy",
    },
    "internal.monitoring": {"__internal__.monitoring": "BoolGauge"},
    "internal.structures": {
        "__internal__.nest": "flatten_up_to get_traverse_shallow_structure is_attrs is_mapping list_to_tuple map_structure_up_to "
        "sequence_like=_sequence_like yield_flat_paths",
    },
    "ops.weights_broadcast": {"__internal__.ops": "broadcast_weights"},
    "core.tensor": {
        "tf": "Tensor register_tensor_conversion_function",
    },
    "core.tensor_shape": {"tf": "TensorShape", "compat.v1": "Dimension"},
    "core.function": {
        "tf": "function",
        "__internal__.function": "Function",
        "types.experimental": "GenericFunction=Function PolymorphicFunction=Function",
        "config": "experimental_functions_run_eagerly=functions_run_eagerly "
        "experimental_run_functions_eagerly=run_functions_eagerly functions_run_eagerly run_functions_eagerly",
    },
    "core.concrete_function": {"types.experimental": "ConcreteFunction"},
    "core.import_graph": {"tf graph_util": "import_graph_def"},
    "core.wrapped_function": {"compat.v1": "wrap_function"},
    "core.gradient_tape": {"tf autodiff": "GradientTape"},
    "core.variables": {
        "tf": "Variable VariableAggregation VariableSynchronization variable_creator_scope",
        "compat.v1": "Variable=VariableV1 VariableAggregation=VariableAggregationV1 variable_creator_scope",
    },
    "core.graph_keys": {
        "compat.v1": "GraphKeys add_to_collection add_to_collections get_collection get_collection_ref"
    },
    "datasets.dataset": {
        "data": "Dataset DatasetSpec INFINITE_CARDINALITY UNKNOWN_CARDINALITY",
        "data.experimental": "INFINITE_CARDINALITY UNKNOWN_CARDINALITY",
        "compat.v1.data.experimental": "DatasetStructure=DatasetSpec",
    },
    "datasets.dataset_v1": {"compat.v1.data": "Dataset=DatasetV1"},
    "datasets.dataset_options": {
        "data": "AUTOTUNE Options ThreadingOptions",
        "data.experimental": "AUTOTUNE AutoShardPolicy AutotuneAlgorithm AutotuneOptions DistributeOptions ExternalStatePolicy "
        "OptimizationOptions ServiceOptions ThreadingOptions",
    },
    "datasets.iterators": {"data": "Iterator=IteratorBase IteratorSpec NumpyIterator"},
    "datasets.iterators_v1": {
        "compat.v1.data": "Iterator get_output_classes get_output_shapes get_output_types make_initializable_iterator "
        "make_one_shot_iterator",
        "data.experimental": "make_saveable_from_iterator",
    },
    "datasets.optionals": {
        "tf": "OptionalSpec",
        "experimental": "Optional",
        "data.experimental": "Optional get_next_as_optional",
        "compat.v1.data.experimental": "OptionalStructure=OptionalSpec",
    },
    "datasets.dataset_readers": {
        "data": "FixedLengthRecordDataset TFRecordDataset TextLineDataset",
        "data.experimental": "CsvDataset SqlDataset",
        "compat.v1.data": "FixedLengthRecordDataset=FixedLengthRecordDatasetV1 TFRecordDataset=TFRecordDatasetV1 "
        "TextLineDataset=TextLineDatasetV1",
        "compat.v1.data.experimental": "CsvDataset=CsvDatasetV1",
    },
    "datasets.legacy_structures": {
        "compat.v1.data.experimental": "RaggedTensorStructure SparseTensorStructure TensorArrayStructure TensorStructure "
        "map_and_batch_with_legacy_function",
    },
    "datasets.example_files": {"data.experimental": "make_batched_features_dataset"},
    "datasets.dataset_tables": {"data.experimental": "index_table_from_dataset table_from_dataset"},
    "datasets.csv_files": {"data.experimental": "make_csv_dataset"},
    "datasets.dataset_experimental": {
        "data.experimental": "Counter RandomDataset Reducer SHARD_HINT TFRecordWriter assert_cardinality at "
        "bucket_by_sequence_length cardinality choose_from_datasets copy_to_device dense_to_ragged_batch dense_to_sparse_batch "
        "enumerate_dataset from_list from_variant get_model_proto get_single_element get_structure group_by_reducer group_by_window "
        "ignore_errors load map_and_batch pad_to_cardinality parallel_interleave parse_example_dataset prefetch_to_device "
        "rejection_resample "
        "sample_from_datasets save scan shuffle_and_repeat snapshot take_while to_variant unbatch unique",
    },
    "core.session": {
        "compat.v1": "InteractiveSession Session get_default_session register_session_run_conversion_functions",
    },
    "core.callbacks": {"tf": "numpy_function py_function", "compat.v1": "py_func"},
    "core.graph": {
        "tf": "Graph Operation",
        "compat.v1": "get_default_graph=default_graph reset_default_graph",
    },
    "core.device_spec": {"tf": "DeviceSpec", "compat.v1": "DeviceSpec=DeviceSpecV1"},
    "core.modes": {
        "compat.v1": "control_flow_v2_enabled disable_control_flow_v2 disable_eager_execution disable_resource_variables "
        "disable_tensor_equality disable_v2_behavior disable_v2_tensorshape enable_control_flow_v2 enable_eager_execution "
        "enable_resource_variables enable_tensor_equality enable_v2_behavior enable_v2_tensorshape resource_variables_enabled",
    },
    "core.module": {"tf": "Module"},
    "core.scopes": {
        "tf": "control_dependencies device executing_eagerly get_current_name_scope init_scope inside_function is_tensor name_scope",
        "compat.v1": "colocate_with container executing_eagerly_outside_functions name_scope=name_scope_v1",
    },
    "core.type_spec": {
        "tf": "TensorSpec TypeSpec type_spec_from_value",
        "types.experimental": "TraceType",
        "compat.v1.data.experimental": "Structure=TypeSpec",
    },
    "core.tensor_like": {
        "types.experimental": "SupportsTracingProtocol TensorLike",
        "__internal__.types": "Tensor=TensorBase",
    },
    "core.extension_type": {
        "experimental": "BatchableExtensionType ExtensionType ExtensionTypeBatchEncoder ExtensionTypeSpec",
        "experimental.extension_type": "as_dict",
    },
    "core.indexed_slices": {"tf": "IndexedSlices IndexedSlicesSpec", "compat.v1": "IndexedSlicesValue"},
    "core.static_values": {"tf": "get_static_value"},
    "core.trackable": {
        "__internal__.tracking": "AutoTrackable CheckpointInitialValueCallable DelegatingTrackableMixin Trackable TrackableReference "
        "no_automatic_dependency_tracking sticky_attribute_assignment",
        "train.experimental": "PythonState",
    },
    "core.sharded_variable": {"__internal__.distribute": "ShardedVariable"},
    "core.trackable_structures": {"__internal__.tracking": "TrackableDataStructure wrap"},
    "core.nest": {"nest": "assert_same_structure flatten is_nested map_structure pack_sequence_as"},
    "core.messages": {
        "compat.v1": "AttrValue ConfigProto Event GPUOptions GraphDef GraphOptions HistogramProto LogMessage MetaGraphDef "
        "NameAttrList NodeDef OptimizerOptions RunMetadata RunOptions SessionLog Summary SummaryMetadata TensorInfo",
        "compat.v1.summary": "Event SessionLog Summary SummaryDescription TaggedRunMetadata",
        "compat.v1.train": "SaverDef",
        "train": "BytesList ClusterDef Example Feature FeatureList FeatureLists Features FloatList Int64List JobDef "
        "SequenceExample ServerDef",
    },
    "core.errors": {
        "errors": "OpError OperatorNotAllowedInGraphError CancelledError UnknownError InvalidArgumentError DeadlineExceededError NotFoundError "
        "AlreadyExistsError PermissionDeniedError ResourceExhaustedError FailedPreconditionError AbortedError "
        "OutOfRangeError UnimplementedError InternalError UnavailableError DataLossError UnauthenticatedError "
        "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED "
        "RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS "
        "UNAUTHENTICATED",
    },
    "ops.control_flow_ops": {
        "tf": "case cond group no_op switch_case tuple=tuple_",
        "compat.v1": "cond=cond_v1 tuple=tuple_v1",
    },
    "ops.operator_functions": {"__operators__": "add eq getitem ne ragged_getitem=getitem_of_ragged"},
    "layers.layer": {"compat.v1.layers": "InputSpec Layer"},
    "layers.dense_layers": {"compat.v1.layers": "Dense Dropout Flatten dense dropout flatten"},
    "layers.convolutional_layers": {
        "compat.v1.layers": "Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose SeparableConv1D SeparableConv2D conv1d conv2d "
        "conv2d_transpose conv3d conv3d_transpose separable_conv1d separable_conv2d",
    },
    "layers.pooling_layers": {
        "compat.v1.layers": "AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D "
        "average_pooling1d average_pooling2d average_pooling3d max_pooling1d max_pooling2d max_pooling3d",
    },
    "layers.rnn_cells": {
        "compat.v1.nn.rnn_cell": "BasicLSTMCell BasicRNNCell GRUCell LSTMCell LSTMStateTuple MultiRNNCell RNNCell"
    },
    "layers.rnn_wrappers": {"compat.v1.nn.rnn_cell": "DeviceWrapper DropoutWrapper ResidualWrapper"},
    "layers.rnn_loops": {
        "compat.v1.nn": "bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_bidirectional_rnn static_rnn static_state_saving_rnn"
    },
    "layers.batch_normalization": {"compat.v1.layers": "BatchNormalization batch_normalization"},
    "ops.gradient_checker": {
        "test": "compute_gradient",
        "compat.v1.test": "compute_gradient=compute_gradient_v1 compute_gradient_error",
    },
    "ops.critical_section_ops": {"tf": "CriticalSection"},
    "ops.batch_ops": {"tf": "nondifferentiable_batch_function"},
    "ops.while_loops": {"tf": "while_loop", "compat.v1": "while_loop=while_loop_v1"},
    "ops.functional_ops": {
        "tf": "foldl foldr map_fn scan vectorized_map",
        "compat.v1": "map_fn=map_fn_v1",
    },
    "ops.tensor_array_ops": {"tf": "TensorArray TensorArraySpec"},
    "core.graph_gradients": {
        "tf": "RegisterGradient UnconnectedGradients no_gradient",
        "compat.v1": "NoGradient=no_gradient NotDifferentiable=no_gradient",
    },
    "ops.custom_gradient_ops": {"tf": "custom_gradient grad_pass_through recompute_grad"},
    "ops.gradient_ops": {
        "tf": "AggregationMethod gradients hessians",
        "autodiff": "ForwardAccumulator",
        "compat.v1": "gradients=gradients_v1 hessians=hessians_v1",
    },
    "ops.queue_ops": {
        "queue": "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
        "compat.v1": "ConditionalAccumulator ConditionalAccumulatorBase FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase "
        "RandomShuffleQueue SparseConditionalAccumulator",
        "compat.v1.sparse": "SparseConditionalAccumulator",
    },
    "ops.lookup_ops": {
        "lookup": "KeyValueTensorInitializer StaticHashTable StaticVocabularyTable TextFileIndex TextFileInitializer",
        "lookup.experimental": "DenseHashTable MutableHashTable",
        "compat.v1.lookup": "StaticHashTable=StaticHashTableV1 StaticVocabularyTable=StaticVocabularyTableV1",
        "compat.v1": "tables_initializer initialize_all_tables=tables_initializer",
        "compat.v1.initializers": "tables_initializer",
        "data.experimental": "DatasetInitializer",
    },
    "ops.array_ops": {
        "tf": "bitcast boolean_mask broadcast_dynamic_shape broadcast_static_shape broadcast_to cast concat constant "
        "convert_to_tensor ensure_shape expand_dims eye fill fingerprint gather guarantee_const identity identity_n "
        "is_symbolic_tensor is_tensor meshgrid one_hot ones ones_like pad parallel_stack rank repeat reshape reverse "
        "reverse_sequence roll saturate_cast sequence_mask shape shape_n size slice split squeeze stack stop_gradient "
        "strided_slice tile timestamp transpose unstack where zeros zeros_like",
        "dtypes": "cast saturate_cast",
        "linalg": "eye matrix_transpose",
        "compat.v1": "boolean_mask=boolean_mask_v1 constant=constant_v1 convert_to_tensor=convert_to_tensor_v1 "
        "expand_dims=expand_dims_v1 gather=gather_v1 matrix_transpose ones_like=ones_like_v1 pad=pad_v1 "
        "reverse_sequence=reverse_sequence_v1 reverse_v2=reverse shape=shape_v1 size=size_v1 squeeze=squeeze_v1 "
        "to_bfloat16 to_complex64 to_complex128 to_double to_float to_int32 to_int64 transpose=transpose_v1 "
        "where=where_v1 where_v2=where zeros_like=zeros_like_v1",
        "compat.v1.manip": "reshape reverse roll tile",
        "compat.v1.linalg": "transpose=matrix_transpose",
    },
    "ops.indexing_ops": {
        "tf": "argsort dynamic_partition dynamic_stitch edit_distance gather_nd scatter_nd searchsorted sort "
        "tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update "
        "unique unique_with_counts unravel_index",
        "math": "approx_max_k approx_min_k in_top_k invert_permutation top_k",
        "nn": "approx_max_k approx_min_k in_top_k top_k",
        "compat.v1": "batch_gather gather_nd=gather_nd_v1 invert_permutation setdiff1d tensor_scatter_add=tensor_scatter_nd_add "
        "tensor_scatter_sub=tensor_scatter_nd_sub tensor_scatter_update=tensor_scatter_nd_update",
        "compat.v1.manip": "gather_nd=gather_nd_v1 scatter_nd",
        "compat.v1.math compat.v1.nn": "in_top_k=in_top_k_v1",
    },
    "ops.space_batch_ops": {
        "tf": "batch_to_space required_space_to_batch_paddings space_to_batch space_to_batch_nd",
        "nn": "batch_to_space space_to_batch",
        "compat.v1": "batch_to_space=batch_to_space_v1 batch_to_space_nd space_to_batch=space_to_batch_v1",
        "compat.v1.nn": "space_to_batch=space_to_batch_v1",
        "compat.v1.manip": "batch_to_space_nd space_to_batch_nd",
    },
    "ops.feature_columns": {
        "feature_column": "bucketized_column categorical_column_with_hash_bucket categorical_column_with_identity "
        "categorical_column_with_vocabulary_file categorical_column_with_vocabulary_list crossed_column embedding_column "
        "indicator_column make_parse_example_spec numeric_column weighted_categorical_column",
        "compat.v1.feature_column": "categorical_column_with_vocabulary_file=categorical_column_with_vocabulary_file_v1 "
        "input_layer linear_model",
        "__internal__.feature_column": "DenseColumn FeatureColumn FeatureTransformationCache SequenceDenseColumn "
        "StateManager=LayerStateManager",
    },
    "ops.sequence_columns": {
        "feature_column": "sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_identity "
        "sequence_categorical_column_with_vocabulary_file sequence_categorical_column_with_vocabulary_list "
        "sequence_numeric_column",
        "__internal__.feature_column": "SequenceCategoricalColumn SequenceNumericColumn",
    },
    "ops.elementwise_ops": {
        "tf math": "acos acosh asin asinh atan atanh cos cosh exp floor floordiv greater greater_equal less less_equal "
        "logical_and logical_not logical_or maximum minimum multiply negative pow sigmoid sign sin sinh sqrt square "
        "subtract tan tanh",
        "tf": "realdiv truncatediv truncatemod",
        "math": "ceil digamma erf erfc erfinv expm1 floormod is_finite is_inf is_nan lgamma log log1p "
        "mod=floormod multiply_no_nan ndtri reciprocal rint rsqrt squared_difference xdivy xlogy",
        "nn": "sigmoid tanh",
        "bitwise": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
        "compat.v1": "ceil digamma erf erfc expm1 floor_div=floordiv floormod is_finite "
        "is_inf is_nan lgamma log log1p mod=floormod reciprocal rint rsqrt squared_difference",
        "compat.v1.debugging": "is_finite is_inf is_nan",
        "math math.special": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
        "math.special": "bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 dawsn "
        "expint fresnel_cos fresnel_sin spence",
    },
    "ops.math_ops": {
        "tf math": "abs add add_n argmax argmin atan2 cumsum divide equal not_equal reduce_all reduce_any "
        "reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum round scalar_mul truediv",
        "tf": "complex linspace matmul range",
        "math": "accumulate_n angle betainc conj count_nonzero cumprod cumulative_logsumexp divide_no_nan erfcinv igamma igammac "
        "imag log_sigmoid logical_xor nextafter polygamma polyval real reciprocal_no_nan reduce_euclidean_norm "
        "reduce_std reduce_variance xlog1py zero_fraction zeta",
        "dtypes": "complex",
        "linalg": "matmul matvec",
        "nn": "log_sigmoid=log_sigmoid zero_fraction",
        "compat.v1": "accumulate_n angle arg_max arg_min betainc conj cumprod div div_no_nan=divide_no_nan igamma igammac imag "
        "lin_space=linspace log_sigmoid logical_xor polygamma real sparse_matmul zeta",
        "compat.v1 compat.v1.math": "argmax=argmax_v1 argmin=argmin_v1 count_nonzero=count_nonzero_v1 "
        "reduce_all=reduce_all_v1 reduce_any=reduce_any_v1 reduce_logsumexp=reduce_logsumexp_v1 "
        "reduce_max=reduce_max_v1 reduce_mean=reduce_mean_v1 reduce_min=reduce_min_v1 reduce_prod=reduce_prod_v1 "
        "reduce_sum=reduce_sum_v1",
    },
    "ops.special_math_ops": {
        "math": "lbeta sobol_sample",
        "tf linalg": "einsum tensordot",
        "compat.v1": "lbeta",
    },
    "ops.segment_ops": {
        "math": "segment_max segment_mean segment_min segment_prod segment_sum unsorted_segment_max unsorted_segment_mean "
        "unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum",
        "sparse": "segment_mean=sparse_segment_mean segment_sqrt_n=sparse_segment_sqrt_n segment_sum=sparse_segment_sum",
        "compat.v1": "segment_max segment_mean segment_min segment_prod segment_sum sparse_segment_mean=sparse_segment_mean_v1 "
        "sparse_segment_sqrt_n=sparse_segment_sqrt_n_v1 sparse_segment_sum=sparse_segment_sum_v1 unsorted_segment_max "
        "unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum",
        "compat.v1.sparse": "segment_mean=sparse_segment_mean_v1 segment_sqrt_n=sparse_segment_sqrt_n_v1 "
        "segment_sum=sparse_segment_sum_v1",
    },
    "ops.counting_ops": {
        "tf": "histogram_fixed_width histogram_fixed_width_bins",
        "math": "bincount confusion_matrix",
        "sparse": "bincount=sparse_bincount",
        "compat.v1": "bincount=bincount_v1 confusion_matrix=confusion_matrix_v1",
        "compat.v1.math": "bincount=bincount_v1 confusion_matrix=confusion_matrix_v1",
    },
    "ops.clip_ops": {
        "tf": "clip_by_global_norm clip_by_norm clip_by_value",
        "linalg": "global_norm",
        "compat.v1": "clip_by_average_norm global_norm",
    },
    "ops.sets_ops": {
        "sets": "difference intersection size union",
        "compat.v1.sets": "set_difference=difference set_intersection=intersection set_size=size set_union=union",
    },
    "ops.quantization_ops": {
        "quantization": "dequantize fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient "
        "fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel "
        "fake_quant_with_min_max_vars_per_channel_gradient quantize quantize_and_dequantize quantize_and_dequantize_v2 "
        "quantized_concat",
        "compat.v1": "dequantize fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient "
        "fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel "
        "fake_quant_with_min_max_vars_per_channel_gradient quantize quantize_v2 quantized_concat",
    },
    "ops.image_shape_ops": {
        "image": "ResizeMethod central_crop crop_and_resize crop_to_bounding_box extract_glimpse extract_patches flip_left_right "
        "flip_up_down pad_to_bounding_box resize resize_with_crop_or_pad resize_with_pad rot90 transpose",
        "compat.v1.image": "ResizeMethod=ResizeMethodV1 crop_and_resize=crop_and_resize_v1 extract_glimpse=extract_glimpse_v1 "
        "extract_image_patches=extract_image_patches_v1 resize=resize_v1 resize_images=resize_v1 resize_area resize_bicubic "
        "resize_bilinear resize_nearest_neighbor resize_image_with_crop_or_pad=resize_with_crop_or_pad "
        "resize_image_with_pad=resize_image_with_pad_v1 transpose_image=transpose",
        "compat.v1": "extract_image_patches=extract_image_patches_v1",
    },
    "ops.image_colour_ops": {
        "image": "adjust_brightness adjust_contrast adjust_gamma adjust_hue adjust_jpeg_quality adjust_saturation "
        "convert_image_dtype grayscale_to_rgb hsv_to_rgb per_image_standardization rgb_to_grayscale rgb_to_hsv rgb_to_yiq "
        "rgb_to_yuv yiq_to_rgb yuv_to_rgb",
    },
    "ops.image_random_ops": {
        "image": "random_brightness random_contrast random_flip_left_right random_flip_up_down random_hue random_jpeg_quality "
        "random_saturation stateless_random_brightness stateless_random_contrast stateless_random_flip_left_right "
        "stateless_random_flip_up_down stateless_random_hue stateless_random_jpeg_quality stateless_random_saturation",
    },
    "ops.image_box_ops": {
        "image": "combined_non_max_suppression draw_bounding_boxes generate_bounding_box_proposals non_max_suppression "
        "non_max_suppression_overlaps non_max_suppression_padded non_max_suppression_with_scores "
        "sample_distorted_bounding_box stateless_sample_distorted_bounding_box",
        "compat.v1.image": "draw_bounding_boxes=draw_bounding_boxes_v1 "
        "sample_distorted_bounding_box=sample_distorted_bounding_box_v1",
    },
    "ops.image_quality_ops": {"image": "image_gradients psnr sobel_edges ssim ssim_multiscale total_variation"},
    "ops.image_codec_ops": {
        "io image": "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png decode_webp "
        "encode_jpeg encode_png extract_jpeg_shape is_jpeg",
        "audio": "decode_wav encode_wav",
    },
    "ops.assert_ops": {
        "tf": "Assert assert_equal assert_greater assert_less",
        "debugging": "Assert assert_all_finite assert_equal assert_greater assert_greater_equal assert_integer assert_less "
        "assert_less_equal assert_near assert_negative assert_non_negative assert_non_positive assert_none_equal "
        "assert_positive assert_proper_iterable assert_same_float_dtype assert_type check_numerics is_numeric_tensor",
        "math": "is_non_decreasing is_strictly_increasing",
        "compat.v1 compat.v1.debugging": "assert_equal=assert_equal_v1 assert_greater=assert_greater_v1 "
        "assert_greater_equal=assert_greater_equal_v1 assert_less=assert_less_v1 assert_less_equal=assert_less_equal_v1 "
        "assert_near=assert_near_v1 assert_negative=assert_negative_v1 assert_non_negative=assert_non_negative_v1 "
        "assert_non_positive=assert_non_positive_v1 assert_none_equal=assert_none_equal_v1 "
        "assert_positive=assert_positive_v1 is_non_decreasing is_strictly_increasing",
        "compat.v1": "assert_integer assert_proper_iterable assert_same_float_dtype assert_type check_numerics "
        "is_numeric_tensor add_check_numerics_ops verify_tensor_all_finite",
        "compat.v1.debugging": "assert_all_finite=verify_tensor_all_finite",
    },
    "ops.check_shapes": {
        "tf debugging": "assert_rank",
        "debugging": "assert_rank_at_least assert_rank_in assert_scalar assert_shapes",
        "compat.v1 compat.v1.debugging": "assert_rank=assert_rank_v1 assert_rank_at_least=assert_rank_at_least_v1 "
        "assert_rank_in=assert_rank_in_v1 assert_scalar=assert_scalar_v1",
        "compat.v1.debugging": "assert_shapes=assert_shapes_v1",
    },
    "ops.string_ragged_ops": {
        "strings": "bytes_split ngrams split unicode_decode unicode_decode_with_offsets unicode_encode unicode_split "
        "unicode_split_with_offsets",
        "compat.v1.strings": "split=split_v1",
        "compat.v1": "string_split",
    },
    "ops.string_ops": {
        "strings": "as_string format=string_format join length lower reduce_join regex_full_match regex_replace strip substr "
        "to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong to_number unicode_script unicode_transcode "
        "unsorted_segment_join upper",
        "compat.v1.strings": "length=length_v1 reduce_join=reduce_join_v1 substr=substr_v1 to_hash_bucket=to_hash_bucket_v1 "
        "to_number=to_number_v1",
        "tf": "as_string",
        "compat.v1": "reduce_join=reduce_join_v1 regex_replace string_join=join string_strip=strip "
        "string_to_hash_bucket=to_hash_bucket_v1 string_to_hash_bucket_fast=to_hash_bucket_fast "
        "string_to_hash_bucket_strong=to_hash_bucket_strong string_to_number=to_number_v1 substr=substr_v1",
    },
    "ops.numpy_math": {
        "experimental.numpy": "abs absolute add all allclose amax amin angle any arccos arccosh arcsin arcsinh arctan arctan2 "
        "arctanh argmax argmin argsort around array_equal average bitwise_and bitwise_not bitwise_or "
        "bitwise_xor cbrt ceil clip conj conjugate cos cosh count_nonzero cross cumprod cumsum deg2rad diff "
        "divide divmod dot einsum equal exp exp2 expm1 fabs fix float_power floor floor_divide gcd geomspace "
        "greater greater_equal heaviside hypot imag inner isclose iscomplex iscomplexobj isfinite isinf isnan "
        "isneginf isposinf isreal isrealobj kron lcm less less_equal linspace log log10 log1p log2 logaddexp "
        "logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum mean min "
        "minimum mod multiply nanmean nanprod nansum negative nextafter not_equal outer polyval positive "
        "power prod ptp rad2deg real reciprocal remainder round sign signbit sin sinc sinh sort sqrt square "
        "std subtract sum tan tanh tensordot trace true_divide var vdot",
    },
    "ops.numpy_arrays": {
        "experimental.numpy": "ndarray=Tensor append arange array asanyarray asarray ascontiguousarray atleast_1d atleast_2d atleast_3d "
        "broadcast_arrays broadcast_to concatenate copy diag diag_indices diagflat diagonal dsplit dstack "
        "empty empty_like expand_dims eye flatten flip fliplr flipud full full_like hsplit hstack identity "
        "isscalar meshgrid moveaxis ndim ones ones_like pad ravel repeat reshape roll rot90 shape size split "
        "squeeze stack swapaxes tile transpose tri tril triu vander vsplit vstack zeros zeros_like",
    },
    "ops.numpy_types": {
        "experimental.numpy": "bool_ complex128 complex64 complex_ e finfo float16 float32 float64 float_ iinfo inexact inf int16 "
        "int32 int64 int8 int_ issubdtype newaxis object_ pi promote_types result_type string_ uint16 uint32 "
        "uint64 uint8 unicode_",
    },
    "ops.numpy_indexing": {
        "experimental.numpy": "compress ix_ nonzero select take take_along_axis where",
    },
    "ops.numpy_behaviour": {
        "experimental.numpy": "experimental_enable_numpy_behavior",
    },
    "ops.numpy_random": {
        "experimental.numpy.random": "poisson rand randint randn random seed standard_normal uniform",
    },
    "ops.row_partition": {
        "experimental": "RowPartition",
        "ragged": "row_splits_to_segment_ids segment_ids_to_row_splits",
    },
    "ops.sparse_tensor": {
        "tf": "SparseTensor SparseTensorSpec",
        "sparse": "SparseTensor",
        "compat.v1": "SparseTensorValue convert_to_tensor_or_sparse_tensor",
    },
    "ops.sparse_ops": {
        "sparse": "add concat cross cross_hashed expand_dims eye fill_empty_rows from_dense map_values mask maximum minimum "
        "reduce_max reduce_sum reorder reset_shape reshape retain sampled_addmm slice softmax sparse_dense_matmul split "
        "to_dense to_indicator transpose",
        "compat.v1.sparse": "add=add_v1 concat=concat_v1 merge placeholder reduce_max=reduce_max_v1 reduce_max_sparse "
        "reduce_sum=reduce_sum_v1 reduce_sum_sparse split=split_v1",
        "compat.v1": "sparse_add=add_v1 sparse_concat=concat_v1 sparse_fill_empty_rows=fill_empty_rows sparse_mask=mask "
        "sparse_maximum=maximum sparse_merge=merge sparse_minimum=minimum sparse_placeholder=placeholder "
        "sparse_reduce_max=reduce_max_v1 sparse_reduce_max_sparse=reduce_max_sparse sparse_reduce_sum=reduce_sum_v1 "
        "sparse_reduce_sum_sparse=reduce_sum_sparse sparse_reorder=reorder sparse_reset_shape=reset_shape "
        "sparse_reshape=reshape sparse_retain=retain sparse_slice=slice sparse_softmax=softmax sparse_split=split_v1 "
        "sparse_tensor_dense_matmul=sparse_dense_matmul sparse_tensor_to_dense=to_dense sparse_to_dense "
        "sparse_to_indicator=to_indicator sparse_transpose=transpose",
    },
    "ops.ragged_tensor": {"tf": "RaggedTensor RaggedTensorSpec"},
    "ops.dynamic_ragged_shape": {"experimental": "DynamicRaggedShape"},
    "ops.structured_tensor": {"experimental": "StructuredTensor"},
    "ops.ragged_array_ops": {"ragged": "boolean_mask cross cross_hashed stack stack_dynamic_partitions"},
    "ops.ragged_math_ops": {"ragged": "range"},
    "ops.ragged_elementwise": {"ragged": "map_flat_values"},
    "ops.api_dispatch": {
        "experimental": "dispatch_for_api dispatch_for_binary_elementwise_apis dispatch_for_binary_elementwise_assert_apis "
        "dispatch_for_unary_elementwise_apis unregister_dispatch_for",
    },
    "ops.ragged_values": {"compat.v1.ragged": "RaggedTensorValue"},
    "ops.ragged_factory_ops": {"ragged": "constant", "compat.v1.ragged": "constant_value placeholder"},
    "ops.metrics_v1": {
        "compat.v1.metrics": "accuracy auc false_negatives false_negatives_at_thresholds false_positives "
        "false_positives_at_thresholds mean mean_absolute_error mean_cosine_distance mean_iou mean_per_class_accuracy "
        "mean_relative_error mean_squared_error mean_tensor percentage_below precision precision_at_thresholds recall "
        "recall_at_thresholds root_mean_squared_error sensitivity_at_specificity specificity_at_sensitivity true_negatives "
        "true_negatives_at_thresholds true_positives true_positives_at_thresholds",
    },
    "ops.metrics_at_k": {
        "compat.v1.metrics": "average_precision_at_k precision_at_k precision_at_top_k recall_at_k recall_at_top_k "
        "sparse_average_precision_at_k sparse_precision_at_k",
    },
    "ops.templates": {"compat.v1": "make_template"},
    "ops.session_handles": {"compat.v1": "delete_session_tensor get_session_handle get_session_tensor"},
    "ops.plain_ops": {
        "tf": "approx_top_k check_pinned conv2d_backprop_filter_v2 conv2d_backprop_input_v2 extract_volume_patches fftnd ifftnd "
        "irfftnd ragged_fill_empty_rows ragged_fill_empty_rows_grad rfftnd",
    },
    "ops.nn_ops": {
        "nn": "bias_add compute_average_loss crelu depth_to_space dropout elu gelu isotonic_regression l2_loss leaky_relu "
        "log_poisson_loss log_softmax relu relu6 scale_regularization_loss selu sigmoid_cross_entropy_with_logits silu softmax "
        "softmax_cross_entropy_with_logits softplus softsign space_to_depth sparse_softmax_cross_entropy_with_logits swish=silu "
        "weighted_cross_entropy_with_logits",
        "nn.experimental": "general_dropout stateless_dropout",
        "math": "log_softmax softmax softplus softsign",
        "compat.v1.math compat.v1.nn": "log_softmax=log_softmax_v1 softmax=softmax_v1",
        "compat.v1.nn": "crelu=crelu_v1 depth_to_space=depth_to_space_v1 dropout=dropout_v1 relu_layer "
        "softmax_cross_entropy_with_logits=softmax_cross_entropy_with_logits_v1 "
        "softmax_cross_entropy_with_logits_v2=softmax_cross_entropy_with_logits_v2_v1 space_to_depth=space_to_depth_v1 "
        "sparse_softmax_cross_entropy_with_logits=sparse_softmax_cross_entropy_with_logits_v1 "
        "weighted_cross_entropy_with_logits=weighted_cross_entropy_with_logits_v1 xw_plus_b",
        "compat.v1": "depth_to_space=depth_to_space_v1 space_to_depth=space_to_depth_v1",
    },
    "ops.normalization_ops": {
        "nn": "batch_norm_with_global_normalization batch_normalization l2_normalize local_response_normalization "
        "lrn=local_response_normalization moments normalize_moments sufficient_statistics weighted_moments",
        "math linalg": "l2_normalize",
        "compat.v1.nn": "batch_norm_with_global_normalization=batch_norm_with_global_normalization_v1 fused_batch_norm "
        "moments=moments_v1 sufficient_statistics=sufficient_statistics_v1 weighted_moments=weighted_moments_v1",
    },
    "ops.losses_v1": {
        "compat.v1.losses": "Reduction absolute_difference add_loss compute_weighted_loss cosine_distance get_losses "
        "get_regularization_loss get_regularization_losses get_total_loss hinge_loss huber_loss log_loss "
        "mean_pairwise_squared_error mean_squared_error sigmoid_cross_entropy softmax_cross_entropy "
        "sparse_softmax_cross_entropy",
    },
    "ops.embedding_ops": {
        "nn": "embedding_lookup embedding_lookup_sparse nce_loss safe_embedding_lookup_sparse sampled_softmax_loss",
        "compat.v1.nn": "embedding_lookup=embedding_lookup_v1 embedding_lookup_sparse=embedding_lookup_sparse_v1 "
        "nce_loss=nce_loss_v1 safe_embedding_lookup_sparse=safe_embedding_lookup_sparse_v1 "
        "sampled_softmax_loss=sampled_softmax_loss_v1",
    },
    "ops.ctc_ops": {
        "nn": "collapse_repeated ctc_beam_search_decoder ctc_greedy_decoder ctc_loss ctc_unique_labels",
        "compat.v1.nn": "ctc_beam_search_decoder=ctc_beam_search_decoder_v1 "
        "ctc_beam_search_decoder_v2=ctc_beam_search_decoder ctc_loss=ctc_loss_v1 ctc_loss_v2=ctc_loss",
    },
    "ops.conv_ops": {
        "tf": "conv",
        "nn": "atrous_conv2d atrous_conv2d_transpose conv1d conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose "
        "conv_transpose convolution depthwise_conv2d depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input "
        "separable_conv2d with_space_to_batch",
        "compat.v1.nn": "conv1d=conv1d_v1 conv2d=conv2d_v1 conv2d_backprop_filter conv2d_backprop_input "
        "conv2d_transpose=conv2d_transpose_v1 conv3d=conv3d_v1 conv3d_backprop_filter "
        "conv3d_backprop_filter_v2=conv3d_backprop_filter conv3d_transpose=conv3d_transpose_v1 convolution=convolution_v1 "
        "depthwise_conv2d=depthwise_conv2d_v1 depthwise_conv2d_native "
        "depthwise_conv2d_native_backprop_filter=depthwise_conv2d_backprop_filter "
        "depthwise_conv2d_native_backprop_input=depthwise_conv2d_backprop_input separable_conv2d=separable_conv2d_v1",
    },
    "ops.pool_ops": {
        "nn": "avg_pool avg_pool1d avg_pool2d avg_pool3d dilation2d erosion2d fractional_avg_pool fractional_max_pool max_pool "
        "max_pool1d max_pool2d max_pool3d max_pool_with_argmax pool",
        "compat.v1.nn": "avg_pool=avg_pool_v1 avg_pool2d=avg_pool_v1 avg_pool_v2=avg_pool dilation2d=dilation2d_v1 "
        "erosion2d=erosion2d_v1 fractional_avg_pool=fractional_avg_pool_v1 fractional_max_pool=fractional_max_pool_v1 "
        "max_pool=max_pool_v1 max_pool_v2=max_pool max_pool_with_argmax=max_pool_with_argmax_v1 pool=pool_v1 "
        "quantized_avg_pool quantized_conv2d quantized_max_pool quantized_relu_x",
    },
    "ops.random_seeds": {
        "random": "set_seed",
        "compat.v1.random": "set_random_seed=set_seed get_seed",
        "compat.v1": "set_random_seed=set_seed get_seed",
    },
    "ops.random_ops": {
        "random": "categorical gamma normal poisson shuffle truncated_normal uniform",
        "image": "random_crop",
        "compat.v1.random": "multinomial=multinomial_v1 poisson=poisson_v1",
        "compat.v1": "multinomial=multinomial_v1 random_crop random_gamma=gamma random_normal=normal "
        "random_poisson=poisson_v1 random_shuffle=shuffle random_uniform=uniform truncated_normal",
    },
    "ops.stateless_random_ops": {
        "random": "Algorithm fold_in split stateless_binomial stateless_categorical stateless_gamma stateless_normal "
        "stateless_parameterized_truncated_normal stateless_poisson stateless_truncated_normal stateless_uniform",
        "random.experimental": "Algorithm index_shuffle stateless_fold_in=fold_in stateless_shuffle stateless_split=split",
        "image": "stateless_random_crop",
        "compat.v1.random": "stateless_multinomial=stateless_multinomial_v1",
        "tf": "random_index_shuffle",
    },
    "ops.random_generator": {
        "random random.experimental": "Generator create_rng_state get_global_generator set_global_generator",
    },
    "ops.candidate_sampling_ops": {
        "random": "all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_sampler "
        "log_uniform_candidate_sampler uniform_candidate_sampler",
        "nn": "all_candidate_sampler compute_accidental_hits fixed_unigram_candidate_sampler "
        "learned_unigram_candidate_sampler",
        "compat.v1.nn": "log_uniform_candidate_sampler uniform_candidate_sampler",
    },
    "ops.fourier_ops": {
        "signal": "fft fft2d fft3d ifft ifft2d ifft3d rfft rfft2d rfft3d irfft irfft2d irfft3d fftnd ifftnd rfftnd irfftnd "
        "fftshift ifftshift",
        "compat.v1": "fft fft2d fft3d ifft ifft2d ifft3d",
        "compat.v1.spectral": "fft fft2d fft3d ifft ifft2d ifft3d irfft irfft2d irfft3d rfft rfft2d rfft3d",
    },
    "ops.window_ops": {"signal": "hamming_window hann_window kaiser_bessel_derived_window kaiser_window vorbis_window"},
    "ops.spectral_ops": {
        "signal": "dct frame idct inverse_mdct inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix mdct "
        "mfccs_from_log_mel_spectrograms overlap_and_add stft",
        "compat.v1.spectral": "dct idct",
    },
    "ops.linalg_ops": {
        "linalg": "adjoint band_part banded_triangular_solve cholesky cholesky_solve det diag diag_part eig eigh eigvals "
        "eigvalsh inv logdet logm lu qr set_diag slogdet solve sqrtm svd tensor_diag tensor_diag_part trace "
        "triangular_solve tridiagonal_matmul tridiagonal_solve",
        "tf": "eig eigvals matrix_square_root=sqrtm",
        "compat.v1": "cholesky cholesky_solve diag=tensor_diag diag_part=tensor_diag_part matrix_band_part=band_part "
        "matrix_determinant=det matrix_diag=diag matrix_diag_part=diag_part matrix_inverse=inv matrix_set_diag=set_diag "
        "matrix_solve=solve matrix_triangular_solve=triangular_solve qr self_adjoint_eig=eigh "
        "self_adjoint_eigvals=eigvalsh svd trace",
    },
    "ops.matrix_functions": {
        "linalg": "cross lstsq lu_matrix_inverse lu_reconstruct lu_solve matrix_rank norm normalize pinv",
        "tf": "norm",
        "compat.v1": "cross matrix_solve_ls=lstsq norm=norm_v1",
        "compat.v1.linalg": "norm=norm_v1",
    },
    "ops.matrix_iterations": {"linalg": "eigh_tridiagonal expm", "linalg.experimental": "conjugate_gradient"},
    "linear_operators.linear_operator": {"linalg": "LinearOperator"},
    "linear_operators.identity_operators": {"linalg": "LinearOperatorIdentity LinearOperatorScaledIdentity"},
    "linear_operators.zeros_operator": {"linalg": "LinearOperatorZeros"},
    "linear_operators.diagonal_operator": {"linalg": "LinearOperatorDiag"},
    "linear_operators.full_matrix_operator": {"linalg": "LinearOperatorFullMatrix"},
    "linear_operators.lower_triangular_operator": {"linalg": "LinearOperatorLowerTriangular"},
    "linear_operators.adjoint_operator": {"linalg": "LinearOperatorAdjoint"},
    "linear_operators.inverse_operator": {"linalg": "LinearOperatorInversion"},
    "linear_operators.composition_operator": {"linalg": "LinearOperatorComposition"},
    "linear_operators.low_rank_update_operator": {"linalg": "LinearOperatorLowRankUpdate"},
    "linear_operators.block_diagonal_operator": {"linalg": "LinearOperatorBlockDiag"},
    "linear_operators.block_lower_triangular_operator": {"linalg": "LinearOperatorBlockLowerTriangular"},
    "linear_operators.kronecker_operator": {"linalg": "LinearOperatorKronecker"},
    "linear_operators.circulant_operators": {
        "linalg": "LinearOperatorCirculant LinearOperatorCirculant2D LinearOperatorCirculant3D",
    },
    "linear_operators.toeplitz_operator": {"linalg": "LinearOperatorToeplitz"},
    "linear_operators.householder_operator": {"linalg": "LinearOperatorHouseholder"},
    "linear_operators.permutation_operator": {"linalg": "LinearOperatorPermutation"},
    "linear_operators.tridiagonal_operator": {"linalg": "LinearOperatorTridiag"},
    "distributions.distribution": {
        "compat.v1.distributions": "Distribution FULLY_REPARAMETERIZED NOT_REPARAMETERIZED RegisterKL "
        "ReparameterizationType kl_divergence",
    },
    "distributions.continuous_distributions": {"compat.v1.distributions": "Laplace Normal StudentT Uniform"},
    "distributions.gamma_distributions": {"compat.v1.distributions": "Beta Dirichlet Exponential Gamma"},
    "distributions.discrete_distributions": {
        "compat.v1.distributions": "Bernoulli Categorical DirichletMultinomial Multinomial",
    },
    "ops.initializers": {
        "tf": "constant_initializer=Constant ones_initializer=Ones random_normal_initializer=RandomNormal "
        "random_uniform_initializer=RandomUniform zeros_initializer=Zeros",
    },
    "ops.initializers_v1": {
        "compat.v1": "constant_initializer=Constant glorot_normal_initializer=GlorotNormal "
        "glorot_uniform_initializer=GlorotUniform ones_initializer=Ones orthogonal_initializer=Orthogonal "
        "random_normal_initializer=RandomNormal random_uniform_initializer=RandomUniform "
        "truncated_normal_initializer=TruncatedNormal uniform_unit_scaling_initializer=UniformUnitScaling "
        "variance_scaling_initializer=VarianceScaling zeros_initializer=Zeros",
        "compat.v1.initializers": "constant=Constant glorot_normal=GlorotNormal glorot_uniform=GlorotUniform he_normal "
        "he_uniform identity=Identity lecun_normal lecun_uniform ones=Ones orthogonal=Orthogonal "
        "random_normal=RandomNormal random_uniform=RandomUniform truncated_normal=TruncatedNormal "
        "uniform_unit_scaling=UniformUnitScaling variance_scaling=VarianceScaling zeros=Zeros",
    },
    "ops.initializers_keras": {
        "initializers": "Constant GlorotNormal GlorotUniform HeNormal HeUniform Identity IdentityInitializer=Identity "
        "Initializer LecunNormal LecunUniform Ones Orthogonal OrthogonalInitializer=Orthogonal RandomNormal "
        "RandomUniform TruncatedNormal VarianceScaling Zeros constant=Constant deserialize get "
        "glorot_normal=GlorotNormal glorot_uniform=GlorotUniform he_normal=HeNormal he_uniform=HeUniform "
        "identity=Identity lecun_normal=LecunNormal lecun_uniform=LecunUniform ones=Ones orthogonal=Orthogonal "
        "random_normal=RandomNormal random_uniform=RandomUniform serialize truncated_normal=TruncatedNormal "
        "variance_scaling=VarianceScaling zeros=Zeros",
    },
    "ops.state_ops": {
        "compat.v1.initializers": "global_variables=global_variables_initializer local_variables=local_variables_initializer "
        "variables=variables_initializer",
        "compat.v1": "all_variables assert_variables_initialized assign assign_add assign_sub batch_scatter_update count_up_to "
        "global_variables global_variables_initializer initialize_all_tables initialize_all_variables "
        "initialize_local_variables initialize_variables is_variable_initialized local_variables "
        "local_variables_initializer model_variables moving_average_variables placeholder placeholder_with_default "
        "report_uninitialized_variables scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add "
        "scatter_nd_sub scatter_nd_update scatter_sub scatter_update tables_initializer trainable_variables "
        "variables_initializer",
    },
    "ops.variable_scope": {
        "compat.v1": "AUTO_REUSE VariableScope create_partitioned_variables fixed_size_partitioner get_local_variable get_variable get_variable_scope "
        "min_max_variable_partitioner no_regularizer variable_axis_size_partitioner variable_op_scope variable_scope",
    },
    "files.gfile": {
        "io.gfile": "GFile copy exists get_registered_schemes glob isdir join listdir makedirs mkdir remove rename rmtree stat "
        "walk",
        "compat.v1.gfile": "Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory ListDirectory MakeDirs MkDir Open "
        "Remove Rename Stat Walk",
    },
    "files.records": {
        "io": "TFRecordOptions TFRecordWriter",
        "compat.v1.io compat.v1.python_io": "TFRecordCompressionType tf_record_iterator",
        "compat.v1.python_io": "TFRecordOptions TFRecordWriter",
    },
    "ops.file_ops": {
        "io": "match_filenames_once matching_files read_file write_file write_graph",
        "compat.v1": "matching_files read_file write_file",
        "compat.v1.train": "match_filenames_once write_graph",
    },
    "ops.parsing_features": {
        "io compat.v1": "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature",
        "io": "RaggedFeature",
    },
    "ops.parsing_ops": {
        "io": "decode_base64 decode_compressed decode_csv decode_json_example decode_proto decode_raw deserialize_many_sparse "
        "encode_base64 encode_proto parse_example parse_sequence_example parse_single_example parse_single_sequence_example "
        "parse_tensor serialize_many_sparse serialize_sparse serialize_tensor",
        "compat.v1": "decode_base64 decode_compressed decode_csv=decode_csv_v1 decode_json_example decode_raw=decode_raw_v1 "
        "deserialize_many_sparse encode_base64 parse_example=parse_example_v1 parse_single_example=parse_single_example_v1 "
        "parse_single_sequence_example parse_tensor serialize_many_sparse=serialize_many_sparse_v1 "
        "serialize_sparse=serialize_sparse_v1 serialize_tensor",
        "compat.v1.io": "decode_csv=decode_csv_v1 decode_raw=decode_raw_v1 parse_example=parse_example_v1 "
        "parse_single_example=parse_single_example_v1 serialize_many_sparse=serialize_many_sparse_v1 "
        "serialize_sparse=serialize_sparse_v1",
    },
    "ops.readers": {
        "compat.v1": "FixedLengthRecordReader IdentityReader LMDBReader ReaderBase TFRecordReader TextLineReader "
        "WholeFileReader",
    },
    "conversion.api": {
        "autograph": "set_verbosity to_code to_graph trace",
        "compat.v1.autograph": "to_code=to_code_v1 to_graph=to_graph_v1",
        "autograph.experimental": "Feature do_not_convert set_loop_options",
        "__internal__.autograph": "tf_convert",
    },
    "saving.checkpoint": {
        "train": "Checkpoint",
        "__internal__.tracking": "TrackableSaver streaming_restore",
    },
    "saving.kept_checkpoints": {"train": "CheckpointManager"},
    "saving.checkpoint_options": {"train": "CheckpointOptions"},
    "saving.checkpoint_reader": {
        "train": "list_variables load_checkpoint load_variable",
        "compat.v1.train": "NewCheckpointReader",
    },
    "saving.checkpoint_sharding": {
        "train.experimental": "MaxShardSizePolicy ShardByTaskPolicy ShardableTensor ShardingCallback",
    },
    "saving.checkpoint_state": {
        "__internal__.train": "update_checkpoint_state=update_state_of_objects",
        "train": "checkpoints_iterator get_checkpoint_state latest_checkpoint",
        "compat.v1.train": "checkpoint_exists generate_checkpoint_state_proto get_checkpoint_mtimes remove_checkpoint "
        "update_checkpoint_state",
    },
    "saving.checkpoint_view": {"train": "CheckpointView"},
    "saving.saved_model_constants": {
        "saved_model": "CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES CLASSIFY_OUTPUT_SCORES "
        "DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB DEFAULT_SERVING_SIGNATURE_DEF_KEY GPU LoadOptions PREDICT_INPUTS "
        "PREDICT_METHOD_NAME PREDICT_OUTPUTS REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS SAVED_MODEL_FILENAME_PB "
        "SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION SERVING SaveOptions TPU TRAINING VARIABLES_DIRECTORY "
        "VARIABLES_FILENAME contains_saved_model ASSETS_DIRECTORY ASSETS_KEY",
        "saved_model.experimental": "VariablePolicy",
        "compat.v1.saved_model": "LEGACY_INIT_OP_KEY MAIN_OP_KEY maybe_saved_model_directory",
        "compat.v1.saved_model.loader": "maybe_saved_model_directory",
        "compat.v1.saved_model.constants": "ASSETS_DIRECTORY ASSETS_KEY DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB "
        "LEGACY_INIT_OP_KEY MAIN_OP_KEY SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION "
        "VARIABLES_DIRECTORY VARIABLES_FILENAME",
        "compat.v1.saved_model.signature_constants": "CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES "
        "CLASSIFY_OUTPUT_SCORES DEFAULT_SERVING_SIGNATURE_DEF_KEY PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS "
        "REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS",
        "compat.v1.saved_model.tag_constants": "GPU SERVING TPU TRAINING",
    },
    "saving.saved_model_builder": {
        "compat.v1.saved_model": "Builder=SavedModelBuilder main_op_with_restore simple_save",
        "compat.v1.saved_model.builder": "SavedModelBuilder",
        "compat.v1.saved_model.main_op": "main_op main_op_with_restore",
    },
    "saving.saved_model_load": {
        "saved_model": "load",
        "__internal__": "load_context",
        "__internal__.saved_model": "load_partial parse_saved_model",
        "compat.v1.saved_model": "load_v2=load",
    },
    "saving.revived_types": {
        "__internal__.saved_model.load": "VersionedTypeRegistration get_setter register_revived_type registered_identifiers",
    },
    "saving.saved_model_loader": {"compat.v1.saved_model compat.v1.saved_model.loader": "load"},
    "saving.fingerprints": {"saved_model.experimental": "Fingerprint read_fingerprint"},
    "saving.saved_model_save": {"saved_model": "save", "compat.v1.saved_model.experimental": "save"},
    "saving.signature_defs": {
        "compat.v1.saved_model": "build_signature_def build_tensor_info classification_signature_def "
        "get_tensor_from_tensor_info is_valid_signature predict_signature_def regression_signature_def",
        "compat.v1.saved_model.signature_def_utils": "build_signature_def classification_signature_def is_valid_signature "
        "predict_signature_def regression_signature_def",
        "compat.v1.saved_model.utils": "build_tensor_info get_tensor_from_tensor_info",
    },
    "core.capturable_resource": {
        "saved_model": "Asset",
        "saved_model.experimental": "TrackableResource",
        "__internal__.tracking": "CapturableResource",
    },
    "saving.object_graph": {"__internal__.tracking": "ObjectGraphView", "train": "TrackableView"},
    "ops.print_ops": {"tf": "print", "compat.v1": "Print"},
    "ops.tensor_protos": {"tf": "make_ndarray make_tensor_proto"},
    "training.moving_averages": {
        "train": "ExponentialMovingAverage",
        "__internal__.train": "assign_moving_average",
    },
    "training.loss_scale": {
        "compat.v1.mixed_precision": "DynamicLossScale FixedLossScale LossScale MixedPrecisionLossScaleOptimizer "
        "disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite",
        "compat.v1.mixed_precision.experimental": "DynamicLossScale FixedLossScale LossScale",
        "compat.v1.train.experimental": "DynamicLossScale FixedLossScale LossScale MixedPrecisionLossScaleOptimizer "
        "disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite",
    },
    "training.cluster": {
        "train": "ClusterSpec",
        "distribute": "Server",
        "compat.v1.train": "Server replica_device_setter",
    },
    "training.cluster_resolvers": {
        "distribute": "InputOptions InputReplicationMode RunOptions",
        "distribute.experimental": "CollectiveCommunication=CommunicationImplementation "
        "CommunicationImplementation CommunicationOptions",
        "distribute.experimental.partitioners": "FixedShardsPartitioner MaxSizePartitioner MinSizePartitioner Partitioner",
        "distribute.cluster_resolver": "ClusterResolver GCEClusterResolver KubernetesClusterResolver SimpleClusterResolver "
        "SlurmClusterResolver TFConfigClusterResolver UnionResolver",
    },
    "training.cluster_coordinator": {
        "distribute.coordinator": "ClusterCoordinator PerWorkerValue=PerWorkerValues RemoteValue",
        "distribute.experimental.coordinator": "ClusterCoordinator PerWorkerValues RemoteValue",
    },
    "training.parameter_server_strategy": {
        "distribute": "ParameterServerStrategy",
        "distribute.experimental": "ParameterServerStrategy",
    },
    "training.cross_device_ops": {
        "distribute": "CrossDeviceOps HierarchicalCopyAllReduce NcclAllReduce ReduceOp ReductionToOneDevice",
    },
    "training.replica_values": {
        "distribute": "DistributedValues",
        "types.experimental.distributed": "Mirrored PerReplica",
    },
    "training.distributed_datasets": {"distribute": "DistributedDataset DistributedIterator"},
    "training.mirrored_strategy": {"distribute": "MirroredStrategy"},
    "training.multi_worker_strategy": {
        "distribute": "MultiWorkerMirroredStrategy",
        "distribute.experimental": "MultiWorkerMirroredStrategy=MultiWorkerMirroredStrategyWithCommunication",
    },
    "training.strategies": {
        "distribute": "InputContext OneDeviceStrategy ReplicaContext Strategy StrategyExtended "
        "experimental_set_strategy get_replica_context get_strategy has_strategy in_cross_replica_context",
        "distribute.experimental": "CentralStorageStrategy ValueContext",
        "__internal__.distribute": "strategy_supports_no_merge_call",
        "__internal__.distribute.interim": "maybe_merge_call",
    },
    "training.checkpoint_values": {"compat.v1.train": "VocabInfo init_from_checkpoint warm_start"},
    "training.input_producers": {
        "compat.v1.train": "batch batch_join input_producer limit_epochs maybe_batch maybe_batch_join maybe_shuffle_batch "
        "maybe_shuffle_batch_join range_input_producer shuffle_batch shuffle_batch_join slice_input_producer "
        "string_input_producer",
    },
    "training.supervisor": {"compat.v1.train": "Supervisor basic_train_loop"},
    "training.sync_replicas": {"compat.v1.train": "SyncReplicasOptimizer"},
    "training.optimizer": {"compat.v1.train": "Optimizer"},
    "training.gradient_optimizers": {
        "compat.v1.train": "AdadeltaOptimizer AdagradDAOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer "
        "GradientDescentOptimizer MomentumOptimizer ProximalAdagradOptimizer ProximalGradientDescentOptimizer "
        "RMSPropOptimizer",
    },
    "training.training_variables": {
        "compat.v1.train": "assert_global_step create_global_step get_global_step get_or_create_global_step global_step",
    },
    "training.learning_rate_decay": {
        "compat.v1.train": "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay linear_cosine_decay "
        "natural_exp_decay noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay=piecewise_constant "
        "polynomial_decay",
    },
    "training.coordinator": {"train": "Coordinator", "compat.v1.train": "LooperThread"},
    "training.queue_runner": {
        "compat.v1.train": "QueueRunner add_queue_runner start_queue_runners",
        "compat.v1.train.queue_runner": "QueueRunner add_queue_runner start_queue_runners",
    },
    "training.session_hooks": {
        "compat.v1.train": "CheckpointSaverHook CheckpointSaverListener FeedFnHook FinalOpsHook GlobalStepWaiterHook "
        "LoggingTensorHook NanLossDuringTrainingError NanTensorHook ProfilerHook SecondOrStepTimer SessionRunArgs "
        "SessionRunContext SessionRunHook SessionRunValues StepCounterHook StopAtStepHook SummarySaverHook",
    },
    "training.session_preparation": {"compat.v1.train": "SessionManager"},
    "training.monitored_session": {
        "compat.v1.train": "ChiefSessionCreator MonitoredSession MonitoredTrainingSession Scaffold SessionCreator "
        "SingularMonitoredSession WorkerSessionCreator",
    },
    "training.saver": {"compat.v1.train": "Saver"},
    "training.meta_graphs": {"compat.v1.train": "export_meta_graph import_meta_graph"},
    "training.summary_ops_v2": {
        "summary": "SummaryWriter audio create_file_writer create_noop_writer flush graph=graph_summary histogram image "
        "record_if scalar should_record_summaries text trace_export trace_off trace_on write",
        "summary.experimental": "get_step set_step summary_scope write_raw_pb",
        "compat.v1.summary": "all_v2_summary_ops initialize",
    },
    "training.summary_v1": {
        "compat.v1.summary": "audio get_summary_description histogram image merge merge_all scalar tensor_summary text",
    },
    "training.summary_writer": {
        "compat.v1.summary": "FileWriter FileWriterCache",
        "compat.v1.train": "summary_iterator",
    },
    "platform.logs": {
        "tf": "get_logger",
        "compat.v1.logging": "DEBUG ERROR FATAL INFO TaskLevelStatusMessage WARN debug error fatal flush get_verbosity info log "
        "log_every_n log_first_n log_if set_verbosity vlog warn warning",
    },
    "platform.versions": {
        "version": "COMPILER_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
        "GRAPH_DEF_VERSION_MIN_PRODUCER VERSION",
        "sysconfig": "CXX11_ABI_FLAG CXX_VERSION MONOLITHIC_BUILD get_build_info get_compile_flags get_include get_lib "
        "get_link_flags",
        "compat.v1": "COMPILER_VERSION CXX_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
        "GRAPH_DEF_VERSION_MIN_PRODUCER VERSION",
        "tf": "__compiler_version__=COMPILER_VERSION __cxx11_abi_flag__=CXX11_ABI_FLAG __cxx_version__=CXX_VERSION "
        "__git_version__=GIT_VERSION __monolithic_build__=MONOLITHIC_BUILD",
    },
    "platform.compatibility": {
        "compat": "as_bytes as_str as_str_any as_text bytes_or_text_types complex_types dimension_at_index dimension_value "
        "forward_compatibility_horizon forward_compatible integral_types path_to_str real_types",
        "compat.v1": "dimension_at_index dimension_value",
    },
    "platform.testing": {
        "test": "Benchmark TestCase assert_equal_graph_def benchmark_config create_local_cluster disable_with_predicate "
        "gpu_device_name is_built_with_cuda is_built_with_gpu_support is_built_with_rocm is_built_with_xla "
        "is_cpu_target_available is_gpu_available main with_eager_op_as_function",
        "test.experimental": "sync_devices",
        "compat.v1.test": "StubOutForTesting assert_equal_graph_def=assert_equal_graph_def_v1 get_temp_dir mock "
        "test_src_dir_path",
    },
    "platform.graph_tools": {
        "compat.v1.graph_util": "convert_variables_to_constants extract_sub_graph must_run_on_cpu remove_training_nodes "
        "tensor_shape_from_node_def_name",
        "compat.v1.train": "do_quantize_training_on_graphdef",
    },
    "platform.profiler": {
        "profiler.experimental": "Profile ProfilerOptions Trace start stop",
        "profiler.experimental.client": "monitor trace",
        "profiler.experimental.server": "start=serve",
        "compat.v1.profiler": "ProfileOptionBuilder Profiler advise profile write_op_log",
    },
    "platform.experimental": {
        "experimental": "async_clear_error async_scope enable_strict_mode function_executor_type register_filesystem_plugin",
        "experimental.dlpack": "from_dlpack to_dlpack",
        "debugging": "disable_traceback_filtering enable_traceback_filtering is_traceback_filtering_enabled",
        "debugging.experimental": "disable_dump_debug_info enable_dump_debug_info",
        "mlir.experimental": "convert_function convert_graph_def convert_saved_model convert_saved_model_v1 run_pass_pipeline "
        "tflite_to_tosa_bytecode write_bytecode",
        "compat.v1.resource_loader": "get_data_files_path get_path_to_datafile get_root_dir_with_all_resources load_resource "
        "readahead_file_path",
    },
    "platform.app": {"compat.v1.app": "run"},
    "platform.dtensor": {
        "experimental.dtensor": "DTensorCheckpoint DTensorDataset DVariable Layout MATCH Mesh UNSHARDED barrier call_with_layout "
        "check_layout client_id copy_to_mesh create_distributed_mesh create_mesh create_tpu_mesh default_mesh device_name "
        "fetch_layout full_job_name heartbeat_enabled initialize_accelerator_system is_dtensor job_name jobs local_devices "
        "name_based_restore name_based_save num_clients num_global_devices num_local_devices pack preferred_device_type relayout "
        "relayout_like run_on sharded_save shutdown_accelerator_system unpack",
    },
    "platform.tpu": {
        "distribute distribute.experimental": "TPUStrategy",
        "distribute.cluster_resolver": "TPUClusterResolver",
        "tpu compat.v1.tpu": "XLAOptions",
        "compat.v1.tpu": "CrossShardOptimizer",
        "tpu.experimental": "DeviceAssignment HardwareFeature Topology initialize_tpu_system shutdown_tpu_system",
        "tpu.experimental.embedding": "Adagrad AdagradMomentum Adam FTRL FeatureConfig QuantizationConfig RowIdInitializer SGD "
        "TPUEmbedding TPUEmbeddingForServing TPUEmbeddingV0 TPUEmbeddingV2 TableConfig",
    },
    "platform.config": {
        "config": "LogicalDevice LogicalDeviceConfiguration PhysicalDevice experimental_connect_to_cluster "
        "experimental_connect_to_host get_logical_device_configuration get_soft_device_placement "
        "set_logical_device_configuration set_soft_device_placement",
        "config config.experimental": "get_visible_devices list_logical_devices list_physical_devices set_visible_devices",
        "config.experimental": "ClusterDeviceFilters VirtualDeviceConfiguration=LogicalDeviceConfiguration "
        "disable_mlir_bridge enable_mlir_bridge enable_op_determinism enable_tensor_float_32_execution get_device_details "
        "get_device_policy get_memory_growth get_memory_info get_memory_usage get_synchronous_execution "
        "get_virtual_device_configuration=get_logical_device_configuration reset_memory_stats set_device_policy "
        "set_memory_growth set_synchronous_execution set_virtual_device_configuration=set_logical_device_configuration "
        "tensor_float_32_execution_enabled",
        "config.optimizer": "get_experimental_options get_jit set_experimental_options set_jit",
        "config.threading": "get_inter_op_parallelism_threads get_intra_op_parallelism_threads "
        "set_inter_op_parallelism_threads set_intra_op_parallelism_threads",
        "debugging": "get_log_device_placement set_log_device_placement",
    },
}

# Modules that are a namespace by themselves, for what they have no row.
WHOLE = {"raw_ops": "core.raw_ops", "compat.v1.flags": "platform.flags", "compat.v1.app.flags": "platform.flags"}
