"""`StringLookup` and `IntegerLookup`: tokens as numbers, by a vocabulary that is given or learned from data.

Numbers begin with that of the mask, if there is one, then come those of unknown tokens, then those of the vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gradtape._src.api.casting import cast
from gradtape._src.api.ragged_tensor import RaggedTensor
from gradtape._src.api.selection import where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import Tensor
from gradtape._src.keras.preprocessing.categories import MODES, checked_mode, encoded, refuse_sparse, salt_of
from gradtape._src.keras.preprocessing.data_layer import DataLayer, batches_of
from gradtape._src.keras.settings import floatx
from gradtape._src.ops.fingerprint import fingerprint64, keyed_hash64
from gradtape._src.ops.vocabularies import Vocabulary, look_up

_DROPPED = -1  # what a mask becomes where rows are made: it leaves no mark


def _text(token: Any) -> Any:
    return token.decode(errors="replace") if isinstance(token, bytes) else token


def _is_array(data: Any) -> bool:
    return isinstance(data, (list, tuple, np.ndarray, Tensor, RaggedTensor))


class Lookup(DataLayer):
    """What the two layers have in common."""

    _config = (
        "invert", "max_tokens", "num_oov_indices", "oov_token", "mask_token", "output_mode", "sparse",
        "pad_to_max_tokens", "idf_weights", "vocabulary", "oov_method", "salt",
    )  # fmt: skip
    _token: Callable[[Any], Any]  # a token as Python has it
    max_tokens: Any
    encoding: str
    _tokens: list[Any]
    _table: Vocabulary
    _idf: Any
    _counts: Counter[Any]
    _documents: Counter[Any]
    _seen_documents: int

    def __init__(
        self, max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode,
        sparse, pad_to_max_tokens, oov_method="floormod", name=None, salt=None, **kwargs,
    ):  # fmt: skip
        for unused in ("vocabulary_size", "has_input_vocabulary", "vocabulary_dtype"):
            kwargs.pop(unused, None)
        super().__init__(name=name, **kwargs)
        layer = type(self).__name__
        if max_tokens is not None and max_tokens <= 1:
            raise ValueError(
                f"If set, `max_tokens` must be greater than 1. Received: max_tokens={max_tokens}"
            )
        if pad_to_max_tokens and max_tokens is None:
            raise ValueError("If pad_to_max_tokens is True, must set `max_tokens`. Received: max_tokens=None")
        if num_oov_indices < 0:
            raise ValueError(
                f"`num_oov_indices` must be greater than or equal to 0. Received: num_oov_indices={num_oov_indices}"
            )
        refuse_sparse(sparse, layer)
        self.output_mode = checked_mode(output_mode, (*MODES, "tf_idf"), layer)
        if invert and self.output_mode != "int":
            raise ValueError(
                f"`output_mode` must be `'int'` when `invert` is true. Received: output_mode={output_mode}"
            )
        if self.output_mode == "tf_idf":
            if vocabulary is not None and idf_weights is None:
                raise ValueError(
                    "When specifying the `vocabulary` argument, in TF-IDF output mode, the `idf_weights` argument must "
                    "also be provided."
                )
        elif idf_weights is not None:
            raise ValueError(
                f"`idf_weights` should only be set if `output_mode` is `'tf_idf'`. Received: output_mode={output_mode}"
            )
        self.max_tokens, self.num_oov_indices, self.invert = max_tokens, num_oov_indices, invert
        self.mask_token, self.oov_token, self.pad_to_max_tokens = mask_token, oov_token, pad_to_max_tokens
        self.oov_method, self.salt = oov_method, salt_of(salt, layer)
        # A file with a vocabulary belongs to the model's files, and its name not to the configuration.
        self.input_vocabulary = None if isinstance(vocabulary, str) else _plain(vocabulary)
        self.input_idf_weights = _plain(idf_weights)
        self._adapts = vocabulary is None
        dtype = self._value_dtype if invert else np.int64
        self.__dict__.update(_tokens=[], _table=Vocabulary((), None, dtype), _idf=None)
        self._refresh()
        self.reset_state()
        if vocabulary is not None:
            self.set_vocabulary(vocabulary, idf_weights)

    _value_dtype: Any  # the dtype of tokens

    @property
    def input_dtype(self) -> str:
        """Strings or integers."""
        return "string" if self._value_dtype is object and not self.invert else "int64"

    # --- The vocabulary

    @property
    def _first_unknown(self) -> int:
        return int(self.mask_token is not None and self.output_mode == "int")

    @property
    def _first_token(self) -> int:
        return self._first_unknown + self.num_oov_indices

    def _special_tokens(self) -> list[Any]:
        return [self.mask_token] * self._first_unknown + [self.oov_token] * self.num_oov_indices

    def get_vocabulary(self, include_special_tokens=True):
        """The tokens in the order of their numbers, with the special ones in front."""
        special = (
            self._special_tokens()
            if include_special_tokens and (self._tokens or self.input_vocabulary)
            else []
        )
        return [_text(token) for token in (*special, *self._tokens)]

    def vocabulary_size(self):
        """How many numbers there are, with those of the mask and of unknown tokens."""
        return len(self._tokens) + self._first_token

    def set_vocabulary(self, vocabulary, idf_weights=None):
        """Exchanges the vocabulary.

        Args:
          vocabulary: tokens, or the name of a file that has one a line; with the special tokens in front, or without.
          idf_weights: of the tokens, for the output mode "tf_idf".

        Raises:
          ValueError: an empty vocabulary, one that is too long, or has a token twice.
        """
        if self.output_mode == "tf_idf" and idf_weights is None:
            raise ValueError("`idf_weights` must be set if output_mode is 'tf_idf'.")
        if isinstance(vocabulary, str):
            if not Path(vocabulary).exists():
                raise ValueError(f"Vocabulary file {vocabulary} does not exist.")
            vocabulary = Path(vocabulary).read_text(encoding="utf-8").splitlines()
        given = [self._token(token) for token in _plain(vocabulary)]
        if not given:
            raise ValueError(f"Cannot set an empty vocabulary. Received: vocabulary={vocabulary}")
        special = [token if token is None else self._token(token) for token in self._special_tokens()]
        found_special = given[: self._first_token] == special
        tokens = given[self._first_token :] if found_special else given
        self._check(tokens)
        self.__dict__["_tokens"] = tokens
        if self.output_mode == "tf_idf":
            weights = np.asarray(_plain(idf_weights), floatx())
            if len(weights) != len(given):
                raise ValueError(
                    "`idf_weights` must be the same length as vocabulary. "
                    f"len(idf_weights) is {len(weights)}; len(vocabulary) is {len(given)}"
                )
            self._set_idf(weights, 0 if found_special else self._first_token, weights.mean())
        self._refresh()

    def _check(self, tokens: list[Any]) -> None:
        twice = [_text(token) for token, n in Counter(tokens).items() if n > 1]
        if twice:
            raise ValueError(
                "The passed vocabulary has at least one repeated term. Please uniquify your dataset. The repeated "
                f"terms are: {twice}"
            )
        for what, token in (("mask", self.mask_token), ("OOV", self.oov_token if self.invert else None)):
            if token is not None and self._token(token) in tokens:
                raise ValueError(
                    f"Found reserved {what} token at unexpected location in `vocabulary`. Note that passed `vocabulary`"
                    " does not need to include the OOV and mask tokens. Either remove all mask and OOV tokens, or "
                    "include them only at the start of the vocabulary in precisely this order: "
                    f"{self._special_tokens()}."
                )
        size = self._first_token + len(tokens)
        if self.max_tokens is not None and size > self.max_tokens:
            raise ValueError(
                "Attempted to set a vocabulary larger than the maximum vocab size. Received vocabulary size is "
                f"{size}; `max_tokens` is {self.max_tokens}."
            )

    def _set_idf(self, weights: np.ndarray, before: int, value: Any) -> None:
        behind = self.max_tokens - before - len(weights) if self.pad_to_max_tokens else 0
        parts = [np.full(before, value, weights.dtype), weights, np.zeros(behind, weights.dtype)]
        self.__dict__["_idf"] = np.concatenate(parts)

    def _refresh(self) -> None:
        """Brings the table up to date."""
        numbered = list(enumerate(self._tokens, self._first_token))
        mask = None if self.mask_token is None else self._token(self.mask_token)
        if self.invert:
            pairs = numbered if mask is None else [(0, mask), *numbered]
            self._table.set(pairs, self._token(self.oov_token))
            return
        pairs = [(token, i) for i, token in numbered]
        if mask is not None:
            pairs.append((mask, 0 if self.output_mode == "int" else _DROPPED))
        self._table.set(pairs, self._first_unknown if self.num_oov_indices == 1 else self._unknown)

    def _unknown(self, token: Any) -> int:
        """The number of an unknown token, if there is none or more than one."""
        n = self.num_oov_indices
        if n == 0:
            raise InvalidArgumentError.of(
                f"When `num_oov_indices=0` all inputs should be in vocabulary, found OOV values [{_text(token)!r}], "
                "consider setting `num_oov_indices=1`."
            )
        if isinstance(token, int) and self.oov_method != "farmhash":
            return token % n + self._first_unknown
        raw = token if isinstance(token, bytes) else str(token).encode()
        hashed = fingerprint64(raw) if self.salt is None else keyed_hash64(raw, (self.salt[0], self.salt[1]))
        return hashed % n + self._first_unknown

    # --- Learning it

    def adapt(self, data, steps=None):
        """Takes the vocabulary from data: the most frequent tokens first, equally frequent ones from the last on.

        Args:
          data: tokens, a dataset of batches of them, or an iterable of such.
          steps: of how many batches; all of them by default.
        """
        self.reset_state()
        for batch in batches_of(data, steps, _is_array):
            tokens = as_tensor(batch.flat_values if isinstance(batch, RaggedTensor) else batch).numpy()
            self.update_state(tokens[:, None] if _is_array(data) and tokens.ndim == 1 else tokens)
        self.finalize_state()

    def update_state(self, data):
        """Counts the tokens of a batch, whose rows are documents."""
        if not self._adapts:
            raise ValueError(
                f"Cannot adapt layer '{self.name}' after setting a static vocabulary via `vocabulary` argument or "
                "`set_vocabulary()` method."
            )
        tokens = np.asarray(data)
        rows = tokens.reshape(-1, tokens.shape[-1]) if tokens.ndim > 1 else tokens.reshape(1, -1)
        for row in rows.tolist():
            row = [self._token(token) for token in row]
            self._counts.update(row)
            self._documents.update(set(row))
        self.__dict__["_seen_documents"] += len(rows)

    def finalize_state(self):
        """Makes the vocabulary of what was counted."""
        if not self._adapts or not self._counts:
            return
        for special in (self.mask_token, self.oov_token):
            if special is not None:
                self._counts.pop(self._token(special), None)
        ordered = sorted(self._counts, key=lambda token: (self._counts[token], token), reverse=True)
        tokens = ordered[: self.max_tokens - self._first_token] if self.max_tokens else ordered
        self.__dict__["_tokens"] = tokens
        if self.output_mode == "tf_idf":
            shares = [self._seen_documents / (1 + self._documents[token]) for token in tokens]
            weights = np.log1p(np.array(shares)).astype(floatx())
            self._set_idf(weights, self._first_token, weights.mean())
        self._refresh()
        self.reset_state()

    def reset_state(self):
        """Forgets what was counted."""
        self.__dict__.update(_counts=Counter(), _documents=Counter(), _seen_documents=0)

    # --- Calls and files

    def call(self, inputs):
        found = look_up(self._keys(inputs), table=self._table)
        if self.output_mode == "int":
            return found
        if not self._tokens and not self.pad_to_max_tokens:
            raise RuntimeError(
                f"When using `output_mode={self.output_mode}` and `pad_to_max_tokens=False`, you must set the layer's "
                "vocabulary before calling it. Either pass a `vocabulary` argument to the layer, or call `adapt` with "
                "some sample data."
            )
        depth = self.max_tokens if self.pad_to_max_tokens else self.vocabulary_size()
        if self.output_mode in ("multi_hot", "count", "tf_idf"):
            found = _without_mask(found, depth)
        counts = "count" if self.output_mode == "tf_idf" else self.output_mode
        if self.output_mode != "tf_idf":
            return encoded(found, counts, depth, "int64")
        return encoded(found, counts, depth, floatx()) * self._idf

    def _keys(self, inputs: Any) -> Any:
        return cast(inputs, "int64") if self.invert else inputs

    def get_config(self):
        """The arguments that make a layer like this one; a vocabulary that was learned is in the files of a model."""
        return {**super().get_config(), "vocabulary_size": self.vocabulary_size() if self._tokens else None}

    @property
    def vocabulary(self) -> Any:
        """The vocabulary that was given."""
        return self.input_vocabulary

    @property
    def idf_weights(self) -> Any:
        """The weights that were given."""
        return self.input_idf_weights

    sparse = False

    def save_assets(self, folder: Any) -> None:
        """Writes a vocabulary that was learned to a folder."""
        if self.input_vocabulary is None:
            lines = "\n".join("" if token is None else str(token) for token in self.get_vocabulary())
            (Path(folder) / "vocabulary.txt").write_text(lines, encoding="utf-8")

    def load_assets(self, folder: Any) -> None:
        """Reads what `save_assets` wrote."""
        if self.input_vocabulary is None:
            lines = (Path(folder) / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
            while lines and lines[-1] == "":
                lines.pop()
            if lines:
                self.set_vocabulary(lines, self._idf)

    def save_own_variables(self, store: Any) -> None:
        """Puts the weights of the output mode "tf_idf" into a store."""
        if self._idf is not None:
            store["idf_weights"] = self._idf

    def load_own_variables(self, store: Any) -> None:
        """Takes them from a store."""
        if self.output_mode == "tf_idf":
            self.__dict__["_idf"] = np.asarray(store["idf_weights"])


def _without_mask(found: Any, depth: int) -> Any:
    """Numbers of which the mask's is beyond all others: those leave no mark where rows are made."""
    return where(found < 0, as_tensor(depth, found.dtype), found)


