"""Nets that people run: images, text, sequences. Random weights; what is fed is as bench_graph.c makes it.

Each function gives one that builds the graph, for `make_graphs.case`. `kit` is what the two files share: feed, batch_norm, random_weights,
transformer.
"""
import numpy as np
import tensorflow as tf


def swish(x):
    return x * tf.sigmoid(x)


def hard_swish(x):
    return x * (tf.nn.relu6(x + 3.) * np.float32(1 / 6))


def hard_sigmoid(x):
    return tf.nn.relu6(x + 3.) * np.float32(1 / 6)


def leaky(x):
    return tf.nn.leaky_relu(x, .1)


# What weights make up for, as squares: what an activation takes of its input.
GAINS = {tf.nn.relu: 2, tf.nn.relu6: 2, leaky: 2, swish: 2.8, hard_swish: 2.8}


class Nets:
    def __init__(self, kit):
        self.feed, self.norm, self.weights, self.transformer = kit.feed, kit.batch_norm, kit.random_weights, kit.transformer
        # Of quantised nets: what is done to weights and to activations.
        self.of_weights = self.of_inputs = lambda x: x

    def conv(self, x, out, size=1, stride=1, activation=None, norm=True, gain=1):
        gain *= GAINS.get(activation, 1)
        w = self.weights([size, size, int(x.shape[-1]), out], size * size * int(x.shape[-1]) / gain)
        y = tf.nn.conv2d(x, self.of_weights(w), stride, "SAME")
        y = self.norm(y) if norm else tf.nn.bias_add(y, self.weights([out], 100.))
        return self.of_inputs(activation(y) if activation else y)

    def depthwise(self, x, size, stride, activation):
        w = self.weights([size, size, int(x.shape[-1]), 1], size * size / GAINS[activation])
        y = tf.nn.depthwise_conv2d(x, self.of_weights(w), [1, stride, stride, 1], "SAME")
        return self.of_inputs(activation(self.norm(y)))

    def squeeze(self, x, inside, activation, gate):
        y = tf.reduce_mean(x, [1, 2], keepdims=True)
        y = self.conv(y, inside, activation=activation, norm=False)
        return x * self.conv(y, int(x.shape[-1]), activation=gate, norm=False)

    def classes(self, x):
        x = tf.reduce_mean(x, [1, 2])
        return [tf.nn.softmax(self.of_inputs(x) @ self.of_weights(self.weights([int(x.shape[-1]), 1000])))]

    def bottleneck(self, x, expanded, out, size, stride, activation, squeezed=0, gate=tf.sigmoid):
        y = self.conv(x, expanded, activation=activation) if expanded != int(x.shape[-1]) else x
        y = self.depthwise(y, size, stride, activation)
        if squeezed:
            y = self.squeeze(y, squeezed, tf.nn.relu if activation is not swish else swish, gate)
        y = self.conv(y, out, gain=2 if squeezed else 1)  # a gate takes half
        return self.of_inputs(x + y) if stride == 1 and int(x.shape[-1]) == out else y

    def mobile_net_v2(self, batch):
        x = self.of_inputs(self.feed("x", [batch, 224, 224, 3]))
        x = self.conv(x, 32, 3, 2, tf.nn.relu6)
        for expand, out, repeat, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                            (6, 160, 3, 2), (6, 320, 1, 1)]:
            for i in range(repeat):
                x = self.bottleneck(x, expand * int(x.shape[-1]), out, 3, stride if i == 0 else 1, tf.nn.relu6)
        return self.classes(self.conv(x, 1280, activation=tf.nn.relu6))

    def mobile_net_v3(self, batch):
        """The large one."""
        x = self.conv(self.feed("x", [batch, 224, 224, 3]), 16, 3, 2, hard_swish)
        relu, hard = tf.nn.relu, hard_swish
        for size, expanded, out, squeezed, activation, stride in [
                (3, 16, 16, 0, relu, 1), (3, 64, 24, 0, relu, 2), (3, 72, 24, 0, relu, 1), (5, 72, 40, 24, relu, 2),
                (5, 120, 40, 32, relu, 1), (5, 120, 40, 32, relu, 1), (3, 240, 80, 0, hard, 2), (3, 200, 80, 0, hard, 1),
                (3, 184, 80, 0, hard, 1), (3, 184, 80, 0, hard, 1), (3, 480, 112, 120, hard, 1), (3, 672, 112, 168, hard, 1),
                (5, 672, 160, 168, hard, 2), (5, 960, 160, 240, hard, 1), (5, 960, 160, 240, hard, 1)]:
            x = self.bottleneck(x, expanded, out, size, stride, activation, squeezed, hard_sigmoid)
        return self.classes(self.conv(x, 960, activation=hard_swish))

    def efficient_net(self, batch):
        """B0."""
        x = self.conv(self.feed("x", [batch, 224, 224, 3]), 32, 3, 2, swish)
        for expand, out, repeat, stride, size in [(1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5),
                                                  (6, 192, 4, 2, 5), (6, 320, 1, 1, 3)]:
            for i in range(repeat):
                inputs = int(x.shape[-1])
                x = self.bottleneck(x, expand * inputs, out, size, stride if i == 0 else 1, swish, inputs // 4)
        return self.classes(self.conv(x, 1280, activation=swish))

    def res_net_50(self, batch):
        x = self.of_inputs(self.feed("x", [batch, 224, 224, 3]))
        x = tf.nn.max_pool2d(self.conv(x, 64, 7, 2, tf.nn.relu), 3, 2, "SAME")
        for inside, repeat, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
            for i in range(repeat):
                step = stride if i == 0 else 1
                y = self.conv(self.conv(x, inside, activation=tf.nn.relu), inside, 3, step, tf.nn.relu)
                beside = x if i else self.conv(x, 4 * inside, 1, step)
                x = self.of_inputs(tf.nn.relu((self.conv(y, 4 * inside) + beside) * np.float32(.7)))
        return self.classes(x)

    def yolo(self, batch):
        """A detector of the kind of YOLOv3-tiny at 416 x 416, with its two scales; raw boxes."""
        x, kept = self.feed("x", [batch, 416, 416, 3]), None
        for out in (16, 32, 64, 128, 256):
            x = kept = self.conv(x, out, 3, 1, leaky)
            x = tf.nn.max_pool2d(x, 2, 2, "SAME")
        x = tf.nn.max_pool2d(self.conv(x, 512, 3, 1, leaky), 2, 1, "SAME")
        x = self.conv(self.conv(x, 1024, 3, 1, leaky), 256, activation=leaky)
        large = self.conv(self.conv(x, 512, 3, 1, leaky), 255, norm=False)
        y = tf.compat.v1.image.resize_nearest_neighbor(self.conv(x, 128, activation=leaky), [26, 26])
        small = self.conv(self.conv(tf.concat([y, kept], 3), 256, 3, 1, leaky), 255, norm=False)
        return [large, small]

    def bert_small(self, batch):
        return [self.transformer(batch, self.weights, width=512, heads=8)]

    def lstm(self, batch):
        """32 steps, unrolled: no library gets it as one op."""
        steps, width, units = 32, 128, 256
        x = tf.unstack(self.feed("x", [steps, batch, width]))
        w, b = tf.constant(self.weights([width + units, 4 * units])), self.weights([4 * units])  # one for all steps
        h = c = np.zeros([batch, units], np.float32)
        for t in range(steps):
            i, f, o, g = tf.split(tf.nn.bias_add(tf.concat([x[t], h], 1) @ w, b), 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return [h]

    def gru(self, batch):
        steps, width, units = 32, 128, 256
        x = tf.unstack(self.feed("x", [steps, batch, width]))
        w, u = tf.constant(self.weights([width + units, 2 * units])), tf.constant(self.weights([width + units, units]))
        b, c = self.weights([2 * units]), self.weights([units])
        h = tf.constant(np.zeros([batch, units], np.float32))
        for t in range(steps):
            r, z = tf.split(tf.sigmoid(tf.nn.bias_add(tf.concat([x[t], h], 1) @ w, b)), 2, 1)
            h = z * h + (1 - z) * tf.tanh(tf.nn.bias_add(tf.concat([x[t], r * h], 1) @ u, c))
        return [h]


class QuantisedNets(Nets):
    """As training for 8 bits leaves them: weights and activations are rounded to 255 or 256 steps, and stay float."""

    def __init__(self, kit):
        super().__init__(kit)
        self.of_weights = self.rounded_weights
        self.of_inputs = lambda x: tf.quantization.fake_quant_with_min_max_args(x, *((0., 6.) if "Relu" in x.op.type else (-8., 8.)))

    @staticmethod
    def rounded_weights(w):
        most = float(np.abs(w).max())
        return tf.quantization.fake_quant_with_min_max_args(w, -most, most, narrow_range=True)


def nets(kit):
    """(name, builder) for batches of 1 and 8."""
    plain, quantised = Nets(kit), QuantisedNets(kit)
    for batch in (1, 8):
        for name, make in {"MobileNetV2": plain.mobile_net_v2, "MobileNetV3": plain.mobile_net_v3, "EfficientNet-B0": plain.efficient_net,
                           "ResNet-50": plain.res_net_50, "YOLO-like": plain.yolo, "BERT-small": plain.bert_small, "LSTM": plain.lstm,
                           "GRU": plain.gru, "MobileNetV2, 8 bits": quantised.mobile_net_v2,
                           "ResNet-50, 8 bits": quantised.res_net_50}.items():
            yield f"{name}, batch {batch}", lambda make=make, batch=batch: make(batch)
