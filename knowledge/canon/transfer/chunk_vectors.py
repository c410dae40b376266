"""Vectors of a backup's chunks, worked out before the restore and kept in a file: memory stays small."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import IO

import numpy as np
from numpy.typing import NDArray

from knowledge.canon.core.chunks import embedded_text
from knowledge.errors import ArchiveDamaged, EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding import Embedder, embed_each

CHUNK_BATCH_SIZE = 64


@dataclass(slots=True)
class ChunkVectors:
    """Vectors by the chunk's id in the backup. Chunks come in the order of their ids."""

    stream: IO[bytes]
    dims: int
    ids: NDArray[np.int64]

    def find(self, chunk_id: int) -> NDArray[np.float32] | None:
        """The chunk's vector; None if the embedder had none for it."""
        place = int(np.searchsorted(self.ids, chunk_id))
        if place >= len(self.ids) or self.ids[place] != chunk_id:
            return None
        self.stream.seek(place * self.dims * 4)
        return np.frombuffer(self.stream.read(self.dims * 4), dtype=np.float32)


def embed_chunks(
    lines: Iterable[bytes],
    embedder: Embedder,
    stream: IO[bytes],
    *,
    on_progress: Callable[[str, int, int | None], None],
) -> ChunkVectors:
    """The vectors of all chunks; where the embedder stops answering, the rest have none. Raises ArchiveDamaged."""
    ids: list[int] = []
    done = 0
    source = iter(lines)
    while batch := list(islice(source, CHUNK_BATCH_SIZE)):
        try:
            rows = [json.loads(line) for line in batch]
            texts = [embedded_text(row["title"], row["heading_path"], row["text"]) for row in rows]
            row_ids = [int(row["id"]) for row in rows]
        except (ValueError, KeyError, TypeError) as error:
            raise ArchiveDamaged(f"A chunk of the backup can't be read: {error}") from error
        try:
            vectors = embed_each(embedder, texts)
        except (EmbedderUnavailable, EmbedderMisbehaves):
            break
        for row_id, vector in zip(row_ids, vectors, strict=True):
            if not isinstance(vector, TextNotEmbeddable):
                ids.append(row_id)
                stream.write(np.asarray(vector, dtype=np.float32).tobytes())
        done += len(batch)
        on_progress("chunks embedded", done, None)
    stream.flush()
    return ChunkVectors(stream, embedder.dims, np.asarray(ids, dtype=np.int64))
