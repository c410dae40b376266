"""The store of agents with what the engine knows of players beside it, and its REST interface."""
