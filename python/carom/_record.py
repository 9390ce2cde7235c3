"""Answers as read-only records."""
from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from typing import Any, Dict, Optional, Tuple, Type, TypeVar

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

Array = NDArray[np.float64]
R = TypeVar("R", bound="Record")


def frozen(values: Any) -> Array:
    """Numbers as an array that cannot be written to; None becomes nan."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


class Record:
    """What a model answers: attributes that can be read, not written. `to_dict()` gives plain Python."""

    __slots__ = ("_data", "_row", "_cache")
    _fields: Tuple[str, ...] = ()
    _data: Dict[str, Any]
    _row: Optional[Dict[str, Any]]
    _cache: Dict[str, Any]

    def __init__(self, data: Mapping[str, Any], row: Optional[Mapping[str, Any]] = None) -> None:
        object.__setattr__(self, "_data", dict(data))
        object.__setattr__(self, "_row", None if row is None else dict(row))
        object.__setattr__(self, "_cache", {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self._data, self._row))

    def __dir__(self) -> Iterator[str]:
        return iter([*(name + "_" * keyword.iskeyword(name) for name in self._fields), "to_dict", "plot"])

    def __repr__(self) -> str:
        from ._reprs import one_line

        return one_line(self)

    def to_dict(self) -> Dict[str, Any]:
        """The answer as `carom.solve` gives it: dictionaries, lists, numbers, texts, None."""
        copied: Dict[str, Any] = plain(self._data)
        return copied

    def plot(self, ax: Any = None, *, picture: Optional[str] = None) -> Any:
        """Draws the answer with matplotlib; returns its axes.

        Arguments:
            ax: axes to draw into; a new figure without
            picture: which of several pictures: `hodograph`, `impulse_curve`, `friction_cone` (in space), `energy`, ...
        """
        from ._plots import plot_record

        return plot_record(self, ax, picture)

    # What the attributes are made of.

    def _absent(self, name: str) -> bool:
        return self._data.get(name) is None

    def _float(self, name: str) -> float:
        value = self._data[name]
        return float("nan") if value is None else float(value)

    def _int(self, name: str) -> int:
        return int(self._data[name])

    def _bool(self, name: str) -> bool:
        return bool(self._data[name])

    def _str(self, name: str) -> str:
        return str(self._data[name])

    def _ints(self, name: str) -> Tuple[int, ...]:
        return tuple(int(each) for each in self._data[name])

    def _words(self, name: str) -> Tuple[str, ...]:
        return tuple(self._data[name])

    def _anything(self, name: str) -> Any:
        return plain(self._data.get(name))

    def _mapping(self, name: str) -> Dict[str, Any]:
        copied: Dict[str, Any] = plain(self._data[name])
        return copied

    def _array(self, name: str) -> Array:
        if name not in self._cache:
            self._cache[name] = frozen(self._data[name])
        array: Array = self._cache[name]
        return array

    def _record(self, name: str, kind: Type[R]) -> R:
        if name not in self._cache:
            self._cache[name] = kind(self._data[name])
        record: R = self._cache[name]
        return record

    def _records(self, name: str, kind: Type[R]) -> Tuple[R, ...]:
        if name not in self._cache:
            self._cache[name] = tuple(kind(each) for each in self._data[name])
        records: Tuple[R, ...] = self._cache[name]
        return records

    def _maybe_records(self, name: str, kind: Type[R]) -> Tuple[Optional[R], ...]:
        if name not in self._cache:
            self._cache[name] = tuple(None if each is None else kind(each) for each in self._data[name])
        records: Tuple[Optional[R], ...] = self._cache[name]
        return records


def plain(value: Any) -> Any:
    """A copy down to the numbers."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value
