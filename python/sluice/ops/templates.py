"""tf.compat.v1.make_template: functions that make their variables when they are called first, and share them from then on."""

from __future__ import annotations

import functools

from ..core import graph, scopes
from ..core.graph_keys import GraphKeys
from .variable_scope import AUTO_REUSE, _Store, kept_variables, variable_scope


def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None, **kwargs):
    """A callable like func_, whose calls share what get_variable makes within. kwargs are given to each call.

    Its scope is name_, made unique where it is called first, or here with create_scope_now_; unique_name_ is taken as it is.
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    if scopes.executing_eagerly():
        if unique_name_ is not None:
            raise ValueError("unique_name_ cannot be used when eager execution is enabled.")
        return EagerTemplate(name_, func_, create_scope_now_, None, custom_getter_)
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """A function in a variable scope of its own, in graphs."""

    _reuse = True  # what calls after the first say of variables

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        if name is None:
            raise ValueError("name cannot be None.")
        self._func, self._name, self._unique_name, self._custom_getter = func, name, unique_name, custom_getter
        self._variables_created = False
        self._scope = None
        if create_scope_now:
            with self._new_scope(auxiliary_name_scope=False) as self._scope:
                pass

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)
    variable_scope = property(lambda self: self._scope)

    def _new_scope(self, **options):
        return variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter, **options)

    @property
    def variable_scope_name(self):
        """The scope's name, with a / where the name is empty; None before there is a scope."""
        if self._scope is None:
            return None
        name = self._scope.name
        return name if not name or name.endswith("/") or self._name else name + "/"

    def __call__(self, *args, **kwargs):
        if self._scope is None:
            with self._new_scope() as self._scope:
                return self._call(args, kwargs)
        with variable_scope(self._scope, reuse=self._reuse if self._variables_created else None):
            return self._call(args, kwargs)

    def _call(self, args, kwargs):
        before = self._trainable_so_far()
        made = self._func(*args, **kwargs)
        extra = self._trainable_so_far()[len(before) :]
        if self._variables_created and extra:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps you used tf.Variable when "
                f"you meant tf.get_variable: {extra}"
            )
        self._variables_created = True
        return made

    def _trainable_so_far(self):
        return graph.default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def _of_scope(self, key):
        return graph.default_graph().get_collection(key, self._prefix()) if self._scope is not None else []

    def _prefix(self):
        name = self._scope.name
        return name if not name or name.endswith("/") else name + "/"

    @property
    def global_variables(self):
        return self._of_scope(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self):
        return self._of_scope(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self):
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self):
        return self._of_scope(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self):
        trainable = {id(v) for v in self.trainable_variables}
        return [v for v in self.variables if id(v) not in trainable]

    weights, trainable_weights, non_trainable_weights = variables, trainable_variables, non_trainable_variables


class EagerTemplate(Template):
    """The same where ops are executed at once: the template itself keeps its variables."""

    _reuse = AUTO_REUSE

    def __init__(self, *args):
        self._store = _Store(keeps=True)
        super().__init__(*args)

    def __call__(self, *args, **kwargs):
        with kept_variables(self._store):
            return super().__call__(*args, **kwargs)

    def _trainable_so_far(self):
        return self.trainable_variables

    @property
    def variables(self):
        return list(self._store.variables.values())

    global_variables = variables

    @property
    def local_variables(self):
        return []

    @property
    def trainable_variables(self):
        return [v for v in self.variables if v.trainable]

    weights, trainable_weights = variables, trainable_variables
