"""Names of the collections of graphs, and what asks the current graph for them."""

from __future__ import annotations

from . import graph


class GraphKeys:
    """Names that TensorFlow's own functions put things under."""

    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    CONCATENATED_VARIABLES = "concatenated_variables"
    GLOBAL_STEP = "global_step"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    TABLE_INITIALIZERS = "table_initializer"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    QUEUE_RUNNERS = "queue_runners"
    ASSET_FILEPATHS = "asset_filepaths"
    SAVERS = "savers"
    SAVEABLE_OBJECTS = "saveable_objects"
    BIASES = "biases"
    WEIGHTS = "weights"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    _STREAMING_MODEL_PORTS = "streaming_model_ports"
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _VARSTORE_KEY = ("__variable_store",)
    _VARSCOPESTORE_KEY = ("__varscope",)


def add_to_collection(name, value):
    """Puts a value into a collection of the current graph."""
    graph.default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    """Puts a value into several."""
    graph.default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    """The values of a collection of the current graph; `scope`: a regular expression that their names begin with."""
    return graph.default_graph().get_collection(key, scope)


def get_collection_ref(key):
    """The list itself."""
    return graph.default_graph().get_collection_ref(key)
