"""Tokenizers against the output of the programs that they follow."""
