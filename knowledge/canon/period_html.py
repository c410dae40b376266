"""Stretches in which a release was live, as HTML for people."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from knowledge.canon.models import LivePeriod, MoveKind


def format_live_periods(periods: Iterable[LivePeriod]) -> SafeString:
    """Each stretch on a line: since when, until when, and who ended it by a rollback and why."""
    return format_html_join("", "<div>{}</div>", ((_format_period(period),) for period in periods))


def format_move(kind: str, by: str, why: str) -> SafeString | str:
    """How `latest` came to move: "rolled back by selmar-owner: The chronicle says bronze."."""
    words = {MoveKind.SWAPPED: "swapped", MoveKind.ROLLED_BACK: "rolled back"}.get(MoveKind(kind), "loaded")
    text = f"{words} by {by}" if by else words
    return format_html('{}: <span dir="auto">{}</span>', text, why) if why else text


def _format_period(period: LivePeriod) -> SafeString:
    until = _format_time(period.ended_at) if period.ended_at else "now"
    line = format_html('<span class="m-nowrap">{}</span> – {}', _format_time(period.began_at), until)
    if period.was_rolled_back:
        move = format_move(period.ended_how, period.ended_by, period.ended_why)
        return format_html('{} <span class="m-badge m-badge-orange">rolled back</span><div>{}</div>', line, move)
    return line


def _format_time(time: datetime) -> str:
    return formats.date_format(timezone.localtime(time), "j M Y, H:i")
