"""What carom raises when it is given something it cannot work with."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional, Tuple


class Mistake(NamedTuple):
    """One thing wrong with a scenario."""

    line: int  #: from 1; 0 where it belongs to no line
    field: str  #: "bodies[0].mass"; "" for the whole
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (f"line {self.line}" if self.line else "", self.field, self.message) if part)


class InvalidInput(ValueError):
    """Bad input, named: `str(error)` reads "friction: must be >= 0, got -0.4"."""

    field: str  #: the argument, field or path at fault; "" for the whole
    message: str  #: what is wrong with it
    index: Optional[int]  #: of a batch or a list of rows: the row
    mistakes: Tuple[Mistake, ...]  #: of a scenario: everything that is wrong with it

    def __init__(
        self,
        field: Optional[str],
        message: str,
        index: Optional[int] = None,
        mistakes: Optional[Sequence[Tuple[int, str, str]]] = None,
    ) -> None:
        self.field, self.message, self.index = field or "", message, index
        self.mistakes = tuple(Mistake(*each) for each in mistakes or ())
        super().__init__(self._text())

    def _text(self) -> str:
        if len(self.mistakes) > 1:
            return self.message
        where = f"{self.field}: " if self.field else ""
        row = "" if self.index is None else f" (row {self.index})"
        return f"{where}{self.message}{row}"

    def __reduce__(self) -> Tuple[object, ...]:
        return (type(self), (self.field, self.message, self.index, [tuple(each) for each in self.mistakes]))
