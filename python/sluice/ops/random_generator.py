"""tf.random.Generator: random numbers from a state that is a variable, and from nothing else.

The state is int64: [counter low, counter high, key] of Philox, [counter, key] of ThreeFry.
"""

from __future__ import annotations

from ..core import dtypes, graph, variables
from ..core.op_defs import op
from ..core.scopes import name_scope
from ..core.trackable import AutoTrackable
from ..training import strategies
from . import array_ops
from .array_ops import cast, convert_to_tensor
from .random_ops import scaled, shape_tensor
from .stateless_random_ops import Algorithm, algorithm_number

_SIZES = {Algorithm.PHILOX.value: (2, 1), Algorithm.THREEFRY.value: (1, 1)}  # words of the counter, of the key
_DEFAULT = Algorithm.PHILOX.value


def _known(alg):
    alg = algorithm_number(_DEFAULT if alg is None else alg)
    return _DEFAULT if alg == Algorithm.AUTO_SELECT.value else alg


def _state_size(alg) -> int:
    return sum(_SIZES[alg])


def _int64(value):
    """A tensor of int64; what does not fit is cut to its lowest bits."""
    t = convert_to_tensor(value)
    return op("Bitcast")(t, type=dtypes.int64) if t.dtype == dtypes.uint64 else cast(t, dtypes.int64)


def _words_of_integer(number, n):
    words = [number >> 64 * i & 2**64 - 1 for i in range(n)]
    return [w - 2**64 if w >= 2**63 else w for w in words]


def create_rng_state(seed, alg):
    """A state for `Generator` of a seed: an integer, or a vector of them, cut or filled with zeros to the state's size."""
    n = _state_size(_known(algorithm_number(alg)))
    if isinstance(seed, int):
        return convert_to_tensor(_words_of_integer(seed, n), dtypes.int64)
    words = array_ops.reshape(_int64(seed), [-1])[:n]
    have = words.shape[0]
    missing = n - (have if have is not None else array_ops.shape(words)[0])
    return op("PadV2")(words, [[missing, 0]], convert_to_tensor(0, dtypes.int64))


def _random_words(n):
    import secrets

    return [secrets.randbits(64) - 2**63 for _ in range(n)]


