"""`try` in functions that are converted, with names for what is caught: as Python executes them."""

import pytest

import gradtape as tf


def in_a_loop(x, text):
    total = 0.0
    for _ in tf.range(3):
        try:
            total += x * float(text)
        except (TypeError, ValueError) as error:
            try:
                raise KeyError(len(str(error))) from error
            except KeyError as error:
                total += float(error.args[0]) * x
        finally:
            total += 0.5
    if x > 0:
        try:
            int("q")
        except ValueError as caught:
            total += float(len(caught.args))
    return total


def caught_outside(x, text):
    message = "none"
    try:
        for _ in tf.range(2):
            x = x + float(text)
    except ValueError as error:
        message = str(error)
    return x * float(len(message))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", ["2", "a"])
@pytest.mark.parametrize("f", [in_a_loop, caught_outside])
def test_names_of_what_is_caught(f, text, caplog):
    x = tf.constant(2.0)
    assert float(tf.function(f)(x, text)) == pytest.approx(float(f(x, text)))
    assert not caplog.records  # about a function that is not converted


def test_what_is_raised_from_what_is_caught():
    @tf.function
    def f(x):
        try:
            if x > 0:
                one = 1
            else:
                one = 2
            return int("k") + one
        except ValueError as error:
            raise TypeError("no number") from error

    with pytest.raises(TypeError, match="no number") as raised:
        f(tf.constant(1.0))
    assert isinstance(raised.value.__cause__, ValueError)


def test_the_source_shows_the_name():
    assert "except ValueError as error:" in tf.autograph.to_code(caught_outside)
