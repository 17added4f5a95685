# SPDX-License-Identifier: Apache-2.0
"""CTranslate2: a Transformer of random weights translates alike on host and device."""
import tempfile

import ctranslate2
import numpy as np
from ctranslate2.specs import transformer_spec

from steps import end, step

DEPTH, HIDDEN, WORDS, LAYERS, HEADS = 64, 128, 100, 2, 4
rng = np.random.default_rng(1)


def fill_linear(spec, outputs, inputs):
    spec.weight = (rng.standard_normal((outputs, inputs)) / inputs ** 0.5).astype(np.float32)
    spec.bias = (0.1 * rng.standard_normal(outputs)).astype(np.float32)


def fill_norm(spec):
    spec.gamma = np.ones(DEPTH, np.float32)
    spec.beta = np.zeros(DEPTH, np.float32)


def fill_attention(spec, widths):
    for linear, width in zip(spec.linear, widths):
        fill_linear(linear, width * DEPTH, DEPTH)
    fill_norm(spec.layer_norm)


def fill_feed_forward(spec):
    fill_linear(spec.linear_0, HIDDEN, DEPTH)
    fill_linear(spec.linear_1, DEPTH, HIDDEN)
    fill_norm(spec.layer_norm)


def model(folder):
    spec = transformer_spec.TransformerSpec.from_config(LAYERS, HEADS)
    for side in spec.encoder, spec.decoder:
        first = side.embeddings
        first = first[0] if isinstance(first, list) else first
        first.weight = rng.standard_normal((WORDS, DEPTH)).astype(np.float32)
        side.position_encodings.encodings = (
            0.1 * rng.standard_normal((64, DEPTH))).astype(np.float32)
        fill_norm(side.layer_norm)
        for layer in side.layer:
            fill_attention(layer.self_attention, (3, 1))
            fill_feed_forward(layer.ffn)
    for layer in spec.decoder.layer:
        fill_attention(layer.attention, (1, 2, 1))
    fill_linear(spec.decoder.projection, WORDS, DEPTH)
    names = ["<blank>", "<s>", "</s>", "<unk>"]
    names += ["w%d" % i for i in range(WORDS - len(names))]
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    spec.validate()
    spec.save(folder)


SOURCE = [["w%d" % ((i * 7 + k * 3) % 90) for i in range(5 + k)] for k in range(8)]
folder = tempfile.mkdtemp()
model(folder)


def translated(device, kind, **how):
    translator = ctranslate2.Translator(folder, device=device, compute_type=kind)
    return translator.translate_batch(SOURCE, max_decoding_length=20,
                                      return_scores=True, **how)


def both(kind, tolerance, **how):
    # The host's library has no halves.
    host = translated("cpu", "int8" if kind == "int8" else "float32", **how)
    device = translated("cuda", kind, **how)
    for a, b in zip(host, device):
        if kind == "float32":
            assert a.hypotheses == b.hypotheses
        np.testing.assert_allclose(a.scores, b.scores, atol=tolerance)


@step("beams")
def _():
    both("float32", 1e-4, beam_size=4, num_hypotheses=2)


@step("the best word")
def _():
    both("float32", 1e-4, beam_size=1)


@step("halves")
def _():
    both("float16", 0.05, beam_size=4)


@step("bytes")
def _():
    both("int8", 0.01, beam_size=1)


end()
