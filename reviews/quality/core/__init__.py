"""Tables and charts, as pure Python."""
