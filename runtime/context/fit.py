"""A pack cut to its budget by whole items. The limit holds for the tokens of the messages as they are rendered."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from knowledge.text.tokens import count_tokens
from runtime.context.core.budgets import Budget, LayerBudget
from runtime.context.core.pack import (
    LAYERS,
    MEMORY_LAYERS,
    MEMORY_RULES,
    TALKS,
    USER,
    ChatMessage,
    Cut,
    CutReason,
    Item,
    Layer,
    Pack,
    PackedItem,
    PackedLayer,
)
from runtime.context.render import PromptSet, render_block, render_line
from runtime.errors import BudgetTooSmall

Count = Callable[[str], int]
Withheld = dict[tuple[str, str], CutReason]
"""Layer and id of items that are not told, and why."""
_NEAREST = {USER: 0, "talk": 1, "episodes": 2, "pending": 3}


@dataclass(frozen=True, slots=True)
class _Line:
    item: Item
    place: int
    rendered: str
    tokens: int


@dataclass
class _Stack:
    """One layer while it is filled."""

    name: str
    budget: LayerBudget
    frame_tokens: int
    lines: tuple[_Line, ...]
    """The most important first."""
    chosen: dict[int, _Line] = field(default_factory=dict)
    reasons: dict[int, CutReason] = field(default_factory=dict)
    withheld: frozenset[int] = frozenset()
    """Places of lines that are never told; their reasons are known beforehand."""

    @property
    def tokens(self) -> int:
        return sum(line.tokens for line in self.chosen.values()) + (self.frame_tokens if self.chosen else 0)

    @property
    def kept_tokens(self) -> int:
        """What lines that stand apart are still to take."""
        return sum(line.tokens for line in self.lines if line.item.is_apart and line.place not in self.chosen)

    @property
    def kept_items(self) -> int:
        """How many these are."""
        return sum(line.item.is_apart and line.place not in self.chosen for line in self.lines)

    def cost(self, line: _Line) -> int:
        return line.tokens + (0 if self.chosen else self.frame_tokens)

    def in_order(self) -> list[_Line]:
        return [self.chosen[place] for place in sorted(self.chosen)]


def fit_pack(
    layers: Sequence[Layer],
    budget: Budget,
    prompts: PromptSet,
    *,
    speakers: tuple[str, ...] = (),
    count: Count = count_tokens,
) -> Pack:
    """The pack of what fits. Protected items are always in it; the rest goes in by the layers' priorities.

    First every layer is filled up to its minimum, then up to its maximum; an item that does not fit is left out whole
    and a smaller one behind it may take its place, save in talk, where no message is missing between two others.
    The rules of memory are told with facts or episodes only: where neither fits beside them, all three are left out.
    The same input gives the same pack. Raises BudgetTooSmall.
    """
    try:
        pack: Pack | None = _fit_layers(layers, budget, prompts, speakers, count)
    except BudgetTooSmall:
        if any(item.is_protected for layer in layers if layer.name in MEMORY_LAYERS for item in layer.items):
            raise
        pack = None
    if pack is not None and (MEMORY_RULES not in pack.tokens_by_layer or MEMORY_LAYERS & pack.tokens_by_layer.keys()):
        return pack
    return _fit_layers(layers, budget, prompts, speakers, count, withheld=_withhold_memory(layers, pack))


def _withhold_memory(layers: Sequence[Layer], pack: Pack | None) -> Withheld:
    """The items of memory and of its rules, each with why it is left out: as in the pack with the rules, if it fits."""
    known = {(cut.layer, cut.item.id): cut.reason for cut in pack.cut} if pack else {}
    reasons: Withheld = {}
    for layer in layers:
        for item in layer.items:
            if layer.name == MEMORY_RULES:
                reasons[layer.name, item.id] = "not_called_for"
            elif layer.name in MEMORY_LAYERS:
                reasons[layer.name, item.id] = known.get((layer.name, item.id), "budget_full")
    return reasons


def _fit_layers(
    layers: Sequence[Layer],
    budget: Budget,
    prompts: PromptSet,
    speakers: tuple[str, ...],
    count: Count,
    *,
    withheld: Withheld | None = None,
) -> Pack:
    stacks = [_stack(layer, budget, prompts, speakers, count, withheld or {}) for layer in _in_order(layers)]
    for stack in sorted(stacks, key=_rank):
        for line in stack.lines:
            if line.item.is_protected and line.place not in stack.withheld and line.item.id not in _list_told(stacks):
                stack.chosen[line.place] = line
    needed = _count_messages(_render(stacks, prompts), budget, count)
    if needed > budget.total:
        raise BudgetTooSmall(
            f"The rules, the facts about safety and the message take {needed} tokens; the budget has {budget.total}.",
            needed=needed,
            limit=budget.total,
        )
    by_priority = sorted(stacks, key=lambda stack: (-stack.budget.priority, LAYERS.index(stack.name)))
    for is_minimum in (True, False):
        for stack in by_priority:
            _fill(stack, stacks, budget, is_minimum=is_minimum)
    messages = _render(stacks, prompts)
    tokens = _count_messages(messages, budget, count)
    while tokens > budget.total:
        _drop_least(by_priority)
        messages = _render(stacks, prompts)
        tokens = _count_messages(messages, budget, count)
    return Pack(
        language=prompts.language,
        prompt_version=prompts.version,
        prompt_source=prompts.source,
        limit=budget.total,
        tokens=tokens,
        layers=tuple(_pack_layer(stack, prompts, count) for stack in stacks if stack.chosen),
        cut=tuple(_list_cuts(stacks)),
        messages=messages,
    )


def _in_order(layers: Sequence[Layer]) -> list[Layer]:
    return sorted(layers, key=lambda layer: LAYERS.index(layer.name))


@functools.lru_cache(maxsize=256)
def _count_fixed(line: str) -> int:
    """The tokens of frames and rules, which come again and again; nobody's words are kept here."""
    return count_tokens(line)


