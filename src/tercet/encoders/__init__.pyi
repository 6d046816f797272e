"""The public names of this room, each with its home; `__init__.py` loads one when it is first asked for."""

from .reading import Encoded as Encoded
from .reading import Encoder as Encoder
from .reading import encoder as encoder
from .surroundings import while_reading as while_reading
