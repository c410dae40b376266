"""Memory37 as the memory of LangGraph."""

from memory37_langgraph.client import Memory37Client
from memory37_langgraph.errors import Memory37Error, Memory37Unavailable
from memory37_langgraph.hitl import abuild_resume, ask_person, build_resume
from memory37_langgraph.saver import Memory37Saver
from memory37_langgraph.store import Memory37Store

__all__ = [
    "Memory37Client",
    "Memory37Error",
    "Memory37Saver",
    "Memory37Store",
    "Memory37Unavailable",
    "abuild_resume",
    "ask_person",
    "build_resume",
]
