"""Text of others made harmless before it stands in a prompt: it stays inside its frame and on its line.

Canon, messages and NPC fields are written by people who may try to speak as the system. Nothing here judges what a text
asks for; it takes away what could end a frame, start a turn or hide from the eye. The layers of a pack keep the text
as it was.
"""

from __future__ import annotations

import re
import unicodedata

_MAX_CACHED_TEXTS = 20_000
_HIDDEN = re.compile(
    r"[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SIGNS = {
    "【": "〔",
    "】": "〕",
    "︻": "〔",
    "︼": "〕",
    "<": "‹",
    ">": "›",
    "＜": "‹",
    "＞": "›",
    "﹤": "‹",
    "﹥": "›",
    "`": "'",
    "｀": "'",
    "［": "[",
    "］": "]",
}


class _Shown(dict[int, str]):
    """Code point to what is shown for it; the first ones met are remembered."""

    def __missing__(self, code: int) -> str:
        shown = _show(chr(code))
        if len(self) < _MAX_CACHED_TEXTS:
            self[code] = shown
        return shown


def _show(character: str) -> str:
    """The character; a blank for controls and line ends, nothing for what has no shape (zero width, bidi, tags)."""
    if character in _SIGNS:
        return _SIGNS[character]
    if "\uff21" <= character <= "\uff3a" or "\uff41" <= character <= "\uff5a":
        return chr(ord(character) - 0xFEE0)
    if _HIDDEN.match(character):
        return ""
    category = unicodedata.category(character)
    if category in ("Cf", "Cs", "Co"):
        return ""
    return " " if category in ("Cc", "Zl", "Zp") else character


_ROLES = (
    "system|developer|assistant|user|human|player|narrator|model|tool|function|ai|bot|"
    "система|систем[аы]|системное сообщение|разработчик|ассистент|помощник|пользователь|юзер|игрок|рассказчик|модель|"
    "النظام|المطور|المساعد|المستخدم|اللاعب|الراوي|系统|系統|开发者|開發者|助手|用户|用戶|玩家|叙述者|敘述者|旁白|模型"
)
_COLONS = "[:：﹕︓∶꞉]"
_COLON = re.compile(_COLONS)
_ROLE_MARK = re.compile(rf"(?<!\w)({_ROLES})(\s*){_COLONS}", re.IGNORECASE)
_COMMAND = re.compile(r"\[(?=\s*/?\s*[A-Z][A-Z_]{2,})")
_RULE = re.compile(r"([~=_*#-])\1{2,}")


_SHOWN = _Shown()


def neutralise(text: str, *, speakers: tuple[str, ...] = ()) -> str:
    """The text on one line, without characters that can't be seen, frame brackets, tags, fences or marks of a role.

    `speakers` are names that start lines of a talk: with a colon behind them they would start one here, too.
    """
    one_line = " ".join(text.translate(_SHOWN).split())
    unmarked = _RULE.sub(r"\1\1", _COMMAND.sub("(", one_line))
    if not _COLON.search(unmarked):
        return unmarked
    unmarked = _ROLE_MARK.sub(r"\1 –", unmarked)
    for speaker in speakers:
        name = " ".join(speaker.split())
        if name:
            unmarked = re.sub(rf"(?<!\w)({re.escape(name)})\s*{_COLONS}", r"\1 –", unmarked, flags=re.IGNORECASE)
    return unmarked


def break_chat_tokens(text: str) -> str:
    """The player's own words as they are, save that what chat templates mark turns with no longer marks one."""
    return _CHAT_TOKEN.sub(lambda match: match[0].replace("<", "‹").replace("[", "(").replace(">", "›"), text)


_CHAT_TOKEN = re.compile(
    r"<[|｜][^<>]{0,64}[|｜]>|<</?SYS>>|\[/?INST\]|</?(?:start_of_turn|end_of_turn|s|bos|eos|system|assistant|user)>",
    re.IGNORECASE,
)
