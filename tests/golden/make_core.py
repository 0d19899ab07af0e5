"""Writes core.json: what TensorFlow 2.21 answers to the expressions below, for tests/core to compare with.

Run it with a Python that has TensorFlow: `python tests/golden/make_core.py`. The tests read the JSON and use
the names and `answer` of this file; they import no TensorFlow.
"""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import itertools
import json
import pathlib
import re
import sys
import types

import numpy as np

PATH = pathlib.Path(__file__).with_name("core.json")

# --- Expressions -------------------------------------------------------------------------------------------

NAMES = """bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float8_e4m3b11fnuz
    float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int2 int32 int4 int64 int8 qint16 qint32
    qint8 quint16 quint8 resource string uint16 uint2 uint32 uint4 uint64 uint8 variant float32_ref string_ref
    complex64_ref int8_ref half float double""".split()
FLAGS = """name size as_datatype_enum as_numpy_dtype is_floating is_integer is_bool is_complex is_unsigned
    is_quantized is_numeric is_numpy_compatible real_dtype base_dtype _is_ref_dtype _as_ref min max
    limits""".split()
AS_DTYPE = """float; int; bool; str; complex; object; bytes; None; 1; 101; 999; []; 'foo'; 'int'; 'str';
  'f4'; '<f4'; 'object'; 'long'; '?'; 'single'; np.float32; np.float16; np.int64; np.longlong;
  np.ulonglong; np.intc; np.bool_; np.str_; np.bytes_; np.object_; np.longdouble; np.complex64;
  np.dtype('>f4'); np.dtype('>i8'); np.dtype('S3'); np.dtype('U4'); np.dtype('O'); np.dtype('M8[s]');
  np.dtype([('qint8', 'i1')]); np.dtype([('x', 'i1')]); np.zeros(3); np.zeros(3, '>c8'); type; list;
  'qint8'; 'string_ref'; 'foo_ref'"""
EQUALS = """'float32'; 'float'; 'f4'; float; np.float32; np.dtype('f4'); np.dtype('>f4'); None; 1; 3;
  'foo'; []; as_dtype('float64'); as_dtype('float32_ref'); np.zeros(2)"""
DTYPES = [
    *(f"as_dtype('{n}')" for n in NAMES),
    *(f"str(as_dtype('{n}'))" for n in NAMES),
    *(f"as_dtype('{n}').{flag}" for n in NAMES for flag in FLAGS),
    *(f"as_dtype({x.strip()})" for x in AS_DTYPE.split(";")),
    *(f"as_dtype('float32') == {x.strip()}" for x in EQUALS.split(";")),
    *(f"as_dtype('float32') != {x.strip()}" for x in EQUALS.split(";")),
    *(f"{x.strip()} == as_dtype('float32')" for x in EQUALS.split(";") if "zeros" not in x),
    "as_dtype('bool') == bool, as_dtype('int32') == int, as_dtype('string') == str",
    *(f"as_dtype('float32').is_compatible_with({x})" for x in ("'float'", "101", "'float64'", "None")),
    "as_dtype('float32_ref').is_compatible_with('float32')",
    "DType(1), DType(101)",
    "DType(999)",
    "hash(as_dtype('int32')), int(as_dtype('int32'))",
    "as_dtype('float32') < as_dtype('float64')",
    "as_dtype('float32').foo",
    "as_dtype('float32').most_specific_common_supertype([as_dtype('float32')])",
    "as_dtype('float32').most_specific_common_supertype([as_dtype('float64')])",
    "as_dtype('float32').is_subtype_of(as_dtype('float64'))",
]

