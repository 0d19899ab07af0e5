"""One row an operation: ``tests/test_ops.py`` makes every test of the operation from it.

Each module of this folder mirrors one of ``gradtape/_src/ops`` and has a list ``CASES``.
"""

import importlib
import pkgutil

CASES = [
    case
    for module in pkgutil.iter_modules(__path__)
    if module.name != "case"
    for case in importlib.import_module(f"{__name__}.{module.name}").CASES
]
