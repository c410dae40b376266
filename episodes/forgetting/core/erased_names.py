"""What the engine told of play, without the id of a user who is erased: the story stays, the name goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.campaigns.core.summaries import PARTY
from memoryproject.forgetting.erased_names import ErasedName


def erase_in_summary(body: Mapping[str, Any], name: ErasedName) -> dict[str, Any]:
    """The body of a summary with the placeholder for the user: among players, dice, tellers, and in every line.

    What has an id of its own (places, things, NPCs, scenes) keeps it.
    """
    erased = _erase_in_lines(body, name)
    who, what = body["who"], body["what"]
    erased["who"] = {**who, "players": [name.in_field(player) for player in who["players"]]}
    if "rolls" in what:
        erased["what"] = {**what, "rolls": [_erase_in_roll(roll, name) for roll in what["rolls"]]}
    if "relations_delta" in body:
        erased["relations_delta"] = [_erase_in_delta(delta, name) for delta in body["relations_delta"]]
    if "told" in body:
        erased["told"] = [{**told, "source": name.in_field(told["source"])} for told in body["told"]]
    return erased


def erase_in_event(body: Mapping[str, Any], name: ErasedName) -> dict[str, Any]:
    """The body of an event with the placeholder for the user in its flags and notes."""
    return _erase_in_lines(body, name)


def _erase_in_lines(body: Mapping[str, Any], name: ErasedName) -> dict[str, Any]:
    erased = dict(body)
    if "notes" in body:
        erased["notes"] = name.in_line(body["notes"])
    if "flags" in body:
        erased["flags"] = name.in_all_lines(body["flags"])
    return erased


def _erase_in_roll(roll: Mapping[str, Any], name: ErasedName) -> dict[str, Any]:
    effect = {"effect": name.in_line(roll["effect"])} if "effect" in roll else {}
    return {**roll, "who": name.in_field(roll["who"]), **effect}


def _erase_in_delta(delta: Mapping[str, Any], name: ErasedName) -> dict[str, Any]:
    towards = delta["towards"] if delta["towards"] == PARTY else name.in_field(delta["towards"])
    return {**delta, "towards": towards, "reason": name.in_line(delta["reason"])}