_A, _B, _U = "TS([2, None, 3])", "TS([2, 4, 3])", "TS(None)"
_OTHERS = f"{_A};{_B};{_U};TS([]);[2, 5, 3];[2];(2, 4, 3);None;5;[2, 'a', 3];'a';[2, None, None];[3.5]"
TENSOR_SHAPES = [
    *(
        f"TS({x.strip()})"
        for x in """None; 3; []; (); [2, None]; (2, 3); TS([1]); [-1]; [-1, 2]; -2; ['a']; 'ab'; 3.0; [3.0];
        np.array([2, 3]); np.int64(3); [np.int32(3), np.int64(4)]; range(3); {2: 1}; [D(2), D(None)]; D(3);
        D(None); object; [[1]]; [None, None]; '3'; (x for x in (1, 2)); np.array(5)""".split(";")
    ),
    *(f"{f}({s})" for f in "str repr bool len list tuple".split() for s in (_A, _B, _U, "TS([])", "TS([7])")),
    *(
        f"{s}.{what}"
        for s in (_A, _B, _U, "TS([])", "TS([0, None])")
        for what in """rank ndims dims as_list() is_fully_defined() num_elements() assert_is_fully_defined()
        assert_has_rank(2) assert_has_rank(3) with_rank(3) with_rank(2) with_rank(None) with_rank_at_least(2)
        with_rank_at_least(4) with_rank_at_most(2) with_rank_at_most(4)""".split()
    ),
    *(
        f"{s}.{what}({other.strip()})"
        for s in (_A, _B, _U)
        for what in """is_compatible_with assert_is_compatible_with assert_same_rank merge_with concatenate
        most_specific_compatible_shape""".split()
        for other in _OTHERS.split(";")
    ),
    *(
        f"{a} {op} {b.strip()}"
        for a in (_A, _B, _U, "TS([])", "TS([3])")
        for op in ("==", "!=", "+")
        for b in _OTHERS.split(";")
    ),
    *(f"{b} + {_A}" for b in ("[1]", "(1,)", "[None]", "5", "'a'")),
    *(f"{b} == {_B}" for b in ("[2, 4, 3]", "(2, 4, 3)", "[2]", "None", "'a'")),
    *(
        f"{s}[{key}]"
        for s in (_A, _U)
        for key in """0 1 -1 5 -4 'x' 1.0 np.int64(0) 0:2 1: :-1 ::-1 ::2 5: : -2: 2:1 -3:-1 :0 3:5""".split()
        if not (s == _U and key in ("::-1", "::2", "5", "'x'", "1.0"))
    ),
    f"hash({_B}) == hash((2, 4, 3)), hash({_A}) == hash(TS([2, None, 3]))",
    *(f"{a}.is_subtype_of({b})" for a in (_A, _B, _U) for b in (_A, _B, _U, "TS([1])", "[2, 4, 3]")),
    f"{_A}.most_specific_common_supertype([{_B}])",
    f"{_A}.most_specific_common_supertype([{_B}, 'a'])",
    f"{_B} < {_B}",
    f"{_B} * 2",
    f"{_B}.foo",
    f"np.zeros({_B}).shape, np.array({_B}), np.prod({_B}), 4 in {_B}, [*reversed({_B})], sum({_B})",
    f"'%s {{}}'.format({_B}) % ({_A},)",
    *(
        f"broadcast_static_shape(TS({a}), TS({b}))"
        for a, b in itertools.product(("[2]", "[2, None]", "[3]", "[1]", "[]", "None", "[4, 1, 3]"), repeat=2)
    ),
]

_BINARY = ("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=")
DIMENSIONS = [
    *(f"D({x})" for x in ("3", "None", "-1", "'3'", "3.0", "D(4)", "np.int64(3)", "[]")),
    *(f"{f}(D({x}))" for f in ("str", "int", "bool", "hash") for x in ("3", "0", "None")),
    *(
        f"D({x}) {op} {y}"
        for x in ("7", "None")
        for op in _BINARY
        for y in ("3", "None", "D(2)", "D(None)", "'a'", "2.5")
    ),
    *(f"{y} {op} D({x})" for x in ("7", "None") for op in _BINARY for y in ("9", "'a'")),
    "D(7) / 2",
    "7 / D(2)",
    "D(3) - 5",
    "D(3) // 0",
    "D(3).value, D(None).value, D(3).__index__(), list(range(D(3)))",
    "D(3).is_compatible_with(4), D(3).is_compatible_with(None), D(None).is_compatible_with(D(1))",
    "D(3).assert_is_compatible_with(4)",
    "D(3).merge_with(None), D(None).merge_with(4)",
    "D(3).merge_with(4)",
]

