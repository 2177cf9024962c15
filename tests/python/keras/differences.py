"""How far numbers are from those that are stored."""

import numpy as np


def difference(found, expected):
    """The largest relative difference of two results. Predictions and weights are compared with the largest of them. A result
    that says `within` allows so much, and what is given is in proportion to the 1e-5 of others."""
    worst = 0.0
    for key, theirs in expected.items():
        if key == "within":
            continue
        ours, theirs = np.array(found[key], "float64"), np.array(theirs, "float64")
        if ours.shape != theirs.shape or not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
            return float("inf")
        there = np.isfinite(theirs)
        ours, theirs = ours[there], theirs[there]
        if not np.array_equal(ours, theirs):
            scale = np.max(np.abs(theirs)) if key in ("predictions", "weights") else np.abs(theirs)
            worst = max(worst, float(np.max(np.abs(ours - theirs) / np.maximum(scale, 1e-6))))
    return worst * 1e-5 / expected.get("within", 1e-5)
