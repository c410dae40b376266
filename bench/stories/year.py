"""A made-up year of role-play in each of four languages: its scenes, what was planted in them, and what is asked later.

Its parts and questions are in `year.yaml`. Scenes play at one place with two people; every fourth holds something that
happens once. Things turn up in other scenes, too, so that none of who, where and what tells the event alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml

PARTS = Path(__file__).with_name("year.yaml")
SEED = 37
SCENE = (12, 20)
"""Messages of a scene, from and to."""
PLANT_EVERY = 4
KINDS = ("names", "place", "deed", "relative", "other name", "who")
"""How it is asked: by names in the talk alone, by a kind of place, by what was done, by a relative who was named, by a
name that canon alone knows, by a name in the question. All but the last have no name in the question."""


@dataclass(frozen=True, slots=True)
class Planted:
    """Something that happened once: the place of its message, and how it is asked for."""

    seq: int
    kind: str
    question: str
    talk: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Year:
    """A talk and what was planted in it."""

    texts: tuple[str, ...]
    planted: tuple[Planted, ...]


def load_parts() -> Mapping[str, Mapping[str, Any]]:
    """Language to the parts of its talk."""
    parts: Mapping[str, Mapping[str, Any]] = yaml.safe_load(PARTS.read_text(encoding="utf-8"))
    return parts


def build_year(parts: Mapping[str, Any], size: int) -> Year:
    """A talk of so many messages. The same parts and size give the same talk."""
    chooser = random.Random(SEED)
    deeds = _choose_deeds(parts, chooser)
    texts: list[str] = []
    planted: list[Planted] = []
    scene = 0
    while len(texts) < size:
        scene += 1
        deed = next(deeds, None) if scene % PLANT_EVERY == 0 else None
        lines = _play_scene(parts, chooser, deed)
        if deed is not None:
            place = len(texts) + 1 + len(lines) // 2
            lines[len(lines) // 2 : len(lines) // 2 + 2] = _describe_deed(parts, deed, chooser)
            if place + 1 <= size:
                planted.append(_ask(parts, deed, place, number=len(planted)))
        texts += lines
    return Year(tuple(texts[:size]), tuple(planted))


def list_articles(parts: Mapping[str, Any], language: str) -> list[dict[str, Any]]:
    """The canon of the people: what else each is called, and whose sibling each is."""
    articles = []
    for number, (name, other) in enumerate(parts["people"]):
        beside = f"{language}-person-{number + 1 if number % 2 == 0 else number - 1}"
        articles.append(
            {
                "slug": f"{language}-person-{number}",
                "title": name,
                "aliases": [other],
                "type": "character",
                "language": language,
                "audience": "public",
                "body": f"{name}, {other}.",
                "relations": [{"type": "sibling_of", "to": beside}],
            }
        )
    return articles


def _choose_deeds(parts: Mapping[str, Any], chooser: random.Random) -> Iterator[tuple[int, int, int, int]]:
    """Who, what, where and which deed: no two alike in who and where, who and what, or what and deed."""
    every = list(product(*(range(len(parts[name])) for name in ("people", "things", "places", "deeds"))))
    chooser.shuffle(every)
    used: set[tuple[str, int, int]] = set()
    for who, what, where, deed in every:
        pairs = {("where", who, where), ("what", who, what), ("deed", what, deed)}
        if not pairs & used:
            used |= pairs
            yield who, what, where, deed


def _play_scene(parts: Mapping[str, Any], chooser: random.Random, deed: tuple[int, int, int, int] | None) -> list[str]:
    people, places = parts["people"], parts["places"]
    cast = chooser.sample(range(len(people)), 2)
    where = chooser.randrange(len(places))
    if deed is not None:
        cast[0], where = deed[0], deed[2]
    lines = [
        chooser.choice(parts["small"]).format(who=people[chooser.choice(cast)][0], where=places[where][1])
        for _ in range(chooser.randint(*SCENE))
    ]
    if deed is None and chooser.random() < 0.5:
        what = chooser.choice(parts["things"])[1]
        told = chooser.choice(parts["decoy"]).format(who=people[cast[0]][0], what=what)
        lines[chooser.randrange(len(lines))] = _capitalise(told)
    return [_capitalise(line) for line in lines]


def _describe_deed(parts: Mapping[str, Any], deed: tuple[int, int, int, int], chooser: random.Random) -> list[str]:
    who, what, where, act = deed
    named = {
        "who": parts["people"][who][0],
        "what": parts["things"][what][1],
        "where": parts["places"][where][1],
    }
    return [_capitalise(line.format(**named)) for line in (parts["deeds"][act][0], chooser.choice(parts["after"]))]


def _ask(parts: Mapping[str, Any], deed: tuple[int, int, int, int], seq: int, *, number: int) -> Planted:
    who, what, where, act = deed
    kind = KINDS[number % len(KINDS)]
    turn = number // len(KINDS)
    person, thing, place = parts["people"][who], parts["things"][what], parts["places"][where]
    relative = parts["people"][who + 1 if who % 2 == 0 else who - 1][0]
    vague, other = parts["vague"][turn % len(parts["vague"])], (place, thing)[turn % 2][0]
    asked: dict[str, tuple[str, str, dict[str, str]]] = {
        "names": (vague, "talk", {"a": person[0], "b": other}),
        "place": (parts["at"][turn % len(parts["at"])].format(noun=place[2]), "talk_one", {"a": person[0]}),
        "deed": (parts["deeds"][act][1].format(noun=thing[2]), "", {}),
        "relative": (parts["kin"][turn % len(parts["kin"])].format(noun=thing[2]), "talk_one", {"a": relative}),
        "other name": (vague, "talk", {"a": person[1], "b": other}),
        "who": (parts["who"][turn % len(parts["who"])].format(who=person[0], noun=thing[2]), "", {}),
    }
    question, talk, names = asked[kind]
    lines = tuple(line.format(**names) for line in parts[talk]) if talk else ()
    return Planted(seq, kind, question, lines)


def _capitalise(line: str) -> str:
    return line[:1].upper() + line[1:]