_SPEC = "S([2, None], np.float32)"
_SPECS = "S([2, 3]); S([2, 3], np.float32, 'b'); S([2, 4], np.float32); S([3]); S(None); S([2, 3], np.int32)"
SPECS = [
    *(
        f"S({x.strip()})"
        for x in """[2, None]; None; [], np.int32, 'x'; 3, np.float64; [2], 'foo'; [2], name=3; ['a'];
        shape=[2], dtype='half', name=None; TS([2]), 'string'; (1, 2), bool""".split(";")
    ),
    "S()",
    f"{_SPEC}.shape, {_SPEC}.dtype, {_SPEC}.name",
    *(
        f"{_SPEC}.{what}({other})"
        for what in ("is_compatible_with", "is_subtype_of", "__eq__", "most_specific_compatible_type")
        for other in (_SPEC, *_SPECS.split("; "), "3", "'a'", "None", "np.zeros([2, 3], 'f')", "TS([2])")
        if not (what in ("is_subtype_of", "__eq__", "most_specific_compatible_type") and other[0] != "S")
    ),
    *(f"{_SPEC}.most_specific_common_supertype([{other}])" for other in (*_SPECS.split("; "), "3")),
    "S([2, 3], name='b').most_specific_common_supertype([S([2, 4], name='b')])",
    "S([2, 3], name='b').most_specific_common_supertype([S([2, 4], name='c')])",
    f"{_SPEC} == S([2, None]), {_SPEC} != S([2, None]), {_SPEC} == 3, {_SPEC} == S([2, None], name='n')",
    f"hash({_SPEC}) == hash(S([2, None])), hash({_SPEC}) == hash(S([2, None], name='n'))",
    "S.from_tensor(3)",
    "S.from_tensor(np.zeros(3))",
    "S.from_spec(S([2], name='b')), S.from_spec(S([2], name='b'), name='q')",
    f"{_SPEC}.foo",
]

_SHAPES = ([], [1], [3], [None], [2, 3], [2, None], [None, 3], [2, 1], [4, 2, 3], [None, None, 1], [0], None)
_MATRICES = (
    [2],
    [2, 3],
    [3, 2],
    [2, None],
    [None, 3],
    [5, 2, 3],
    [4, 3, 2],
    [1, 3, 2],
    [None, 2, 3],
    [None, None],
)
RULES = [
    *(f"add({a}, {b})" for a, b in itertools.product(_SHAPES, repeat=2)),
    *(
        f"matmul({a}, {b}, {ta}, {tb})"
        for a, b in itertools.product((*_MATRICES, None), repeat=2)
        for ta, tb in ((False, False), (False, True), (True, False))
    ),
    *(
        f"reduce({s}, {axes}, {keep})"
        for s in ([2, 3], [None, 3, 4], [], None)
        for axes in (None, 0, -1, [0, 1], [], [-1, 0], 5, -4)
        for keep in (False, True)
    ),
    *(f"concat([{a}, {b}], {axis})" for a, b in itertools.product(_SHAPES, repeat=2) for axis in (0, 1, -1)),
    *(f"stack([{a}, {b}], {axis})" for a, b in itertools.product(_SHAPES, repeat=2) for axis in (0, 1, -1)),
    *(
        f"reshape({s}, {t})"
        for s in ([2, 3], [], [6, None], [0, 3], [0, 0, 3], [4, 0], [2, 0, 3], [12], None)
        for t in ([], [-1], [3, -1], [6], [2, 3], [0, -1], [-1, 0, 2], [5, -1], [4, 3], [-2, 3], [1, 2, -1])
        if not (s in ([6, None],) and t in ([6], [2, 3], [4, 3], []))
    ),
]

CODES = """Cancelled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied
    Unauthenticated ResourceExhausted FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable
    DataLoss""".split()
ERRORS = [
    "sorted(n for n in dir(E) if n[0] != '_' and n.endswith('Error') and n != 'InaccessibleTensorError')",
    "{n: getattr(E, n) for n in sorted(dir(E)) if n.isupper() and n[0] != '_'}",
    *(f"(lambda e: (e.error_code, e.message, str(e), e.op))(E.{c}Error(None, None, 'm'))" for c in CODES),
    *(f"issubclass(E.{c}Error, E.OpError), issubclass(E.{c}Error, (ValueError, TypeError))" for c in CODES),
    "E.OpError(None, None, 'm', 3).error_code",
    "E.OpError(None, None, 'm')",
    "E.NotFoundError('m')",
    "E.NotFoundError(1, 2, 'm').node_def, E.NotFoundError(1, 2, 'm', {'k': 1}).experimental_payloads",
    "E.NotFoundError(None, None, 'm').experimental_payloads",
    "E.OperatorNotAllowedInGraphError.__mro__[1:]",
]

_FLAT = """3; None; [1, (2, [3, None]), {'b': 4, 'a': 5}]; 'abc'; np.zeros(2); {'b': 1, 'a': 2};
  OD(b=1, a=2); []; {2: 1, 1: 2}; {'a': 1, 2: 3}; {(1, 2): 1, (0, 1): 2}; Pt(1, [2]); Sub(1, [2]);
  L([1, 2]); T([1, 2]); Dd(b=1, a=2); {1}; range(3); Mp({'b': 1, 'a': 2}); Sq([1, 2]);
  {'b': 1, 'a': 2}.keys(); {'b': 1}.values(); {'b': 1}.items(); deque([1, 2]); Counter('aab'); DC(1, 2);
  FD(True, [5, 6]); FD(True, 5); bytearray(b'ab'); memoryview(b'ab'); {}; [[], ()]; slice(1, 2); b'ab';
  DD(list, {'b': 1, 'a': [2]}); types.MappingProxyType({'b': 1, 'a': 2}); TS([2, 3])"""
