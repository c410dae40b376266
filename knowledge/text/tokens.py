"""Token counts as OpenAI's o200k vocabulary gives them: the unit of every budget, counted offline."""

import re
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai._bindings import PyTokenizer

_ENCODING = "o200k_base"
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOADING = Lock()
_COUNTED_WHOLE = 20_000


@lru_cache(maxsize=8)
def count_tokens(text: str) -> int:
    """How many tokens the text takes; text that looks like a special token is counted as plain text.

    The last few counts are kept: whoever cuts a text asks for the same ones again and again.
    """
    count: int = _tokenizer().count(_encodable(text))
    return count


def fits_tokens(text: str, limit: int) -> bool:
    """Whether the text takes at most `limit` tokens; in a long text it stops counting at the limit."""
    if len(text) <= _COUNTED_WHOLE:
        return count_tokens(text) <= max(limit, 0)
    return _tokenizer().count_till_limit(_encodable(text), max(limit, 0)) is not None


def truncate_to_tokens(text: str, limit: int) -> str:
    """The longest beginning of the text found to take at most `limit` tokens; a character is never cut in two."""
    if fits_tokens(text, limit):
        return text
    tokenizer = _tokenizer()
    clean = _encodable(text)
    tokens = tokenizer.encode(clean)[: max(limit, 0)]
    while tokens:
        prefix = _decode(tokenizer, tokens)
        if prefix is not None and fits_tokens(prefix, limit):
            return text[: len(prefix)]
        tokens.pop()
    return ""


def _tokenizer() -> "PyTokenizer":
    with _LOADING:
        return _load_tokenizer()


@lru_cache(maxsize=1)
def _load_tokenizer() -> "PyTokenizer":
    from bpe_openai._bindings import tokenizer_for_encoding

    return tokenizer_for_encoding(_ENCODING)


def _decode(tokenizer: "PyTokenizer", tokens: list[int]) -> str | None:
    """The text of the tokens, None when they end in the middle of a character."""
    try:
        text: str = tokenizer.decode(tokens)
    except ValueError:
        return None
    return text


def _encodable(text: str) -> str:
    """The text with lone surrogates replaced one for one, since they have no UTF-8."""
    return _SURROGATE.sub("\ufffd", text)
