"""No module imports itself in a circle, be it by an import inside a function."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp

from tests.tree import APPS


def find_circle(imports: dict[str, set[str]]) -> list[str]:
    """Modules that import one another in a circle, the first once more at the end; empty where there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found():
    assert set(find_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}
    assert find_circle({"a": {"b"}, "b": {"c"}, "d": {"a", "c"}}) == []


def test_no_module_imports_itself_in_a_circle():
    graph = grimp.build_graph(*APPS, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert sum(map(len, imports.values())) > len(imports)
    assert find_circle(imports) == []
