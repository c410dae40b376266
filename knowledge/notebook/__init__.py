"""Namespaced notes of agents: facts, memories, documents."""
