"""The nouns: test sets, statistics, scores, judgements. Frozen, and checked once when made.

`__init__.pyi` lists them; each is loaded when it is first asked for, so that a verb loads no more than it needs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
