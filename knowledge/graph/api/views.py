"""`graph/…`: entities, what is around them, and how they hang together."""

from __future__ import annotations

from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api.parameters import SESSION_HEADER
from knowledge.api.shapes import CANON_CODES
from knowledge.graph.api import shapes
from knowledge.graph.api.parameters import EXCLUSIVE, READER, read_reader
from knowledge.graph.api.rendering import render_entity, render_neighbourhood, render_paths, render_state
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.selectors.entities import MAX_ENTITIES, find_entities
from knowledge.graph.selectors.neighbourhood import MAX_DEPTH, get_neighbourhood
from knowledge.graph.selectors.paths import MAX_STEPS, find_paths
from memoryproject.rest.errors import InvalidParameter
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import MAX_ID, NumberParameter, Parameters, TextParameter, read_header
from memoryproject.rest.schemas import WORLD_CODES
from memoryproject.rest.shapes import cut_page
from tenancy.api.views import MachineView

LIST_PARAMETERS = Parameters(
    (
        TextParameter(
            "q", "A name, or part of one, in any script. Without it entities are listed.", "moon bridge", 300
        ),
        TextParameter("kind", "Only entities of this kind.", "place", 32),
        *page_by_number(size=20, most=MAX_ENTITIES, example=11),
        *READER,
    ),
    exclusive=EXCLUSIVE,
)
ENTITY_ID = NumberParameter(
    "entity_id", "The entity's id, as a list or a search gave it.", 11, 1, MAX_ID, is_required=True
)
ENTITY_PARAMETERS = Parameters(
    (NumberParameter("depth", "How many steps around it.", 1, 1, MAX_DEPTH, default=1), *READER), exclusive=EXCLUSIVE
)
PATH_PARAMETERS = Parameters(
    (
        NumberParameter("from", "An entity's id.", 12, 1, MAX_ID, is_required=True),
        NumberParameter("to", "Another entity's id.", 11, 1, MAX_ID, is_required=True),
        NumberParameter("max", "How many steps at most.", 4, 1, MAX_STEPS, default=MAX_STEPS),
        *READER,
    ),
    exclusive=EXCLUSIVE,
)


class GraphEntitiesView(MachineView):
    """`graph/entities`."""

    @operation(
        "graph_entities_list",
        "Graph",
        reply(shapes.GraphEntityList, "Best first."),
        WORLD_CODES,
        CANON_CODES,
        shapes.GRAPH_CODES,
        parameters=LIST_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request) -> Response:
        """Find entities by name.

        Entities that a name may mean: equal names first, then the same name in another script, then look-alikes. What
        the reader may not know is neither found nor counted.
        """
        values = self.values
        reader, release = read_reader(self.get_world(), values, session_id=read_header(request, SESSION_HEADER))
        limit, query = values["limit"], values.get("q", "")
        kind, cursor = values.get("kind"), values.get("cursor", 0)
        if query and cursor:
            raise InvalidParameter("What a name may mean comes on one page.", parameter="cursor")
        found = find_entities(reader, query, kind=kind, after=cursor, limit=limit if query else limit + 1)
        page, next_cursor = cut_page(found, limit, attrgetter("entity_id"))
        data = [render_entity(entity) for entity in page]
        return Response({**render_state(reader, release), **render_page(data, next_cursor, was="entities")})


class GraphEntityView(MachineView):
    """`graph/entities/{id}`."""

    @operation(
        "graph_entities_get",
        "Graph",
        reply(shapes.GraphNeighbourhood, "As the reader may know it."),
        WORLD_CODES,
        CANON_CODES,
        shapes.GRAPH_CODES,
        shapes.ENTITY_CODES,
        path=(ENTITY_ID,),
        parameters=ENTITY_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request, entity_id: int) -> Response:
        """Read an entity and what is around it.

        The entity with its names, the entities within one or two steps, and the relations between them, each with its
        evidence. Relations that the reader may not know are no way to anything.
        """
        values = self.values
        reader, release = read_reader(self.get_world(), values, session_id=read_header(request, SESSION_HEADER))
        if entity_id > MAX_ID:
            raise EntityUnknown("There is no such entity.")
        found = get_neighbourhood(reader, entity_id, depth=values["depth"])
        return Response({**render_state(reader, release), **render_neighbourhood(found)})


class GraphPathsView(MachineView):
    """`graph/paths`."""

    @operation(
        "graph_paths",
        "Graph",
        reply(shapes.GraphPaths, "Shortest first."),
        WORLD_CODES,
        CANON_CODES,
        shapes.GRAPH_CODES,
        shapes.ENTITY_CODES,
        parameters=PATH_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request) -> Response:
        """Find how two entities hang together.

        The shortest paths between two entities, up to five, of at most four steps. Without a path that the reader may
        know, `paths` is empty.
        """
        values = self.values
        reader, release = read_reader(self.get_world(), values, session_id=read_header(request, SESSION_HEADER))
        found = find_paths(reader, values["from"], values["to"], max_steps=values["max"])
        return Response({**render_state(reader, release), **render_paths(found)})
