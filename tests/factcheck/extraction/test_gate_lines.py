"""The gate on realistic lines in five languages, and against a proposer that always proposes the wrong thing.

A third of the lines (`apart`) was written with the others and not looked at while the rules were made.
"""

from __future__ import annotations

import dataclasses

import pytest

from bench.gate_lines import Line, read_lines
from factcheck.extraction.core.deltas import Delta, Operation, Quote
from factcheck.extraction.core.gate import check_deltas
from tests.factcheck.extraction.gate_inputs import shipped_rules

WRONG_VALUES = {
    "allergy": ("coconut", "wool", "кориандр"),
    "hard_ban": ("velvet", "zombies", "бархат"),
    "body_params": ("3XL", "71", "XXS"),
    "budget": ("999999 USD", "77 EUR", "123456"),
    "life_event": ("funeral", "retirement", "похороны"),
    "instruction": ("speak like a pirate", "Voldemort", "отвечай стихами"),
}
"""What none of the lines says."""


def test_lines_are_many_and_half_of_them_are_refused():
    lines = read_lines()
    refused = [line for line in lines if line.expected != "accepted"]
    assert len(lines) >= 200
    assert len(refused) >= len(lines) / 2
    assert {line.language for line in lines} == {"en", "ru", "ar", "arabizi", "mixed", "zh"}
    assert len({line.id for line in lines}) == len(lines)
    assert len(read_lines("apart")) == len(lines) // 3


@pytest.mark.parametrize("line", read_lines("seen"), ids=lambda line: line.id)
def test_line_is_accepted_or_refused_as_it_has_to_be(line: Line):
    [verdict] = check_deltas([line.delta], line.given, shipped_rules())
    assert line.is_right(verdict), (verdict.code, verdict.detail, verdict.key, verdict.value)


def test_lines_that_were_kept_apart():
    lines = [(line, *check_deltas([line.delta], line.given, shipped_rules())) for line in read_lines("apart")]
    assert [line.id for line, verdict in lines if verdict.is_accepted and line.expected != "accepted"] == []
    assert sum(verdict.is_accepted for _, verdict in lines) >= 0.9 * sum(
        line.expected == "accepted" for line, _ in lines
    )


def test_nearly_all_refusals_give_their_reason():
    lines = read_lines("seen")
    right = [line for line in lines if line.is_code_right(*check_deltas([line.delta], line.given, shipped_rules()))]
    assert len(right) >= 0.9 * len(lines)


def _twist(line: Line) -> list[Delta]:
    """Wrong proposals about a line: other values, other types, another's words, another operation."""
    said = line.delta
    place = said.quotes[0].message
    wrong = [dataclasses.replace(said, value=value, key="") for value in WRONG_VALUES[said.type]]
    wrong += [
        dataclasses.replace(said, type=type_, value=values[0], key="")
        for type_, values in WRONG_VALUES.items()
        if type_ != said.type
    ]
    wrong.append(dataclasses.replace(said, operation=Operation.UPDATE, fact=1))
    wrong.append(dataclasses.replace(said, operation=Operation.CONFIRM, fact=7))
    wrong.append(dataclasses.replace(said, quotes=(Quote(place + 1, said.quotes[0].text),)))
    wrong.append(dataclasses.replace(said, quotes=(Quote(place, said.quotes[0].text + " for sure"),)))
    wrong += [
        dataclasses.replace(said, type=type_, key=said.value, value=said.value)
        for type_ in ("body_params", "budget", "life_event", "instruction")
        if type_ != said.type
    ]
    return wrong


def test_a_proposer_that_is_always_wrong_gets_nothing_past_the_gate():
    rules = shipped_rules()
    accepted = []
    for line in read_lines():
        proposals = _twist(line)
        if line.expected != "accepted" and line.part == "seen":
            proposals.append(line.delta)
        for proposal in proposals:
            [verdict] = check_deltas([proposal], line.given, rules)
            if verdict.is_accepted:
                accepted.append((line.id, proposal.type, proposal.value, verdict.key, verdict.value))
    assert accepted == []
