"""Classes that saved models bring back: a package registers what makes an object of an identifier and a version."""

from __future__ import annotations

_registered: dict[str, tuple] = {}  # identifier -> (predicate, registrations)


class VersionedTypeRegistration:
    """What makes objects of one version. object_factory(proto) -> object; setter(object, name, child) adds a child."""

    def __init__(
        self, object_factory, version, min_producer_version, min_consumer_version=0, bad_consumers=None, setter=setattr
    ):
        self.object_factory = object_factory
        self.setter = setter
        self.version = version
        self._min_producer_version = min_producer_version
        self._min_consumer_version = min_consumer_version
        self._bad_consumers = list(bad_consumers or [])

    def can_read(self, versions) -> bool:
        """Whether it makes what was saved with these versions."""
        return (
            self.version >= versions.min_consumer
            and versions.producer >= self._min_producer_version
            and self.version not in list(versions.bad_consumers)
        )


def register_revived_type(identifier, predicate, versions):
    """Saved objects of this identifier become what the registrations make. AssertionError for an identifier that is taken."""
    if identifier in _registered:
        raise AssertionError(f"Duplicate registrations for type '{identifier}'")
    _registered[identifier] = (predicate, sorted(versions, key=lambda r: r.version, reverse=True))


def registered_identifiers():
    return _registered.keys()


def _registration(proto):
    _, versions = _registered.get(proto.identifier, (None, ()))
    return next((r for r in versions if r.can_read(proto.version)), None)


def revived(proto):
    """The object of a saved one, or None when nothing is registered for it."""
    found = _registration(proto)
    return None if found is None else found.object_factory(proto)


def get_setter(proto):
    """What adds children to it; None when nothing is registered for it."""
    found = _registration(proto)
    return None if found is None else found.setter
