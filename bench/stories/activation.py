"""Activation of a lorebook: milliseconds in both dialects, growth with the book, and a search key by key."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from bench.report import Report, median
from knowledge.lorebooks.activation.engine import activate
from knowledge.lorebooks.activation.inputs import ActivationDialect, ActivationSettings, BoundBook, Chat, ChatMessage
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.vocabulary import SelectiveLogic

_LETTERS = {
    "latin": "abcdefghijklmnoprstuvwy",
    "cyrillic": "абвгдежзиклмнопрстуя",
    "han": "灯笼月桥雾河钟塔石门王剑龙谷雪",
}
_ROUNDS = 15
_MESSAGES = 20


def measure(report: Report, options: argparse.Namespace) -> None:
    """Adds the figures of activation, in milliseconds of the processor: other processes do not count."""
    chooser = random.Random(37)
    words = [_make_word(chooser) for _ in range(6_000)]
    chat = _make_chat(chooser, words)
    small, large = (_make_book(random.Random(count), words, count) for count in (options.entries, 5 * options.entries))
    activate([_make_book(chooser, words, 10)], chat, ActivationSettings())
    rows, figures = [], {}
    for dialect in ActivationDialect:
        for is_recursive in (False, True):
            settings = ActivationSettings(dialect=dialect, scan_depth=_MESSAGES, is_recursive=is_recursive)
            first = _measure_cpu_ms(lambda book, _, s=settings: activate([book], chat, s), [_copy(small)])
            usual = _measure_cpu_ms(
                lambda book, seed, s=settings: activate([book], chat, s, seed=seed), [small] * _ROUNDS
            )
            wide = _measure_cpu_ms(lambda book, seed, s=settings: activate([book], chat, s, seed=seed), [large] * 5)
            placed = len(activate([small], chat, settings).placements.entries)
            name = f"{dialect.value}, {'recursive' if is_recursive else 'one pass'}"
            rows.append([name, first, usual, wide, placed])
            figures[name] = (first, usual, wide)
    by_key = _measure_cpu_ms(lambda book, _: _search_key_by_key(book.book, chat), [small] * 5)
    report.say(
        f"{options.entries} entries, {_MESSAGES} messages of 60 words, three scripts, one key in 60 an expression"
    )
    report.table(
        ["activation", "first ms", "ms", f"ms of {5 * options.entries} entries", "placed"],
        [*rows, ["every key in the joined text, and nothing else", "", by_key, "", ""]],
    )
    for dialect in ActivationDialect:
        usual = max(figures[f"{dialect.value}, {kind}"][1] for kind in ("one pass", "recursive"))
        report.figure(f"activation_{dialect.value}_ms", usual, at_most=20)
    report.figure("activation_first_ms", max(first for first, _, _ in figures.values()), at_most=400)
    report.figure("activation_growth_at_5_times", max(wide / usual for _, usual, wide in figures.values()), at_most=7)


def _measure_cpu_ms(call: Callable[[BoundBook, int], object], books: list[BoundBook]) -> float:
    """The median over the books, of the second call on."""
    times = []
    for seed, book in enumerate(books):
        start = time.process_time()
        call(book, seed)
        times.append((time.process_time() - start) * 1000)
    return median(times[1:] or times)


def _make_word(chooser: random.Random) -> str:
    script = chooser.choice(list(_LETTERS))
    return "".join(
        chooser.choices(_LETTERS[script], k=chooser.randint(2, 3) if script == "han" else chooser.randint(4, 9))
    )


def _make_text(chooser: random.Random, words: list[str], length: int) -> str:
    return " ".join(chooser.choices(words, k=length))


def _make_chat(chooser: random.Random, words: list[str]) -> Chat:
    return Chat(tuple(ChatMessage(_make_text(chooser, words, 60), "Mira") for _ in range(_MESSAGES)))


def _make_book(chooser: random.Random, words: list[str], count: int) -> BoundBook:
    """Four keys an entry; some expressions, secondary keys, groups and rolls, as in large public books."""
    entries = []
    for number in range(count):
        keys = chooser.choices(words, k=4)
        if number % 15 == 0:
            keys[0] = rf"/\b{keys[0]}(s|es)?\b/i"
        entries.append(
            Entry(
                uid=str(number),
                keys=tuple(keys),
                secondary_keys=(chooser.choice(words),) if number % 5 == 0 else (),
                logic=SelectiveLogic(number % 4),
                content=_make_text(chooser, words, 40),
                order=chooser.randint(1, 200),
                probability=80 if number % 10 == 0 else 100,
                groups=(f"g{number % 7}",) if number % 9 == 0 else (),
            )
        )
    return BoundBook(Book(entries=tuple(entries), name="bench"))


def _copy(bound: BoundBook) -> BoundBook:
    """The same book as another object, so that nothing compiled is found."""
    return BoundBook(Book(entries=bound.book.entries, name=bound.book.name))


def _search_key_by_key(book: Book, chat: Chat) -> int:
    """The floor of a scan that knows no index: a plain `in` for each key."""
    text = "\n".join(message.text for message in chat.messages).lower()
    return sum(any(key.lower() in text for key in entry.keys) for entry in book.entries)
