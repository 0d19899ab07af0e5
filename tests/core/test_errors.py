"""tf.errors against TensorFlow's own answers, and where in the user's code an error comes from."""

from __future__ import annotations

import inspect
import os
import pickle
import threading

import numpy as np
import pytest
from golden import make_core

from gradtape._src.core import errors

CODED = errors._CodedError.__subclasses__()
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(errors.__file__)))


def test_answers_are_tensorflows():
    assert not make_core.disagreements("errors", {"E": errors}, but=("E.NotFoundError('m')",))


@pytest.mark.parametrize("cls", CODED, ids=lambda c: c.__name__)
def test_every_error(cls):
    error = cls.of("went wrong")
    assert type(error) is cls and isinstance(error, errors.OpError)
    assert str(error) == error.message == "went wrong"
    assert repr(error) == f"{cls.__name__}('went wrong')"
    assert errors.exception_type_from_error_code(error.error_code) is cls
    assert errors.error_code_from_exception_type(cls) == error.error_code
    assert (
        str(inspect.signature(cls)) == "(node_def: 'Any', op: 'Any', message: 'str', *args: 'Any') -> 'None'"
    )


@pytest.mark.parametrize(
    "error",
    [
        errors.NotFoundError.of("no file"),
        errors.InvalidArgumentError(object(), lambda: 0, "no", {"k": "v"}),
        errors.OpError(None, None, "broken", errors.INTERNAL),
    ],
    ids=repr,
)
def test_errors_pickle_without_their_graph(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.message, again.error_code) == (error.message, error.error_code)
    assert again.experimental_payloads == error.experimental_payloads
    assert again.op is None and again.node_def is None


def test_codes_have_no_gaps():
    assert sorted(cls._code for cls in CODED) == list(range(1, 17))
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(99)


# --- Where in the user's code -------------------------------------------------------------------------------


def inside(folder: str, body: str):
    """A function `call(f)` whose code seems to stand in a file of `folder`."""
    names: dict = {"errors": errors}
    exec(compile(body, os.path.join(folder, "seeming.py"), "exec"), names)
    return names["call"]


def test_the_frame_is_the_callers_line_with_its_text():
    frame = errors.user_frame()  # this very line
    assert frame is not None
    assert os.path.samefile(frame.filename, __file__)
    assert frame.text == "frame = errors.user_frame()  # this very line"
    assert frame.lineno == inspect.currentframe().f_lineno - 4  # type: ignore[union-attr]
    assert str(frame) == f'File "{frame.filename}", line {frame.lineno}\n    {frame.text}'


def test_frames_of_the_package_and_of_numpy_are_passed_over():
    ask = inside(PACKAGE, "def call(f):\n    return f() if f else errors.user_frame()")
    through_numpy = inside(os.path.dirname(np.__file__), "def call(f):\n    return f(None)")
    frame = ask(lambda: through_numpy(ask))
    assert frame.text == "frame = ask(lambda: through_numpy(ask))"
    assert frame.filename == __file__


def test_a_neighbour_whose_name_starts_alike_is_the_users():
    ask = inside(PACKAGE + "_extras", "def call(f):\n    return errors.user_location()")
    assert ask(None) == (os.path.join(PACKAGE + "_extras", "seeming.py"), 2)


def test_code_without_a_file_has_a_place_but_no_text():
    names: dict = {"errors": errors}
    exec("\n\nframe = errors.user_frame()", names)
    assert names["frame"] == ("<string>", 3, "")
    assert str(names["frame"]) == 'File "<string>", line 3'


def test_no_frame_is_the_users():
    found = []
    ask = inside(PACKAGE, "def call(f):\n    f.append(errors.user_frame())")
    thread = threading.Thread(target=ask, args=(found,))
    thread.start()
    thread.join()
    assert found == [None]
