"""Resources that functions capture and saved models have: tables and the like, assets, and constants that were captured."""

from __future__ import annotations

import os

from . import dtypes, graph, tensor
from .trackable import CHECKPOINT, SAVEDMODEL, Trackable


class CapturableResource(Trackable):
    """A resource. Subclasses have `_create_resource()`, which gives its handle, and may have `_initialize()`."""

    def __init__(self, device=""):
        self._resource_handle = None
        self._resource_device = device

    def _create_resource(self):
        raise NotImplementedError(
            "TrackableResource._create_resource not implemented. You need to implement it in your class if you want to "
            "save this resource."
        )

    @property
    def resource_handle(self):
        """The handle; made when it is first asked for."""
        if self._resource_handle is None:
            with graph.init_scope():
                self._resource_handle = self._create_resource()
        return self._resource_handle

    def _initialize(self):
        """Fills it."""

    def _destroy_resource(self):
        """Ends it; handles of this process end by themselves."""

    def __del__(self):
        known = CapturableResource  # None once the interpreter ends
        if known is None or type(self)._destroy_resource is known._destroy_resource:
            return
        if getattr(self, "_resource_handle", None) is None:
            return
        try:
            with graph.outside():
                self._destroy_resource()
        except Exception:  # what it needs has gone first, at the interpreter's end
            pass

    def _trackable_children(self, save_type=CHECKPOINT, **kwargs):
        children = super()._trackable_children(save_type, **kwargs)
        if save_type == SAVEDMODEL:
            children.update(resource_functions(self))
        return children


class TrackableResource(CapturableResource):
    """A resource that graphs of sessions know of, too."""

    def __init__(self, device=""):
        super().__init__(device)


def resource_functions(resource) -> dict:
    """The functions that make a resource again where its saved model is loaded."""
    from .function import Function

    made = resource.__dict__.get("_self_functions")
    if made is None:

        def initialize():
            resource._initialize()
            return 1

        def destroy():
            resource._destroy_resource()
            return 1

        made = resource.__dict__["_self_functions"] = {
            "_create_resource": Function(resource._create_resource, input_signature=[], autograph=False),
            "_initialize": Function(initialize, "_initializer", input_signature=[], autograph=False),
            "_destroy_resource": Function(destroy, "_destroyer", input_signature=[], autograph=False),
        }
    return made


class Asset(Trackable):
    """A file that is saved with a model. `asset_path`: where it is, a tensor, which functions capture."""

    def __init__(self, path):
        self._path = os.fspath(path) if isinstance(path, os.PathLike) else path
        with graph.init_scope():
            g = graph.current()
            value = self._path
            self._asset_path = (
                value
                if isinstance(value, tensor.Tensor)
                else tensor.convert(value, dtypes.string.as_datatype_enum)
                if g is None
                else graph.into(g, value, dtypes.string.as_datatype_enum)
            )
            if g is not None:
                g.add_to_collection("asset_filepaths", self._asset_path)

    @property
    def asset_path(self):
        """The path of the file, now; a scalar text."""
        return self._asset_path


class TrackableConstant(Trackable):
    """A value that functions captured."""

    def __init__(self, capture):
        self.capture = capture
