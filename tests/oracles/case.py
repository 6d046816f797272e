"""Lower-casing, in three opinions."""

import string

_ASCII = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower(text: str, how: str) -> str:
    """Python's str.lower, C's tolower (A to Z only), or Perl's lc (which knows no final sigma)."""
    if how == "ascii":
        return text.translate(_ASCII)
    if how == "perl":
        return "".join(char.lower() for char in text)  # one at a time, no sigma sees that it is the last
    return text.lower()
