"""The example of a context pack is what the sample world answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from devtools.demo.load import load_sample_world

EXAMPLE = Path(settings.BASE_DIR) / "docs" / "context_pack.md"
ABRIDGED = "[…]"
NAMES = {"memory rules": "memory_rules", "NPC": "npc", "the player's words": "user"}


@pytest.mark.django_db
def test_the_example_of_a_pack_is_what_the_sample_world_answers(settings, tmp_path, redis):
    settings.DATA_DIR = tmp_path
    headers = {"Authorization": f"Bearer {load_sample_world().keys['read']}", "X-Site-ID": "selmar"}
    text = EXAMPLE.read_text(encoding="utf-8")
    request, *blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    asked = json.loads(request[request.index("'{") + 1 : request.rindex("}'") + 1])
    edda = asked.pop("npc_id")
    needs_a_rule = re.search(r'Asked "([^"]+)"', text)
    assert needs_a_rule is not None
    turns: list[dict[str, str]] = [
        {"npc_id": edda},
        {"npc_id": "li-shen"},
        {},
        {"npc_id": edda, "content": needs_a_rule[1]},
    ]
    packs = [
        Client().post("/api/v1/context", {**asked, **turn}, content_type="application/json", headers=headers).json()
        for turn in turns
    ]
    for pack, block in zip(packs, blocks, strict=True):
        said = pack["messages"][0]["content"]
        lines = block.splitlines()
        assert "\n".join(lines[-2:]) in said
        assert [line for line in lines if line.partition(ABRIDGED)[0].rstrip() not in said] == []
    told = re.search(r"takes ([\d,]+) of ([\d,]+) tokens: ([^.]*)\.", text)
    assert told is not None
    assert [int(each.replace(",", "")) for each in told.groups()[:2]] == [packs[0]["tokens"], packs[0]["budget"]]
    layers = {name: int(tokens) for name, tokens in (each.rsplit(" ", 1) for each in told[3].split(", "))}
    assert {NAMES.get(name, name): tokens for name, tokens in layers.items()} == {
        each["name"]: each["tokens"] for each in packs[0]["layers"]
    }
