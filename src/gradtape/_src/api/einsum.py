"""The public `einsum`: equations as users write them, brought to the form of ``ops/einsum.py``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from gradtape._src.api.static import as_tensors
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import EagerTensor, shape_of
from gradtape._src.ops.einsum import einsum_one, einsum_two, ellipsis_labels

_TERM = r"(?:[a-zA-Z]*(?:\.\.\.)?[a-zA-Z]*)"
_EQUATION = re.compile(f"({_TERM}(?:,{_TERM})*)(?:->({_TERM}))?")
_OPTIONS = ("name", "optimize", "greedy")


def einsum(equation, *inputs, **kwargs):
    r"""Products of tensors summed over named axes.

    ``ij,jk->ik`` is the matrix product: each operand's axes are named by letters, and axes whose letter is
    not in the output are summed over. A letter twice in an operand takes the diagonal; ``...`` stands for any
    further axes, which broadcast. Without ``->`` the output has the letters that occur once, in alphabetical
    order, behind ``...``.

    Numbers of one dtype; float16 and bfloat16 are summed in float32.

    Args:
      equation: the names of the axes, spaces are ignored.
      *inputs: one tensor for each term of the equation.
      **kwargs: `optimize`: how to find the order of more than two operands: 'greedy' (the default),
      'optimal',
        'auto' and the others of opt_einsum; `name`: a name for the operation.

    Raises:
      ValueError: an equation that says nothing sensible, or another number of operands.
      InvalidArgumentError: an operand of another rank; axes of one letter and different sizes.
      TypeError: another keyword argument.

    >>> import gradtape as tf
    >>> print(tf.einsum("ij,j->i", tf.constant([[1., 2.], [3., 4.]]), tf.constant([10., 1.])).numpy())
    [12. 34.]

    As TensorFlow 2.21. Contraction paths: Smith and Gray, opt_einsum, JOSS 3 (2018) 753.
    """
    if not kwargs and len(inputs) == 2:
        a, b = inputs
        if type(a) is EagerTensor and type(b) is EagerTensor:  # the commonest case, with all work done once
            first_a, first_b, resolved = _two(equation, a._data.ndim, b._data.ndim)
            if first_a is None and first_b is None:
                return einsum_two.of(a, b, equation=resolved)
    name = kwargs.pop("name", None)
    optimize = kwargs.pop("optimize", "greedy")
    kwargs.pop("greedy", None)
    if kwargs:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(kwargs)}. Valid arguments: "
            f"{', '.join(_OPTIONS)}."
        )
    tensors = list(as_tensors(inputs)) if inputs else []
    ranks = tuple([None if shape is None else len(shape) for shape in map(shape_of, tensors)])
    terms, out = _resolved(equation, ranks)
    if len(tensors) == 1:
        return einsum_one.of(tensors[0], equation=f"{terms[0]}->{out}", name=name)
    if len(tensors) == 2:
        return _pair(tensors[0], tensors[1], terms[0], terms[1], out, name)
    return _contracted(tensors, list(terms), out, optimize, name)


@lru_cache(4096)
def _resolved(equation: str, ranks: tuple[int | None, ...]) -> tuple[tuple[str, ...], str]:
    """The labels of each operand and of the output, one an axis."""
    found = _EQUATION.fullmatch(equation.replace(" ", ""))
    if found is None:
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    terms, out = found[1].split(","), found[2]
    if len(terms) != len(ranks):
        raise ValueError(f'Got {len(ranks)} inputs for equation "{equation}", expecting {len(terms)}')
    if out is None:
        letters = "".join(terms).replace(".", "")
        dots = "..." if "..." in found[1] else ""
        out = dots + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    labels = out.replace(".", "")
    for c in labels:
        if labels.count(c) > 1:
            raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
        if c not in found[1]:
            raise ValueError(f"Output subscripts contain the label {c} not present in the input subscripts.")
    most = 0
    explicit = []
    for i, (term, rank) in enumerate(zip(terms, ranks)):
        term, dots = _without_ellipsis(equation, i, term, rank)
        explicit.append(term)
        most = max(most, dots)
    if most and "..." not in out:
        raise InvalidArgumentError.of(
            f"Output contains {most} broadcasting dimension(s) but no ellipsis (...) was found in the output "
            "subscripts. [Op:Einsum]"
        )
    return tuple(explicit), out.replace("...", ellipsis_labels(most))


def _without_ellipsis(equation: str, i: int, term: str, rank: int | None) -> tuple[str, int]:
    """A term with labels in place of an ellipsis, and how many these are."""
    dots, letters = "..." in term, len(term.replace(".", ""))
    if rank is None:
        if dots:
            raise ValueError(
                f"tf.einsum: operand {i} of {equation!r} has an ellipsis, so its rank must be known; give it "
                "one with "
                "tf.ensure_shape."
            )
        return term, 0
    if rank < letters if dots else rank != letters:
        raise InvalidArgumentError.of(
            f"Expected input {i} to have rank {'at least ' if dots else ''}{letters} but got: {rank} "
            "[Op:Einsum]"
        )
    return term.replace("...", ellipsis_labels(rank - letters)), rank - letters if dots else 0


@lru_cache(4096)
def _two(equation: str, rank_a: int, rank_b: int) -> tuple[str | None, str | None, str]:
    (a, b), out = _resolved(equation, (rank_a, rank_b))
    return _steps(a, b, out)


@lru_cache(4096)
def _steps(a: str, b: str, out: str) -> tuple[str | None, str | None, str]:
    """What to do with each of two operands first, and the equation of what is then left."""
    kept_a = "".join(dict.fromkeys(c for c in a if c in b or c in out))
    kept_b = "".join(dict.fromkeys(c for c in b if c in a or c in out))
    first_a = None if kept_a == a else f"{a}->{kept_a}"
    first_b = None if kept_b == b else f"{b}->{kept_b}"
    return first_a, first_b, f"{kept_a},{kept_b}->{out}"


def _pair(a: Any, b: Any, terms_a: str, terms_b: str, out: str, name: Any = None) -> Any:
    first_a, first_b, equation = _steps(terms_a, terms_b, out)
    if first_a is not None:
        a = einsum_one.of(a, equation=first_a)
    if first_b is not None:
        b = einsum_one.of(b, equation=first_b)
    return einsum_two.of(a, b, equation=equation, name=name)


def _contracted(tensors: list[Any], terms: list[str], out: str, optimize: Any, name: Any) -> Any:
    """More than two operands, two at a time, in an order found by opt_einsum."""
    sizes: dict[str, int] = {}
    for term, x in zip(terms, tensors):
        for c, size in zip(term, shape_of(x) or (None,) * len(term)):
            sizes[c] = max(sizes.get(c, 1), size or 1)
    for places in _path(tuple(terms), out, tuple(sizes.items()), optimize):
        chosen = [(tensors.pop(i), terms.pop(i)) for i in sorted(places, reverse=True)][::-1]
        x, term = chosen[0]
        for k, (y, other) in enumerate(chosen[1:], 2):
            last = not tensors and k == len(chosen)
            needed = "".join([*terms, out, *(t for _, t in chosen[k:])])
            target = out if last else "".join(dict.fromkeys(c for c in term + other if c in needed))
            x, term = _pair(x, y, term, other, target, name if last else None), target
        tensors.append(x)
        terms.append(term)
    return (
        tensors[0] if terms[0] == out else einsum_one.of(tensors[0], equation=f"{terms[0]}->{out}", name=name)
    )


@lru_cache(4096)
def _path(terms: tuple[str, ...], out: str, sizes: tuple[tuple[str, int], ...], optimize: Any) -> Any:
    import opt_einsum  # start-up cost: only three operands or more need it

    size = dict(sizes)
    symbol = {c: opt_einsum.get_symbol(i) for i, c in enumerate(size)}
    renamed = ["".join(symbol[c] for c in term) for term in (*terms, out)]
    shapes = [tuple(size[c] for c in term) for term in terms]
    equation = f"{','.join(renamed[:-1])}->{renamed[-1]}"
    return opt_einsum.contract_path(equation, *shapes, shapes=True, optimize=optimize)[0]
