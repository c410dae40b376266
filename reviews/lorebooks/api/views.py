"""Lorebooks and cards at the REST API: import as a change request, preview, convert, export of a world as a book."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile, convert_file, write_png_file
from knowledge.lorebooks.json_text import render_json
from knowledge.lorebooks.losses import Outcome
from reviews.core.actor import actor_of_key
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.api import schemas
from reviews.lorebooks.api.bodies import (
    CONVERT_SCHEMA,
    IMPORT_SCHEMA,
    PREVIEW_SCHEMA,
    read_card_file,
    read_defaults,
    read_file,
)
from reviews.lorebooks.api.rendering import render_file, render_import, render_report, render_tokens
from reviews.lorebooks.export_requests import EXPORT_PARAMETERS, choose_target, read_export
from reviews.lorebooks.plans import plan_import
from reviews.lorebooks.sample_chat import show_firing
from reviews.lorebooks.selectors import find_domain_index
from tenancy.actions.idempotency import Answer
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS
from tenancy.api.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    IDEMPOTENCY_PROBLEMS,
    WORLD_CODES,
    describe_headers,
    describe_problems,
)
from tenancy.api.views import MachineView
from tenancy.selectors import check_scope

IMPORT, PREVIEW, CONVERT = Body(IMPORT_SCHEMA), Body(PREVIEW_SCHEMA), Body(CONVERT_SCHEMA)


class LorebookImportView(MachineView):
    """`lorebooks/import`."""

    scopes = {"POST": "editor"}
    read_body_file = staticmethod(read_file)

    @extend_schema(
        operation_id="lorebooks_import",
        tags=["Lorebooks"],
        summary="Propose a lorebook as canon",
        description="Each entry becomes an article of a change request, which people decide on. Entries that were "
        "exported from here, or imported before, change the articles that they are; a second import of the same file "
        "changes nothing, and answers 200 without a change request.",
        parameters=describe_headers(IDEMPOTENCY_HEADER),
        request={"application/json": IMPORT_SCHEMA},
        examples=[OpenApiExample("World Info", schemas.IMPORT_BODY, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.LorebookImportSerializer,
                description="Nothing to change.",
                examples=[OpenApiExample("nothing to change", schemas.UNCHANGED_IMPORT, status_codes=["200"])],
            ),
            201: OpenApiResponse(
                schemas.LorebookImportSerializer,
                description="The change requests, and what becomes of each entry.",
                examples=[OpenApiExample("in review", schemas.IMPORTED, status_codes=["201"])],
            ),
            **describe_problems(WORLD_CODES, BODY_CODES, IDEMPOTENCY_PROBLEMS, schemas.IMPORT_CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """Propose a lorebook as canon."""
        NO_PARAMETERS.read(request)
        body = IMPORT.read(request)
        file = self.read_body_file(body)
        world = self.get_world()
        actor = actor_of_key(self.caller)

        def write() -> Answer:
            done = import_lorebook(
                actor=actor,
                world_id=world.world_id,
                domain=body.get("domain", "lore"),
                file=file,
                title=body.get("title", ""),
                description=body.get("description", ""),
                defaults=read_defaults(body),
                with_disabled=body.get("with_disabled", False),
                book_name=body.get("book_name", ""),
                is_draft=body.get("draft", False),
            )
            return Answer(201 if done.change_request_ids else 200, render_import(done, file))

        return self.idempotent_response(world, body, write)


class CardImportView(LorebookImportView):
    """`cards/import`."""

    read_body_file = staticmethod(read_card_file)

    @extend_schema(
        operation_id="cards_import",
        tags=["Lorebooks"],
        summary="Propose a character card as canon",
        description="The entries of the card's book as `lorebooks/import` takes them, and an article of type "
        "`character` with the card's description, personality and scenario.",
        parameters=describe_headers(IDEMPOTENCY_HEADER),
        request={"application/json": IMPORT_SCHEMA},
        examples=[OpenApiExample("Character Card V2", schemas.CARD_BODY, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.LorebookImportSerializer,
                description="Nothing to change.",
                examples=[OpenApiExample("nothing to change", schemas.UNCHANGED_IMPORT, status_codes=["200"])],
            ),
            201: OpenApiResponse(
                schemas.LorebookImportSerializer,
                description="The change requests, and what becomes of each entry.",
                examples=[OpenApiExample("in review", schemas.IMPORTED, status_codes=["201"])],
            ),
            **describe_problems(WORLD_CODES, BODY_CODES, IDEMPOTENCY_PROBLEMS, schemas.CARD_CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """Propose a character card as canon."""
        return super().post(request)


class LorebookPreviewView(MachineView):
    """`lorebooks/preview`."""

    scopes = {"POST": "editor"}

    @extend_schema(
        operation_id="lorebooks_preview",
        tags=["Lorebooks"],
        summary="See what an import would do",
        description="Writes nothing: the format, what would become of each entry, what canon does not keep, tokens by "
        "place in the prompt, and which entries fire on a sample chat, by SillyTavern's rules and by ours.",
        parameters=describe_headers(),
        request={"application/json": PREVIEW_SCHEMA},
        examples=[OpenApiExample("with a chat", schemas.PREVIEW_BODY, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.LorebookPreviewSerializer,
                description="What would happen.",
                examples=[OpenApiExample("preview", schemas.PREVIEWED)],
            ),
            **describe_problems(WORLD_CODES, BODY_CODES, schemas.PREVIEW_CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """See what an import would do."""
        NO_PARAMETERS.read(request)
        body = PREVIEW.read(request)
        file = read_file(body)
        world = self.get_world()
        domain = body.get("domain", "lore")
        index = find_domain_index(world_id=world.world_id, domain=domain)
        plan = plan_import(
            index,
            file,
            defaults=read_defaults(body),
            with_disabled=body.get("with_disabled", False),
            book_name=body.get("book_name", ""),
        )
        chat = body.get("chat", "")
        fired = [each.as_json() for each in show_firing(file.book, chat)] if chat.strip() else []
        return Response({**render_import(plan, file), "tokens": render_tokens(file), "fired": fired})


class LorebookConvertView(MachineView):
    """`lorebooks/convert`."""

    scopes = {"POST": "read"}

    @extend_schema(
        operation_id="lorebooks_convert",
        tags=["Lorebooks"],
        summary="Convert a lorebook or card",
        description="Writes nothing here: the file in another format, with its losses. What a format cannot say goes "
        "along in `extensions.memory37` where it has a place for it, and comes back with the file.",
        parameters=describe_headers(),
        request={"application/json": CONVERT_SCHEMA},
        examples=[OpenApiExample("to a card", schemas.CONVERT_BODY, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.LorebookFileSerializer,
                description="The file and its losses.",
                examples=[OpenApiExample("converted", schemas.CONVERTED)],
            ),
            **describe_problems(WORLD_CODES, BODY_CODES, schemas.CONVERT_CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """Convert a lorebook or card."""
        NO_PARAMETERS.read(request)
        self.find_world()
        body = CONVERT.read(request)
        file = read_file(body)
        target = FileFormat(body["target"])
        picture = write_png_file(file, target) if body.get("png", False) else None
        return Response(render_file(convert_file(file, target), file, picture))


class LorebookLossesView(MachineView):
    """`lorebooks/losses`."""

    @extend_schema(
        operation_id="lorebooks_losses",
        tags=["Lorebooks"],
        summary="See what an export would lose",
        description="The loss report of `lorebooks/export` with the same parameters, and its tokens, before anything "
        "is downloaded.",
        parameters=[*EXPORT_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.LorebookReportSerializer,
                description="Losses and tokens.",
                examples=[OpenApiExample("report", schemas.REPORT)],
            ),
            **describe_problems(WORLD_CODES, schemas.EXPORT_CODES),
        },
    )
    def get(self, request: Request) -> Response:
        """See what an export would lose."""
        file, target = read_export_of(self, request)
        return Response(render_report(convert_file(file, target), file))


class LorebookExportView(MachineView):
    """`lorebooks/export`."""

    @extend_schema(
        operation_id="lorebooks_export",
        tags=["Lorebooks"],
        summary="Export canon as a lorebook",
        description="The live articles of a domain as one book, as far as the reader may know them: the file itself, "
        "to be saved. `lorebooks/losses` says before what the format does not keep.",
        parameters=[*EXPORT_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                {"type": "object", "additionalProperties": True},
                description="The file, in the format asked for.",
                examples=[OpenApiExample("World Info", schemas.WORLD_INFO)],
            ),
            **describe_problems(WORLD_CODES, schemas.EXPORT_CODES),
        },
    )
    def get(self, request: Request) -> HttpResponse:
        """Export canon as a lorebook."""
        file, target = read_export_of(self, request)
        converted = convert_file(file, target)
        answer = HttpResponse(render_json(converted.document), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="{self.get_world().slug}-{target.value}.json"'
        answer["X-Lorebook-Losses"] = str(sum(loss.outcome is not Outcome.KEPT for loss in converted.losses))
        return answer


def read_export_of(view: MachineView, request: Request) -> tuple[LoreFile, FileFormat]:
    """The book that the parameters ask for, and its format. Secrets are for keys with the scope `editor`."""
    values = EXPORT_PARAMETERS.read(request)
    if values.get("secrets") == "true":
        check_scope(view.caller, "editor")
    file = read_export(view.get_world(), values)
    return file, choose_target(file, values.get("target"), book=values.get("book", ""))
