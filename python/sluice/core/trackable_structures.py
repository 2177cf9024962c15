"""Lists, dictionaries and tuples as attributes of trackable objects: they are what they were, and what is in them is saved."""

from __future__ import annotations

import weakref
from collections.abc import Mapping as AbcMapping

from .trackable import SAVEDMODEL, NoDependency, Trackable, sticky_attribute_assignment

_HINT = (
    "\n\nIf you don't need this %s checkpointed, wrap it in a non-trackable object; it will be subsequently ignored."
)


def wrap_or_unwrap(value):
    """A value as an attribute is: plain containers become such as are tracked."""
    if isinstance(value, NoDependency):
        return value.value
    if isinstance(value, Trackable):
        return value
    kind = type(value)
    if kind is dict:
        return DictWrapper(value)
    if kind.__name__ == "OrderedDict" and kind.__module__ == "collections":
        return OrderedDictWrapper(value)
    if kind is list:
        return ListWrapper(value)
    if isinstance(value, tuple) and _holds_trackables(value):
        return tuple_wrapper(value)
    return value


wrap = wrap_or_unwrap


def _holds_trackables(values) -> bool:
    return any(isinstance(wrap_or_unwrap(v), Trackable) for v in values)


class TrackableDataStructure(Trackable):
    """The base of the containers: what is in them is tracked as attributes are."""

    def _track_value(self, value, name):
        """The value as the container has it; a child if it can be one. What a checkpoint has for an item that does not fit is left
        out: lists of optimizers may have grown since, and then their numbers are those of others."""
        try:
            return sticky_attribute_assignment(self, name, value)
        except ValueError:
            return sticky_attribute_assignment(self, name, value)  # which nothing waits for any more

    @property
    def __wrapped__(self):
        """The plain container, for structures that are made like it."""
        return self._plain(self)

    def _layers(self):
        return [v for v in self._self_children.values() if hasattr(v, "trainable_variables")]

    _values = property(lambda self: self)  # what is in it, for layers of Keras 2 that hold it

    def __hash__(self):
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def _gather(self, name):
        from . import variables

        found, seen = [], set()
        for child in self._self_children.values():
            mine = [child] if isinstance(child, variables.Variable) else getattr(child, name, ())
            for v in mine:
                if id(v) not in seen and (name != "trainable_variables" or v.trainable):
                    seen.add(id(v))
                    found.append(v)
        return found

    trainable_variables = property(lambda self: self._gather("trainable_variables"))
    variables = property(lambda self: self._gather("variables"))
    trainable_weights = trainable_variables
    weights = variables
    non_trainable_variables = property(
        lambda self: [v for v in self.variables if not any(v is t for t in self.trainable_variables)]
    )
    non_trainable_weights = non_trainable_variables


