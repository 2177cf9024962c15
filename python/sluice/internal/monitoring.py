"""Counters and gauges that packages keep of themselves. Their values are there to be read by the program."""

from __future__ import annotations

import threading


class _Cell:
    """One value."""

    def __init__(self, value):
        self._value = value
        self._lock = threading.Lock()

    def value(self):
        return self._value

    def set(self, value):
        self._value = value

    def increase_by(self, value):
        with self._lock:
            self._value += value

    def add(self, value):
        with self._lock:
            self._value.append(value)


class _Metric:
    """Values by labels."""

    _start: object = 0

    def __init__(self, name, description, *labels):
        self._name, self._description, self._labels = name, description, labels
        self._cells: dict = {}

    def get_cell(self, *labels):
        """The value of these labels."""
        start = list(self._start) if isinstance(self._start, list) else self._start
        return self._cells.setdefault(labels, _Cell(start))


class Counter(_Metric):
    """A number that grows."""


class IntGauge(_Metric):
    """A number that is set."""


class BoolGauge(_Metric):
    """A bool that is set."""

    _start = False


class StringGauge(_Metric):
    """A text that is set."""

    _start = ""


class ExponentialBuckets:
    """Bounds of a histogram: scale * growth_factor ** i."""

    def __init__(self, scale, growth_factor, bucket_count):
        self.bounds = [scale * growth_factor**i for i in range(bucket_count)]


class Sampler(_Metric):
    """A list of values."""

    _start: object = []

    def __init__(self, name, buckets, description, *labels):
        super().__init__(name, description, *labels)
        self._buckets = buckets
