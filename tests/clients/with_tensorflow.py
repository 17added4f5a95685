# SPDX-License-Identifier: Apache-2.0
"""TensorFlow: operations and training on the device give what the host gives."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf

from arrays import agree, random
from steps import end, step


def both(function, *arrays, tolerance=1e-4):
    """The function's results on the device are those of the host."""
    results = []
    for device in "/CPU:0", "/GPU:0":
        with tf.device(device):
            out = function(*[tf.constant(a) for a in arrays])
            out = tf.nest.flatten(out)
            assert all(device[1:] in t.device for t in out), "ran elsewhere"
            results.append([t.numpy() for t in out])
    agree(*results, tolerance)


@step("a device")
def _():
    tf.config.set_soft_device_placement(False)
    assert tf.config.list_physical_devices("GPU"), "no GPU found"


@step("elements")
def _():
    both(lambda a, b: (a + b, tf.tanh(a), tf.exp(a), tf.nn.gelu(a),
                       tf.where(a > 0, a, b), tf.cast(a, tf.float16)),
         random(64, 96), random(64, 96), tolerance=1e-3)


@step("sums, order, places")
def _():
    both(lambda a: (tf.reduce_sum(a, 1), tf.nn.softmax(a), tf.cumsum(a, 1),
                    tf.argmax(a, 1), tf.math.top_k(a, 5), tf.transpose(a),
                    tf.gather(a, [3, 1, 2]), tf.concat([a, a], 1)),
         random(64, 96))


@step("products and factors")
def _():
    both(lambda a: (tf.matmul(a, a), tf.linalg.solve(a + 10 * tf.eye(32), a),
                    tf.linalg.svd(a, compute_uv=False),
                    tf.abs(tf.signal.fft(tf.cast(a, tf.complex64)))),
         random(32, 32), tolerance=1e-3)


@step("convolutions and their gradients")
def _():
    def convolved(image, kernel):
        with tf.GradientTape() as tape:
            tape.watch([image, kernel])
            out = tf.nn.conv2d(image, kernel, 2, "SAME")
            total = tf.reduce_sum(out * out)
        return [out] + tape.gradient(total, [image, kernel])
    both(convolved, random(2, 12, 12, 6), random(3, 3, 6, 4), tolerance=1e-3)


def losses(device):
    tf.keras.utils.set_random_seed(7)
    layers = tf.keras.layers
    with tf.device(device):
        model = tf.keras.Sequential([
            layers.Input((16, 16, 1)), layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(), layers.BatchNormalization(),
            layers.Flatten(), layers.Dense(32, activation="relu"),
            layers.Dropout(0.2, seed=3), layers.Dense(10)])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(
            from_logits=True), jit_compile=False)
        x = np.random.default_rng(0).standard_normal((256, 16, 16, 1))
        y = (x.mean((1, 2, 3)) * 100).astype(int) % 10
        return model.fit(x.astype(np.float32), y, epochs=3, batch_size=32,
                         verbose=0, shuffle=False).history["loss"]


@step("training")
def _():
    tf.config.set_soft_device_placement(True)
    np.testing.assert_allclose(losses("/GPU:0"), losses("/CPU:0"), rtol=1e-3)


end()