class ListWrapper(TrackableDataStructure, list):
    """A list whose items are children, by their number. One that was changed but for its end cannot be saved."""

    def __init__(self, values=()):
        list.__init__(self)
        self.__dict__["_changed"] = False
        self.__dict__["_held"] = values if type(values) is list else None
        self.extend(values)

    _plain = list
    _object_identifier = property(lambda self: "trackable_list_wrapper")

    def append(self, value):
        list.append(self, self._track_value(value, str(len(self))))
        self._keep()

    def extend(self, values):
        for v in list(values):
            list.append(self, self._track_value(v, str(len(self))))
        self._keep()

    def _keep(self):
        """A plain list that it was made of stays the same list: it has what this one has."""
        held = self.__dict__["_held"]
        if held is not None and len(held) != len(self):
            held[:] = list(self)

    def __iadd__(self, values):
        self.extend(values)
        return self

    def __add__(self, values):
        return ListWrapper(list(self) + list(values))

    def __radd__(self, values):
        return list(values) + list(self)

    def __mul__(self, n):
        return ListWrapper(list(self) * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.extend(list(self) * (n - 1))
        return self

    def __getitem__(self, at):
        found = list.__getitem__(self, at)
        return ListWrapper(found) if isinstance(at, slice) else found

    def __setitem__(self, at, value):
        if isinstance(at, slice):
            self._note_change()
            list.__setitem__(self, at, value)
        else:
            at = at + len(self) if at < 0 else at
            self.__dict__["_changed"] |= isinstance(self[at], Trackable)
            list.__setitem__(self, at, self._track_value(value, str(at)))
        self._retrack()

    def _note_change(self):
        """Children may get other names: without any, nothing that a checkpoint could restore is lost."""
        self.__dict__["_changed"] |= bool(self._self_children)

    def _retrack(self):
        self._self_children.clear()
        for i, v in enumerate(self):
            list.__setitem__(self, i, self._track_value(v, str(i)))
        held = self.__dict__["_held"]
        if held is not None:
            held[:] = list(self)

    def _changing(name):
        plain = getattr(list, name)

        def change(self, *args, **kwargs):
            self._note_change()
            done = plain(self, *args, **kwargs)
            self._retrack()
            if name == "insert":  # a child that is inserted has a name that depends on what was there before
                self._note_change()
            return done

        change.__name__ = name
        return change

    for _name in ("__delitem__", "insert", "pop", "remove", "clear", "sort", "reverse"):
        locals()[_name] = _changing(_name)
    del _name, _changing

    def __eq__(self, other):
        return list(self) == other if isinstance(other, list) else NotImplemented

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        return f"ListWrapper({list(self)!r})"

    def __copy__(self):
        return ListWrapper(list(self))

    copy = __copy__

    def __deepcopy__(self, memo):
        import copy

        return ListWrapper([copy.deepcopy(v, memo) for v in self])

    def __reduce_ex__(self, protocol):
        return ListWrapper, (list(self),)

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        held = self.__dict__["_held"]
        if self.__dict__["_changed"]:
            raise ValueError(
                f"Unable to save the object {self!r} (a list wrapper constructed to track trackable TensorFlow objects). A "
                "list element was replaced (__setitem__, __setslice__), deleted (__delitem__, __delslice__), or moved "
                "(sort). In order to support restoration on object creation, tracking is exclusively for append-only data "
                "structures." + _HINT % "list"
            )
        if held is not None and len(held) != len(self):
            raise ValueError(
                f"Unable to save the object {held!r} (a list wrapper constructed to track trackable TensorFlow objects). The "
                f"wrapped list was modified outside the wrapper (its final value was {held!r}, its value when a checkpoint "
                f"dependency was added was {list(self)!r}), which breaks restoration on object creation."
                + _HINT
                % "list"
            )
        children = super()._trackable_children(save_type, **kwargs)
        if save_type == SAVEDMODEL:
            children.update(_functions_in(enumerate(self)))
        return children

    def _add_trackable_child(self, name, value):
        """Items come in any order; what is no child is None."""
        at = int(name)
        while len(self) <= at:
            list.append(self, None)
        list.__setitem__(self, at, self._track_value(value, name))


def _functions_in(items):
    from . import function

    kinds = (function.Function, function.ConcreteFunction)
    return {str(k): v for k, v in items if isinstance(v, kinds)}


class _MappingWrapper(TrackableDataStructure):
    """What the dictionaries share."""

    _object_identifier = property(lambda self: "trackable_dict_wrapper")
    _values = property(lambda self: [self[key] for key in sorted(self)])

    def __setitem__(self, key, value):
        if isinstance(key, str):
            value = self._track_value(value, key)
        else:
            value = wrap_or_unwrap(value)
            if isinstance(value, Trackable):
                self.__dict__["_bad_key"] = True
        self._plain.__setitem__(self, key, value)
        self._keep(lambda held: held.__setitem__(key, value))

    def _keep(self, change):
        held = self.__dict__.get("_held")
        if held is not None:
            change(held)

    def __delitem__(self, key):
        self._plain.__delitem__(self, key)
        self._self_children.pop(key, None)
        self._keep(lambda held: held.pop(key, None))

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *default):
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self):
        for key in list(self):
            del self[key]

    def __copy__(self):
        return type(self)(self)

    copy = __copy__

    def __deepcopy__(self, memo):
        import copy

        return type(self)({k: copy.deepcopy(v, memo) for k, v in self.items()})

    def __reduce_ex__(self, protocol):
        return type(self), (list(self.items()),)

    def __eq__(self, other):
        return dict(self) == other if isinstance(other, AbcMapping) else NotImplemented

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        return f"DictWrapper({dict(self)!r})"

    def __str__(self):
        return str(dict(self))

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        self._sync()
        if self.__dict__.get("_bad_key"):
            raise ValueError(
                f"Unable to save the object {dict(self)!r} (a dictionary wrapper constructed automatically on attribute "
                "assignment). The wrapped dictionary contains a non-string key which maps to a trackable object or mutable "
                "data structure." + _HINT % "dictionary"
            )
        children = super()._trackable_children(save_type, **kwargs)
        if save_type == SAVEDMODEL:
            children.update(_functions_in((k, v) for k, v in self.items() if isinstance(k, str)))
        return children

    def _sync(self):
        """What was put into the plain dictionary that it was made of."""
        held = self.__dict__.get("_held")
        if held is not None:
            for key in [k for k in held if k not in self]:
                self[key] = held[key]

    def _add_trackable_child(self, name, value):
        self[name] = value


class _DictWrapper(_MappingWrapper, dict):
    """A dictionary whose values are children, by keys that are texts. Packages know it by this name."""

    _plain = dict

    def __init__(self, values=(), **kwargs):
        dict.__init__(self)
        self.update(values, **kwargs)
        if type(values) is dict:
            self.__dict__["_held"] = values


DictWrapper = _DictWrapper


def _ordered():
    from collections import OrderedDict

    class Wrapper(_MappingWrapper, OrderedDict):
        """The same in an order."""

        _plain = OrderedDict

        def __init__(self, values=(), **kwargs):
            OrderedDict.__init__(self)
            self.update(values, **kwargs)

    Wrapper.__name__ = "OrderedDictWrapper"
    return Wrapper


OrderedDictWrapper = _ordered()

_tuple_kinds = weakref.WeakValueDictionary()  # of a class: that of its wrappers, while there are some


class _TupleParts(TrackableDataStructure):
    """What tuples with children share. They are equal to, and packed as, the plain ones."""

    _object_identifier = property(lambda self: "trackable_tuple_wrapper")

    def _track_items(self):
        fields = getattr(self, "_fields", None)
        for i, v in enumerate(self):
            if isinstance(v, Trackable):
                self._track_trackable(v, str(i), overwrite=True)
                if fields is not None:
                    self._track_trackable(v, fields[i], overwrite=True)

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        children = super()._trackable_children(save_type, **kwargs)
        if save_type == SAVEDMODEL:
            children.update(_functions_in(enumerate(self)))
        return children

    def __hash__(self):
        return tuple.__hash__(self)

    def __reduce_ex__(self, protocol):
        return tuple_wrapper, (self.__wrapped__,)

    @property
    def __wrapped__(self):
        return tuple.__new__(self._plain, self)


def tuple_wrapper(values):
    """A tuple, named or not, whose items are children."""
    kind = type(values)
    made = _tuple_kinds.get(kind)
    if made is None:
        made = _tuple_kinds[kind] = type("_TupleWrapper", (_TupleParts, kind), {"_plain": kind})
    wrapped = tuple.__new__(made, [wrap_or_unwrap(v) for v in values])
    wrapped._track_items()
    return wrapped
