"""The figures of the quality page by REST."""
