"""What a public module answers when asked for a name that it does not define.

`missing` makes the `__getattr__` of a façade module: it imports a submodule that is loaded on first use,
takes a name from another module (`gradtape.compat.v1` has all that `gradtape` has), or raises an
`AttributeError` that says that gradtape lacks the name and what comes nearest. Rests on the standard
library only, and imports `difflib` when a name is missing, not at start-up.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is most like `name`, or None where nothing is like it."""
    import difflib  # start-up cost: needed only when a name is missing

    names = list(names)
    # Case is the commonest slip (`tf.Float32`, `tf.gradienttape`), and difflib counts it as a full
    # difference.
    by_lower = {other.lower(): other for other in names}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.75)
    return by_lower[found[0]] if found else None


def public_names(namespace: Mapping[str, Any]) -> list[str]:
    return [name for name in namespace if not name.startswith("_")]


def missing(
    module: str,
    namespace: dict[str, Any],
    *,
    lazy: tuple[str, ...] = (),
    elsewhere: Mapping[str, str] | None = None,
    base: ModuleType | None = None,
    renamed: Mapping[str, str] | None = None,
) -> Callable[[str], Any]:
    """The module-level `__getattr__` of the public module `module`, whose globals are `namespace`.

    lazy: submodules to import when they are first named.
    elsewhere: this module's name for another module, or for a name there -> ``"package.module"`` or
        ``"package.module:name"``, to import when it is first named.
    base: a module whose names this one has too.
    renamed: this module's name for an object of `base` -> its dotted path there.

    A public module ends with

        __getattr__ = _missing(__name__, globals())

    and then a name that it lacks raises, for `tf.reduce_summ`,

        AttributeError: module 'gradtape' has no attribute 'reduce_summ'; nearest: 'reduce_sum'
    """
    renamed, elsewhere = renamed or {}, elsewhere or {}

    def __getattr__(name: str) -> Any:
        if name in lazy:
            return importlib.import_module(f"{module}.{name}")
        if name in elsewhere:
            path, _, attribute = elsewhere[name].partition(":")
            found = importlib.import_module(path)
            namespace[name] = found = getattr(found, attribute) if attribute else found
            return found
        # Python itself asks for dunder names (`__path__`, `__wrapped__`): a plain, quick no.
        if name.startswith("_"):
            raise AttributeError(f"module '{module}' has no attribute '{name}'", name=name)
        if base is not None:
            try:
                namespace[name] = found = _follow(base, renamed.get(name, name))
                return found
            except AttributeError:
                pass  # said below, of this module
        names = {*public_names(namespace), *lazy, *elsewhere}
        names.update(new for new, path in renamed.items() if _leads_somewhere(base, path))
        if base is not None:
            names.update(public_names(vars(base)))
        guess = _in_submodule(name, namespace) or nearest(name, names)
        hint = f"; nearest: '{guess}'" if guess else ""
        # `name` without `obj`: else Python appends a suggestion of its own to the same effect.
        raise AttributeError(f"module '{module}' has no attribute '{name}'{hint}", name=name)

    return __getattr__


def listing(
    namespace: Mapping[str, Any], *, lazy: tuple[str, ...] = (), base: ModuleType | None = None
) -> Callable[[], list[str]]:
    """The module-level `__dir__` that goes with `missing`: also what is there on demand."""
    return lambda: sorted({*namespace, *lazy, *(public_names(vars(base)) if base else ())})


def _follow(module: ModuleType, path: str) -> Any:
    found: Any = module
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _leads_somewhere(module: ModuleType | None, path: str) -> bool:
    try:
        return module is not None and _follow(module, path) is not None
    except AttributeError:
        return False


def _in_submodule(name: str, namespace: Mapping[str, Any]) -> str | None:
    """'math.log' for 'log': the very name, one level down."""
    for parent in public_names(namespace):
        value = namespace[parent]
        if isinstance(value, ModuleType) and name in vars(value):
            return f"{parent}.{name}"
    return None
