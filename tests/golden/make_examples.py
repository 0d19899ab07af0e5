"""Writes examples.json: what TensorFlow 2.21 answers to the expressions of examples.txt.

Run it with a Python that has TensorFlow: `python tests/golden/make_examples.py`. The tests use `answer` of this file
and compare with the JSON; they import no TensorFlow. The names in the expressions are those of `names`.
"""

from __future__ import annotations

import gzip
import json
import pathlib
import zlib
from typing import Any

HERE = pathlib.Path(__file__)
TEXT = HERE.with_name("examples.txt")
PATH = HERE.with_name("examples.json")


def names(tf: Any) -> dict[str, Any]:
    """Two examples e and e2 (s and e2 as strings), two sequence examples sq and sq2, and short names of functions."""
    train = tf.train
    ints = lambda *v: train.Feature(int64_list=train.Int64List(value=v))
    floats = lambda *v: train.Feature(float_list=train.FloatList(value=v))
    texts = lambda *v: train.Feature(bytes_list=train.BytesList(value=v))
    example = lambda **features: train.Example(features=train.Features(feature=features))
    lists = lambda *steps: train.FeatureLists(feature_list={"w": train.FeatureList(feature=steps)})
    e = example(
        a=ints(1, 2),
        b=floats(1.5),
        c=texts(b"x", b"y"),
        a1=ints(3),
        i=ints(2, 1),
        j=ints(3, 4),
        v=floats(5, 6),
    )
    e2 = example(a=ints(3), b=floats(2.5), i=ints(0), j=ints(0), v=floats(9))
    context = train.Features(feature={"n": ints(2)})
    return {
        "tf": tf, "zlib": zlib, "gzip": gzip,
        "e": e, "s": e.SerializeToString(), "e2": e2.SerializeToString(),
        "sq": train.SequenceExample(context=context, feature_lists=lists(ints(1, 2), ints(3, 4))),
        "sq2": train.SequenceExample(feature_lists=lists(ints(5, 6))),
        "P": tf.io.parse_single_example, "E": tf.io.parse_example, "S": tf.io.parse_single_sequence_example,
        "F": tf.io.FixedLenFeature, "V": tf.io.VarLenFeature, "Q": tf.io.FixedLenSequenceFeature,
    }  # fmt: skip


def shown(value: Any) -> Any:
    """The text of a result; the order of keys, and where a line is broken, do not matter."""
    if isinstance(value, dict):
        return {key: shown(part) for key, part in sorted(value.items())}
    if isinstance(value, (tuple, list)):
        return [shown(part) for part in value]
    return "".join(repr(value).split())


def answer(line: str, tf: Any) -> Any:
    try:
        return shown(eval(line, names(tf)))
    except Exception as error:
        return type(error).__name__


def lines() -> list[str]:
    return TEXT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    import tensorflow

    found = {line: answer(line, tensorflow) for line in lines()}
    text = ",\n".join(f"{json.dumps(line)}: {json.dumps(value)}" for line, value in found.items())
    PATH.write_text("{\n" + text + "\n}\n", encoding="utf-8")
