"""Samplers of classes, for losses over many of them: (sampled candidates, expected counts of the true ones, of the sampled)."""

from __future__ import annotations

from ..core.op_defs import op
from . import random_seeds


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Classes of [0, range_max), all as likely."""
    return _sample(
        "UniformCandidateSampler", true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )


def log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Classes of [0, range_max), class k with probability (log(k + 2) - log(k + 1)) / log(range_max + 1)."""
    names = "LogUniformCandidateSampler"
    return _sample(names, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max)


def learned_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Classes of [0, range_max), by how often they were among the true ones so far."""
    names = "LearnedUnigramCandidateSampler"
    return _sample(names, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max)


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    """All classes: num_sampled of them."""
    return _sample("AllCandidateSampler", true_classes, num_true, num_sampled, unique, seed, name)


def fixed_unigram_candidate_sampler(
    true_classes,
    num_true,
    num_sampled,
    unique,
    range_max,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=1,
    shard=0,
    unigrams=(),
    seed=None,
    name=None,
):
    """Classes of [0, range_max), by counts: a file with one a line (after its last comma), or a list of numbers."""
    return _sample(
        "FixedUnigramCandidateSampler",
        true_classes,
        num_true,
        num_sampled,
        unique,
        seed,
        name,
        range_max=range_max,
        vocab_file=vocab_file,
        distortion=distortion,
        num_reserved_ids=num_reserved_ids,
        num_shards=num_shards,
        shard=shard,
        unigrams=list(unigrams),
    )


def _sample(op_name, true_classes, num_true, num_sampled, unique, seed, name, **attrs):
    seeds = random_seeds.attrs(seed)
    return op(op_name)(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, name=name, **attrs, **seeds
    )


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    """Where a sampled candidate is a true class: (rows of the batch, positions in the sample, weights of -FLT_MAX)."""
    seeds = random_seeds.attrs(seed)
    return op("ComputeAccidentalHits")(true_classes, sampled_candidates, num_true=num_true, name=name, **seeds)
