from __future__ import annotations

import pytest

from knowledge.text.tables import render_tables

HEADED = "| Ward | Toll | Keeper |\n|:---|---:|:-:|\n| Hill | 3 pennies | Oda |\n| Mill | | Li \\| Shen |"

TOLD = "Ward: Hill; Toll: 3 pennies; Keeper: Oda. Ward: Mill; Keeper: Li | Shen."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEADED, TOLD),
        ("Ward | Toll\n--- | ---\nHill | 3", "Ward: Hill; Toll: 3."),
        ("| | Toll |\n|---|---|\n| Hill | 3 |", "Hill; Toll: 3."),
        ("| 桥 | 拱 |\n|---|---|\n| 月桥 | 九。 |", "桥: 月桥; 拱: 九。"),
        (f"Before.\n\n{HEADED}\n\nBehind.", f"Before. {TOLD} Behind."),
        ("| Mill | 4 |\n| Quay | 5 |", "Mill; 4. Quay; 5."),
        ("|---|---|\n| Mill | 4 |", "Mill; 4."),
        ("```\n| a | b |\n|---|---|\n| c | d |\n```", "``` | a | b | |---|---| | c | d | ```"),
        ("A choice: left | right.", "A choice: left | right."),
        ("[[moon-bridge|the bridge]] stands.", "[[moon-bridge|the bridge]] stands."),
        ("No table.", "No table."),
    ],
)  # fmt: skip
def test_each_value_keeps_the_name_of_its_column(text, told):
    assert " ".join(render_tables(text).split()) == told


def test_rows_are_paragraphs_of_their_own():
    assert [line for line in render_tables(HEADED).split("\n\n") if line.strip()] == [
        "\nWard: Hill; Toll: 3 pennies; Keeper: Oda.",
        "Ward: Mill; Keeper: Li | Shen.",
    ]
