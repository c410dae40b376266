"""The dialects that are read and written, by name."""

from collections.abc import Mapping

from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.agnai import AGNAI
from knowledge.lorebooks.formats.character_book import CHARACTER_BOOK, CHARACTER_BOOK_V3
from knowledge.lorebooks.formats.members import EntryFormat
from knowledge.lorebooks.formats.novelai import NOVELAI
from knowledge.lorebooks.formats.risu import RISU
from knowledge.lorebooks.formats.sillytavern import SILLYTAVERN

FORMATS: Mapping[Dialect, EntryFormat] = {
    each.dialect: each for each in (SILLYTAVERN, CHARACTER_BOOK, CHARACTER_BOOK_V3, RISU, NOVELAI, AGNAI)
}