_FLAT_LIST = [x.strip() for x in _FLAT.split(";")]
_PAIRS = """[1, 2] ~ [1]; [1, 2] ~ 1; 1 ~ [1, 2]; 1 ~ 'a'; [1, [2]] ~ [1, 2]; [1, 2] ~ [1, [2]];
  [1, [2, 3]] ~ [1, [2]]; [1, 2] ~ (1, 2); [1, (2, 3)] ~ [1, [2, 3]]; {'a': 1} ~ {'b': 1};
  {'a': 1, 'b': 2} ~ {'b': 1}; [[]] ~ [()]; {'a': 1, 'b': [2]} ~ {'a': 1, 'b': 2}; {'a': 1} ~ [1];
  {'a': 1} ~ OD(a=1); Pt(1, 2) ~ Pq(1, 2); [1] ~ 'a'; Pt(1, 2) ~ Pt2(1, 2); Pt(1, 2) ~ (1, 2);
  Pt(1, 2) ~ Sub(1, 2); [1, 2] ~ L([1, 2]); L([1, 2]) ~ [1, 2]; (1, 2) ~ T([1, 2]); {'a': 1} ~ Dd(a=1);
  {'a': 1} ~ Mp({'a': 2}); FD(True, 1) ~ FD(False, 2); {'a': 1} ~ None; FD(True, 1) ~ FD(True, [1]);
  [1] ~ np.array([1]); [1, [2]] ~ [1, 2, 3]; [1, 2] ~ range(2); deque([1]) ~ [1]; L([1]) ~ L([1, 2]);
  {'b': 1, 'a': 2} ~ {'a': 3, 'b': 4}; [] ~ {}; OD(b=1, a=2) ~ OD(a=3, b=4)"""
NEST = [
    *(f"nest.{f}({x})" for f in ("flatten", "is_nested") for x in _FLAT_LIST),
    *(f"nest.pack_sequence_as({x}, [10, 20])" for x in _FLAT_LIST),
    *(
        f"nest.pack_sequence_as({x.strip()})"
        for x in """3, [1]; 3, 1; [1, 2], [1, 2, 3]; [1, 2], 'ab'; [1, 2], (5, 6); [], []; 1, [[2, 3]];
        [1, [2]], [1, [2, 3]]; [1, 2], iter([1, 2]); [1, 2], np.array([1, 2]); [1, 2], range(2)""".split(";")
    ),
    *(f"nest.map_structure(lambda x: [x], {x})" for x in _FLAT_LIST),
    *(
        f"nest.assert_same_structure({pair.strip().replace(' ~ ', ', ')}, check_types={check})"
        for pair in _PAIRS.split(";")
        for check in (True, False)
    ),
    *(
        f"nest.map_structure(lambda x, y: (x, y), {pair.strip().replace(' ~ ', ', ')}, check_types={check})"
        for pair in _PAIRS.split(";")
        for check in (True, False)
    ),
    "nest.map_structure(lambda *a: a, [1], [2], [3])",
    "nest.map_structure(lambda *a: a, [1], [2], [3, 4])",
    "nest.map_structure(lambda: 1)",
    "nest.map_structure(3, [1])",
    "nest.map_structure(lambda x: x, [1], foo=3)",
    "nest.map_structure(lambda x: 1 / 0, [1])",
]

SECTIONS = {
    "dtypes": DTYPES,
    "tensor_shapes": TENSOR_SHAPES,
    "dimensions": DIMENSIONS,
    "specs": SPECS,
    "rules": RULES,
    "errors": ERRORS,
    "nest": NEST,
}

# --- Names that the expressions use ------------------------------------------------------------------------

Pt = collections.namedtuple("Pt", "x y")
Pt2 = collections.namedtuple("Pt", "x y")
Pq = collections.namedtuple("Pq", "x y")


class Sub(Pt):
    pass


class L(list):
    pass


class T(tuple):
    pass


class Dd(dict):
    pass


@dataclasses.dataclass
class DC:
    a: object
    b: object


@dataclasses.dataclass
class FD:
    mask: bool
    v: object

    def __tf_flatten__(self):
        return (self.mask,), (self.v,)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(metadata[0], components[0])


