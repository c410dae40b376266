"""Documents as a zip of real files, there and back."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterable, Mapping

from knowledge.notebook.core.limits import MAX_ARCHIVE_BYTES, MAX_DOCUMENT_BYTES, MAX_DOCUMENTS
from knowledge.notebook.core.names import fold_name, validate_path

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same documents give the same archive."""
MODE = 0o600 << 16
_LINK = 0o170000


def write_archive(documents: Iterable[tuple[str, str]]) -> bytes:
    """A zip of path and text."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(documents):
            info = zipfile.ZipInfo(path, EPOCH)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, MODE
            archive.writestr(info, content.encode("utf-8"))
    return out.getvalue()


def read_archive(data: bytes) -> Mapping[str, str]:
    """Path to text of each file. Raises ValueError, which says what is wrong: nothing is read halfway.

    What a file says of its size is not believed: reading stops at the limit.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ValueError("This is no zip.") from error
    files: dict[str, str] = {}
    looks: dict[str, str] = {}
    left = MAX_ARCHIVE_BYTES
    with archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        if len(infos) > MAX_DOCUMENTS:
            raise ValueError(f"An archive has at most {MAX_DOCUMENTS} files.")
        for info in infos:
            _check(info, looks)
            text = _read(archive, info, min(left, MAX_DOCUMENT_BYTES))
            left -= len(text.encode("utf-8"))
            files[info.filename] = text
    return files


def _check(info: zipfile.ZipInfo, looks: dict[str, str]) -> None:
    name = info.filename
    flaw = validate_path(name)
    if flaw is not None:
        raise ValueError(f"{name[:200]!r}: {flaw}")
    if (info.external_attr >> 16) & _LINK == stat.S_IFLNK:
        raise ValueError(f"{name!r} is a link.")
    if not name.endswith(".md"):
        raise ValueError(f"{name!r} is no Markdown file (.md).")
    parts = name.split("/")
    for depth in range(1, len(parts)):
        folder = "/".join(parts[:depth])
        twin = looks.setdefault(fold_name(folder), folder)
        if twin != folder:
            raise ValueError(f"The folder {folder!r} looks the same as {twin!r}.")
    twin = looks.setdefault(fold_name(name), name)
    if twin != name or info.flag_bits & 0x1:
        raise ValueError(f"{name!r} looks the same as {twin!r}." if twin != name else f"{name!r} is encrypted.")


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> str:
    try:
        with archive.open(info) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise ValueError(f"{info.filename!r} can't be read.") from error
    if len(data) > most:
        raise ValueError(f"{info.filename!r} is too large.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{info.filename!r} is not UTF-8.") from error
