"""Pages of notebooks: what stands in them, its versions, and what waits for a person."""

from knowledge.notebook.admin import notebooks

__all__ = ["notebooks"]
