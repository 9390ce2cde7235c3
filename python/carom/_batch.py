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

_INVALID = _core.names["verdict"].index("invalid")
#: verdicts of batches of systems: where a rigid law has no answer there is one more
VERDICTS = (*_core.names["verdict"], "no_solution")
_SPOKEN = {"inverse_inertia": "W", "velocity": "v", "stiffness_ratio_root": "eta0"}


def numbers(name: str, value: Any, tail: Tuple[int, ...], shown: str = "") -> Array:
    """An argument as an array of doubles with a leading batch axis: the same memory where it holds doubles already.

    Arguments:
        tail: the shape of one row; -1: any
    """
    wanted = shown or ", ".join("n" if size < 0 else str(size) for size in tail)
    shapes = f"({'N, ' if tail else 'N,'}{wanted}) or {f'({wanted},)' if len(tail) == 1 else f'({wanted})' if tail else 'a number'}"
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise InvalidInput(name, f"must be an array of shape {shapes}: {error}") from None
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


def destination(out: Any, wanted: Mapping[str, Tuple[Tuple[int, ...], Any]], inputs: Mapping[str, Array]
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
        raise InvalidInput("out", f"must be a dictionary of arrays or the result of such a call, got a {type(out).__name__}")
    arrays: Dict[str, NDArray[Any]] = {}
    for name, array in given.items():
        if name not in wanted:
            raise InvalidInput(f"out[{name!r}]", "is not a result" + (_core.suggestion(str(name), list(wanted))
                                                                       or f"; there are: {', '.join(wanted)}"))
        shape, kind = wanted[name]
        if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.dtype(kind) or not array.dtype.isnative:
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
        fine: NDArray[np.bool_] = self.verdict_codes != _INVALID
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
        return f"<{type(self).__name__}: {len(self)} {self._model} impacts" + (f", {words}" if words else "") + (
            f", {flagged} with flags>" if flagged else ">")


def on_error_of(word: str) -> bool:
    """Is a bad row an exception?"""
    if word not in ("raise", "mask"):
        raise InvalidInput("on_error", f"must be raise or mask, got {word!r}")
    return word == "raise"


def raise_first(verdicts: Codes, refuse: Callable[[int], None], spoken: Mapping[str, str]) -> None:
    """Raises what is wrong with the first row that was refused."""
    bad = np.flatnonzero(verdicts == _INVALID)
    if len(bad) == 0:
        return
    index = int(bad[0])
    try:
        refuse(index)
    except InvalidInput as error:
        raise InvalidInput(spoken.get(error.field, error.field), error.message, index) from None
    raise InvalidInput(None, "was refused", index)  # it has changed since


def _contacts(model: str, law: str, published: bool, arrays: Dict[str, Array], axes: int, more: Mapping[str, Any], out: Any,
              threads: int, on_error: str, progress: Progress) -> Tuple[Dict[str, NDArray[Any]], int]:
    raises = on_error_of(on_error)
    used = thread_count(threads)
    rows = row_count(arrays)
    wanted: Dict[str, Tuple[Tuple[int, ...], Any]] = {
        "impulse": ((rows, axes), np.float64), "velocity_after": ((rows, axes), np.float64),
        "verdict": ((rows,), np.uint8), "flags": ((rows,), np.uint32)}
    if model != "compliant":
        wanted["process"] = ((rows,), np.uint8)
    wanted.update((name, ((rows, *shape), kind)) for name, (shape, kind) in more.items())
    results = destination(out, wanted, arrays)
    _core.contact_batch(model, law, published, rows, arrays, results, used, progress)
    if raises:
        raise_first(results["verdict"], lambda row: _core.refuse_contact(model, law, arrays, row, rows), _SPOKEN)
    return results, rows


def planar_batch(W: ArrayLike, v: ArrayLike, friction: ArrayLike, restitution: ArrayLike, law: str = "energetic", *,
                 free_acceleration: ArrayLike = -1.0, threads: int = 0,
                 out: Optional[Union[Mapping[str, Any], Batch]] = None, on_error: str = "raise",
                 progress: Progress = None) -> Batch:
    """Many planar impacts: the numbers of `planar` for each row, at the speed of C++.

    Arguments:
        W: (N, 2, 2) or (2, 2) inverse inertia [1/kg], axes (t, n)
        v: (N, 2) or (2,) velocity of A relative to B [m/s]
        friction, restitution, free_acceleration: (N,) or numbers
        law: `newton`, `poisson` or `energetic`
        threads: at most this many; 0: one per core. The results do not depend on it
        out: arrays for results (`impulse`, `velocity_after`, `verdict`, `flags`, `process`), or the result of such a call
        on_error: `raise`: InvalidInput with `index` for the first bad row, once all are done; `mask`: bad rows are nan
        progress: called with (done, total) some times a second

    Doubles of any strides are read where they are; an axis of one row stands for all. Ctrl-C raises KeyboardInterrupt.
    """
    arrays = {"W": numbers("W", W, (2, 2)), "v": numbers("v", v, (2,)), "friction": numbers("friction", friction, ()),
              "restitution": numbers("restitution", restitution, ()),
              "free_acceleration": numbers("free_acceleration", free_acceleration, ())}
    return Batch(_contacts("planar", law, False, arrays, 2, {}, out, threads, on_error, progress)[0], "planar")


def spatial_batch(W: ArrayLike, v: ArrayLike, friction: ArrayLike, restitution: ArrayLike, law: str = "energetic", *,
                  threads: int = 0, out: Optional[Union[Mapping[str, Any], Batch]] = None, on_error: str = "raise",
                  progress: Progress = None) -> Batch:
    """Many impacts in space, several at once in the processor's vector unit: as `spatial`, to rounding.

    Arguments:
        W: (N, 3, 3) or (3, 3) inverse inertia [1/kg], axes (t1, t2, n)
        v: (N, 3) or (3,) velocity of A relative to B [m/s]
        friction, restitution: (N,) or numbers
        law, threads, out, on_error, progress: as for `planar_batch`
    """
    arrays = {"W": numbers("W", W, (3, 3)), "v": numbers("v", v, (3,)), "friction": numbers("friction", friction, ()),
              "restitution": numbers("restitution", restitution, ())}
    return Batch(_contacts("spatial", law, False, arrays, 3, {}, out, threads, on_error, progress)[0], "spatial")


def _published(reading: str) -> bool:
    if reading not in ("model", "published"):
        raise InvalidInput("reading", f"must be model or published, got {reading!r}")
    return reading == "published"


def compliant_batch(W: ArrayLike, v: ArrayLike, friction: ArrayLike, restitution: ArrayLike, eta0: ArrayLike, *,
                    reading: str = "model", threads: int = 0, out: Optional[Union[Mapping[str, Any], Batch]] = None,
                    on_error: str = "raise", progress: Progress = None) -> Batch:
    """Many impacts with tangential springs: the numbers of `compliant` for each row.

    Arguments:
        W, v, friction, restitution: as for `spatial_batch`
        eta0: (N,) or a number, square root of the stiffness ratio k_n / k_t
        reading: `model` or `published`
        threads, out, on_error, progress: as for `planar_batch`
    """
    arrays = {"W": numbers("W", W, (3, 3)), "v": numbers("v", v, (3,)), "friction": numbers("friction", friction, ()),
              "restitution": numbers("restitution", restitution, ()), "eta0": numbers("eta0", eta0, ())}
    return Batch(_contacts("compliant", "energetic", _published(reading), arrays, 3, {}, out, threads, on_error, progress)[0],
                 "compliant")


class Derivatives(Batch):
    """How impulses answer to small changes of their input. Without a batch axis if the input had none."""

    __slots__ = ()

    @property
    def by_velocity(self) -> Array:
        """d impulse_i / d v_j [kg]"""
        return self._arrays["by_velocity"]

    @property
    def by_friction(self) -> Array:
        """d impulse / d friction [N s]"""
        return self._arrays["by_friction"]

    @property
    def by_restitution(self) -> Array:
        """d impulse / d restitution [N s]"""
        return self._arrays["by_restitution"]

    @property
    def by_eta0(self) -> Array:
        """d impulse / d eta0 [N s]; of impacts with tangential springs"""
        if "by_eta0" not in self._arrays:
            raise AttributeError("by_eta0 is there when eta0 is given")
        return self._arrays["by_eta0"]

    @property
    def exact(self) -> NDArray[np.bool_]:
        """False where differences, good to 1e-6, stand in for stiff slip"""
        if "exact" not in self._arrays:
            return np.ones(self._arrays["verdict"].shape, dtype=bool)
        return self._arrays["exact"].astype(bool)

    @property
    def by_W(self) -> Array:
        """d impulse_i / d W_jk [kg N s], symmetric in j and k: an impulse changes by sum_jk by_W[i, j, k] dW[j, k]"""
        if "by_W" not in self._arrays:
            raise AttributeError("by_W is there when by_W=True is given")
        return self._arrays["by_W"]

    @property
    def by_W_error(self) -> Array:
        """an estimate of the error of by_W, relative to the impulse: large beside a border between two orders of events"""
        if "by_W_error" not in self._arrays:
            raise AttributeError("by_W_error is there when by_W=True is given")
        return self._arrays["by_W_error"]

    def __repr__(self) -> str:
        if self._arrays["verdict"].ndim:
            return super().__repr__()
        lines = [f"{name} {np.array2string(array, precision=4, separator=', ')}".replace("\n", "")
                 for name, array in self._arrays.items() if name.startswith("by_")]
        return f"<Derivatives: {', '.join(lines)}>"

    def __len__(self) -> int:
        if not self._arrays["verdict"].ndim:
            raise TypeError("derivatives of one impact have no length")
        return super().__len__()


#: central differences of sixth order
_WEIGHTS = ((1, 3.0 / 4.0), (2, -3.0 / 20.0), (3, 1.0 / 60.0))
_WEIGHTS_BELOW = ((1, 2.0 / 3.0), (2, -1.0 / 12.0))
_STEP = 1e-2  # of W itself, in its own measure


def _by_inverse_inertia(solve: Callable[[Array], Array], W: Array, impulse: Array) -> Tuple[Array, Array]:
    """Differences along six (in the plane three) directions L S L^T of W = L L^T: W stays positive definite."""
    n = W.shape[-1]
    L = np.linalg.cholesky(W)
    pairs = [(j, k) for j in range(n) for k in range(j, n)]
    directions, slopes, below = [], [], []
    for j, k in pairs:
        S = np.zeros((n, n))
        S[j, k] = S[k, j] = 1.0 if j == k else 0.5
        direction = L @ S @ np.swapaxes(L, -1, -2)
        rise = [(solve(W + step * _STEP * direction) - solve(W - step * _STEP * direction)) / _STEP for step in (1, 2, 3)]
        slopes.append(sum(weight * rise[step - 1] for step, weight in _WEIGHTS))
        below.append(sum(weight * rise[step - 1] for step, weight in _WEIGHTS_BELOW))
        directions.append(direction)
    # slope_s = sum_jk G_jk D_s,jk: as many equations as entries of a symmetric G.
    system = np.stack([np.stack([d[:, j, k] * (1.0 if j == k else 2.0) for j, k in pairs], axis=-1) for d in directions],
                      axis=-2)
    found = np.linalg.solve(system, np.stack(slopes, axis=1))
    out = np.empty((len(W), impulse.shape[-1], n, n))
    for at, (j, k) in enumerate(pairs):
        out[:, :, j, k] = out[:, :, k, j] = found[:, at]
    size = np.maximum(np.linalg.norm(impulse, axis=-1), np.finfo(float).tiny)
    error = np.max(np.linalg.norm(np.stack(slopes, axis=1) - np.stack(below, axis=1), axis=-1), axis=-1) / size
    return out, error


def derivatives_batch(W: ArrayLike, v: ArrayLike, friction: ArrayLike, restitution: ArrayLike, law: str = "energetic", *,
                      eta0: Optional[ArrayLike] = None, by_W: bool = False, threads: int = 0,
                      on_error: str = "raise", progress: Progress = None) -> Derivatives:
    """Many impacts with the derivatives of their impulses, exact to rounding (but see `Derivatives.exact`).

    Arguments:
        W, v, friction, restitution, law: as for `spatial_batch`; with a 2 x 2 W as for `planar_batch`
        eta0: with it the impacts have tangential springs, and `law` does not matter
        by_W: also by the inverse inertia, by differences (36 impacts a row; to about 1e-9, see `by_W_error`)
        threads, on_error, progress: as for `planar_batch`
    """
    planar = np.ndim(W) >= 2 and np.shape(W)[-2:] == (2, 2)
    n = 2 if planar else 3
    arrays = {"W": numbers("W", W, (n, n)), "v": numbers("v", v, (n,)), "friction": numbers("friction", friction, ()),
              "restitution": numbers("restitution", restitution, ())}
    if planar and eta0 is not None:
        raise InvalidInput("eta0", "goes with a 3 x 3 W")
    model = "planar" if planar else "spatial" if eta0 is None else "compliant"
    more: Dict[str, Any] = {"by_velocity": ((n, n), np.float64), "by_friction": ((n,), np.float64),
                            "by_restitution": ((n,), np.float64)}
    if planar:
        arrays["free_acceleration"] = np.array([-1.0])
    if eta0 is not None:
        arrays["eta0"] = numbers("eta0", eta0, ())
        more["by_eta0"] = ((3,), np.float64)
        more["exact"] = ((), np.uint8)
    results, rows = _contacts(model, law, False, arrays, n, more, None, threads, on_error, progress)
    if by_W:
        fine = results["verdict"] == _core.names["verdict"].index("separated")
        results["by_W"] = np.where(results["verdict"][:, None, None, None] == _INVALID, np.nan,
                                   np.zeros((rows, n, n, n)))
        results["by_W_error"] = np.where(results["verdict"] == _INVALID, np.nan, np.zeros(rows))
        if fine.any():
            rest = {name: np.broadcast_to(array, (rows, *array.shape[1:]))[fine] for name, array in arrays.items()}

            def solve(moved: Array) -> Array:
                out = {name: np.empty((len(moved), *shape), dtype=kind) for name, shape, kind in
                       (("impulse", (n,), np.float64), ("velocity_after", (n,), np.float64), ("verdict", (), np.uint8),
                        ("flags", (), np.uint32))}
                _core.contact_batch(model, law, False, len(moved), {**rest, "W": moved}, out, thread_count(threads), None)
                impulse: Array = out["impulse"]
                return impulse

            # A hair of asymmetry is legal; the process sees the mean.
            symmetric = 0.5 * (rest["W"] + np.swapaxes(rest["W"], -1, -2))
            results["by_W"][fine], results["by_W_error"][fine] = _by_inverse_inertia(solve, symmetric,
                                                                                     results["impulse"][fine])
    return Derivatives(results, model)


def derivatives(W: ArrayLike, v: ArrayLike, *, friction: float, restitution: float, law: str = "energetic",
                eta0: Optional[float] = None, by_W: bool = False) -> Derivatives:
    """How does the impulse of one impact answer to small changes of its input? As `derivatives_batch`, without the
    batch axis."""
    n = 2 if np.shape(W) == (2, 2) else 3
    for name, value, shape in (("W", W, (n, n)), ("v", v, (n,)), ("friction", friction, ()),
                               ("restitution", restitution, ()), ("eta0", 1.0 if eta0 is None else eta0, ())):
        if np.shape(value) != shape:
            raise InvalidInput(name, f"must have shape {shape}, got {np.shape(value)}" if shape else
                               f"must be a number, got one of shape {np.shape(value)}")
    try:
        many = derivatives_batch(W, v, friction, restitution, law, eta0=eta0, by_W=by_W, threads=1)
    except InvalidInput as error:
        raise InvalidInput(error.field, error.message) from None
    return Derivatives({name: np.asarray(array[0]) for name, array in many._arrays.items()}, many._model)
