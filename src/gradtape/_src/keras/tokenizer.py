"""`Tokenizer` and its kin: texts as numbers of words, as Keras 2 has them. `TextVectorization` is the newer way."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, OrderedDict
from typing import Any

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(input_text, filters=_FILTERS, lower=True, split=" "):
    """The words of a text.

    Args:
      input_text: the text.
      filters: characters that separate words.
      lower: whether to make it lower case.
      split: what separates words.

    >>> import gradtape as tf
    >>> tf.keras.preprocessing.text.text_to_word_sequence("The cat, the dog.")
    ['the', 'cat', 'the', 'dog']
    """
    text = input_text.lower() if lower else input_text
    return [
        word for word in text.translate(str.maketrans(dict.fromkeys(filters, split))).split(split) if word
    ]


def hashing_trick(text, n, hash_function=None, filters=_FILTERS, lower=True, split=" ", analyzer=None):
    """The words of a text as numbers from 1 to n - 1, by a hash; several words may have one number.

    Args:
      text: the text.
      n: the range of the numbers.
      hash_function: of a word; Python's by default, which differs from process to process; ``"md5"`` does not.
      filters, lower, split, analyzer: as of `Tokenizer`.
    """
    if hash_function == "md5":
        hash_function = lambda word: int(hashlib.md5(word.encode()).hexdigest(), 16)
    words = text_to_word_sequence(text, filters, lower, split) if analyzer is None else analyzer(text)
    return [(hash_function or hash)(word) % (n - 1) + 1 for word in words]


def one_hot(input_text, n, filters=_FILTERS, lower=True, split=" ", analyzer=None):
    """The same as `hashing_trick` with Python's hash."""
    return hashing_trick(input_text, n, hash, filters, lower, split, analyzer)


class Tokenizer:
    """Texts as numbers of words, counted from 1 on by their frequency in the texts it was fitted on.

    Args:
      num_words: only numbers below it are given.
      filters, lower, split: as of `text_to_word_sequence`.
      char_level: whether characters are the words.
      oov_token: a word that stands for unknown ones, with the number 1; without it they are left out.
      analyzer: a function that gives the words of a text.

    >>> import gradtape as tf
    >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
    >>> tokenizer.fit_on_texts(["The cat sat.", "The dog sat, the cat ran."])
    >>> tokenizer.texts_to_sequences(["the dog", "a cat"])
    [[1, 4], [2]]
    """

    def __init__(
        self, num_words=None, filters=_FILTERS, lower=True, split=" ", char_level=False, oov_token=None,
        analyzer=None, **kwargs,
    ):  # fmt: skip
        document_count = kwargs.pop("document_count", 0)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.analyzer = char_level, oov_token, analyzer
        self.document_count = document_count
        self.word_counts: Any = OrderedDict()
        self.word_docs: Any = Counter()
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}
        self.index_docs: Any = Counter()

    def _words(self, text: Any) -> list[str]:
        if self.char_level or isinstance(text, list):
            return [part.lower() for part in text] if self.lower else list(text)
        if self.analyzer is not None:
            return self.analyzer(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        """Counts the words of texts (or of lists of words), and numbers them anew."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            self.word_docs.update(set(words))
        ordered = sorted(self.word_counts, key=self.word_counts.__getitem__, reverse=True)
        if self.oov_token is not None:
            ordered = [self.oov_token, *ordered]
        self.word_index = {word: i for i, word in enumerate(ordered, 1)}
        self.index_word = {i: word for word, i in self.word_index.items()}
        self.index_docs = Counter({self.word_index[word]: n for word, n in self.word_docs.items()})

    def fit_on_sequences(self, sequences):
        """Counts the numbers of sequences, for `sequences_to_matrix`."""
        self.document_count += len(sequences)
        for sequence in sequences:
            self.index_docs.update(set(sequence))

    def texts_to_sequences(self, texts):
        """The numbers of the words of each text, as lists."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        """As `texts_to_sequences`, one after the other."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for text in texts:
            numbers = []
            for word in self._words(text):
                i = self.word_index.get(word)
                if i is None or (self.num_words and i >= self.num_words):
                    i = unknown
                if i is not None:
                    numbers.append(i)
            yield numbers

    def sequences_to_texts(self, sequences):
        """The words of lists of numbers, with spaces between."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences):
        """As `sequences_to_texts`, one after the other."""
        for sequence in sequences:
            words = []
            for i in sequence:
                word = self.index_word.get(i)
                if word is None or (self.num_words and i >= self.num_words):
                    word = self.oov_token
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts, mode="binary"):
        """A row for each text; see `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """A row for each list of numbers, a column for each number: whether it occurs, how often, ...

        Args:
          sequences: lists of numbers.
          mode: "binary", "count", "freq" (the share of the list), or "tfidf": (1 + log count) * log(1 + documents /
            (1 + documents with the word)).
        """
        if mode not in ("binary", "count", "freq", "tfidf"):
            raise ValueError(f"Unknown vectorization mode: {mode}")
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        out = np.zeros((len(sequences), self.num_words or len(self.word_index) + 1))
        for row, sequence in zip(out, sequences):
            for i, n in Counter(i for i in sequence if i < len(row)).items():
                if mode == "tfidf":
                    rarity = np.log(1 + self.document_count / (1 + self.index_docs.get(i, 0)))
                    row[i] = (1 + np.log(n)) * rarity
                else:
                    row[i] = {"binary": 1, "count": n, "freq": n / len(sequence)}[mode]
        return out

    def get_config(self):
        """What it was made with and what it has counted, as plain values."""
        config = {name: getattr(self, name) for name in (
            "num_words", "filters", "lower", "split", "char_level", "oov_token", "document_count"
        )}  # fmt: skip
        counted = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
        return {**config, **{name: json.dumps(getattr(self, name)) for name in counted}}

    def to_json(self, **kwargs):
        """The configuration as a JSON text, which `tokenizer_from_json` reads."""
        return json.dumps({"class_name": "Tokenizer", "config": self.get_config()}, **kwargs)


def tokenizer_from_json(json_string):
    """The tokenizer of `Tokenizer.to_json`."""
    config = dict(json.loads(json_string)["config"])
    names = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    counted = {name: json.loads(config.pop(name)) for name in names}
    tokenizer = Tokenizer(**config)
    tokenizer.word_counts = OrderedDict(counted["word_counts"])
    tokenizer.word_docs, tokenizer.word_index = Counter(counted["word_docs"]), counted["word_index"]
    tokenizer.index_docs = Counter({int(i): n for i, n in counted["index_docs"].items()})
    tokenizer.index_word = {int(i): word for i, word in counted["index_word"].items()}
    return tokenizer
