"""``tf.flags`` and ``tf.app``: flags of the command line, which are absl-py's.

TensorFlow 1 differs in one thing: whoever reads a flag before anybody has parsed the command line gets it parsed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from absl import app, flags

flags.disclaim_key_flags()  # a flag belongs to the module that calls a function of this one

_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


class _Flags:
    """The flags of the program: ``FLAGS.name`` is a value, and parses the command line if nobody has."""

    def __init__(self, values: flags.FlagValues) -> None:
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> Any:  # of what is not said here: of the flags, and of their methods
        if (
            not name.startswith("_") and not self._values.is_parsed()
        ):  # Python asks for names with underscores
            self._values(sys.argv)
        return getattr(self._values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._values, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._values, name)

    def __dir__(self) -> Any:
        return dir(self._values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __len__(self) -> int:
        return len(self._values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._values(*args, **kwargs)


FLAGS = _Flags(flags.FLAGS)


def _taking_old_names(define: Callable[..., Any]) -> Callable[..., Any]:
    """A function that defines a flag, also with the names of arguments that TensorFlow once had."""

    @wraps(define)
    def with_old_names(*args: Any, **kwargs: Any) -> Any:
        return define(*args, **{_OLD_NAMES.get(name, name): value for name, value in kwargs.items()})

    return with_old_names


DEFINE_string = _taking_old_names(flags.DEFINE_string)
DEFINE_boolean = DEFINE_bool = _taking_old_names(flags.DEFINE_boolean)
DEFINE_float = _taking_old_names(flags.DEFINE_float)
DEFINE_integer = _taking_old_names(flags.DEFINE_integer)


def run(main=None, argv=None):
    """Parses the flags of the command line and runs the program: ends with ``sys.exit(main(argv))``.

    Arguments that are no flag of the program stay in the ``argv`` that ``main`` gets.

    Args:
      main: a function of the list of arguments that are left; by default ``main`` of the script.
      argv: the command line, by default ``sys.argv``.

    >>> import gradtape.compat.v1 as tf
    >>> try:
    ...     tf.app.run(lambda argv: print(argv), ["program", "more"])
    ... except SystemExit as end:
    ...     print(end.code)
    ['program', 'more']
    None

    As TensorFlow 2.21 (1.15).
    """
    main = main or sys.modules["__main__"].main  # type: ignore[attr-defined]
    app.run(main=main, argv=argv, flags_parser=lambda args: flags.FLAGS(args, known_only=True))
