"""What happens when bodies hit each other?"""
from __future__ import annotations

from ._errors import InvalidInput, Mistake
from ._rows import *
from ._answers import solve
