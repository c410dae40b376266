"""Tags of our admin pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from knowledge.canon.models import LivePeriod
from knowledge.canon.period_html import format_live_periods, format_move
from knowledge.text.diff import DiffSpan

register = template.Library()
STATE_BADGES = {
    "draft": "",
    "in_review": "blue",
    "needs_changes": "orange",
    "approved": "green",
    "staged": "purple",
    "live": "green",
    "rolled_back": "orange",
    "rejected": "red",
    "withdrawn": "",
    "building": "blue",
    "published": "green",
    "failed": "red",
    "discarded": "",
    "pending": "",
    "running": "blue",
    "passed": "green",
    "overridden": "orange",
    "exempt": "",
    "error": "red",
    "proposed": "blue",
    "applied": "green",
}
TAGS = {"insert": "ins", "delete": "del"}


@register.simple_tag
def state_badge(row: Any) -> SafeString:
    """The row's state as a coloured word."""
    return format_html(
        '<span class="m-badge m-badge-{}">{}</span>', STATE_BADGES.get(row.state, ""), row.get_state_display()
    )


@register.simple_tag
def show_live_periods(periods: Iterable[LivePeriod] | None) -> SafeString:
    """When something was live, each stretch on a line, with who rolled it back and why."""
    return format_live_periods(periods or ())


@register.simple_tag
def show_move(period: LivePeriod) -> SafeString | str:
    """How and by whom the stretch began."""
    return format_move(period.began_how, period.began_by, period.began_why)


@register.simple_tag
def show_spans(spans: Iterable[DiffSpan]) -> SafeString:
    """A difference as `ins` and `del` elements."""
    return format_html_join("", "{}", ((_show_span(span),) for span in spans))


@register.simple_tag
def say_action(entry: Any) -> str:
    """An audit entry's action in words: `change_request.changes_requested` is "changes requested"."""
    words = entry.action.partition(".")[2].replace("_", " ")
    slug = entry.details.get("slug") if isinstance(entry.details, Mapping) else None
    return f"{words} ({slug})" if slug else words


@register.filter
def get(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The mapping's value of a key."""
    return mapping.get(key)


def _show_span(span: DiffSpan) -> SafeString | str:
    if span.kind == "gap":
        return format_html('<span class="m-gap" dir="ltr">{} characters unchanged</span>', len(span.text))
    tag = TAGS.get(span.kind)
    return format_html("<{}>{}</{}>", mark_safe(tag), span.text, mark_safe(tag)) if tag else span.text  # noqa: S308


@register.simple_tag
def gate_badge(release: Any) -> SafeString:
    """The state of a release's golden gate as a coloured word."""
    badge = STATE_BADGES.get(release.gate_state, "")
    return format_html('<span class="m-badge m-badge-{}">{}</span>', badge, release.get_gate_state_display())


@register.simple_tag
def delta(value: float | None) -> SafeString | str:
    """A difference with its sign, coloured by its direction."""
    if value is None:
        return "–"
    if abs(value) < 0.0005:
        return "0"
    return format_html('<span class="m-moved-{}">{}</span>', "up" if value > 0 else "down", f"{value:+.3f}")
