"""The REST interface of the second stage."""
