"""Articles as HTML for people to read: CommonMark and tables, no raw HTML, no images from elsewhere."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MENTION = re.compile(r"\[\[([^\[\]|\n]{1,120})(?:\|([^\[\]\n]{1,300}))?\]\]")
LinkMaker = Callable[[str], str | None]
"""Gives the address of the article of a slug; None when there is no such article."""


def render_markdown(text: str, *, link: LinkMaker) -> SafeString:
    """The text as safe HTML; `[[slug]]` and `[[slug|words]]` become links, or are marked as leading nowhere."""
    html: str = _parser().render(text, {"link": link})
    return mark_safe(html)  # noqa: S308 - the parser escapes all that it is given


@functools.lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable(["table", "strikethrough"])
    parser.disable("image")
    parser.inline.ruler.before("link", "mention", _read_mention)
    parser.core.ruler.push("text_direction", _let_blocks_choose_direction)
    parser.add_render_rule("mention", _render_mention)
    parser.add_render_rule("link_open", _render_link_open)
    return parser


def _read_mention(state: StateInline, silent: bool) -> bool:
    match = MENTION.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("mention", "a", 0)
        token.content = (match[2] or match[1]).strip()
        token.meta = {"slug": match[1].strip()}
    state.pos = match.end()
    return True


def _let_blocks_choose_direction(state: StateCore) -> None:
    """Each block runs in the direction of its own script: an Arabic paragraph may stand below an English one."""
    for token in state.tokens:
        if token.block and token.nesting == 1:
            token.attrSet("dir", "auto")


def _render_mention(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: dict[str, Any]
) -> str:
    from markdown_it.common.utils import escapeHtml

    token = tokens[index]
    address = env["link"](token.meta["slug"])
    words = escapeHtml(token.content)
    if address is None:
        return f'<span class="m-broken-link" title="No live article has this slug">{words}</span>'
    return f'<a href="{escapeHtml(address)}">{words}</a>'


def _render_link_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: dict[str, Any]
) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return str(renderer.renderToken(tokens, index, options, env))
