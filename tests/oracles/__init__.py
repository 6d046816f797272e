"""The definition of every kernel: slow, obvious, pure Python. Readable first, fast never.

One parametrised test (`tests/kernels/test_oracles.py`) holds each kernel equal to what is written here.
"""
