"""Books and cards of our own making, in the shapes in which programs of several years write them.

Each is small and odd in its own way: older members missing, unknown members, numbers as text, data of extensions.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from knowledge.lorebooks.conversion import convert_book
from knowledge.lorebooks.core.book import Book
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.sillytavern import NEW_ENTRY
from knowledge.lorebooks.writers import write_book

Json = dict[str, Any]

TEXTS: dict[str, list[tuple[list[str], list[str], str, str]]] = {
    "en": [
        (
            ["copper gate", "gatehouse"],
            ["night"],
            "The Copper Gate",
            "The Copper Gate shuts at nightfall. {{user}} pays.",
        ),
        (["Ilya Brandt"], [], "Ilya", "Ilya keeps the ledger; he owes <b>nobody</b>."),
        (["/salt(ed)? road/i"], ["winter", "toll"], "Salt road", "No wagon takes the salt road in winter."),
    ],
    "ru": [
        (["медные ворота", "стража"], ["ночь"], "Медные ворота", "Медные ворота закрывают с темнотой."),
        (["Илья", "Ильи"], [], "Илья", "Илья ведёт книгу долгов и не прощает их."),
        (["/солян(ой|ая) тракт/i"], ["зима", "пошлина"], "Соляной тракт", "Зимой по тракту не ездят."),
    ],
    "ar": [
        (["بوابة النحاس", "الحراس"], ["ليل"], "بوابة النحاس", "تُغلق البوابة عند حلول الظلام."),
        (["إلياس"], [], "إلياس", "إلياس يحفظ دفتر الديون."),
        (["/طريق الملح/"], ["شتاء"], "طريق الملح", "لا تسير القوافل في الشتاء."),
    ],
    "zh": [
        (["铜门", "守卫"], ["夜"], "铜门", "铜门入夜即闭。"),
        (["伊利亚"], [], "伊利亚", "伊利亚掌管账簿，不欠任何人。"),
        (["/盐路/u"], ["冬", "税"], "盐路", "冬天没有马车走盐路。"),
    ],
}

_OLD = ("uid", "key", "keysecondary", "comment", "content", "constant", "selective", "order", "position", "disable")
_1_11 = (*_OLD, "selectiveLogic", "addMemo", "excludeRecursion", "probability", "useProbability", "depth", "group")
_1_12 = (
    *_1_11,
    "preventRecursion",
    "delayUntilRecursion",
    "scanDepth",
    "caseSensitive",
    "matchWholeWords",
    "vectorized",
)
_1_12_6 = (
    *_1_12,
    "groupOverride",
    "groupWeight",
    "useGroupScoring",
    "automationId",
    "role",
    "sticky",
    "cooldown",
    "delay",
)
_1_13 = (*_1_12_6, *(name for name in NEW_ENTRY if name.startswith("match") and name != "matchWholeWords"))
VERSIONS = {
    "1.10": _OLD,
    "1.11": _1_11,
    "1.12.0": _1_12,
    "1.12.6": _1_12_6,
    "1.13": _1_13,
    "1.15": (*_1_13, "triggers", "outletName"),
    "1.18": tuple(NEW_ENTRY),
}


def _world_info(language: str, version: str, **more: Any) -> Json:
    entries = {}
    for index, (keys, secondary, title, content) in enumerate(TEXTS[language]):
        full = {**copy.deepcopy(NEW_ENTRY), "uid": index, "key": keys, "keysecondary": secondary, "comment": title}
        full |= {"content": content, "selective": bool(secondary), "order": 100 - index, "position": index}
        entries[str(index)] = {name: full[name] for name in VERSIONS[version]} | {"displayIndex": index}
    return {"entries": entries, **more}


def _book_v2(language: str, **more: Any) -> Json:
    entries = [
        {"keys": keys, "secondary_keys": secondary, "name": title, "content": content, "extensions": {}}
        | {"enabled": True, "insertion_order": 10 * index, "id": index, "position": "before_char", "comment": ""}
        | {"selective": bool(secondary), "constant": False, "case_sensitive": False, "priority": index}
        for index, (keys, secondary, title, content) in enumerate(TEXTS[language])
    ]
    return {"name": f"Book {language}", "scan_depth": 5, "token_budget": 512, "recursive_scanning": True} | {
        "extensions": {"some/tool": {"kept": [1, None, True]}},
        "entries": entries,
        **more,
    }


def _card(version: int, language: str, book: Json | None, **more: Any) -> Json:
    data: Json = {"name": TEXTS[language][1][2], "description": TEXTS[language][1][3], "personality": "dry"}
    data |= {"scenario": "{{char}} at the gate", "first_mes": "*looks up*", "mes_example": "<START>", "extensions": {}}
    if version == 1:
        return {**data, **more}
    data |= {"creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": ["Hm?"]}
    data |= {"tags": ["gate", language], "creator": "us", "character_version": "1.0"}
    if version == 3:
        data |= {"group_only_greetings": [], "nickname": "Il", "creation_date": 0, "assets": []}
    if book is not None:
        data["character_book"] = book
    return {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0", "data": {**data, **more}}


def _book_v3(language: str) -> Json:
    book = _book_v2(language)
    for index, entry in enumerate(book["entries"]):
        entry["use_regex"] = entry["keys"][0].startswith("/")
        del entry["comment"]
        if index == 1:
            entry["content"] = f"@@depth 3\n@@role assistant\n@@risu_only 2\n@@@scan_depth 4\n\n{entry['content']}"
    return book


def _risu(language: str, **more: Any) -> Json:
    data = [
        {"key": ", ".join(keys), "secondkey": ", ".join(secondary), "insertorder": 100, "comment": title}
        | {"content": content, "mode": "normal", "alwaysActive": index == 1, "selective": bool(secondary)}
        | {"useRegex": keys[0].startswith("/"), "loreCache": None}
        for index, (keys, secondary, title, content) in enumerate(TEXTS[language])
    ]
    return {"type": "risu", "ver": 1, "data": data, **more}


def _novelai(language: str, version: int, **more: Any) -> Json:
    entries = [
        {"text": content, "displayName": title, "keys": keys, "searchRange": 1000 + index, "enabled": index != 2}
        | {"contextConfig": {"prefix": "", "suffix": "\n", "tokenBudget": 2048, "budgetPriority": 400, "extra": [1]}}
        | {"lastUpdatedAt": 1_700_000_000_000, "forceActivation": False, "id": f"entry-{index}", "loreBiasGroups": []}
        for index, (keys, _, title, content) in enumerate(TEXTS[language])
    ]
    entries[1]["contextConfig"]["insertionPosition"] = -4
    return {"lorebookVersion": version, "entries": entries, "settings": {"orderByKeyLocations": False}, **more}


def _agnai(language: str, **more: Any) -> Json:
    entries = [
        {"name": title, "entry": content, "keywords": keys, "priority": index, "weight": 5 * index, "enabled": True}
        for index, (keys, _, title, content) in enumerate(TEXTS[language])
    ]
    return {
        "kind": "memory",
        "_id": "abc",
        "name": "Gate",
        "description": "",
        "userId": "u",
        "entries": entries,
        **more,
    }


def _memory_books() -> Json:
    book = _world_info("en", "1.15")
    for index, entry in enumerate(book["entries"].values()):
        entry |= {"stmemorybooks": True, "STMB_start": index * 20, "STMB_end": index * 20 + 19, "STMB_chatId": "c1"}
        entry |= {"STMB_tracker_lastMsgId": None, "characterFilter": {"isExclude": False, "names": ["Il"], "tags": []}}
    return book


def _chub(language: str) -> Json:
    book = _world_info(language, "1.11", name="Chub book", description="", scan_depth=4, token_budget=600)
    book |= {"recursive_scanning": False, "extensions": {"chub": {"id": 7, "full_path": "lorebooks/us/gate"}}}
    for index, entry in enumerate(book["entries"].values()):
        entry |= {"keys": entry["key"], "secondary_keys": entry["keysecondary"], "enabled": True, "name": "x"}
        entry |= {"insertion_order": entry["order"], "case_sensitive": False, "priority": 10, "id": index}
        entry["extensions"] = {"depth": 2, "weight": 10, "probability": 70, "useProbability": True, "embedded": True}
        for name in ("depth", "probability", "useProbability"):
            del entry[name]
    return book


def _full_sillytavern() -> Json:
    book = _world_info("en", "1.18")
    first, second, third = book["entries"].values()
    first |= {"position": 4, "role": 2, "depth": 0, "sticky": 3, "cooldown": 2, "delay": 2, "group": "a, b"}
    first |= {"groupOverride": True, "groupWeight": 30, "useGroupScoring": True, "probability": 0}
    second |= {"position": 7, "outletName": "rules", "triggers": ["swipe", "quiet"], "constant": True, "role": None}
    second |= {"content": "@@activate\n@@unknown x\nAlways.", "delayUntilRecursion": True, "scanDepth": 0}
    third |= {"selectiveLogic": 3, "caseSensitive": True, "matchWholeWords": False, "delayUntilRecursion": 2}
    third |= {"matchScenario": True, "ignoreBudget": True, "vectorized": True, "automationId": "qr", "probability": 101}
    third |= {"useProbability": False, "extensions": {"memory37": {"id": "m-3", "when": ["flag:gate_open"]}, "o": 1}}
    return book


def _with_original_data() -> Json:
    card_book = _book_v2("en")
    for entry in card_book["entries"]:
        entry["vendor"] = {"kept": entry["id"]}
    return _world_info("en", "1.13", originalData=card_book)


def _odd_sillytavern() -> Json:
    """Numbers as text, null, keys as one text, entries that say almost nothing, uids that do not fit."""
    return {
        "entries": {
            "12": {
                "uid": 12,
                "key": "gate, copper",
                "content": None,
                "order": "250",
                "disable": 0,
                "probability": None,
            },
            "003": {"uid": 12, "key": [], "keysecondary": None, "comment": 5, "content": "", "position": None},
            "abc": {
                "key": ["", " "],
                "content": "x",
                "useProbability": None,
                "group": None,
                "role": None,
                "deep": [[]],
            },
        },
        "": {"": ""},
    }


def _sillytavern_card_book(language: str) -> Json:
    """As SillyTavern itself exports: every field in `extensions`, `use_regex` always true, `selectiveLogic` above."""
    book = _book_v2(language)
    for index, entry in enumerate(book["entries"]):
        entry |= {"use_regex": True, "selectiveLogic": 3, "position": "after_char"}
        entry["extensions"] = {"position": 4, "depth": 2, "role": 1, "selectiveLogic": 3, "display_index": index}
        entry["extensions"] |= {"probability": 50, "useProbability": True, "exclude_recursion": True, "sticky": None}
    return book


def _scenario() -> Json:
    return {"scenarioVersion": 3, "title": "Gate", "prompt": "…", "lorebook": _novelai("en", 6)}


def _agnai_character() -> Json:
    return {"kind": "character", "name": "Il", "persona": {"kind": "text"}, "characterBook": _agnai("ru")}


def _v2_object_entries() -> Json:
    book = _book_v2("en")
    book["entries"] = {str(entry["id"]): entry for entry in book["entries"]}
    return book


def _risu_odd() -> Json:
    book = _risu("en")
    first, second, third = book["data"]
    first |= {"activationPercent": 0, "extentions": {"risu_case_sensitive": True}, "id": "f3b0"}
    second |= {"mode": "folder", "key": "\uf000folder:1"}
    third |= {"folder": "\uf000folder:1", "content": "@@exclude_keys a,b\n@@probability 30\nText", "bookVersion": 2}
    return book


CORPUS: dict[str, tuple[str, Callable[[], Any]]] = {
    **{
        f"st-{version}-{language}": ("sillytavern", lambda v=version, la=language: _world_info(la, v))
        for version, language in zip(VERSIONS, ("en", "ru", "ar", "zh", "en", "ru", "zh"), strict=True)
    },
    "st-full": ("sillytavern", _full_sillytavern),
    "st-memory-books": ("sillytavern", _memory_books),
    "st-original-data": ("sillytavern", _with_original_data),
    "st-odd": ("sillytavern", _odd_sillytavern),
    "st-empty": ("sillytavern", lambda: {"entries": {}}),
    "st-named": ("sillytavern", lambda: _world_info("ar", "1.18", name="بوابة", extensions={"x": {}})),
    "chub-en": ("sillytavern", lambda: _chub("en")),
    "chub-zh": ("sillytavern", lambda: _chub("zh")),
    "book-v2-en": ("character_book", lambda: _book_v2("en")),
    "book-v2-ru": ("character_book", lambda: _book_v2("ru", x_unknown=[1, {"a": None}])),
    "book-v2-object": ("character_book", _v2_object_entries),
    "book-v2-st": ("character_book", lambda: _sillytavern_card_book("ru")),
    "book-v2-empty": ("character_book", lambda: {"name": "empty", "extensions": {}, "entries": []}),
    "card-v1-en": ("card_v1", lambda: _card(1, "en", None)),
    "card-v1-book": ("card_v1", lambda: _card(1, "zh", None, character_book=_book_v2("zh"), avatar="none")),
    "card-v2-en": ("card_v2", lambda: _card(2, "en", _book_v2("en"))),
    "card-v2-ar": ("card_v2", lambda: _card(2, "ar", _book_v2("ar"), x_tool={"kept": 1})),
    "card-v2-bare": ("card_v2", lambda: _card(2, "ru", None)),
    "card-v2-null-book": ("card_v2", lambda: _card(2, "ru", None, character_book=None)),
    "card-v2-st": ("card_v2", lambda: {**_card(2, "en", _sillytavern_card_book("en")), "name": "Il", "chat": "x"}),
    "card-v2-chub": ("card_v2", lambda: _card(2, "en", _chub("en"))),
    "card-v3-en": ("card_v3", lambda: _card(3, "en", _book_v3("en"))),
    "card-v3-zh": ("card_v3", lambda: _card(3, "zh", _book_v3("zh"), source=["a"], x_more={})),
    "card-v3-st": ("card_v3", lambda: _card(3, "ru", _sillytavern_card_book("ru"))),
    "card-v3-says-v2": ("card_v3", lambda: {**_card(3, "ar", _book_v3("ar")), "spec": "chara_card_v2"}),
    "lorebook-v3-en": ("lorebook_v3", lambda: {"spec": "lorebook_v3", "data": _book_v3("en")}),
    "lorebook-v3-ru": ("lorebook_v3", lambda: {"spec": "lorebook_v3", "data": _book_v3("ru"), "x": 1}),
    "lorebook-v3-st": ("lorebook_v3", lambda: {"spec": "wrong", "data": _world_info("zh", "1.12.6")}),
    "risu-en": ("risu", lambda: _risu("en")),
    "risu-ru": ("risu", lambda: _risu("ru", x_unknown={"a": [1]})),
    "risu-zh": ("risu", lambda: _risu("zh", name="铜门")),
    "risu-odd": ("risu", _risu_odd),
    "risu-list": ("risu", lambda: _risu("ar")["data"]),
    "novelai-1": ("novelai", lambda: _novelai("en", 1)),
    "novelai-4": ("novelai", lambda: _novelai("ru", 4, categories=[{"name": "c", "id": "1"}])),
    "novelai-6": ("novelai", lambda: _novelai("zh", 6, order=[])),
    "novelai-scenario": ("novelai", _scenario),
    "agnai-en": ("agnai", lambda: _agnai("en")),
    "agnai-ar": ("agnai", lambda: _agnai("ar", scanDepth=3, extensions={"a": 1})),
    "agnai-character": ("agnai", _agnai_character),
    "list-v2": ("character_book", lambda: _book_v2("en")["entries"]),
    "list-st": ("sillytavern", lambda: list(_world_info("en", "1.12.0")["entries"].values())),
}


def load(name: str) -> Any:
    """A document of the corpus, one's own to change."""
    return copy.deepcopy(CORPUS[name][1]())


def write_as(book: Book, target: Dialect) -> dict[str, Any]:
    """The book's JSON in the target dialect."""
    return write_book(convert_book(book, target))
