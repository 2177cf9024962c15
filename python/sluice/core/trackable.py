"""Objects whose state is saved: each knows its children by name, and values wait for children that are not there yet.

A checkpoint is restored along the names. A child that an object lacks is remembered (`_self_waiting`), and gets its value as
soon as it is set. What is restored, and how it is bound to objects, is up to saving/checkpoint.py.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections import namedtuple

CHECKPOINT, SAVEDMODEL = "checkpoint", "savedmodel"

TrackableReference = namedtuple("TrackableReference", "name ref")


class Trackable:
    """The base of what is saved. A class that has values of its own has `_serialize_to_tensors` and `_restore_from_tensors`."""

    @property
    def _self_children(self) -> dict[str, object]:
        """The children that were set, by name."""
        return self.__dict__.setdefault("_self_tracked", {})

    @property
    def _self_waiting(self) -> dict[str, list]:
        """Restorations that wait for a child: (restoration, its node's number) by name."""
        return self.__dict__.setdefault("_self_deferred", {})

    def _maybe_initialize_trackable(self):
        """Kept for classes that call it; there is nothing to do."""

    @property
    def _unconditional_dependency_names(self):
        return self._self_children

    _self_unconditional_dependency_names = _unconditional_dependency_names

    @property
    def _unconditional_checkpoint_dependencies(self):
        return [TrackableReference(name, child) for name, child in self._self_children.items()]

    _checkpoint_dependencies = _unconditional_checkpoint_dependencies

    @property
    def _object_identifier(self):
        return "_generic_user_object"

    def _trackable_children(self, save_type=CHECKPOINT, **kwargs):
        """Its children by name."""
        self._maybe_initialize_trackable()
        return dict(self._self_children)

    def _lookup_dependency(self, name, cached_dependencies=None):
        """The child of this name, or None."""
        if cached_dependencies is not None:
            return cached_dependencies.get(name)
        return self._self_children.get(name)

    def _track_trackable(self, trackable, name, overwrite=False):
        """Makes a value a child, and restores it if a checkpoint had one of that name. Gives the child."""
        if not isinstance(trackable, Trackable):
            raise TypeError(
                f"Trackable._track_trackable() can only be used to track objects of type Trackable. Got type {type(trackable)}."
            )
        known = self._self_children.get(name)
        if known is not None and known is not trackable and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already declared as "
                "a dependency. Names must be unique (or overwrite=True)."
            )
        self._self_children[name] = trackable
        self._handle_deferred_dependencies(name, trackable)
        return trackable

    def _add_variable_with_custom_getter(
        self, name, shape=None, dtype=None, initializer=None, getter=None, overwrite=False, **kwargs_for_getter
    ):
        """A variable that the getter makes, as a child; it has the value of a checkpoint that was restored before."""
        from . import dtypes

        if name in self._self_children and not overwrite:
            raise ValueError(
                f"A variable named '{name}' already exists in this object, but Trackable._add_variable_with_custom_getter was called "
                "to make another one with that name"
            )
        dtype = dtypes.float32 if dtype is None else dtype
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter)
        return self._track_trackable(made, name, overwrite) if isinstance(made, Trackable) else made

    def _add_trackable_child(self, name, value):
        """How a loader sets a child."""
        self._track_trackable(value, name, overwrite=True)

    def _handle_deferred_dependencies(self, name, trackable):
        for restoration, node in self._self_waiting.pop(name, ()):
            restoration.bind(node, trackable)

    def _no_dependency(self, value):
        return value

    def _preload_simple_restoration(self, name):
        """The value that a checkpoint has for a variable that is about to be made, or None."""
        for restoration, node in reversed(self._self_waiting.get(name, ())):
            value = restoration.initial_value(node)
            if value is not None:
                return value
        return None

    def _serialize_to_tensors(self):
        """Its values by name; NotImplementedError when it has none of its own."""
        raise NotImplementedError

    def _restore_from_tensors(self, restored_tensors):
        """Takes the values that `_serialize_to_tensors` gave."""
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self):
        return {}

    def _has_values(self) -> bool:
        return type(self)._serialize_to_tensors is not Trackable._serialize_to_tensors

    def _copy_trackable_to_cpu(self, object_map):
        raise NotImplementedError(f"{type(self).__name__} cannot be copied")

    def _export_to_saved_model_graph(self, object_map=None, tensor_map=None, options=None, **kwargs):
        return []

    def _serialize_to_proto(self, object_proto=None, **kwargs):
        return None

    @classmethod
    def _deserialize_from_proto(cls, **kwargs):
        return cls()


