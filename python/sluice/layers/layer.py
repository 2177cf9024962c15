"""What a layer of TensorFlow 1 is: it makes its variables in a variable scope on its first call, and shares them on others."""

from __future__ import annotations

import re

from ..compat import v1
from ..core import dtypes, graph, nest, scopes
from ..core.trackable import AutoTrackable

_names: dict = {}  # of layers that run at once: base name -> how many there are


def snake_case(name: str) -> str:
    """A class's name as layers are called: Conv2D -> conv2d, BasicLSTMCell -> basic_lstm_cell."""
    parts = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", parts).lower()


def _unique(base: str) -> str:
    g = graph.current()
    counts = _names if g is None else g.__dict__.setdefault("_layer_names", {})
    scope = v1.get_variable_scope().name
    n = counts[scope, base] = counts.get((scope, base), -1) + 1
    return f"{base}_{n}" if n else base


class InputSpec:
    """What a layer takes: a rank, or at least one, and sizes of axes."""

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None, axes=None):
        self.dtype, self.shape, self.max_ndim, self.min_ndim = dtype, shape, max_ndim, min_ndim
        self.ndim = len(shape) if shape is not None else ndim
        self.axes = {int(k): v for k, v in (axes or {}).items()}

    def check(self, x, name):
        """ValueError for a tensor that does not fit."""
        rank = x.shape.rank
        if rank is None:
            return
        told = f"Input 0 of layer {name!r} is incompatible with the layer: "
        if self.ndim is not None and rank != self.ndim:
            raise ValueError(
                f"{told}expected ndim={self.ndim}, found ndim={rank}. Full shape received: {tuple(x.shape.as_list())}"
            )
        if self.min_ndim is not None and rank < self.min_ndim:
            raise ValueError(
                f"{told}expected min_ndim={self.min_ndim}, found ndim={rank}. Full shape received: "
                f"{tuple(x.shape.as_list())}"
            )
        for axis, size in self.axes.items():
            if size is not None and x.shape.as_list()[axis] not in (size, None):
                raise ValueError(
                    f"{told}expected axis {axis} of input shape to have value {size} but received input with shape "
                    f"{tuple(x.shape.as_list())}"
                )


class Layer(AutoTrackable):
    """The base of layers: subclasses have `build(input_shape)`, which makes variables by `add_weight`, and `call(inputs)`."""

    input_spec: InputSpec | None = None

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        self._scope = None
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        activity = kwargs.pop("activity_regularizer", None)
        unknown = set(kwargs) - {"autocast", "input_shape", "dynamic"}
        if unknown:
            raise TypeError(f"{type(self).__name__} got unexpected keyword arguments: {', '.join(sorted(unknown))}")
        self.trainable, self.built, self._activity_regularizer = trainable, False, activity
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self._base_name = name or snake_case(type(self).__name__)
        self._name = name or _unique(self._base_name)
        self._made: list = []
        self._made_updates: list = []
        self._made_losses: list = []
        if scope:
            with v1.variable_scope(scope) as captured:
                self._scope = captured

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    graph = property(lambda self: self._graph)
    activity_regularizer = property(lambda self: self._activity_regularizer)
    updates = property(lambda self: self._made_updates)
    losses = property(lambda self: self._made_losses)

    @property
    def scope_name(self):
        if not self._scope:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope name is '
                "determined the first time the layer instance is called. You must therefore call the layer before querying "
                "`scope_name`."
            )
        return self._scope.name

    # ---- its variables

    @property
    def variables(self):
        """All, those first that are trained."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def trainable_weights(self):
        own = [v for v in self._made if v.trainable] if self.trainable else []
        return own + [v for inner in self._inner() for v in inner.trainable_weights]

    @property
    def non_trainable_weights(self):
        own = [v for v in self._made if not v.trainable or not self.trainable]
        return own + [v for inner in self._inner() for v in inner.non_trainable_weights]

    weights = property(lambda self: self.variables)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    def _inner(self):
        found = []
        for value in nest.flatten([v for k, v in vars(self).items() if not k.startswith("_self")]):
            if isinstance(value, Layer) and not any(value is f for f in found):
                found.append(value)
        return found

    def count_params(self):
        return sum(v.shape.num_elements() for v in self.variables)

    def add_weight(
        self, name, shape, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None, use_resource=None,
        synchronization=None, aggregation=None, partitioner=None, **kwargs,
    ):  # fmt: skip
        """Makes a variable of the layer in its scope, or finds it there."""
        trained = self.trainable if trainable is None else trainable and self.trainable
        options = {"synchronization": synchronization, "aggregation": aggregation, "partitioner": partitioner}
        before = set(map(id, v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES)))
        made = v1.get_variable(
            name, shape=shape, dtype=dtypes.as_dtype(dtype or self._dtype or dtypes.float32), initializer=initializer,
            regularizer=regularizer, trainable=trained, constraint=constraint, use_resource=use_resource,
            **{k: v for k, v in options.items() if v is not None},
        )  # fmt: skip
        self._made_losses += [
            loss for loss in v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES) if id(loss) not in before
        ]
        if not any(made is m for m in self._made):
            self._made.append(made)
        return made

    add_variable = add_weight

    def add_update(self, updates, inputs=None):
        """Operations that a step of training runs, too: they are in the collection of updates."""
        if scopes.executing_eagerly():
            return
        for update in nest.flatten(updates):
            self._made_updates.append(update)
            v1.add_to_collection(v1.GraphKeys.UPDATE_OPS, update)

    def add_loss(self, losses, inputs=None):
        """Losses to be added to that of training: they are in the collection of regularization losses."""
        for loss in nest.flatten(losses):
            self._made_losses.append(loss)
            if not scopes.executing_eagerly():
                v1.add_to_collection(v1.GraphKeys.REGULARIZATION_LOSSES, loss)

    # ---- calls

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **kwargs):
        return inputs

    def _set_scope(self, scope):
        if self._scope is not None:
            return
        if self._reuse:
            with v1.variable_scope(scope if scope is not None else self._base_name) as captured:
                self._scope = captured
        else:
            with v1.variable_scope(scope, default_name=self._base_name) as captured:
                self._scope = captured

    def __call__(self, inputs, *args, scope=None, **kwargs):
        self._set_scope(scope)
        first = nest.flatten(inputs)
        with v1.variable_scope(
            self._scope, reuse=True if self.built or self._reuse else self._reuse, auxiliary_name_scope=False
        ) as current:
            with v1.name_scope(current.original_name_scope):
                inputs = nest.map_structure(v1.convert_to_tensor, inputs)
                first = nest.flatten(inputs)
                if not self.built:
                    self._graph = graph.current()
                    if self._dtype is None and first:
                        self._dtype = first[0].dtype.base_dtype.name
                    if self.input_spec is not None and first:
                        self.input_spec.check(first[0], self._name)
                    self.build(nest.map_structure(lambda t: t.shape, inputs) if first else None)
                    self.built = True
                if self.input_spec is not None and first:
                    self.input_spec.check(first[0], self._name)
                outputs = self.call(inputs, *args, **kwargs)
                if self._activity_regularizer is not None:
                    for output in nest.flatten(outputs):
                        self.add_loss(self._activity_regularizer(output))
        return outputs

    apply = __call__


def size_of(shape, axis, layer):
    """A size that has to be known. ValueError when it is not."""
    size = shape.as_list()[axis] if shape.rank is not None else None
    if size is None:
        raise ValueError(
            f"The last dimension of the inputs to a {layer} layer should be defined. Found None. Full input shape received: {shape}"
        )
    return size