def _plain(x: Any) -> Any:
    """A list of Python's values, of anything like it."""
    if x is None or isinstance(x, str):
        return x
    x = x.numpy() if isinstance(x, Tensor) else x
    return x.tolist() if isinstance(x, np.ndarray) else list(x)


class StringLookup(Lookup):
    """Strings as numbers, by a vocabulary.

    Args:
      max_tokens: the size of the vocabulary that `adapt` makes, with the special tokens.
      num_oov_indices: how many numbers unknown strings are hashed into; 0: they raise `InvalidArgumentError`.
      mask_token: a string that becomes 0, and is left out where rows are made.
      oov_token: what unknown numbers become with ``invert``.
      vocabulary: the strings, or the name of a file that has one a line.
      idf_weights: of the strings, for "tf_idf".
      invert: whether numbers are to become strings.
      output_mode: "int"; "one_hot", "multi_hot", "count" as of `CategoryEncoding`; "tf_idf": counts times
        weights that are larger for words of fewer documents, ``log(1 + documents / (1 + documents with the word))``.
      pad_to_max_tokens: whether rows have ``max_tokens`` elements, however large the vocabulary is.
      sparse: not supported.
      encoding: of the strings.
      name: of the layer.
      salt: as of `Hashing`, for unknown strings.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.StringLookup(vocabulary=["a", "b", "c"])
    >>> layer([["a", "c"], ["d", "b"]]).numpy()
    array([[1, 3],
           [0, 2]])
    >>> layer = tf.keras.layers.StringLookup()
    >>> layer.adapt(["x", "y", "y"])
    >>> layer.get_vocabulary()
    ['[UNK]', 'y', 'x']

    As Keras 3.
    """

    _config = ("encoding",)

    def __init__(
        self, max_tokens=None, num_oov_indices=1, mask_token=None, oov_token="[UNK]", vocabulary=None,
        idf_weights=None, invert=False, output_mode="int", pad_to_max_tokens=False, sparse=False,
        encoding="utf-8", name=None, salt=None, **kwargs,
    ):  # fmt: skip
        self.__dict__["encoding"] = encoding
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode,
            sparse, pad_to_max_tokens, name=name, salt=salt, **kwargs,
        )  # fmt: skip

    _value_dtype = object

    def _token(self, token: Any) -> Any:
        return token.encode(self.encoding) if isinstance(token, str) else token


