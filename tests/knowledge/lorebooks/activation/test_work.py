"""What an activation may cost: counted, the same on every machine, and enough for books that people write."""

from __future__ import annotations

import pytest

from knowledge.lorebooks.activation.engine import Activation, activate
from knowledge.lorebooks.activation.inputs import ActivationDialect, ActivationSettings, BoundBook, Chat, ChatMessage
from knowledge.lorebooks.activation.work import MAX_STEPS, WorkMeter
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.errors import ActivationTooLarge

TEXT = "abab" * 2_000
both_dialects = pytest.mark.parametrize("dialect", list(ActivationDialect))


def run(entries: list[Entry], texts: list[str], work: WorkMeter, **settings: object) -> Activation:
    chat = Chat(tuple(ChatMessage(text) for text in texts))
    made = ActivationSettings(**{"scan_depth": 1000, **settings})  # type: ignore[arg-type]
    return activate([BoundBook(Book(entries=tuple(entries)))], chat, made, work=work)


def make_entries(*keys: tuple[str, ...], **members: object) -> list[Entry]:
    return [Entry(uid=str(index), keys=each, **members) for index, each in enumerate(keys)]  # type: ignore[arg-type]


@both_dialects
@pytest.mark.parametrize("match_whole_words", [None, True, False])
def test_many_keys_that_begin_alike_cost_little_more_than_one(dialect, match_whole_words):
    def count(number: int) -> int:
        work = WorkMeter()
        entries = make_entries(*((f"abab{n:05}",) for n in range(number)), match_whole_words=match_whole_words)
        run(entries, [TEXT], work, dialect=dialect)
        return work.spent

    one_by_one = 1_000 * len(TEXT)
    assert count(1_000) - count(1) < one_by_one / 10


def test_phrases_that_begin_alike_cost_little_more_than_one():
    def count(number: int) -> int:
        work = WorkMeter()
        run(
            make_entries(*((f"ab cd {n:05}",) for n in range(number))),
            ["ab cd " * 2_000],
            work,
            dialect=ActivationDialect.M37,
        )
        return work.spent

    assert count(1_000) < 2 * count(1)


@both_dialects
@pytest.mark.parametrize("length", [3, 4, 5, 7, 12, 30, 96, 97, 200])
def test_keys_that_begin_alike_are_all_told_apart(dialect, length):
    keys = [("k" * length) + tail for tail in ("", *(f"{n:02}" for n in range(40)))]
    entries = make_entries(*((key,) for key in keys), match_whole_words=False)
    found = run(entries, [keys[7], keys[31] + keys[39]], WorkMeter(), dialect=dialect)
    assert {trace.uid for trace in found.trace.entries if trace.is_active} == {"0", "7", "31", "39"}


@pytest.mark.parametrize("length", [2, 8, 9, 20])
def test_phrases_that_begin_alike_are_all_told_apart(length):
    head = " ".join(["salt"] * length)
    entries = make_entries(*((f"{head} {n:02}",) for n in range(40)))
    found = run(entries, [f"so {head} 07 and {head} 31."], WorkMeter(), dialect=ActivationDialect.M37)
    assert {trace.uid for trace in found.trace.entries if trace.is_active} == {"7", "31"}


HOSTILE: dict[str, tuple[list[Entry], dict[str, object]]] = {
    "expressions": (make_entries(*((f"/q{n}/",) for n in range(500))), {}),
    "depths": ([Entry(uid=str(n), keys=("/q/",), scan_depth=n) for n in range(500)], {}),
    "line breaks": (make_entries(*((f"a\nq{n}",) for n in range(500)), match_whole_words=False), {}),
    "long keys": (make_entries(*(("ab" * 60 + f"x{n}",) for n in range(500)), match_whole_words=False), {}),
    "groups": (make_entries(*(("ab", f"q{n}") for n in range(500)), groups=("g",)), {"use_group_scoring": True}),
    "chains": (
        [
            Entry(uid=str(n), keys=(f"k{n}x",) if n else ("ab",), content=f"k{n + 1}x {'salt ' * 50}")
            for n in range(200)
        ],
        {"is_recursive": True, "context_tokens": 10**7, "budget_percent": 100},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_book_is_refused(name):
    entries, settings = HOSTILE[name]
    with pytest.raises(ActivationTooLarge) as refused:
        run(entries, ["abab" * 100] * 100, WorkMeter(5_000_000), **settings)
    assert refused.value.code == "activation_too_large"


@both_dialects
def test_a_large_book_of_words_is_far_from_the_limit(dialect):
    words = [f"{a}{b}{c}" for a in ("sal", "gat", "mor") for b in ("ta", "ri", "no", "len") for c in ("th", "m", "x")]
    entries = make_entries(*((f"{word} {n}", f"{word}{n}") for n in range(20) for word in words), content="Salt. " * 20)
    work = WorkMeter()
    run(entries, [" ".join(f"{word}{n}" for word in words) for n in range(20)], work, dialect=dialect)
    assert work.spent < MAX_STEPS / 20
