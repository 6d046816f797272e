"""What metrics say of one segment: n-grams found and missed, edit scripts, and formulas as trees of numbers.

Nothing here computes a score. A metric's `details` puts these pieces around the numbers that its own `statistics` and
`score` gave. `__init__.pyi` lists them; each is loaded when a segment is explained, and not to score texts.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
