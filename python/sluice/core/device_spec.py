"""Names of devices in parts: tf.DeviceSpec."""

from __future__ import annotations

_NUMBERS = ("replica", "task", "device_index")


def _type(text: str) -> str:
    """A device's type: cpu and gpu are CPU and GPU, all others are written as they are."""
    return text.upper() if text in ("cpu", "gpu") else text


class DeviceSpec:
    """/job:J/replica:R/task:T/device:TYPE:I, any part of which may be missing (None)."""

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        self._job = None if job is None else str(job)
        self._replica, self._task, self._device_index = (
            None if n is None else int(n) for n in (replica, task, device_index)
        )
        self._device_type = None if device_type is None else _type(device_type)

    job = property(lambda self: self._job)
    replica = property(lambda self: self._replica)
    task = property(lambda self: self._task)
    device_type = property(lambda self: self._device_type)
    device_index = property(lambda self: self._device_index)

    @classmethod
    def from_string(cls, spec):
        """The parts of a text. ValueError when it is no device's name."""
        return cls(**_parse(spec))

    def parse_from_string(self, spec):
        """This spec with the parts of a text alone."""
        return type(self)(**_parse(spec))

    def _parts(self) -> dict:
        return {k: getattr(self, k) for k in ("job", "replica", "task", "device_type", "device_index")}

    def make_merged_spec(self, dev):
        """This spec, with the parts that the other has in place of its own."""
        return type(self)(**{**self._parts(), **{k: v for k, v in dev._parts().items() if v is not None}})

    def replace(self, **kwargs):
        """This spec with other parts."""
        return type(self)(**{**self._parts(), **kwargs})

    def to_string(self) -> str:
        out = ""
        for name in ("job", "replica", "task"):
            value = getattr(self, name)
            if value is not None:
                out += f"/{name}:{value}"
        if self._device_type is not None:
            out += f"/device:{self._device_type}:{'*' if self._device_index is None else self._device_index}"
        return out

    __str__ = to_string

    def __repr__(self):
        return f"DeviceSpec({self.to_string()!r})"

    def __eq__(self, other):
        return isinstance(other, DeviceSpec) and self._parts() == other._parts()

    def __hash__(self):
        return hash(self.to_string())


class DeviceSpecV1(DeviceSpec):
    """A spec whose parts can be set."""

    def _set(name):
        own = "_" + name

        def assign(self, value):
            setattr(
                self,
                own,
                None
                if value is None
                else int(value)
                if name in _NUMBERS
                else str(value)
                if name == "job"
                else _type(value),
            )

        return property(lambda self: getattr(self, own), assign)

    job, replica, task, device_type, device_index = map(_set, ("job", "replica", "task", "device_type", "device_index"))
    del _set

    def parse_from_string(self, spec):
        for name, value in {**DeviceSpec()._parts(), **_parse(spec)}.items():
            setattr(self, name, value)
        return self

    def merge_from(self, dev):
        """Takes the parts that the other has."""
        for name, value in dev._parts().items():
            if value is not None:
                setattr(self, name, value)


def _parse(spec: str) -> dict:
    parts = {}
    for word in (spec or "").split("/"):
        if not word:
            continue
        pieces = word.split(":")
        key = pieces[0]
        if key in ("job", "replica", "task") and len(pieces) == 2:
            parts[key] = pieces[1] if key == "job" else int(pieces[1])
        elif (
            key == "device" and len(pieces) in (2, 3) or len(pieces) in (1, 2) and key.upper() in ("CPU", "GPU", "TPU")
        ):
            pieces = pieces[1:] if key == "device" else pieces
            if "device_type" in parts:
                raise ValueError(f"Multiple device types are not allowed while parsing the device spec: {spec}.")
            parts["device_type"] = pieces[0].upper() if key != "device" else _type(pieces[0])
            if len(pieces) == 2 and pieces[1] != "*":
                parts["device_index"] = int(pieces[1])
        elif word != "*":
            raise ValueError(f"Unknown attribute {key!r} is encountered while parsing the device spec: {spec!r}.")
    return parts


def as_spec(name):
    """The spec of a name, or of a spec."""
    return name if isinstance(name, DeviceSpec) else DeviceSpec.from_string(str(name))
