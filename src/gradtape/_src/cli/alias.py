"""`import tensorflow` means gradtape, in this process, and `import keras` its Keras.

A finder placed before all others answers for `tensorflow`, `keras` and everything below them with gradtape's own
module objects, so that `tensorflow.keras is keras is gradtape.keras` and classes are the same classes. Nothing is
written to disk, and no other process is concerned, except the children that `multiprocessing` starts to run
this same script. Rests on `core.missing` for the nearest name.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from gradtape._src.cli.private_modules import PACKAGES, PRIVATE, WITH_MODULES
from gradtape._src.core.missing import nearest

NAME = "tensorflow"
KERAS = "keras"  # by itself it is a package too
# What `tf.__version__` says to a script: programs choose their code by it.
TENSORFLOW_1 = "1.15.5"


def install(api: str) -> None:
    """Make `tensorflow` mean gradtape (`api` "v2") or gradtape.compat.v1 ("v1"), for good.

    Under the alias `__version__` is TensorFlow's, since scripts compare it: see docs/differences.md.
    """
    root: Any = importlib.import_module("gradtape")
    root.__version__ = importlib.import_module("gradtape.version").VERSION
    if api == "v1":
        root = importlib.import_module("gradtape.compat.v1")
        root.__version__ = root.VERSION = TENSORFLOW_1
        root.disable_v2_behavior()  # until the script calls tf.enable_eager_execution()
    for name in [name for name in sys.modules if name.partition(".")[0] in (NAME, KERAS)]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]
    sys.meta_path.insert(0, Finder(root.__name__, api))
    if "multiprocessing.spawn" in sys.modules:  # as it is in a child
        _tell_children(api)


class Finder:
    """Finds gradtape's modules under TensorFlow's names."""

    def __init__(self, root: str, api: str):
        self.root, self.api = root, api

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.startswith("multiprocessing.popen_"):
            _tell_children(self.api)
        head, _, rest = fullname.partition(".")
        if head not in (NAME, KERAS):
            return None
        path = fullname if head == KERAS else rest
        module = self.resolve(path)
        if module is None:
            raise ModuleNotFoundError(self.explain(path, fullname), name=fullname)
        loader: Any = Loader(module)  # a loader by its methods: importing `importlib.abc` costs start-up
        return ModuleSpec(fullname, loader, is_package=hasattr(module, "__path__"))

    def resolve(self, path: str) -> ModuleType | None:
        """The module for `tensorflow.<path>`; None if gradtape has none."""
        if path in PACKAGES:
            return _empty_package(f"{NAME}.{path}")
        for name in self.candidates(path):
            module = _import(name)
            if module is not None:
                return module
        return None

    def candidates(self, path: str) -> list[str]:
        """Where to look, best first: `compat.v1` has modules of its own for few of the names it shares."""
        path = _public(path)
        if path == "compat.v1" or path.startswith("compat.v1."):
            return [f"gradtape.{path}", f"gradtape{path.removeprefix('compat.v1')}"]
        names = [f"{self.root}.{path}" if path else self.root, f"gradtape.{path}" if path else "gradtape"]
        return list(dict.fromkeys(names))

    def explain(self, path: str, asked: str) -> str:
        import pkgutil  # start-up cost: needed only when a module is missing

        path = _public(path)
        parent, _, child = f"gradtape.{path}".rpartition(".")
        there = _import(parent)
        have = [module.name for module in pkgutil.iter_modules(getattr(there, "__path__", []))]
        guess = nearest(child, [name for name in have if not name.startswith("_")])
        hint = f"; nearest: '{parent}.{guess}'" if guess else ""
        return f"No module named '{asked}': gradtape has no module '{parent}.{child}'{hint}"


class Loader:
    """Puts an existing module into `sys.modules` under another name."""

    def __init__(self, module: ModuleType):
        self.module = module

    def create_module(self, spec: ModuleSpec) -> None:
        """None: Python makes an empty module, so that it writes `__spec__` there and not to ours."""

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        if module.__spec__.name.removeprefix(f"{NAME}.") in WITH_MODULES:
            vars(self.module).setdefault("__path__", [])
        sys.modules[module.__spec__.name] = self.module


class ForChildren:
    """Unpickled in a child process, this installs the alias there."""

    def __init__(self, api: str):
        self.api = api

    def __reduce__(self) -> tuple[Any, ...]:
        return install, (self.api,)


def _tell_children(api: str) -> None:
    """Have the processes that `multiprocessing` spawns know the alias before they import the script.

    A spawned child unpickles the preparation data first, and then runs the script under the name
    `__mp_main__`. A fork server (the name 'ignore' is its) would run the script in the server, before any
    child has the alias: it is not told where the script is, and then each child runs it. A forked child
    needs none of this.
    """
    spawn: Any = importlib.import_module("multiprocessing.spawn")
    original = spawn.get_preparation_data
    if getattr(original, "api", None) == api:
        return

    def get_preparation_data(name: str) -> dict[str, Any]:
        data = original(name)
        if name == "ignore":
            data.pop("init_main_from_path", None)
            return data
        return {"gradtape": ForChildren(api), **data}

    get_preparation_data.api = api  # pyright: ignore[reportFunctionMemberAccess]
    spawn.get_preparation_data = get_preparation_data


def _public(path: str) -> str:
    """The public path for one that goes through TensorFlow's private modules."""
    prefix = path
    while prefix:
        if prefix in PRIVATE:
            return f"{PRIVATE[prefix]}{path[len(prefix) :]}".lstrip(".")
        prefix = prefix.rpartition(".")[0]
    return path


def _empty_package(name: str) -> ModuleType:
    package = ModuleType(name, "One of TensorFlow's private packages: here, a place for its modules' names.")
    package.__path__ = []
    return package


def _import(name: str) -> ModuleType | None:
    """The module `name`, or None where there is none; an error inside an existing module passes through."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise
    # A module may also be an attribute of its parent only.
    parent, _, child = name.rpartition(".")
    found = getattr(_import(parent), child, None) if parent else None
    return found if isinstance(found, ModuleType) else None
