"""``tf.contrib.learn.preprocessing``: documents as vectors of the numbers of their words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|['\w\-]+", re.UNICODE)


def tokenizer(iterator):
    """The words of each of several texts.

    >>> import gradtape.compat.v1 as tf
    >>> list(tf.contrib.learn.preprocessing.tokenizer(["One two, three"]))
    [['One', 'two', 'three']]
    """
    for text in iterator:
        yield _WORD.findall(text)


class CategoricalVocabulary:
    """Numbers for categories: 0 for what is unknown, then one after the other.

    >>> import gradtape.compat.v1 as tf
    >>> words = tf.contrib.learn.preprocessing.CategoricalVocabulary()
    >>> words.get("a"), words.get("b"), words.get("a"), words.reverse(2)
    (1, 2, 1, 'b')
    """

    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._numbers: dict[Any, int] = {unknown_token: 0}
        self._names: list[Any] = [unknown_token]
        self._counts: Counter[Any] = Counter()
        self._frozen = False

    def __len__(self):
        return len(self._names)

    def freeze(self, freeze=True):
        """From here on what is new is unknown."""
        self._frozen = freeze

    def get(self, category):
        """The number of a category, which is new if it has none."""
        if category not in self._numbers:
            if self._frozen:
                return 0
            self._numbers[category] = len(self._names)
            self._names.append(category)
        return self._numbers[category]

    def add(self, category, count=1):
        """Counts a category."""
        if self.get(category) > 0:
            self._counts[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Leaves out what was counted no more than ``min_frequency`` times, or ``max_frequency`` times or more.

        What is left is numbered anew, the most frequent first.
        """
        by_count = sorted(sorted(self._counts.items()), key=lambda item: item[1], reverse=True)
        kept = [
            name
            for name, count in by_count
            if count > min_frequency and (max_frequency <= 0 or count < max_frequency)
        ]
        self._names = [self._names[0], *kept]
        self._numbers = {name: i for i, name in enumerate(self._names)}
        self._counts = Counter({name: self._counts[name] for name in kept})

    def reverse(self, class_id):
        """The category of a number."""
        return self._names[class_id]


class VocabularyProcessor:
    """Texts as vectors of one length: the numbers of their words, and 0 at the end.

    Args:
      max_document_length: the length; longer texts are cut.
      min_frequency: words that `fit` meets no more often are left out, unless it is 0.
      vocabulary: a `CategoricalVocabulary` to go on with.
      tokenizer_fn: a function of an iterator of texts that gives an iterator of lists of words.

    >>> import gradtape.compat.v1 as tf
    >>> processor = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
    >>> list(processor.fit_transform(["I am here", "here am I again today"]))
    [array([1, 2, 3, 0]), array([3, 2, 1, 4])]

    As TensorFlow 1.15, except that `save` writes JSON, which executes nothing when it is read.
    """

    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: Any = None) -> VocabularyProcessor:
        """Learns the words of texts; after it, other words are unknown."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Iterable[str], unused_y: Any = None) -> Iterator[np.ndarray]:
        """`fit`, then `transform`."""
        documents = list(raw_documents)
        self.fit(documents)
        return self.transform(documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """The vectors of texts, one after the other."""
        for tokens in self._tokenizer(raw_documents):
            numbers = np.zeros(self.max_document_length, np.int64)
            for i, token in zip(range(self.max_document_length), tokens):
                numbers[i] = self.vocabulary_.get(token)
            yield numbers

    def reverse(self, documents: Iterable[Any]) -> Iterator[str]:
        """The words of vectors, with blanks between them."""
        for numbers in documents:
            yield " ".join(self.vocabulary_.reverse(int(number)) for number in numbers)

    def save(self, filename: str) -> None:
        """Writes the words to a file."""
        names = self.vocabulary_._names
        with open(filename, "w", encoding="utf-8") as file:
            json.dump({"length": self.max_document_length, "least": self.min_frequency, "words": names}, file)

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """What `save` has written; its words are all there are."""
        with open(filename, encoding="utf-8") as file:
            saved = json.load(file)
        vocabulary = CategoricalVocabulary(saved["words"][0])
        for word in saved["words"][1:]:
            vocabulary.get(word)
        vocabulary.freeze()
        return cls(saved["length"], saved["least"], vocabulary)