def _stack(
    layer: Layer, budget: Budget, prompts: PromptSet, speakers: tuple[str, ...], count: Count, withheld: Withheld
) -> _Stack:
    frame = prompts.layers[layer.name]
    count_fixed = _count_fixed if count is count_tokens else count
    lines = []
    for place, item in enumerate(layer.items):
        rendered = render_line(prompts, layer.name, item, speakers=speakers)
        count_this = count_fixed if not item.text and not item.values and not item.parts else count
        lines.append(_Line(item, place, rendered, count_this(rendered + frame.separator)))
    lines.sort(key=lambda line: (-line.item.priority, line.place))
    around = render_block(frame, [""]) + "\n\n"
    reasons: dict[int, CutReason] = {line.place: "not_called_for" for line in lines if not line.item.is_relevant}
    reasons |= {
        line.place: withheld[layer.name, line.item.id] for line in lines if (layer.name, line.item.id) in withheld
    }
    return _Stack(
        layer.name,
        budget.layers[layer.name],
        count_fixed(around),
        tuple(lines),
        reasons=reasons,
        withheld=frozenset(reasons),
    )


def _fill(stack: _Stack, stacks: Sequence[_Stack], budget: Budget, *, is_minimum: bool) -> None:
    """Takes items into one layer while they fit; notes why one did not."""
    used = sum(each.tokens for each in stacks) + budget.message_overhead * 2
    told = _list_told(stacks)
    kept_for_others = _list_nearer(stack, stacks) if is_minimum else frozenset()
    has_gap = False
    for line in stack.lines:
        if line.place in stack.chosen or line.place in stack.withheld:
            continue
        if is_minimum and stack.tokens >= stack.budget.min_tokens:
            return
        if line.item.id in kept_for_others or _is_repeated(line.item, told):
            stack.reasons[line.place] = "repeated"
            continue
        reason = _find_obstacle(stack, line, budget.total - used, has_gap=has_gap and not line.item.is_apart)
        if reason is None:
            used += stack.cost(line)
            stack.chosen[line.place] = line
            told.add(line.item.id)
            continue
        stack.reasons[line.place] = reason
        has_gap = stack.name in TALKS


def _is_repeated(item: Item, told: Collection[str]) -> bool:
    """Whether the item is told, or half of what it sums up."""
    if item.id in told:
        return True
    return bool(item.repeats) and 2 * sum(each in told for each in item.repeats) >= len(item.repeats)


def _rank(stack: _Stack) -> int:
    """How near to the turn a layer is: what is in the talk is told there, and is no episode as well."""
    return _NEAREST.get(stack.name, len(_NEAREST))


def _list_told(stacks: Sequence[_Stack]) -> set[str]:
    return {line.item.id for stack in stacks for line in stack.chosen.values()}


def _list_nearer(stack: _Stack, stacks: Sequence[_Stack]) -> frozenset[str]:
    """What nearer layers may yet tell."""
    return frozenset(line.item.id for each in stacks if _rank(each) < _rank(stack) for line in each.lines)


def _find_obstacle(stack: _Stack, line: _Line, room: int, *, has_gap: bool) -> CutReason | None:
    if has_gap:
        return "older_than_cut"
    kept_tokens, kept_items = (0, 0) if line.item.is_apart else (stack.kept_tokens, stack.kept_items)
    if len(stack.chosen) >= stack.budget.max_items - kept_items:
        return "too_many_items"
    if stack.tokens + stack.cost(line) > stack.budget.max_tokens - kept_tokens:
        return "layer_full"
    return "budget_full" if stack.cost(line) > room else None


def _drop_least(by_priority: Sequence[_Stack]) -> None:
    """Leaves out the least important item that is not protected."""
    for stack in reversed(by_priority):
        for line in reversed(stack.lines):
            if line.place in stack.chosen and not line.item.is_protected:
                del stack.chosen[line.place]
                stack.reasons[line.place] = "budget_full"
                return
    raise AssertionError("protected items alone were found to fit")


def _render(stacks: Sequence[_Stack], prompts: PromptSet) -> tuple[ChatMessage, ...]:
    blocks = [_block(stack, prompts) for stack in stacks if stack.name != USER and stack.chosen]
    words = [line.rendered for stack in stacks if stack.name == USER for line in stack.in_order()]
    return (ChatMessage("system", "\n\n".join(blocks)), ChatMessage("user", "\n".join(words)))


def _block(stack: _Stack, prompts: PromptSet) -> str:
    return render_block(prompts.layers[stack.name], [line.rendered for line in stack.in_order()])


def _count_messages(messages: Sequence[ChatMessage], budget: Budget, count: Count) -> int:
    return sum(count(message.content) + budget.message_overhead for message in messages)


def _pack_layer(stack: _Stack, prompts: PromptSet, count: Count) -> PackedLayer:
    items = tuple(PackedItem(line.item, line.rendered, line.tokens) for line in stack.in_order())
    return PackedLayer(stack.name, items, count(_block(stack, prompts)))


def _list_cuts(stacks: Sequence[_Stack]) -> Iterator[Cut]:
    for stack in stacks:
        for line in stack.lines:
            if line.place not in stack.chosen:
                yield Cut(stack.name, line.item, line.tokens, stack.reasons[line.place])
