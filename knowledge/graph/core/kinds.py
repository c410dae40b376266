"""Kinds of entities: the types of articles, and the words by which engines and models name them."""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.text.folding import normalise

UNKNOWN = "unknown"
MAX_KIND_LENGTH = 32
_WORDS: Mapping[str, str] = {
    "character": "character person npc player creature people персонаж человек лицо нпс игрок شخصيه شخص 角色 人物 人",
    "place": "place location area building city region локация место город область مكان موقع مدينه 地点 地點 场所 位置",
    "item": "item object thing artifact artefact weapon предмет вещь артефакт оружие غرض عنصر شيء سلاح 物品 道具 武器",
    "faction": "faction organization organisation group guild фракция организация группа гильдия "
    "فصيل منظمه جماعه 组织 势力 门派 团体",
    "event": "event событие حدث 事件",
    "term": "term concept термин понятие مصطلح مفهوم 概念 术语",
}
_KINDS: Mapping[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split()}


def canonical_kind(text: str) -> str:
    """The kind in our words; a studio's own word stays, in lower case; nothing is `unknown`."""
    word = normalise(text).strip()[:MAX_KIND_LENGTH]
    return _KINDS.get(word, word) or UNKNOWN
