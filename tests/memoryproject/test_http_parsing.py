"""Request lines as they are typed."""

from __future__ import annotations

import pytest

from memoryproject.http_parsing import encode_request_line


@pytest.mark.parametrize(
    ("data", "encoded"),
    [
        ("PUT /a?tag=农耕 HTTP/1.1\r\nX: 农\r\n\r\n农", b"PUT /a?tag=%E5%86%9C%E8%80%95 HTTP/1.1\r\n"),
        ("GET /a?tag=%E5 HTTP/1.1\r\nX: 农\r\n\r\n", b"GET /a?tag=%E5 HTTP/1.1\r\n"),
        ("GET /я", b"GET /%D1%8F"),
        ("", b""),
    ],
)
def test_only_the_request_line_is_encoded(data, encoded):
    result = encode_request_line(data.encode())
    assert result.startswith(encoded)
    assert result[len(encoded) :] == data.encode().partition(b"\r\n")[2]
