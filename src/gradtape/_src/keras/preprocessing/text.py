"""`TextVectorization`: texts as numbers of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api import strings
from gradtape._src.api.arrays import ensure_shape, squeeze
from gradtape._src.api.joining import pad
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor, shape_of
from gradtape._src.keras.preprocessing.categories import MODES, checked_mode, refuse_sparse
from gradtape._src.keras.preprocessing.data_layer import DataLayer, batches_of
from gradtape._src.keras.preprocessing.lookup import StringLookup
from gradtape._src.keras.serialization import deserialize_keras_object, serialize_keras_object
from gradtape._src.ops import vocabularies as ops

_PUNCTUATION = r'[!"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\']'
_STANDARDS = (None, "lower_and_strip_punctuation", "lower", "strip_punctuation")
_SPLITS = (None, "whitespace", "character")


def _is_array(data: Any) -> bool:
    return isinstance(data, (list, tuple, np.ndarray, Tensor))


class TextVectorization(DataLayer):
    """Texts as rows: of the numbers of their words, or of what words occur in them.

    A text is standardized, cut into words, perhaps joined to n-grams, and looked up as by `StringLookup` with the mask
    "": so 0 fills up short texts, and 1 is the number of unknown words.

    Args:
      max_tokens: the size of the vocabulary that `adapt` makes, with the two special tokens.
      standardize: "lower_and_strip_punctuation", "lower", "strip_punctuation", None, or a function of tensors.
      split: "whitespace", "character", None, or a function of tensors that gives a matrix, short rows filled with "".
      ngrams: an integer n for all n-grams up to n, or a tuple of integers.
      output_mode: "int", "multi_hot", "count" or "tf_idf".
      output_sequence_length: to which the numbers of a text are cut or filled up, in the mode "int".
      pad_to_max_tokens, vocabulary, idf_weights, encoding: as of `StringLookup`.
      sparse, ragged: not supported.
      name: of the layer.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.TextVectorization(output_sequence_length=4)
    >>> layer.adapt(["The cat.", "the dog!"])
    >>> layer.get_vocabulary()
    ['', '[UNK]', 'the', 'dog', 'cat']
    >>> layer(["The bird", "Dog"]).numpy()
    array([[2, 1, 0, 0],
           [3, 0, 0, 0]])

    As Keras 3.
    """

    def __init__(
        self, max_tokens=None, standardize="lower_and_strip_punctuation", split="whitespace", ngrams=None,
        output_mode="int", output_sequence_length=None, pad_to_max_tokens=False, vocabulary=None,
        idf_weights=None, sparse=False, ragged=False, encoding="utf-8", name=None, **kwargs,
    ):  # fmt: skip
        for unused in ("vocabulary_size", "has_input_vocabulary"):
            kwargs.pop(unused, None)
        super().__init__(name=name, **kwargs)
        refuse_sparse(sparse, "TextVectorization")
        if ragged:
            raise ValueError("TextVectorization(ragged=True) is not supported: its outputs are dense.")
        for word, value, known in (("standardize", standardize, _STANDARDS), ("split", split, _SPLITS)):
            if value not in known and not callable(value):
                raise ValueError(
                    f"Unknown value for `{word}` of layer TextVectorization. Expected a function or one of {known}. "
                    f"Received: {word}={value}"
                )
        mode = checked_mode(output_mode, (*MODES, "tf_idf"), "TextVectorization")
        if mode != "int" and output_sequence_length is not None:
            raise ValueError(
                "`output_sequence_length` must not be set if `output_mode` is not 'int'. Received "
                f"output_sequence_length={output_sequence_length}."
            )
        self._standardize, self._split, self._ngrams = standardize, split, ngrams
        self._output_mode, self._length = mode, output_sequence_length
        self._lookup_layer = StringLookup(
            max_tokens=max_tokens, vocabulary=vocabulary, idf_weights=idf_weights, mask_token="",
            pad_to_max_tokens=pad_to_max_tokens, output_mode=mode, encoding=encoding,
        )  # fmt: skip

    @property
    def input_dtype(self) -> str:
        """Strings."""
        return "string"

    # --- The vocabulary

    def adapt(self, data, batch_size=None, steps=None):
        """Takes the vocabulary from texts: a list or an array, a dataset of batches, or an iterable of such.

        Args:
          data: the texts.
          batch_size: without effect.
          steps: of how many batches; all of them by default.
        """
        self.reset_state()
        for batch in batches_of(data, steps, _is_array):
            self.update_state(batch)
        self.finalize_state()

    def update_state(self, data):
        """Counts the words of a batch of texts."""
        texts = as_tensor(data)
        self._lookup_layer.update_state(self._words(texts if shape_of(texts) else texts[None]))

    def finalize_state(self):
        """Makes the vocabulary of what was counted."""
        self._lookup_layer.finalize_state()

    def reset_state(self):
        """Forgets what was counted."""
        self._lookup_layer.reset_state()

    def get_vocabulary(self, include_special_tokens=True):
        """The words in the order of their numbers."""
        return self._lookup_layer.get_vocabulary(include_special_tokens)

    def vocabulary_size(self):
        """How many numbers there are."""
        return self._lookup_layer.vocabulary_size()

    def set_vocabulary(self, vocabulary, idf_weights=None):
        """Exchanges the vocabulary; see `StringLookup.set_vocabulary`."""
        self._lookup_layer.set_vocabulary(vocabulary, idf_weights)

    # --- Calls

    def _words(self, texts: Any) -> Any:
        """The words of each text as a row, filled up with empty strings."""
        how = self._standardize
        if how in ("lower", "lower_and_strip_punctuation"):
            texts = strings.lower(texts)
        if how in ("strip_punctuation", "lower_and_strip_punctuation"):
            texts = strings.regex_replace(texts, _PUNCTUATION, "")
        if callable(how):
            texts = how(texts)
        if self._split is not None:
            texts = self._split_of(texts)
        if self._ngrams is not None:
            widths = (
                tuple(range(1, self._ngrams + 1)) if isinstance(self._ngrams, int) else tuple(self._ngrams)
            )
            texts = ops.ngrams(texts, widths=widths)
        return texts

    def _split_of(self, texts: Any) -> Any:
        shape = shape_of(texts)
        if len(shape) > 1:
            if shape[-1] != 1:
                raise ValueError(
                    "When using `TextVectorization` to tokenize strings, the input rank must be 1 or the last shape "
                    f"dimension must be 1. Received: inputs.shape={tuple(shape)} with rank={len(shape)}"
                )
            texts = squeeze(texts, axis=-1)
        if not callable(self._split):
            return ops.split_rows(texts, how=self._split)
        found = self._split(texts)
        return found.to_tensor("") if hasattr(found, "to_tensor") else found

    def call(self, inputs):
        single = shape_of(inputs) == ()
        words = self._words(inputs[None] if single else inputs)
        found = self._lookup_layer(words)
        if self._output_mode == "int" and self._length is not None:
            n = self._length
            found = pad(found[..., :n], [*[[0, 0]] * (len(shape_of(found)) - 1), [0, n]])[..., :n]
            found = ensure_shape(found, [*shape_of(found)[:-1], n])
        return found[0] if single else found

    # --- Configuration and files

    def get_config(self):
        """The arguments that make a layer like this one; a vocabulary that was learned is in the files of a model."""
        lookup = self._lookup_layer
        return {
            **super().get_config(),
            "max_tokens": lookup.max_tokens,
            "standardize": serialize_keras_object(self._standardize),
            "split": serialize_keras_object(self._split),
            "ngrams": self._ngrams,
            "output_mode": self._output_mode,
            "output_sequence_length": self._length,
            "pad_to_max_tokens": lookup.pad_to_max_tokens,
            "vocabulary": lookup.input_vocabulary,
            "idf_weights": lookup.input_idf_weights,
            "encoding": lookup.encoding,
            "sparse": False,
            "ragged": False,
            "vocabulary_size": self.vocabulary_size(),
        }

    @classmethod
    def from_config(cls, config):
        """The layer of `get_config`."""
        functions = {
            key: deserialize_keras_object(config[key]) for key in ("standardize", "split") if key in config
        }
        return cls(**{**config, **functions})

    def save_assets(self, folder: Any) -> None:
        """Writes a vocabulary that was learned to a folder."""
        self._lookup_layer.save_assets(folder)

    def load_assets(self, folder: Any) -> None:
        """Reads what `save_assets` wrote."""
        self._lookup_layer.load_assets(folder)

    def save_own_variables(self, store: Any) -> None:
        """Puts the weights of the output mode "tf_idf" into a store."""
        self._lookup_layer.save_own_variables(store)

    def load_own_variables(self, store: Any) -> None:
        """Takes them from a store."""
        self._lookup_layer.load_own_variables(store)
