"""The REST interface of notebooks."""
