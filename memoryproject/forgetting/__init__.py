"""What must be forgotten, and who forgets it: apps join the registry, `episodes` asks all that joined."""
