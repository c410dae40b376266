"""Lorebooks and cards at the REST API: import as a change request, preview, convert, export of a world as a book."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile, convert_file, write_png_file
from knowledge.lorebooks.json_text import render_json
from knowledge.lorebooks.losses import Outcome
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES
from reviews.core.actor import actor_of_key
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.api import shapes
from reviews.lorebooks.api.bodies import (
    CONVERT_SCHEMA,
    IMPORT_SCHEMA,
    PREVIEW_SCHEMA,
    read_card_file,
    read_defaults,
    read_file,
)
from reviews.lorebooks.api.rendering import describe_file, render_file, render_import, render_report, render_tokens
from reviews.lorebooks.export_requests import EXPORT_PARAMETERS, choose_target, read_export
from reviews.lorebooks.plans import plan_import
from reviews.lorebooks.sample_chat import show_firing
from reviews.lorebooks.selectors import find_domain_index
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView
from tenancy.selectors import check_scope

IMPORT, PREVIEW, CONVERT = Body(IMPORT_SCHEMA), Body(PREVIEW_SCHEMA), Body(CONVERT_SCHEMA)
IMPORT_ANSWERS = {
    200: reply(shapes.LorebookImport, "Nothing to change.", change_requests=[]),
    201: reply(shapes.LorebookImport, "The change requests, and what becomes of each entry."),
}


class LorebookImportView(MachineView):
    """`lorebooks/import`."""

    scopes = {"POST": "editor"}
    read_body_file = staticmethod(read_file)

    @operation(
        "lorebooks_import",
        "Lorebooks",
        IMPORT_ANSWERS,
        WORLD_CODES,
        shapes.IMPORT_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=IMPORT,
        sent={"World Info": shapes.IMPORT_BODY},
    )
    def post(self, request: Request) -> Response:
        """Propose a lorebook as canon.

        Each entry becomes an article of a change request, which people decide on. Entries that were exported from
        here, or imported before, change the articles that they are; a second import of the same file changes nothing,
        and answers 200 without a change request.
        """
        body = self.body
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

    @operation(
        "cards_import",
        "Lorebooks",
        IMPORT_ANSWERS,
        WORLD_CODES,
        shapes.CARD_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=IMPORT,
        sent={"Character Card V2": shapes.CARD_BODY},
    )
    def post(self, request: Request) -> Response:
        """Propose a character card as canon.

        The entries of the card's book as `lorebooks/import` takes them, and an article of type `character` with the
        card's description, personality and scenario.
        """
        return super().post(request)


class LorebookPreviewView(MachineView):
    """`lorebooks/preview`."""

    scopes = {"POST": "editor"}

    @operation(
        "lorebooks_preview",
        "Lorebooks",
        reply(shapes.LorebookPreview, "What would happen."),
        WORLD_CODES,
        shapes.PREVIEW_CODES,
        body=PREVIEW,
        sent={"with a chat": shapes.PREVIEW_BODY},
    )
    def post(self, request: Request) -> Response:
        """See what an import would do.

        Writes nothing: the format, what would become of each entry, what canon does not keep, tokens by place in the
        prompt, and which entries fire on a sample chat, by SillyTavern's rules and by ours.
        """
        body = self.body
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

    @operation(
        "lorebooks_convert",
        "Lorebooks",
        reply(
            shapes.LorebookFile,
            "The file and its losses.",
            format="lorebook_v3",
            counts={"kept": 4, "approximated": 0, "dropped": 0},
            losses=[],
        ),
        WORLD_CODES,
        shapes.CONVERT_CODES,
        body=CONVERT,
        sent={"to a card": shapes.CONVERT_BODY},
    )
    def post(self, request: Request) -> Response:
        """Convert a lorebook or card.

        Writes nothing here: the file in another format, with its losses. What a format cannot say goes along in
        `extensions.memory37` where it has a place for it, and comes back with the file.
        """
        self.find_world()
        body = self.body
        file = read_file(body)
        target = FileFormat(body["target"])
        picture = write_png_file(file, target) if body.get("png", False) else None
        return Response(render_file(convert_file(file, target), file, picture))


class LorebookLossesView(MachineView):
    """`lorebooks/losses`."""

    @operation(
        "lorebooks_losses",
        "Lorebooks",
        reply(shapes.LorebookReport, "Losses and tokens."),
        WORLD_CODES,
        shapes.EXPORT_CODES,
        parameters=EXPORT_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """See what an export would lose.

        The loss report of `lorebooks/export` with the same parameters, and its tokens, before anything is downloaded.
        """
        file, target = read_export_of(self)
        return Response(render_report(convert_file(file, target), file))


class LorebookExportView(MachineView):
    """`lorebooks/export`."""

    @operation(
        "lorebooks_export",
        "Lorebooks",
        describe_file("The file, in the format asked for.", shapes.WORLD_INFO),
        WORLD_CODES,
        shapes.EXPORT_CODES,
        parameters=EXPORT_PARAMETERS,
    )
    def get(self, request: Request) -> HttpResponse:
        """Export canon as a lorebook.

        The live articles of a domain as one book, as far as the reader may know them: the file itself, to be saved.
        `lorebooks/losses` says before what the format does not keep.
        """
        file, target = read_export_of(self)
        converted = convert_file(file, target)
        answer = HttpResponse(render_json(converted.document), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="{self.get_world().slug}-{target.value}.json"'
        answer["X-Lorebook-Losses"] = str(sum(loss.outcome is not Outcome.KEPT for loss in converted.losses))
        return answer


def read_export_of(view: MachineView) -> tuple[LoreFile, FileFormat]:
    """The book that the parameters ask for, and its format. Secrets are for keys with the scope `editor`."""
    values = view.values
    if values.get("secrets") == "true":
        check_scope(view.caller, "editor")
    file = read_export(view.get_world(), values)
    return file, choose_target(file, values.get("target"), book=values.get("book", ""))
