"""Kernels in C beside those in NumPy: whole recurrences, which NumPy can only do step by step, and windows,
which it has to copy.

``library.py`` is the way in; ``recurrent.py``, ``products.py`` and ``windows.py`` say when a kernel is used. Where the
package was built without a C compiler there is no library, and NumPy does everything, in more time.
"""
