"""PNG pictures that carry cards and books in text chunks: read within limits, and written.

Layout: 8 bytes of signature, then chunks of length, type, data and CRC-32. Texts stand in tEXt (Latin-1), zTXt
(compressed) and iTXt (UTF-8, compressed or not). Nothing of the picture itself is decoded.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.lorebooks.errors import CardInvalid
from knowledge.lorebooks.limits import MAX_FILE_BYTES, MAX_PNG_CHUNKS, MAX_TEXT_BYTES

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CARD_V3, CARD_V2, NOVELAI = "ccv3", "chara", "naidata"
KEYWORDS = (CARD_V3, CARD_V2, NOVELAI)
"""Those that we read; where a picture has several, the first of this list counts, as in SillyTavern."""
_TEXT_TYPES = frozenset({b"tEXt", b"zTXt", b"iTXt"})
_MAX_KEYWORD_BYTES = 79
_GREY = 0x40


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk, without length and CRC."""

    type: bytes
    data: bytes

    def as_bytes(self) -> bytes:
        return struct.pack(">I", len(self.data)) + self.type + self.data + struct.pack(">I", self.crc)

    @property
    def crc(self) -> int:
        return zlib.crc32(self.data, zlib.crc32(self.type))


def is_png(data: bytes) -> bool:
    """Whether the file begins as a PNG does."""
    return data.startswith(SIGNATURE)


def read_payloads(data: bytes) -> dict[str, bytes]:
    """The JSON texts that the picture carries, by keyword. Raises CardInvalid for a damaged or hostile file."""
    payloads: dict[str, bytes] = {}
    for chunk in parse_chunks(data):
        if chunk.type in _TEXT_TYPES:
            keyword = _keyword_of(chunk)
            if keyword in KEYWORDS and keyword not in payloads:
                payloads[keyword] = _decode_payload(_read_text(chunk), keyword)
    return payloads


def write_payloads(data: bytes, payloads: Mapping[str, bytes]) -> bytes:
    """The picture with these texts for those of the same keywords; all other chunks stay as they are."""
    kept = [
        chunk for chunk in parse_chunks(data) if chunk.type not in _TEXT_TYPES or _keyword_of(chunk) not in KEYWORDS
    ]
    texts = [Chunk(b"tEXt", name.encode() + b"\x00" + base64.b64encode(text)) for name, text in payloads.items()]
    end = next(index for index, chunk in enumerate(kept) if chunk.type == b"IEND")
    return SIGNATURE + b"".join(chunk.as_bytes() for chunk in (*kept[:end], *texts, kept[end]))


def make_blank_png(width: int = 400, height: int = 600) -> bytes:
    """A grey picture, for cards that have none: the measure is SillyTavern's of an avatar."""
    header = Chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = b"".join(b"\x00" + bytes([_GREY]) * width for _ in range(height))
    picture = Chunk(b"IDAT", zlib.compress(rows, 9))
    return SIGNATURE + b"".join(chunk.as_bytes() for chunk in (header, picture, Chunk(b"IEND", b"")))


def parse_chunks(data: bytes) -> list[Chunk]:
    """The chunks up to IEND. CRCs are checked: a card cut in transit is refused rather than half read."""
    if len(data) > MAX_FILE_BYTES:
        raise CardInvalid(f"has {len(data)} bytes; {MAX_FILE_BYTES} are taken")
    if not is_png(data):
        raise CardInvalid("is no PNG picture")
    chunks: list[Chunk] = []
    place = len(SIGNATURE)
    while place + 12 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        end = place + 12 + length
        if end > len(data):
            raise CardInvalid(f"is cut short in chunk {len(chunks) + 1}")
        chunk = Chunk(data[place + 4 : place + 8], data[place + 8 : end - 4])
        if int.from_bytes(data[end - 4 : end], "big") != chunk.crc:
            raise CardInvalid(f"is damaged: the CRC of chunk {len(chunks) + 1} does not fit")
        chunks.append(chunk)
        if len(chunks) > MAX_PNG_CHUNKS:
            raise CardInvalid(f"has more than {MAX_PNG_CHUNKS} chunks")
        if chunk.type == b"IEND":
            break
        place = end
    if not chunks or chunks[0].type != b"IHDR" or chunks[-1].type != b"IEND":
        raise CardInvalid("is no whole PNG picture: it must begin with IHDR and end with IEND")
    return chunks


def _keyword_of(chunk: Chunk) -> str:
    keyword = chunk.data[: _MAX_KEYWORD_BYTES + 1].partition(b"\x00")[0]
    return keyword.decode("latin-1").lower()


def _read_text(chunk: Chunk) -> bytes:
    """The text of the chunk, decompressed up to the limit."""
    _, separator, rest = chunk.data.partition(b"\x00")
    if not separator:
        raise CardInvalid("has a text chunk without a text")
    if chunk.type == b"tEXt":
        return rest
    if chunk.type == b"zTXt":
        return _decompress(rest[:1], rest[1:])
    is_compressed, method, rest = rest[:1], rest[1:2], rest[2:]
    _language, _, rest = rest.partition(b"\x00")
    _translated, separator, text = rest.partition(b"\x00")
    if not separator:
        raise CardInvalid("has an international text chunk that ends too early")
    return _decompress(method, text) if is_compressed == b"\x01" else text


def _decompress(method: bytes, data: bytes) -> bytes:
    if method != b"\x00":
        raise CardInvalid("has a text chunk compressed in an unknown way")
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, MAX_TEXT_BYTES * 2)
    except zlib.error as error:
        raise CardInvalid("has a text chunk that cannot be decompressed") from error
    if unpacker.unconsumed_tail or not unpacker.eof:
        reason = f"holds more than {MAX_TEXT_BYTES} bytes" if unpacker.unconsumed_tail else "ends too early"
        raise CardInvalid(f"has a compressed text chunk that {reason}")
    return text


def _decode_payload(text: bytes, keyword: str) -> bytes:
    """The JSON text: in base64 as all programs write it, or plain as some old ones did."""
    stripped = text.strip()
    if stripped[:1] in {b"{", b"["}:
        return stripped
    try:
        decoded = base64.b64decode(b"".join(stripped.split()) + b"=" * (-len(stripped) % 4), validate=True)
    except binascii.Error as error:
        raise CardInvalid(f"has a chunk {keyword} that is no base64") from error
    if len(decoded) > MAX_TEXT_BYTES:
        raise CardInvalid(f"has a chunk {keyword} of {len(decoded)} bytes; {MAX_TEXT_BYTES} are taken")
    return decoded
