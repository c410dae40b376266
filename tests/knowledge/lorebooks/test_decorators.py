"""Decorators are read from the beginning of content, with their fallbacks."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.lorebooks.core.book import Decorator
from knowledge.lorebooks.core.decorators import split_decorators


def test_content_without_decorators_is_left_alone() -> None:
    assert split_decorators("\nThe inn.\n@@depth 3") == ((), "\nThe inn.\n@@depth 3")


def test_decorators_and_line_breaks_after_them_are_taken_off() -> None:
    decorators, body = split_decorators("@@activate\r\n@@depth 2\n\nThe inn.\nA second line.")
    assert decorators == (Decorator("activate"), Decorator("depth", "2"))
    assert body == "The inn.\nA second line."


def test_fallbacks_belong_to_the_decorator_above() -> None:
    decorators, body = split_decorators("@@risu_thing 1\n@@@position after_desc\n@@@@depth 4\n@@role user\nТаверна")
    assert decorators[0].fallbacks == (Decorator("position", "after_desc"), Decorator("depth", "4"))
    assert decorators[1] == Decorator("role", "user")
    assert body == "Таверна"


def test_an_address_or_a_mention_is_no_decorator() -> None:
    assert split_decorators("@@@\nx")[0] == ()
    assert split_decorators("@bob says hi")[0] == ()
    assert split_decorators("@@-- x")[0] == ()


@given(st.text(alphabet="@a1 \n\r", max_size=60))
def test_body_is_a_suffix_of_the_content(content: str) -> None:
    _, body = split_decorators(content)
    assert content.endswith(body)