class IntegerLookup(Lookup):
    """Integers as numbers from 0 on, by a vocabulary; see `StringLookup`.

    With ``oov_method="farmhash"`` unknown ones are hashed, else the remainder is taken.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.IntegerLookup(vocabulary=[12, 36, 1138, 42])
    >>> layer([[12, 1138, 42], [42, 1000, 36]]).numpy()
    array([[1, 3, 4],
           [4, 0, 2]])

    As Keras 3.
    """

    def __init__(
        self, max_tokens=None, num_oov_indices=1, mask_token=None, oov_token=-1, vocabulary=None,
        vocabulary_dtype="int64", idf_weights=None, invert=False, output_mode="int", sparse=False,
        pad_to_max_tokens=False, oov_method="floormod", salt=None, name=None, **kwargs,
    ):  # fmt: skip
        if vocabulary_dtype != "int64":
            raise ValueError(
                "Only `vocabulary_dtype='int64'` is supported at this time. Received: "
                f"vocabulary_dtype={vocabulary_dtype}"
            )
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode,
            sparse, pad_to_max_tokens, oov_method, name, salt, **kwargs,
        )  # fmt: skip

    _value_dtype = np.int64

    def _token(self, token: Any) -> Any:
        return int(token)

    def _keys(self, inputs: Any) -> Any:
        return cast(inputs, "int64")

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "vocabulary_dtype": "int64"}
