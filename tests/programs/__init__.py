"""Programs with control flow, made by hypothesis.

``tree`` says what a program is, ``drawing`` draws one, ``writing`` writes it as Python text (with ``tf.cond`` and
``tf.while_loop``, or with ``if`` and ``while`` for AutoGraph), and ``running`` executes the text in every mode.
"""