class Mp(collections.abc.Mapping):
    def __init__(self, items):
        self.d = dict(items)

    def __getitem__(self, key):
        return self.d[key]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)

    def __repr__(self):
        return f"Mp({self.d})"


class Sq(collections.abc.Sequence):
    def __init__(self, items):
        self.items = list(items)

    def __getitem__(self, key):
        return self.items[key]

    def __len__(self):
        return len(self.items)

    def __repr__(self):
        return f"Sq({self.items})"


PLAIN_NAMES = {
    "np": np,
    "types": types,
    "OD": collections.OrderedDict,
    "DD": collections.defaultdict,
    "deque": collections.deque,
    "Counter": collections.Counter,
    **{c.__name__: c for c in (Sub, L, T, Dd, DC, FD, Mp, Sq)},
    "Pt": Pt,
    "Pt2": Pt2,
    "Pq": Pq,
}


def answer(text: str, names: dict) -> list[str]:
    """What an expression gives: its type and text, or the type and message of its exception."""
    try:
        value = eval(text, {**PLAIN_NAMES, **names})
    except Exception as error:
        message = re.sub(
            r"<class '(?:\w+\.)+", "<class '", str(error)
        )  # where a class lives is not the point
        return ["raises", type(error).__name__, re.sub(r" object at 0x\w+", " object", message)]
    if isinstance(value, (types.GeneratorType, memoryview)) or " object at 0x" in repr(value):
        return ["gives", type(value).__name__, "..."]
    text = repr(value)
    if type(value) is collections.OrderedDict:  # Python 3.12 shows it otherwise
        text = f"OrderedDict({list(value.items())!r})" if value else "OrderedDict()"
    return ["gives", type(value).__name__, text]


def lines(answers: dict) -> str:
    """JSON with a line for each answer, so that a change of one shows as one."""
    return "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in answers.items()) + "\n}"


def read() -> dict:
    """The answers of TensorFlow, by section and expression."""
    return json.loads(PATH.read_text(encoding="utf-8"))


def disagreements(section: str, names: dict, prefix: int = 40, but: tuple[str, ...] = ()) -> list[str]:
    """Where gradtape's answers are not TensorFlow's, except for the expressions in `but`.

    Types and texts must be equal; of an exception's message the first `prefix` characters.
    """
    out = []
    for text, wanted in read()[section].items():
        found = answer(text, names)
        if wanted[0] == found[0] == "raises":
            same = found[1] == wanted[1] and found[2].startswith(wanted[2][:prefix])
        else:
            same = found == wanted
        if not same and text not in but:
            out.append(f"{text}\n    TensorFlow: {wanted}\n    gradtape:   {found}")
    return out


def main() -> None:
    import tensorflow as tf
    from tensorflow.python.framework import dtypes

    v1 = tf.compat.v1

    def static(function):
        """A function of placeholders as a function of shapes."""

        def rule(*args):
            with tf.Graph().as_default():
                shape = function(*args).shape
            return None if shape.rank is None else tuple(shape)

        return rule

    def place(shape):
        return v1.placeholder(tf.float32, shape)

    names = {
        "as_dtype": tf.as_dtype,
        "DType": dtypes.DType,
        "TS": tf.TensorShape,
        "D": v1.Dimension,
        "S": tf.TensorSpec,
        "broadcast_static_shape": tf.broadcast_static_shape,
        "E": tf.errors,
        "nest": tf.nest,
        "add": static(lambda a, b: place(a) + place(b)),
        "matmul": static(lambda a, b, ta, tb: tf.matmul(place(a), place(b), ta, tb)),
        "reduce": static(lambda s, axes, keep: tf.reduce_sum(place(s), axes, keep)),
        "concat": static(lambda shapes, axis: tf.concat([place(s) for s in shapes], axis)),
        "stack": static(lambda shapes, axis: tf.stack([place(s) for s in shapes], axis)),
        "reshape": static(lambda s, t: tf.reshape(place(s), t)),
    }
    golden = {title: {text: answer(text, names) for text in texts} for title, texts in SECTIONS.items()}
    for found in golden["rules"].values():
        if found[0] == "raises":
            found[2] = ""  # names of graph nodes
    sections = (f"{json.dumps(title)}: {lines(answers)}" for title, answers in golden.items())
    text = f'{{"tensorflow": "{tf.__version__}",\n' + ",\n".join(sections) + "}\n"
    PATH.write_text(text, encoding="utf-8")
    print(f"{sum(map(len, golden.values()))} answers written to {PATH}", file=sys.stderr)


if __name__ == "__main__":
    main()
