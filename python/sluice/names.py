"""Public names: which module implements each, and in which namespaces it is.

A row is a module of this package, with the names that it has by namespace: "tf" is the package itself, "math" is
tf.math; several namespaces may share a row of names. `public=own` where the module calls it otherwise.
What compat.v1.X has not of its own is X's; compat.v2 is the package itself.
"""

from __future__ import annotations

NAMES: dict[str, dict[str, str]] = {
    "core.dtypes": {
        "tf dtypes": "DType as_dtype float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 string "
        "complex64 complex128 half double resource variant qint8 quint8 qint16 quint16 qint32 bool=bool_",
    },
    "core.tensor": {"tf": "Tensor"},
    "core.tensor_shape": {"tf": "TensorShape"},
    "core.function": {"tf": "function"},
    "core.type_spec": {"tf": "TensorSpec TypeSpec type_spec_from_value"},
    "core.indexed_slices": {"tf": "IndexedSlices IndexedSlicesSpec", "compat.v1": "IndexedSlicesValue"},
    "core.gradient_tape": {"tf": "GradientTape UnconnectedGradients"},
    "core.variables": {"tf": "Variable"},
    "core.graph": {"tf": "Graph Operation"},
    "core.static_values": {"tf": "get_static_value"},
    "core.module": {"tf": "Module"},
    "core.trackable": {
        "__internal__.tracking": "AutoTrackable DelegatingTrackableMixin Trackable TrackableReference "
        "no_automatic_dependency_tracking sticky_attribute_assignment",
        "train.experimental": "PythonState",
    },
    "core.trackable_structures": {"__internal__.tracking": "TrackableDataStructure wrap"},
    "core.scopes": {"tf": "device name_scope control_dependencies init_scope executing_eagerly"},
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
        "errors": "OpError CancelledError UnknownError InvalidArgumentError DeadlineExceededError NotFoundError "
        "AlreadyExistsError PermissionDeniedError ResourceExhaustedError FailedPreconditionError AbortedError "
        "OutOfRangeError UnimplementedError InternalError UnavailableError DataLossError UnauthenticatedError "
        "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED "
        "RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS "
        "UNAUTHENTICATED",
    },
    "ops.array_ops": {
        "tf": "boolean_mask cast concat constant convert_to_tensor expand_dims fill gather identity one_hot ones ones_like rank "
        "reshape shape size squeeze stack stop_gradient transpose unstack where zeros zeros_like",
    },
    "ops.math_ops": {
        "tf math": "abs acos acosh add argmax argmin asin asinh atan atan2 atanh cos cosh divide equal exp floor floordiv greater "
        "greater_equal less less_equal logical_and logical_not logical_or maximum minimum multiply negative not_equal pow "
        "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum round sigmoid sign sin sinh sqrt "
        "square subtract tan tanh truediv",
        "tf": "clip_by_value matmul range",
        "math": "ceil digamma divide_no_nan erf erfc expm1 floormod igamma igammac is_finite is_inf is_nan lgamma log log1p "
        "mod=floormod multiply_no_nan polygamma reciprocal rint rsqrt squared_difference xdivy xlogy zeta",
        "linalg": "matmul",
        "nn": "tanh sigmoid",
    },
    "ops.nn_ops": {
        "nn": "bias_add elu log_softmax relu relu6 selu softmax softmax_cross_entropy_with_logits softplus softsign "
        "sparse_softmax_cross_entropy_with_logits",
        "math": "softplus softsign",
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
    },
    "ops.window_ops": {"signal": "hamming_window hann_window kaiser_bessel_derived_window kaiser_window vorbis_window"},
    "ops.spectral_ops": {
        "signal": "dct frame idct inverse_mdct inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix mdct "
        "mfccs_from_log_mel_spectrograms overlap_and_add stft",
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
    "saving.checkpoint": {"train": "Checkpoint latest_checkpoint"},
}

# Modules that are a namespace by themselves, for what they have no row.
WHOLE = {"raw_ops": "core.raw_ops"}
