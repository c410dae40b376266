"""REST interface of the extraction of events."""
