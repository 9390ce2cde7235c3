"""Many impacts at once, from arrays with a leading batch axis into arrays."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InvalidInput
from ._record import Array

Progress = Optional[Callable[[int, int], object]]
Codes = NDArray[np.uint8]

INVALID = _core.names["verdict"].index("invalid")
#: verdicts of batches of systems: where a rigid law has no answer there is one more
VERDICTS = (*_core.names["verdict"], "no_solution")
_SPOKEN = {"inverse_inertia": "W", "velocity": "v", "stiffness_ratio_root": "eta0"}


def numbers(name: str, value: Any, tail: Tuple[int, ...], shown: str = "") -> Array:
    """An argument as an array of doubles with a leading batch axis: the same memory where it holds doubles already.

    Arguments:
        tail: the shape of one row; -1: any
    """
    wanted = shown or ", ".join("n" if size < 0 else str(size) for size in tail)
    one = ("a number", f"({wanted},)", f"({wanted})")[len(tail)]
    shapes = f"(N, {wanted}) or {one}" if tail else f"(N,) or {one}"
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise InvalidInput(name, f"must be an array of shape {shapes}: {error}") from None
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise InvalidInput(name, "must not be masked: numbers that are not there")
    if array.dtype.kind not in "fiu":
        raise InvalidInput(name, f"must hold real numbers, got {array.dtype}")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise InvalidInput(name, f"must hold doubles or what fits into them, got {array.dtype}")
    if array.dtype != np.float64 or not array.dtype.isnative or not array.flags.aligned:
        array = np.array(array, dtype=np.float64)
    if array.ndim == len(tail):
        array = array[np.newaxis]
    if array.ndim != len(tail) + 1 or any(size not in (-1, given) for size, given in zip(tail, array.shape[1:])):
        raise InvalidInput(name, f"must have shape {shapes}, got {np.shape(value)}")
    return array


def row_count(arrays: Mapping[str, Array]) -> int:
    """Rows of the batch: all arrays have as many, or one for all."""
    count, first = 1, ""
    for name, array in arrays.items():
        if len(array) == 1:
            continue
        if first and len(array) != count:
            raise InvalidInput(name, f"must have {count} rows, as {first}, or one for all, got {len(array)}")
        count, first = len(array), name
    return count


def thread_count(threads: Any) -> int:
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 0:
        raise InvalidInput("threads", f"must be a whole number >= 0 (0: one per core), got {threads!r}")
    return int(threads)


def destination(
    out: Any, wanted: Mapping[str, Tuple[Tuple[int, ...], Any]], inputs: Mapping[str, Array]
) -> Dict[str, NDArray[Any]]:
    """The arrays that results go to: those given, the others made.

    Arguments:
        wanted: shape and dtype by name
    """
    given: Mapping[str, Any] = {}
    if isinstance(out, Batch):
        given = out._arrays
    elif isinstance(out, Mapping):
        given = out
    elif out is not None:
        raise InvalidInput(
            "out", f"must be a dictionary of arrays or the result of such a call, got a {type(out).__name__}"
        )
    arrays: Dict[str, NDArray[Any]] = {}
    for name, array in given.items():
        if name not in wanted:
            raise InvalidInput(
                f"out[{name!r}]",
                "is not a result" + (_core.suggestion(str(name), list(wanted)) or f"; there are: {', '.join(wanted)}"),
            )
        shape, kind = wanted[name]
        if (
            not isinstance(array, np.ndarray)
            or array.shape != shape
            or array.dtype != np.dtype(kind)
            or not array.dtype.isnative
        ):
            shown = f"{array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else f"a {type(array).__name__}"
            raise InvalidInput(f"out[{name!r}]", f"must be an array of shape {shape} of {np.dtype(kind)}, got {shown}")
        if not array.flags.writeable:
            raise InvalidInput(f"out[{name!r}]", "must not be read-only")
        for other_name, other in (*inputs.items(), *arrays.items()):
            if np.may_share_memory(array, other):
                raise InvalidInput(f"out[{name!r}]", f"must not share its memory with {other_name}")
        arrays[name] = array
    for name, (shape, kind) in wanted.items():
        if name not in arrays:
            arrays[name] = np.empty(shape, dtype=kind)
    return arrays


class Batch:
    """Results of a batch, array by array; a row of each is one impact.

    impulse [N s] and velocity_after [m/s] are nan where the verdict is `invalid`.
    """

    __slots__ = ("_arrays", "_model")
    _arrays: Dict[str, NDArray[Any]]
    _model: str

    def __init__(self, arrays: Mapping[str, NDArray[Any]], model: str) -> None:
        object.__setattr__(self, "_arrays", dict(arrays))
        object.__setattr__(self, "_model", model)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self._arrays, self._model))

    def __len__(self) -> int:
        return len(self._arrays["verdict"])

    @property
    def impulse(self) -> Array:
        """(N, axes), on A [N s]; of systems (N, contacts, axes)"""
        return self._arrays["impulse"]

    @property
    def velocity_after(self) -> Array:
        """(N, axes), of the contact point, A relative to B [m/s]; of systems (N, coordinates), of the whole"""
        return self._arrays["velocity_after"]

    @property
    def verdict_codes(self) -> Codes:
        """(N,), places in `carom.VERDICTS`"""
        return self._arrays["verdict"]

    @property
    def verdict(self) -> NDArray[np.str_]:
        """(N,), as words"""
        return np.array(VERDICTS)[self.verdict_codes]

    @property
    def ok(self) -> NDArray[np.bool_]:
        """(N,), false where a row was refused"""
        fine: NDArray[np.bool_] = self.verdict_codes != INVALID
        return fine

    @property
    def flag_bits(self) -> NDArray[np.uint32]:
        """(N,), a bit for each flag in the order of `carom.FLAGS`"""
        return self._arrays["flags"]

    def has(self, flag: str) -> NDArray[np.bool_]:
        """(N,), where a flag is set"""
        known = _core.names["flags"]
        if flag not in known:
            raise InvalidInput("flag", f"there is no flag '{flag}'{_core.suggestion(flag, known)}")
        there: NDArray[np.bool_] = (self.flag_bits >> np.uint32(known.index(flag))) & np.uint32(1) != 0
        return there

    @property
    def process(self) -> NDArray[np.str_]:
        """(N,), the way each impact went: the modes of planar impacts, the cases of spatial ones"""
        if self._model not in ("planar", "spatial"):
            raise AttributeError("process is known of planar and spatial impacts only")
        words = _core.names["mode" if self._model == "planar" else "process"]
        told: NDArray[np.str_] = np.array(words)[self._arrays["process"]]
        return told

    def to_dict(self) -> Dict[str, NDArray[Any]]:
        """The arrays by name."""
        return dict(self._arrays)

    def __repr__(self) -> str:
        counts = np.bincount(self.verdict_codes, minlength=len(VERDICTS))
        words = ", ".join(f"{count} {word}" for word, count in zip(VERDICTS, counts) if count)
        flagged = int(np.count_nonzero(self.flag_bits))
        return (
            f"<{type(self).__name__}: {len(self)} {self._model} impacts"
            + (f", {words}" if words else "")
            + (f", {flagged} with flags>" if flagged else ">")
        )


def on_error_of(word: str) -> bool:
    """Is a bad row an exception?"""
    if word not in ("raise", "mask"):
        raise InvalidInput("on_error", f"must be raise or mask, got {word!r}")
    return word == "raise"


def raise_first(verdicts: Codes, refuse: Callable[[int], None], spoken: Mapping[str, str]) -> None:
    """Raises what is wrong with the first row that was refused."""
    bad = np.flatnonzero(verdicts == INVALID)
    if len(bad) == 0:
        return
    index = int(bad[0])
    try:
        refuse(index)
    except InvalidInput as error:
        raise InvalidInput(spoken.get(error.field, error.field), error.message, index) from None
    raise InvalidInput(None, "was refused", index)  # it has changed since


def contacts(
    model: str,
    law: str,
    published: bool,
    arrays: Dict[str, Array],
    axes: int,
    more: Mapping[str, Any],
    out: Any,
    threads: int,
    on_error: str,
    progress: Progress,
) -> Tuple[Dict[str, NDArray[Any]], int]:
    raises = on_error_of(on_error)
    used = thread_count(threads)
    rows = row_count(arrays)
    wanted: Dict[str, Tuple[Tuple[int, ...], Any]] = {
        "impulse": ((rows, axes), np.float64),
        "velocity_after": ((rows, axes), np.float64),
        "verdict": ((rows,), np.uint8),
        "flags": ((rows,), np.uint32),
    }
    if model != "compliant":
        wanted["process"] = ((rows,), np.uint8)
    wanted.update((name, ((rows, *shape), kind)) for name, (shape, kind) in more.items())
    results = destination(out, wanted, arrays)
    _core.contact_batch(model, law, published, rows, arrays, results, used, progress)
    if raises:
        raise_first(results["verdict"], lambda row: _core.refuse_contact(model, law, arrays, row, rows), _SPOKEN)
    return results, rows


def planar_batch(
    W: ArrayLike,
    v: ArrayLike,
    friction: ArrayLike,
    restitution: ArrayLike,
    law: str = "energetic",
    *,
    free_acceleration: ArrayLike = -1.0,
    threads: int = 0,
    out: Optional[Union[Mapping[str, Any], Batch]] = None,
    on_error: str = "raise",
    progress: Progress = None,
) -> Batch:
    """Many planar impacts: the numbers of `planar` for each row, at the speed of C++.

    Arguments:
        W: (N, 2, 2) or (2, 2) inverse inertia [1/kg], axes (t, n)
        v: (N, 2) or (2,) velocity of A relative to B [m/s]
        friction, restitution, free_acceleration: (N,) or numbers
        law: `newton`, `poisson` or `energetic`
        threads: at most this many; 0: one per core. The results do not depend on it
        out: arrays for results (`impulse`, `velocity_after`, `verdict`, `flags`, `process`), or an earlier result
        on_error: `raise`: InvalidInput with `index` for the first bad row, once all are done; `mask`: bad rows are nan
        progress: called with (done, total) some times a second

    Doubles of any strides are read where they are; an axis of one row stands for all. Ctrl-C raises KeyboardInterrupt.
    """
    arrays = {
        "W": numbers("W", W, (2, 2)),
        "v": numbers("v", v, (2,)),
        "friction": numbers("friction", friction, ()),
        "restitution": numbers("restitution", restitution, ()),
        "free_acceleration": numbers("free_acceleration", free_acceleration, ()),
    }
    return Batch(contacts("planar", law, False, arrays, 2, {}, out, threads, on_error, progress)[0], "planar")


def spatial_batch(
    W: ArrayLike,
    v: ArrayLike,
    friction: ArrayLike,
    restitution: ArrayLike,
    law: str = "energetic",
    *,
    threads: int = 0,
    out: Optional[Union[Mapping[str, Any], Batch]] = None,
    on_error: str = "raise",
    progress: Progress = None,
) -> Batch:
    """Many impacts in space, several at once in the processor's vector unit: as `spatial`, to rounding.

    Arguments:
        W: (N, 3, 3) or (3, 3) inverse inertia [1/kg], axes (t1, t2, n)
        v: (N, 3) or (3,) velocity of A relative to B [m/s]
        friction, restitution: (N,) or numbers
        law, threads, out, on_error, progress: as for `planar_batch`
    """
    arrays = {
        "W": numbers("W", W, (3, 3)),
        "v": numbers("v", v, (3,)),
        "friction": numbers("friction", friction, ()),
        "restitution": numbers("restitution", restitution, ()),
    }
    return Batch(contacts("spatial", law, False, arrays, 3, {}, out, threads, on_error, progress)[0], "spatial")


def _published(reading: str) -> bool:
    if reading not in ("model", "published"):
        raise InvalidInput("reading", f"must be model or published, got {reading!r}")
    return reading == "published"


def compliant_batch(
    W: ArrayLike,
    v: ArrayLike,
    friction: ArrayLike,
    restitution: ArrayLike,
    eta0: ArrayLike,
    *,
    reading: str = "model",
    threads: int = 0,
    out: Optional[Union[Mapping[str, Any], Batch]] = None,
    on_error: str = "raise",
    progress: Progress = None,
) -> Batch:
    """Many impacts with tangential springs: the numbers of `compliant` for each row.

    Arguments:
        W, v, friction, restitution: as for `spatial_batch`
        eta0: (N,) or a number, square root of the stiffness ratio k_n / k_t
        reading: `model` or `published`
        threads, out, on_error, progress: as for `planar_batch`
    """
    arrays = {
        "W": numbers("W", W, (3, 3)),
        "v": numbers("v", v, (3,)),
        "friction": numbers("friction", friction, ()),
        "restitution": numbers("restitution", restitution, ()),
        "eta0": numbers("eta0", eta0, ()),
    }
    return Batch(
        contacts("compliant", "energetic", _published(reading), arrays, 3, {}, out, threads, on_error, progress)[0],
        "compliant",
    )
