"""Kernels in C beside those in NumPy: whole recurrences, which NumPy can only do step by step.

``library.py`` is the way in; ``recurrent.py`` and ``products.py`` say for each kernel when it is used. Where the
package was built without a C compiler there is no library, and NumPy does everything, in more time.
"""
