"""HTTP as command lines send it: request lines that hold words in UTF-8 as they are typed."""

from __future__ import annotations

import re

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


class TypedRequestProtocol(H11Protocol):
    """uvicorn's own protocol, which refuses a target beyond ASCII: curl sends what was typed, unencoded."""

    def data_received(self, data: bytes) -> None:
        """Takes in what came, with the request line percent-encoded."""
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            data = encode_request_line(data)
        super().data_received(data)


def encode_request_line(data: bytes) -> bytes:
    """The data with its first line in ASCII."""
    line, end, rest = data.partition(b"\r\n")
    if line.isascii():
        return data
    return BEYOND_ASCII.sub(lambda found: b"%%%02X" % found[0][0], line) + end + rest
