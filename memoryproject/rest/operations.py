"""One declaration an operation: parameters, body, answers and problems, read and described from the same place."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from typing_extensions import is_typeddict

from memoryproject.rest.bodies import Body
from memoryproject.rest.parameters import NO_PARAMETERS, Parameter, Parameters, TextParameter, describe_parameter
from memoryproject.rest.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    IDEMPOTENCY_PROBLEMS,
    Problems,
    describe_headers,
    describe_problems,
)
from memoryproject.rest.typed_dicts import build_example

Handler = TypeVar("Handler", bound=Callable[..., HttpResponseBase])


def reply(shape: Any, said: str | Mapping[str, Any] = "", /, **changed: Any) -> OpenApiResponse:
    """An answer of a shape.

    `said`: a description, else the shape's own, with the shape's example, in which the members `changed` are
    otherwise; or a whole example of a pydantic model. Raises TypeError, ValidationError where an example does not fit.
    """
    description = (shape.__doc__ or "").partition("\n")[0]
    example = build_example(shape, **changed) if isinstance(said, str) else said
    if not is_typeddict(shape):
        shape.model_validate(example)
    text = said if isinstance(said, str) and said else description
    return OpenApiResponse(shape, text, [OpenApiExample("example", example)])


def operation(
    operation_id: str,
    tag: str,
    answers: Any,
    *problems: Problems,
    path: Sequence[OpenApiParameter | Parameter] = (),
    parameters: Parameters = NO_PARAMETERS,
    headers: Sequence[TextParameter | OpenApiParameter] = (),
    body: Body | Mapping[str, Any] | None = None,
    sent: Mapping[str, Any] | None = None,
    world: bool = True,
    description: str = "",
    is_body_optional: bool = False,
    is_deprecated: bool = False,
) -> Callable[[Handler], Handler]:
    """Declares a method of a view, which finds what was sent in `self.values` (query) and `self.body`.

    `answers`: a shape, `reply(…)`, or several by status, or by status and media type where that is not JSON.
    `problems`: errors, or codes with a detail by status. Those of parameters, bodies and the `Idempotency-Key` come by
    themselves. `sent`: bodies by a name, as examples. `world` False: the operation is about the whole tenant. The
    method's docstring is summary and description.
    """

    def declare(handler: Handler) -> Handler:
        summary, text = _split(handler)

        @functools.wraps(handler)
        def handle(view: Any, request: Any, *arguments: Any, **named: Any) -> HttpResponseBase:
            view.values = parameters.read(request)
            if isinstance(body, Body):
                view.body = body.read(request)
            return handler(view, request, *arguments, **named)

        described = extend_schema(
            operation_id=operation_id,
            tags=[tag],
            summary=summary,
            description=description or text,
            parameters=[
                *(_describe_in_path(each) for each in path),
                *parameters.describe(),
                *(each for each in headers if isinstance(each, OpenApiParameter)),
                *describe_headers(*(each for each in headers if isinstance(each, TextParameter)), world=world),
            ],
            request=_describe_body(body),
            examples=[OpenApiExample(name, value, request_only=True) for name, value in (sent or {}).items()],
            responses={
                **_describe_answers(answers),
                **describe_problems(*_list_problems(problems, parameters, headers, body)),
            },
            deprecated=is_deprecated,
            extensions={"x-optional-body": True} if is_body_optional else None,
        )
        return cast("Handler", described(handle))

    return declare


def _split(handler: Callable[..., Any]) -> tuple[str, str]:
    """Summary and description of a docstring; without a second paragraph the first is both."""
    first, _, rest = inspect.cleandoc(handler.__doc__ or "").partition("\n\n")
    summary = " ".join(first.split())
    paragraphs = [" ".join(each.split()) for each in rest.split("\n\n")]
    return summary.removesuffix("."), "\n\n".join(paragraphs) if rest else summary


def _describe_in_path(parameter: OpenApiParameter | Parameter) -> OpenApiParameter:
    if isinstance(parameter, OpenApiParameter):
        return parameter
    return describe_parameter(parameter, location=OpenApiParameter.PATH)


def _describe_body(body: Body | Mapping[str, Any] | None) -> Any:
    if body is None:
        return None
    return {"application/json": body.schema if isinstance(body, Body) else body}


def _describe_answers(answers: Any) -> dict[Any, Any]:
    by_status = answers if isinstance(answers, Mapping) else {200: answers}
    described = {}
    for place, given in by_status.items():
        said = given if isinstance(given, OpenApiResponse) else reply(given)
        status, media_type = place if isinstance(place, tuple) else (place, None)
        for example in said.examples or ():
            example.status_codes = [str(status)]
            example.media_type = media_type
        described[place] = said
    return described


def _list_problems(
    problems: tuple[Problems, ...], parameters: Parameters, headers: Sequence[object], body: object
) -> tuple[Problems, ...]:
    of_body = (BODY_CODES,) if isinstance(body, Body) else ()
    of_key = (IDEMPOTENCY_PROBLEMS,) if IDEMPOTENCY_HEADER in headers else ()
    return (*of_body, *of_key, *parameters.list_errors(), *problems)
