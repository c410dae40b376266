import time

import numpy as np
import pytest

from knowledge.search.core.hashing_embedder import NAME, HashingEmbedder
from knowledge.search.core.truncate import truncate_vectors


def test_vectors_have_unit_length_and_the_asked_size() -> None:
    vectors = HashingEmbedder(256).embed(["a red dragon", "красный дракон", "تنين أحمر", "红龙"])
    assert vectors.shape == (4, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_texts_without_words_give_zeros_and_no_nan() -> None:
    vectors = HashingEmbedder(64).embed(["", "👍", "\ud800"])
    assert not vectors.any()
    assert HashingEmbedder(64).embed([]).shape == (0, 64)


def test_a_text_is_embedded_alike_alone_and_in_any_batch() -> None:
    embedder = HashingEmbedder(128)
    texts = [f"the dragon number {place} sleeps" for place in range(300)]
    together = embedder.embed(texts)
    assert np.array_equal(together[299], embedder.embed([texts[299]])[0])


def test_embedding_is_the_same_on_every_machine() -> None:
    vector = HashingEmbedder(16).embed(["dragon"])[0]
    assert vector.tolist() == pytest.approx(
        [
            0.201483,
            0.0,
            0.0,
            0.0,
            0.869728,
            0.0,
            0.201483,
            0.0,
            0.0,
            -0.201483,
            0.0,
            0.0,
            0.201483,
            -0.201483,
            0.0,
            -0.201483,
        ],
        abs=1e-6,
    )
    assert NAME == "hashing-v1"


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("Waterdeep harbour", "the harbours of Waterdeep", "a spell of fire"),
        ("Невервинтер", "улицы Невервинтера", "кольцо защиты"),
        ("золотой дракон", "драконы из золота", "гномья кузница"),
        ("القلعة القديمة", "قلعة قديمة على الجبل", "سوق السمك"),
        ("红龙的洞穴", "洞穴里住着一条红龙", "精灵的弓箭"),
        ("Mordenkainen", "Mordenkainnen's mansion", "a quiet village"),
    ],
)
def test_spelling_brings_texts_near(query: str, near: str, far: str) -> None:
    vectors = HashingEmbedder(512).embed([query, near, far])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_hundreds_of_texts_a_second() -> None:
    words = [f"word{place}" for place in range(2000)]
    texts = [" ".join(words[(start * 7 + step * 13) % 2000] for step in range(150)) for start in range(400)]
    embedder = HashingEmbedder(1024)
    embedder.embed(texts[:50])
    started = time.perf_counter()
    embedder.embed(texts)
    assert len(texts) / (time.perf_counter() - started) > 200


def test_no_dims_are_refused() -> None:
    with pytest.raises(ValueError, match="dims"):
        HashingEmbedder(0)


def test_truncation_renormalises() -> None:
    cut = truncate_vectors([[3.0, 4.0, 12.0], [0.0, 0.0, 5.0]], 2)
    assert cut.dtype == np.float32
    assert cut.tolist() == [pytest.approx([0.6, 0.8]), [0.0, 0.0]]


@pytest.mark.parametrize(
    ("vectors", "dims"), [([[1.0, 2.0]], 3), ([[1.0, 2.0]], 0), ([1.0, 2.0], 1), ([[float("nan"), 1.0]], 2)]
)
def test_vectors_that_cannot_be_cut_are_refused(vectors: list[list[float]], dims: int) -> None:
    with pytest.raises(ValueError, match="embeddings"):
        truncate_vectors(vectors, dims)
