"""The hot loops: plain functions over packed text and arrays, compiled from `native/`.

Packed lines are (bytes, offsets), packed tokens (bytes, offsets of words, rows of words). The readable
definition of each kernel is its oracle in `tests/oracles`.
"""

from tercet.kernels._native import *  # noqa: F403 -- whatever `native/bindings` defines; the stub names it
