"""Frames of a prompt in one language, and how items stand in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Template

from runtime.context.core.neutralise import break_chat_tokens, neutralise
from runtime.context.core.pack import USER, Item, Part


@dataclass(frozen=True, slots=True)
class LayerFrame:
    """What stands around a layer, and the line that tells each kind of item."""

    items: Mapping[str, str]
    open: str = ""
    close: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    is_spaced: bool = False
    """An empty line after the opening and before the closing."""
    separator: str = "\n"


@dataclass(frozen=True, slots=True)
class PromptSet:
    """All frames of one language. `words` are what terms of items stand for."""

    language: str
    version: int
    source: str
    layers: Mapping[str, LayerFrame]
    words: Mapping[str, str]


def render_line(prompts: PromptSet, layer: str, item: Item, *, speakers: tuple[str, ...] = ()) -> str:
    """The item as the model reads it: the player's own words as they are, all else in the frame of its layer."""
    if layer == USER:
        return break_chat_tokens(item.text)
    return render_item(prompts, layer, item, speakers=speakers)


def render_item(prompts: PromptSet, layer: str, item: Item, *, speakers: tuple[str, ...] = ()) -> str:
    """The item's lines. What others wrote is made harmless and is never read as a template."""
    frame = prompts.layers[layer]
    lines = [_fill(frame.items[item.template], item.text, item.values, item.terms, prompts.words, speakers)]
    lines += [_render_part(prompts, frame, part, speakers) for part in item.parts]
    return "\n".join(lines)


def render_block(frame: LayerFrame, rendered: Sequence[str]) -> str:
    """The layer's text; empty when there is nothing in it."""
    if not rendered:
        return ""
    space = "\n" if frame.is_spaced else ""
    head = f"{frame.open}\n{space}" if frame.open else ""
    tail = f"\n{space}{frame.close}" if frame.close else ""
    return f"{head}{frame.separator.join(rendered)}{tail}"


def _render_part(prompts: PromptSet, frame: LayerFrame, part: Part, speakers: tuple[str, ...]) -> str:
    return _fill(frame.parts[part.name], part.text, {}, part.terms, prompts.words, speakers)


def _fill(
    line: str,
    text: str,
    values: Mapping[str, str],
    terms: Mapping[str, str],
    words: Mapping[str, str],
    speakers: tuple[str, ...],
) -> str:
    filled = {name: neutralise(value, speakers=speakers) for name, value in values.items()}
    filled.update({name: words.get(key) or neutralise(key.replace("_", " ")) for name, key in terms.items()})
    return Template(line).substitute(filled, text=neutralise(text, speakers=speakers)).rstrip()
