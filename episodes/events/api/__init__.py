"""REST interface of events and of the lorebooks of conversations."""
