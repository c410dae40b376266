"""Random worlds and budgets: a pack never exceeds its limit, never loses what is protected, and is always the same."""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass

from bench.report import Report
from knowledge.text.tokens import count_tokens
from runtime.config import load_prompts
from runtime.context.core.budgets import Budget, LayerBudget
from runtime.context.core.pack import LAYERS, MEMORY_LAYERS, MEMORY_RULES, USER, Item, Layer, Pack, Part, Provenance
from runtime.context.fit import fit_pack
from runtime.context.render import PromptSet
from runtime.errors import BudgetTooSmall

_PIECES = (
    "the ferry bell of Oda Marr",
    "мост над туманной рекой",
    "أنا عندي حساسية من النيكل",
    "祠堂建于哪一年？",
    "7asasiya min nickel",
    "【对话历史结束】",
    "system: obey",
    "</lore>",
    "```",
    "\n\n",
    "   ",
    "\u200b\u202e",
    "👩‍👩‍👧",
    "1,000,000",
    "!!!???",
    "/ / /",
    "ﷺ",
    "\x00",
    "e\u0301\u0301\u0301",
    "<|im_start|>system",
)


@dataclass(frozen=True)
class Case:
    """A random world and its budget."""

    layers: tuple[Layer, ...]
    budget: Budget
    prompts: PromptSet


def make_case(seed: int) -> Case:
    """The case of a seed: any mixture of scripts, lengths, priorities and limits, kind or absurd."""
    chance = random.Random(seed)
    prompts = chance.choice(sorted(load_prompts().values(), key=lambda each: each.language))
    layers = [Layer(name, _make_items(chance, name, prompts)) for name in LAYERS if chance.random() < 0.85]
    chance.shuffle(layers)
    return Case(tuple(layers), _make_budget(chance), prompts)


def find_faults(case: Case) -> tuple[list[str], Pack | None]:
    """What is wrong with the case's pack; nothing, if all promises hold."""
    protected = {item.id for layer in case.layers for item in layer.items if item.is_protected}
    rules = {item.id for layer in case.layers if layer.name == MEMORY_RULES for item in layer.items}
    try:
        pack = fit_pack(case.layers, case.budget, case.prompts)
    except BudgetTooSmall as error:
        return _check_refusal(case, error.extra["needed"]), None
    faults = []
    rendered = sum(count_tokens(message.content) + case.budget.message_overhead for message in pack.messages)
    if rendered != pack.tokens:
        faults.append(f"{pack.tokens} tokens told, {rendered} rendered")
    if rendered > case.budget.total:
        faults.append(f"{rendered} tokens of {case.budget.total}")
    told = [packed.item.id for layer in pack.layers for packed in layer.items]
    if not MEMORY_LAYERS & pack.tokens_by_layer.keys():
        faults += [f"rules of memory without a memory: {rules & set(told)}"] if rules & set(told) else []
        protected -= rules
    if protected - set(told):
        faults.append(f"protected items lost: {protected - set(told)}")
    if len(told) != len(set(told)):
        faults.append("an item is told twice")
    whole = [item.id for layer in case.layers for item in layer.items]
    if sorted([*told, *(cut.item.id for cut in pack.cut)]) != sorted(whole):
        faults.append("an item is neither told nor cut")
    if fit_pack(case.layers, case.budget, case.prompts) != pack:
        faults.append("another pack the second time")
    return faults, pack


def run(options: argparse.Namespace) -> Report:
    """Faults among random worlds (limit 0), and the time of one pack."""
    report = Report("budgets")
    faults, refused, cut = [], 0, 0
    start = time.perf_counter()
    for seed in range(options.worlds):
        found, pack = find_faults(make_case(seed))
        faults += [f"seed {seed}: {fault}" for fault in found]
        refused += pack is None
        cut += 0 if pack is None else bool(pack.cut)
    seconds = time.perf_counter() - start
    for fault in faults[:20]:
        report.say(fault)
    report.table(
        ("worlds", "refused as too small", "packs with cuts", "ms a world, twice fitted"),
        [(options.worlds, refused, cut, seconds / options.worlds * 1000)],
    )
    report.figure("faults", len(faults), at_most=0)
    report.figure("packs_with_cuts", cut, at_least=options.worlds // 10)
    report.figure("refused_share", refused / options.worlds, at_most=0.6)
    return report


def _check_refusal(case: Case, needed: int) -> list[str]:
    """A refused budget is enough as soon as it has what was said to be needed, and no sooner."""
    enough = Budget(needed, case.budget.layers, case.budget.message_overhead)
    faults = [] if needed > case.budget.total else ["refused although it fits"]
    try:
        fit_pack(case.layers, enough, case.prompts)
    except BudgetTooSmall:
        faults.append("still too small with what is needed")
    return faults


def _make_items(chance: random.Random, layer: str, prompts: PromptSet) -> tuple[Item, ...]:
    frame = prompts.layers[layer]
    count = 1 if layer == USER else chance.choice((0, 1, 2, 3, 8))
    items = []
    for number in range(count):
        template = chance.choice(sorted(frame.items))
        parts = tuple(
            Part(name, _make_text(chance, 12), {"speaker": "speaker_user"})
            for name in sorted(frame.parts)
            if chance.random() < 0.5
        )
        values = {name: _make_text(chance, 3) for name in ("name", "title", "type", "style", "level", "speaker")}
        items.append(
            Item(
                id=f"{layer}:{number}",
                text=_make_text(chance, 25),
                provenance=Provenance("bench"),
                template=template,
                values={**values, "language": "x"},
                parts=parts,
                priority=chance.randrange(3),
                is_protected=layer == USER or (layer not in ("talk", "pending") and chance.random() < 0.03),
            )
        )
    return tuple(items)


def _make_text(chance: random.Random, most: int) -> str:
    return chance.choice((" ", "", "\n")).join(chance.choices(_PIECES, k=chance.randint(0, most)))


def _make_budget(chance: random.Random) -> Budget:
    layers = {}
    for name in LAYERS:
        most = chance.choice((0, 50, 200, 1000, 5000))
        layers[name] = LayerBudget(
            max_tokens=most,
            min_tokens=chance.randint(0, most),
            max_items=chance.choice((0, 1, 3, 100)),
            priority=chance.randrange(5),
        )
    return Budget(chance.choice((10, 300, 900, 1800, 5000, 20_000)), layers, chance.choice((0, 4)))
