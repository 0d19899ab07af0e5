"""Imports under gradtape._src run one way, at the top of the file, and in no circle.

The order is that of docs/design.md: a package may import those on its own line and on the lines before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
FILES = sorted((SOURCE / "gradtape" / "_src").rglob("*.py"))
IDS = [path.relative_to(SOURCE / "gradtape" / "_src").as_posix() for path in FILES]

# Lowest first. Packages that share a line do not import each other.
LAYERS = [
    {"core"},
    {"native"},
    {"graph"},
    {"ops"},
    {"api", "autodiff"},
    {"control"},
    {"function"},
    {"train", "summary"},
    {"data"},
    {"keras", "compat_v1", "testing"},
    # Imported by nothing below them.
    {"explain", "profile", "engine"},
    {"viz"},
    {"cli"},
]


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FILES}


def layer(module: str) -> int:
    """The height of gradtape._src.<module>."""
    inside = module.removeprefix("gradtape._src.")
    package = inside.split(".")[0]
    for height, packages in enumerate(LAYERS):
        if package in packages:
            return height
    raise AssertionError(f"{module}: no layer for the package {package!r}; add it to LAYERS in {__file__}")


def imports(tree: ast.AST, path: Path) -> Iterator[tuple[ast.stmt, list[str]]]:
    """The import statements of a file, each with the modules under gradtape that it loads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield node, [item.name for item in node.names if item.name.split(".")[0] == "gradtape"]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import; write the module's full name"
            if node.module and node.module.split(".")[0] == "gradtape":
                names = [f"{node.module}.{item.name}" for item in node.names]
                yield node, [name if name in MODULES else node.module for name in names]
            else:
                yield node, []


def for_types_only(tree: ast.AST) -> set[ast.stmt]:
    """Statements under `if TYPE_CHECKING:`, which are not executed."""
    tests = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    return {statement for test in tests for statement in test.body}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_arrows_run_one_way(path: Path):
    module = name_of(path)
    if module == "gradtape._src":
        return
    for node, loaded in imports(ast.parse(path.read_text(encoding="utf-8")), path):
        for other in loaded:
            where = f"{path.relative_to(SOURCE)}:{node.lineno}"
            if not other.startswith("gradtape._src."):
                assert layer(module) == len(LAYERS) - 1, (
                    f"{where}: {module} imports the façade module {other}"
                )
                continue
            below = layer(other) < layer(module)
            same = other.split(".")[2] == module.split(".")[2] and layer(other) == layer(module)
            assert below or same, f"{where}: {module} imports {other}, which is above it or beside it"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_an_import_inside_a_function_states_its_reason(path: Path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for function in ast.walk(ast.parse("\n".join(lines))):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                reason = "#" in lines[node.lineno - 1] or "#" in lines[node.lineno - 2]
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                assert reason, (
                    f"{where}: an import inside a function; say why beside it or on the line above, "
                    "e.g. `# start-up cost: only singular matrices need it`"
                )


def test_no_import_runs_in_a_circle():
    arrows: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = for_types_only(tree)
        loaded = {name for node, names in imports(tree, path) if node not in skipped for name in names}
        arrows[module] = {name for name in loaded if name in MODULES and name != module}
    finished: set[str] = set()

    def visit(module: str, trail: list[str]) -> None:
        circle = " -> ".join([*trail[trail.index(module) :], module]) if module in trail else ""
        assert not circle, f"imports in a circle: {circle}"
        if module not in finished:
            for other in sorted(arrows[module]):
                visit(other, [*trail, module])
            finished.add(module)

    for module in sorted(arrows):
        visit(module, [])
