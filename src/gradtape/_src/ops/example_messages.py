"""The messages of TensorFlow's examples: `tf.train.Example` and its parts, as protocol buffers.

They are described here by their fields, in a pool of their own, so that TensorFlow may be in the same process. The
classes come from the protobuf package: their bytes, texts and methods are those of TensorFlow's.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "tensorflow"
_FIELD: Any = descriptor_pb2.FieldDescriptorProto
_KINDS = {"bytes": _FIELD.TYPE_BYTES, "float": _FIELD.TYPE_FLOAT, "int64": _FIELD.TYPE_INT64}

# For each message its fields in the order of their numbers: name, kind, and whether it is a list.
_MESSAGES: dict[str, list[tuple[str, str, bool]]] = {
    "BytesList": [("value", "bytes", True)],
    "FloatList": [("value", "float", True)],
    "Int64List": [("value", "int64", True)],
    "Feature": [
        ("bytes_list", "BytesList", False),
        ("float_list", "FloatList", False),
        ("int64_list", "Int64List", False),
    ],
    "Features": [],
    "FeatureList": [("feature", "Feature", True)],
    "FeatureLists": [],
    "Example": [("features", "Features", False)],
    "SequenceExample": [("context", "Features", False), ("feature_lists", "FeatureLists", False)],
}
_MAPS = {"Features": ("feature", "Feature"), "FeatureLists": ("feature_list", "FeatureList")}
_ONE_OF = {"Feature": "kind"}


def _add_field(message: Any, number: int, name: str, kind: str, repeated: bool) -> Any:
    label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
    field = message.field.add(name=name, number=number, label=label)
    if kind == "string":
        field.type = _FIELD.TYPE_STRING
    elif kind in _KINDS:
        field.type = _KINDS[kind]
    else:
        field.type, field.type_name = _FIELD.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
    return field


def _described() -> Any:
    file = descriptor_pb2.FileDescriptorProto(
        name="gradtape/example.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, field in enumerate(fields, 1):
            made = _add_field(message, number, *field)
            if name in _ONE_OF:
                made.oneof_index = 0
        if name in _ONE_OF:
            message.oneof_decl.add(name=_ONE_OF[name])
        if name in _MAPS:
            field_name, value = _MAPS[name]
            entry = message.nested_type.add(name=f"{field_name.title().replace('_', '')}Entry")
            entry.options.map_entry = True
            _add_field(entry, 1, "key", "string", False)
            _add_field(entry, 2, "value", value, False)
            _add_field(message, 1, field_name, f"{name}.{entry.name}", True)
    return file


_pool = descriptor_pool.DescriptorPool()
_pool.AddSerializedFile(_described().SerializeToString())


def _message(name: str) -> Any:
    return message_factory.GetMessageClass(_pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))


BytesList = _message("BytesList")
FloatList = _message("FloatList")
Int64List = _message("Int64List")
Feature = _message("Feature")
Features = _message("Features")
FeatureList = _message("FeatureList")
FeatureLists = _message("FeatureLists")
Example = _message("Example")
SequenceExample = _message("SequenceExample")
