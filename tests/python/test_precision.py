"""Products that are less exact, where a program asks: SLUICE_FPMATH is read once in a process, so each answer is one's."""

import os
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = """
import sys
import numpy as np
import sluice as tf

v1 = tf.compat.v1
random = np.random.default_rng(5)
step = sys.argv[2] == "on a grid"
with tf.Graph().as_default(), v1.Session() as session:
    x = v1.placeholder(tf.float32, [2, 9, 10, 24])
    w = random.normal(size=[3, 3, 24, 40], scale=0.05).astype("f4")
    y = tf.quantization.fake_quant_with_min_max_args(x, -1.5, 6.0)
    filter = tf.quantization.fake_quant_with_min_max_args(w, -0.25, 0.25, narrow_range=True) if step else w
    z = tf.nn.relu6(tf.nn.bias_add(tf.nn.conv2d(y, filter, 2, "SAME"), random.normal(size=40).astype("f4")))
    small = tf.nn.conv2d(y, random.normal(size=[1, 1, 24, 3]).astype("f4"), 1, "VALID")
    out = session.run([z, small, tf.reduce_sum(y)], {x: random.uniform(-2, 7, [2, 9, 10, 24]).astype("f4")})
np.savez(sys.argv[1], *out)
"""


def run(folder, fpmath, filter):
    file = str(folder / f"{fpmath}.npz")
    environment = dict(os.environ, SLUICE_FPMATH=fpmath, SLUICE_DUMP="fold_fake_quant")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, file, filter], check=True, env=environment, capture_output=True, text=True
    )
    return list(np.load(file).values()), done.stderr.count("Conv2D(_arg")  # not FakeQuant


@pytest.mark.parametrize("filter", ["on a grid", "off"])
def test_convolutions_of_rounded_images_are_products_of_bytes(tmp_path, filter):
    (plain, folded), (bytes_, folded_bytes) = run(tmp_path, "", filter), run(tmp_path, "int8", filter)
    assert (folded, folded_bytes) == (0, 2)
    for a, b in zip(plain, bytes_):
        np.testing.assert_allclose(b, a, rtol=1e-5, atol=2e-5)
    assert np.unique(plain[0]).size > 1000
