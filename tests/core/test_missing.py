"""What a module answers when asked for a name that it does not define."""

from __future__ import annotations

import sys
import traceback
from types import ModuleType

import pytest

from gradtape._src.core.missing import listing, missing, nearest


def module(name: str, **names: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(names)
    return made


def answering(name: str, names: dict, **options) -> ModuleType:
    made = module(name, **names)
    made.__getattr__ = missing(name, vars(made), **options)
    return made


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("reduce_summ", "reduce_sum"),
        ("Reduce_Sum", "reduce_sum"),
        ("gradienttape", "GradientTape"),
        ("quite_another_thing", None),
        ("", None),
    ],
)
def test_nearest(name: str, found: str | None):
    assert nearest(name, ["reduce_sum", "reduce_mean", "GradientTape"]) == found


def test_the_error_names_the_module_the_name_and_the_nearest():
    tf = answering("gradtape", {"reduce_sum": sum})
    with pytest.raises(AttributeError) as caught:
        tf.reduce_summ
    assert str(caught.value) == "module 'gradtape' has no attribute 'reduce_summ'; nearest: 'reduce_sum'"
    assert caught.value.name == "reduce_summ"
    # Python adds no second suggestion of its own when the error is shown.
    assert "Did you mean" not in "".join(traceback.format_exception(caught.value))


def test_nothing_near_is_not_guessed():
    with pytest.raises(AttributeError, match=r"no attribute 'xyzzy'$"):
        answering("gradtape", {"reduce_sum": sum}).xyzzy


def test_the_very_name_one_level_down_is_nearer():
    tf = answering("gradtape", {"math": module("gradtape.math", log=1), "logs": 2})
    with pytest.raises(AttributeError, match=r"nearest: 'math\.log'$"):
        tf.log


@pytest.mark.parametrize("name", ["__path__", "__wrapped__", "_private"])
def test_names_that_python_asks_for_are_refused_without_a_guess(name: str):
    tf = answering("gradtape", {"_privat": 1, "wrapped": 2})
    assert not hasattr(tf, name)
    with pytest.raises(AttributeError, match=f"no attribute '{name}'$"):
        getattr(tf, name)


def test_lazy_submodules(monkeypatch):
    inner = module("made_up.inner")
    monkeypatch.setitem(sys.modules, "made_up.inner", inner)
    monkeypatch.setitem(sys.modules, "made_up", tf := answering("made_up", {"a": 1}, lazy=("inner",)))
    assert tf.inner is inner
    assert listing({"a": 1}, lazy=("inner",))() == ["a", "inner"]
    with pytest.raises(AttributeError, match="nearest: 'inner'"):
        tf.iner


def test_names_of_another_module():
    base = module("gradtape", exp=1, math=module("gradtape.math", log=2), _hidden=3)
    v1 = answering(
        "gradtape.compat.v1", {"own": 4}, base=base, renamed={"ln": "math.log", "gone": "math.gone"}
    )
    assert (v1.own, v1.exp, v1.ln) == (4, 1, 2)
    assert vars(v1)["ln"] == 2, "a second use does not come this way"
    assert listing({"own": 4}, base=base)() == ["exp", "math", "own"]
    for name in ("_hidden", "gone", "expp"):
        with pytest.raises(AttributeError, match=f"module 'gradtape.compat.v1' has no attribute '{name}'"):
            getattr(v1, name)
    with pytest.raises(AttributeError, match="nearest: 'exp'"):
        v1.expp
