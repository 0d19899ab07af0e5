"""The command line: `gradtape --version`, `gradtape run [OPTIONS] SCRIPT [ARGS...]`.

Everything after SCRIPT belongs to the script, as with `python`, so the line is cut there before argparse
sees it. Rests on `run`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import gradtape
from gradtape._src.cli import run

_RUN = """\
Runs SCRIPT as `python SCRIPT ARGS...` does, except that `import tensorflow` and its submodules
mean gradtape, in this process only. Nothing is installed under TensorFlow's name, and a TensorFlow that is
installed is not used.
"""
_RUN_MORE = """\
SCRIPT may be a file, a directory or zip file with a __main__.py, or - for standard input.
Exit status: that of the script; 2 if it cannot be opened.
"""
_API = """\
what `tensorflow` means: v2 is gradtape, v1 is gradtape.compat.v1; auto (the default) takes v1
for a script that uses names that only TensorFlow 1 has, such as tf.Session, and says so
"""
_TOY = """\
small made data stands for the data sets of tf.keras.datasets and of TensorFlow 1's tutorials, of the same
shapes and dtypes; it says so on standard error
"""

_EXPLAIN = "say of each gradient that is None why, on standard error; the script runs as it would without"
_STRICT = "raise an error that says why where a gradient is None"
_CHECK = "compare every gradient of a tape with differences in float64, and say which is wrong"
_PICTURE = (
    "draw the first gradient that each line of the script asks for: a page (.html) or an image (.svg), which needs "
    "gradtape[viz]; the script runs as it would without"
)
_PROFILE = "say at the end which lines and operations the time and the memory went to, on standard error"
_TRACE = "write the profile as a trace for chrome://tracing and Perfetto as well"
_NUMERICS = "say where a number first becomes NaN or infinite, on standard error"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and give its exit status; what the script raises passes through."""
    own, rest = _cut_at_script(list(sys.argv[1:] if argv is None else argv))
    options = _parser().parse_args([*own, *rest[:1]])
    if options.command is None:
        _parser().print_help()
        return 0
    profile = options.profile_trace or options.profile
    return run.run(rest[0], rest[1:], options.api, options.toy_data, options.watch, options.picture, profile)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gradtape", description="Gradients of ordinary Python programs that speak TensorFlow's language."
    )
    parser.add_argument("--version", action="version", version=f"gradtape {gradtape.__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="")
    command = commands.add_parser(
        "run",
        help="run a script in which `import tensorflow` means gradtape",
        usage="gradtape run [-h] [--api {auto,v1,v2}] [--toy-data]\n"
        "                    [--explain | --strict | --check-numerics | --check | --picture FILE]\n"
        "                    [--profile] [--profile-trace OUT.json] SCRIPT [ARGS ...]",
        description=_RUN,
        epilog=_RUN_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # `_cut_at_script` knows the full names only
    )
    command.add_argument("--api", choices=("auto", "v1", "v2"), default="auto", help=_API)
    command.add_argument("--toy-data", action="store_true", help=_TOY)
    watch = command.add_mutually_exclusive_group()
    watch.add_argument("--explain", dest="watch", action="store_const", const="explain", help=_EXPLAIN)
    watch.add_argument("--strict", dest="watch", action="store_const", const="strict", help=_STRICT)
    watch.add_argument(
        "--check-numerics", dest="watch", action="store_const", const="numerics", help=_NUMERICS
    )
    watch.add_argument("--check", dest="watch", action="store_const", const="check", help=_CHECK)
    watch.add_argument("--picture", metavar="FILE", help=_PICTURE)
    command.add_argument("--profile", action="store_true", help=_PROFILE)
    command.add_argument("--profile-trace", metavar="OUT.json", help=_TRACE)
    command.add_argument("script", metavar="SCRIPT", help="the program to run, and its arguments")
    return parser


_WITH_VALUE = ("--api", "--picture", "--profile-trace")


def _cut_at_script(argv: list[str]) -> tuple[list[str], list[str]]:
    """The command's own words, and the script with its arguments."""
    try:
        at = argv.index("run") + 1
    except ValueError:
        return argv, []
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "-":
        if argv[at] == "--":
            at += 1
            break
        at += 2 if argv[at] in _WITH_VALUE else 1
    return argv[:at], argv[at:]
