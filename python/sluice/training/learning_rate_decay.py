"""Learning rates of compat.v1.train that change with the step. Eagerly each is a function without arguments, in a graph a tensor."""

from __future__ import annotations

import math

from ..compat import v1
from ..core import scopes, tensor
from .optimizer import cast


def _decay(name, default, global_step, learning_rate, formula, numbers=()):
    """formula(rate, step, *numbers, name) as a tensor of the rate's type, or a function of no arguments that gives one. The
    numbers are of that type, too; the name is for the last node."""
    if global_step is None:
        raise ValueError(f"Argument `global_step` cannot be None for {default}.")

    def value():
        with v1.name_scope(name, default) as scope:
            rate = v1.convert_to_tensor(
                learning_rate() if callable(learning_rate) else learning_rate, name="initial_learning_rate"
            )
            made = [_number(n, rate.dtype) for n in numbers]
            return formula(
                rate, _number(global_step() if callable(global_step) else global_step, rate.dtype), *made, scope
            )

    return value if scopes.executing_eagerly() else value()


def _number(value, dtype):
    """A value of this type: what is not of it is cast, in the scope of the cast."""
    if scopes.executing_eagerly():
        return cast(tensor.convert(value), dtype)
    return v1.cast(value, dtype)


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * decay_rate ** (step / decay_steps), the exponent whole when staircase."""

    def formula(rate, step, steps, base, name):
        p = step / steps
        return v1.multiply(rate, v1.pow(base, v1.floor(p) if staircase else p), name=name)

    return _decay(name, "ExponentialDecay", global_step, learning_rate, formula, (decay_steps, decay_rate))


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate * exp(-decay_rate) ** (step / decay_steps), the exponent whole when staircase."""
    base = v1.exp(v1.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, base, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    """learning_rate / (1 + decay_rate * step / decay_steps), the quotient whole when staircase."""

    def formula(rate, step, steps, slope, name):
        p = step / steps
        bottom = v1.add(cast(1, rate.dtype), v1.multiply(slope, v1.floor(p) if staircase else p))
        return v1.div(rate, bottom, name=name)

    return _decay(name, "InverseTimeDecay", global_step, learning_rate, formula, (decay_steps, decay_rate))


def polynomial_decay(
    learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None
):
    """From learning_rate to end_learning_rate in decay_steps, as (1 - step / decay_steps) ** power.

    cycle: behind decay_steps the interval is stretched to the next multiple of it, else the rate stays at the end.
    """

    def formula(rate, step, end, exponent, name):
        steps = _number(decay_steps, rate.dtype)
        if cycle:
            times = v1.where_v2(v1.equal(step, 0), cast(1, rate.dtype), v1.ceil(step / steps))
            steps = v1.multiply(steps, times)
        else:
            step = v1.minimum(step, steps)
        p = v1.div(step, steps)
        return v1.add(v1.multiply(rate - end, v1.pow(1 - p, exponent)), end, name=name)

    return _decay(name, "PolynomialDecay", global_step, learning_rate, formula, (end_learning_rate, power))


def _fraction(step, decay_steps):
    steps = cast(decay_steps, step.dtype)
    return v1.minimum(step, steps) / steps


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """Half a cosine from learning_rate down to alpha * learning_rate in decay_steps (Loshchilov and Hutter 2017)."""

    def formula(rate, step, steps, name):
        fraction = v1.minimum(step, steps) / steps
        cosine = 0.5 * (1.0 + v1.cos(cast(math.pi, rate.dtype) * fraction))
        return v1.multiply(rate, (1 - alpha) * cosine + alpha)

    return _decay(name, "CosineDecay", global_step, learning_rate, formula, (decay_steps,))


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
    """Cosine decays one after the other, each t_mul times as long and beginning m_mul times as high as the one before."""

    def formula(rate, step, name):
        completed = step / cast(first_decay_steps, rate.dtype)
        if isinstance(t_mul, (int, float)) and t_mul == 1.0:
            restarts = v1.floor(completed)
            completed = completed - restarts
        else:
            longer = cast(t_mul, rate.dtype)
            restarts = v1.floor(v1.log(1.0 - completed * (1.0 - longer)) / v1.log(longer))
            before = (1.0 - longer**restarts) / (1.0 - longer)
            completed = (completed - before) / longer**restarts
        height = cast(m_mul, rate.dtype) ** restarts
        cosine = 0.5 * height * (1.0 + v1.cos(math.pi * completed))
        return v1.multiply(rate, (1 - alpha) * cosine + alpha, name=name)

    return _decay(name, "SGDRDecay", global_step, learning_rate, formula)


def _linear_cosine(rate, step, decay_steps, num_periods, alpha, beta, name, noise=None):
    fraction = _fraction(step, decay_steps)
    linear = 1.0 - fraction
    if noise is not None:
        linear = linear + noise
    cosine = 0.5 * (1.0 + v1.cos(math.pi * 2.0 * num_periods * fraction))
    return v1.multiply(rate, (alpha + linear) * cosine + beta, name=name)


def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    """learning_rate * ((alpha + linear decay) * cosine decay + beta) (Bello et al. 2017)."""

    def formula(rate, step, name):
        return _linear_cosine(rate, step, decay_steps, num_periods, alpha, beta, name)

    return _decay(name, "LinearCosineDecay", global_step, learning_rate, formula)


def noisy_linear_cosine_decay(
    learning_rate,
    global_step,
    decay_steps,
    initial_variance=1.0,
    variance_decay=0.55,
    num_periods=0.5,
    alpha=0.0,
    beta=0.001,
    name=None,
):
    """The same with noise on the linear part, whose variance is initial_variance / (1 + step) ** variance_decay."""

    def formula(rate, step, name):
        bounded = v1.minimum(step, cast(decay_steps, rate.dtype))
        deviation = v1.sqrt(initial_variance / (1.0 + bounded) ** variance_decay)
        noise = v1.random_normal(v1.shape(rate), stddev=deviation, dtype=rate.dtype)
        return _linear_cosine(rate, step, decay_steps, num_periods, alpha, beta, name, noise)

    return _decay(name, "NoisyLinearCosineDecay", global_step, learning_rate, formula)


def piecewise_constant(x, boundaries, values, name=None):
    """values[i], where boundaries[i - 1] < x <= boundaries[i]: of the boundaries there is one less than of the values.

    ValueError when the types of boundaries and x, or those of the values, are not one.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")

    def value():
        with v1.name_scope(name, "PiecewiseConstant"):
            step = tensor.convert(x() if callable(x) else x)
            limits = [_limit(b, step) for b in boundaries]
            made = [tensor.convert(v) for v in values]
            if len({v.dtype for v in made}) > 1:
                raise ValueError("`values` must have elements all with the same dtype.")
            index = v1.reduce_sum(v1.cast(v1.greater(step, v1.stack(limits)), v1.int32)) if limits else 0
            return v1.gather(v1.stack(made), index)

    return value if scopes.executing_eagerly() else value()


def _limit(boundary, step):
    boundary = tensor.convert(boundary)
    if boundary.dtype.base_dtype != step.dtype.base_dtype:
        if (boundary.dtype.base_dtype, step.dtype.base_dtype) != (v1.int32, v1.int64):
            raise ValueError(
                f"Boundaries ({boundary.dtype.base_dtype}) must have the same dtype as x ({step.dtype.base_dtype})."
            )
        boundary = cast(boundary, step.dtype)
    return boundary
