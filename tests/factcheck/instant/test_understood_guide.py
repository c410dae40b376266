"""The page of what is understood: as the command writes it, in every language, of lines that are heard right."""

from django.conf import settings

from factcheck.instant.core.labelled_lines import LabelledLine
from factcheck.instant.core.understood_guide import LANGUAGE_NAMES, TITLES, render_guide
from factcheck.management.commands.understood_guide import GUIDE, render_shipped_guide


def test_the_page_is_what_the_command_writes():
    page = (settings.BASE_DIR / GUIDE).read_text(encoding="utf-8")
    assert page == render_shipped_guide(), "write it anew: manage.py understood_guide"


def test_the_page_has_every_type_in_every_language():
    page = (settings.BASE_DIR / GUIDE).read_text(encoding="utf-8")
    for title in TITLES:
        section = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
        assert [name for name in LANGUAGE_NAMES.values() if f"| {name} |" not in section] == []


def test_lines_that_are_not_heard_right_are_left_out(extract, compiled, concepts):
    nuts = ({"type": "allergy", "any_of": ["nuts"]},)
    lines = [
        LabelledLine("I'm allergic to nuts, so no cake for me", "en", nuts),
        LabelledLine("I'm allergic to cats, so no visit for me", "en", nuts),
        LabelledLine("my mother is allergic to nuts, what now?", "en", ()),
        LabelledLine("the river was cold and the night was long", "en", ()),
    ]
    page = render_guide(lines, extract, lambda text: "allergic" in text, concepts)
    rows = [row for row in page.splitlines() if row.startswith("| English")]
    assert rows == [
        "| English | I'm allergic to nuts, so no cake for me | `nuts`: nuts |",
        "| English | my mother is allergic to nuts, what now? |",
    ]