class AutoTrackable(Trackable):
    """Children are the attributes that can be saved; lists and dictionaries become ones that can."""

    def __setattr__(self, name, value):
        if self.__dict__.get("_self_setattr_tracking", True):
            value = sticky_attribute_assignment(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self._delete_tracking(name)
        super().__delattr__(name)

    def _delete_tracking(self, name):
        self._self_children.pop(name, None)

    def _no_dependency(self, value):
        return NoDependency(value)

    @property
    def _setattr_tracking(self):
        return self.__dict__.get("_self_setattr_tracking", True)

    @_setattr_tracking.setter
    def _setattr_tracking(self, value):
        self.__dict__["_self_setattr_tracking"] = value

    def _add_trackable_child(self, name, value):
        self.__setattr__(name, value)

    def _trackable_children(self, save_type=CHECKPOINT, **kwargs):
        if save_type != SAVEDMODEL:
            return super()._trackable_children(save_type, **kwargs)
        functions = _functions_of(self)
        for f in functions.values():  # a trace may make variables, which are then children
            traces = getattr(f, "_list_all_concrete_functions_for_serialization", None)
            if traces is not None:
                traces()
        return {**super()._trackable_children(save_type, **kwargs), **functions}


def _functions_of(obj) -> dict:
    from . import function

    found = {}
    before, obj._setattr_tracking = obj._setattr_tracking, False
    try:
        for name in dir(obj):
            try:
                with warnings.catch_warnings():  # of properties that nobody asked for
                    warnings.simplefilter("ignore")
                    value = getattr(obj, name, None)
            except Exception:  # a property that is not ready; what it has cannot be saved
                continue
            if isinstance(value, (function.Function, function.ConcreteFunction)):
                found[name] = value
    finally:
        obj._setattr_tracking = before
    return found


class NoDependency:
    """An attribute's value in this is set as it is, and not saved."""

    def __init__(self, value):
        self.value = value


@contextlib.contextmanager
def no_automatic_dependency_tracking_scope(obj):
    """Within it attributes of the object are set as they are, and not saved."""
    before = getattr(obj, "_self_setattr_tracking", True)
    obj.__dict__["_self_setattr_tracking"] = False
    try:
        yield
    finally:
        obj.__dict__["_self_setattr_tracking"] = before


def no_automatic_dependency_tracking(method):
    """A method in which attributes are set as they are, and not saved."""

    @functools.wraps(method)
    def untracked(self, *args, **kwargs):
        with no_automatic_dependency_tracking_scope(self):
            return method(self, *args, **kwargs)

    return untracked


def sticky_attribute_assignment(trackable, name, value):
    """The value as an attribute has it: containers that are tracked, and the value is a child."""
    if isinstance(value, NoDependency):
        trackable._self_children.pop(name, None)
        return value.value
    from . import trackable_structures

    value = trackable_structures.wrap_or_unwrap(value)
    if isinstance(value, Trackable):
        trackable._track_trackable(value, name, overwrite=True)
    elif name in trackable._self_children:
        del trackable._self_children[name]
    return value


class CheckpointInitialValueCallable:
    """An initial value that is a checkpoint's, of a position there (saving/checkpoint.py)."""

    def __init__(self, checkpoint_position):
        self._position = checkpoint_position

    @property
    def checkpoint_position(self):
        return self._position

    def __call__(self, shape=None, dtype=None, shard_info=None):
        return self._position.value()


class DelegatingTrackableMixin(Trackable):
    """Stands for another object, whose children and values it has."""

    def __init__(self, trackable_obj):
        self.__dict__["_trackable"] = trackable_obj

    _self_children = property(lambda self: self._trackable._self_children)
    _self_waiting = property(lambda self: self._trackable._self_waiting)
    _object_identifier = property(lambda self: self._trackable._object_identifier)

    def _trackable_children(self, save_type=CHECKPOINT, **kwargs):
        return self._trackable._trackable_children(save_type, **kwargs)

    def _lookup_dependency(self, name, cached_dependencies=None):
        return self._trackable._lookup_dependency(name, cached_dependencies)

    def _has_values(self):
        return self._trackable._has_values()

    def _serialize_to_tensors(self):
        return self._trackable._serialize_to_tensors()

    def _restore_from_tensors(self, restored_tensors):
        return self._trackable._restore_from_tensors(restored_tensors)


class PythonState(Trackable):
    """State that is a text: a class of one's own has `serialize()`, which gives it, and `deserialize(text)`."""

    def serialize(self):
        raise NotImplementedError

    def deserialize(self, string_value):
        raise NotImplementedError