class Generator(AutoTrackable):
    """A source of random numbers.

    Made by from_seed, from_state, from_key_counter, from_non_deterministic_state; or of another one, which it copies
    (copy_from), or of a state and an algorithm ("philox", "threefry", "auto_select" or their numbers).
    """

    def __init__(self, copy_from=None, state=None, alg=None):
        if copy_from is not None:
            assert state is None and alg is None
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        else:
            assert state is not None and alg is not None
        self._alg = _known(alg)
        self._state_var = _state_variable(state, self._alg)
        self._is_shared = strategies.has_strategy()  # by replicas, each of which draws numbers of its own

    @classmethod
    def from_state(cls, state, alg):
        """Of a state: an int64 vector of the algorithm's size."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed, alg=None):
        """Of an integer, or a vector of them."""
        alg = _known(alg)
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg=None):
        """Of a state that the system's source of randomness gives."""
        alg = _known(alg)
        return cls(state=_random_words(_state_size(alg)), alg=alg)

    @classmethod
    def from_key_counter(cls, key, counter, alg):
        """Of a key, an integer, and a counter: a vector of integers, two for Philox and one for ThreeFry."""
        alg = _known(alg)
        return cls(state=_state_of_key_counter(key, counter, alg), alg=alg)

    state = property(lambda self: self._state_var, doc="The variable that holds the state.")
    algorithm = property(lambda self: self._alg, doc="The algorithm's number.")

    @property
    def key(self):
        """The key's part of the state: a scalar."""
        if self._alg not in _SIZES:
            raise ValueError(f"Unsupported algorithm id: {self._alg}")
        return self._state_var.read_value()[-1]

    def reset(self, state):
        """Sets the state."""
        state = _int64(state)
        state.shape.assert_is_compatible_with([_state_size(self._alg)])
        self._state_var.assign(state)

    def reset_from_seed(self, seed):
        """Sets the state to that of a seed."""
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key, counter):
        """Sets the state to this key and this counter."""
        self._state_var.assign(_state_of_key_counter(key, counter, self._alg))

    def skip(self, delta):
        """Moves the counter on, by `delta` * 256. Gives the state from before."""
        delta = op("Bitcast")(_int64(delta), type=dtypes.uint64)
        return op("RngReadAndSkip")(self._state_var.handle, self._alg, delta)

    def _key_counter(self, shape):
        """(key, counter, algorithm) for numbers of a shape, which the state then has behind it."""
        state = self.skip(op("Prod")(shape, [0]))
        n, _ = _SIZES[self._alg]
        as_bits = [op("Bitcast")(part, type=dtypes.uint64) for part in (state[:n], state[n:])]
        return self._key_of_replica(as_bits[1]), as_bits[0], self._alg

    def _key_of_replica(self, key):
        """The key for the replica that runs here: it makes other numbers of the state that all replicas have."""
        if not self._is_shared or not strategies.has_strategy() or strategies.in_cross_replica_context():
            return key
        number = _int64([strategies.get_replica_context().replica_id_in_sync_group, 0])
        counter = op("Bitcast")(number, type=dtypes.uint64)
        return op("StatelessRandomUniformFullIntV2")([1], key, counter, self._alg, dtype=dtypes.uint64)

    def _around_mean(self, op_name, default_name, shape, mean, stddev, dtype, name):
        with name_scope(name or default_name) as scope:
            shape = shape_tensor(shape)
            mean, stddev = convert_to_tensor(mean, dtype), convert_to_tensor(stddev, dtype)
            made = op(op_name)(shape, *self._key_counter(shape), dtype=dtypes.as_dtype(dtype))
            return scaled(made, stddev, mean, scope)

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Normally distributed numbers."""
        return self._around_mean("StatelessRandomNormalV2", "stateful_normal", shape, mean, stddev, dtype, name)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Normally distributed numbers, none further than two stddevs from the mean."""
        names = "StatelessTruncatedNormalV2", "truncated_normal"
        return self._around_mean(*names, shape, mean, stddev, dtype, name)

    def uniform(self, shape, minval=0, maxval=None, dtype=dtypes.float32, name=None):
        """Numbers of [minval, maxval); integers of the whole range of int32, int64 … when both are None."""
        dtype = dtypes.as_dtype(dtype)
        if dtype.is_integer and (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {dtype}, minval and maxval must be both `None` or both non-`None`; got "
                f"minval={minval} and maxval={maxval}"
            )
        with name_scope(name or "stateful_uniform") as scope:
            shape = shape_tensor(shape)
            if dtype.is_integer and minval is None:
                return self._full_int(shape, dtype, scope)
            low, high = convert_to_tensor(minval, dtype), convert_to_tensor(1 if maxval is None else maxval, dtype)
            if dtype.is_integer:
                return op("StatelessRandomUniformIntV2")(shape, *self._key_counter(shape), low, high, name=scope)
            made = op("StatelessRandomUniformV2")(shape, *self._key_counter(shape), dtype=dtype)
            return scaled(made, op("Sub")(high, low), low, scope)

    def uniform_full_int(self, shape, dtype=dtypes.uint64, name=None):
        """Integers of the whole range of int32, uint32, int64 or uint64."""
        with name_scope(name or "stateful_uniform_full_int") as scope:
            return self._full_int(shape_tensor(shape), dtypes.as_dtype(dtype), scope)

    def _full_int(self, shape, dtype, name):
        return op("StatelessRandomUniformFullIntV2")(shape, *self._key_counter(shape), dtype=dtype, name=name)

    def binomial(self, shape, counts, probs, dtype=dtypes.int32, name=None):
        """How many of `counts` trials succeed, each with its probability; both broadcast with `shape`."""
        dtype = dtypes.as_dtype(dtype)
        with name_scope(name or "binomial") as scope:
            counts = convert_to_tensor(counts)
            probs = convert_to_tensor(probs)
            args = (
                self._state_var.handle,
                convert_to_tensor(self._alg, dtypes.int64),
                shape_tensor(shape),
                counts,
                probs,
            )
            return op("StatefulRandomBinomial")(*args, dtype=dtype, name=scope)

    def make_seeds(self, count=1):
        """Seeds for stateless random functions: [2, count]."""
        keys = self._new_keys(count)
        return array_ops.stack([keys, array_ops.zeros_like(keys)])

    def _new_keys(self, count):
        return self.uniform_full_int([count], dtypes.int64)

    def split(self, count=1):
        """Generators of their own, which follow from this one."""
        keys = array_ops.unstack(self._new_keys(count), num=count)
        zeros = [0] * _SIZES[self._alg][0]
        return [Generator.from_key_counter(key, zeros, self._alg) for key in keys]


def _state_variable(state, alg):
    value = _int64(state)
    value.shape.assert_is_compatible_with([_state_size(alg)])
    return variables.Variable(value, dtype=dtypes.int64, trainable=False, name="StateVar")


def _state_of_key_counter(key, counter, alg):
    key, counter = _int64(key), _int64(counter)
    key.shape.assert_is_compatible_with([])
    counter.shape.assert_is_compatible_with([_SIZES[alg][0]])
    return array_ops.concat([counter, array_ops.reshape(key, [1])], 0)


_global: Generator | None = None


def get_global_generator():
    """The generator that is there for everybody; made when it is first asked for."""
    global _global
    if _global is None:
        with graph.outside():
            _global = Generator.from_non_deterministic_state()
    return _global


def set_global_generator(generator):
    """Puts another generator in its place. Functions traced before go on with the one they have."""
    global _global
    _global = generator
