"""Impacts of any engine's system: its mass matrix, the Jacobian of its contacts, its velocity."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._batch import VERDICTS, Batch, destination, numbers, on_error_of, raise_first, row_count, thread_count
from ._errors import InvalidInput
from ._record import Array, Record, frozen
from ._reprs import energy_words, flag_words, vector

_MODELS = ("auto", "planar", "spatial", "compliant", "simultaneous", "rodriguez", "lcp")
#: sparse mass matrices larger than this are not made dense: the contacts see only J M^-1 J^T
DENSE_UP_TO = 500


class SystemEnergy(Record):
    """Where the energy of the whole system went [J]."""

    __slots__ = ()
    _fields = ("before", "after", "restitution_loss", "friction_loss", "residual")

    @property
    def before(self) -> float:
        """kinetic energy at first touch [J]"""
        return self._float("before")

    @property
    def after(self) -> float:
        """kinetic energy at separation [J]"""
        return self._float("after")

    @property
    def restitution_loss(self) -> float:
        """minus the work of the normal impulses [J]"""
        return self._float("restitution_loss")

    @property
    def friction_loss(self) -> float:
        """minus the work of the tangential impulses [J]"""
        return self._float("friction_loss")

    @property
    def residual(self) -> float:
        """strain energy still stored [J]"""
        return self._float("residual")


class SystemEvent(Record):
    """Something happened at one contact."""

    __slots__ = ()
    _fields = ("type", "contact", "time", "impulse")

    @property
    def type(self) -> str:
        """`start_slip`, `slip_ends`, `compression_ends`, `separates`, ...: `carom.explain`"""
        return self._str("type")

    @property
    def contact(self) -> int:
        """which one, from 0"""
        return self._int("contact")

    @property
    def time(self) -> Optional[float]:
        """of several contacts, in units of the impact; None of one contact"""
        return None if self._absent("time") else self._float("time")

    @property
    def impulse(self) -> Array:
        """so far, in axes of the contact [N s]"""
        return self._array("impulse")


class SystemImpact(Record):
    """The answer of `carom.impact`."""

    __slots__ = ()
    _fields = (
        "verdict",
        "model",
        "velocity_after",
        "impulse",
        "contact_velocity_after",
        "energy",
        "events",
        "solutions",
        "exhaustive",
        "flags",
    )

    @property
    def verdict(self) -> str:
        """`separated`, `no_impact`, `event_limit`, or `no_solution` (lcp)"""
        return self._str("verdict")

    @property
    def model(self) -> str:
        """which model answered"""
        return self._str("model")

    @property
    def velocity_after(self) -> Array:
        """(n,), generalized"""
        return self._array("velocity_after")

    @property
    def impulse(self) -> Array:
        """(contacts, axes), in axes of each contact [N s]"""
        return self._array("impulse")

    @property
    def contact_velocity_after(self) -> Array:
        """(contacts, axes), J velocity_after [m/s]"""
        return self._array("contact_velocity_after")

    @property
    def energy(self) -> SystemEnergy:
        """of the whole system [J]"""
        return self._record("energy", SystemEnergy)

    @property
    def events(self) -> Tuple[SystemEvent, ...]:
        """in order; none from rodriguez and lcp"""
        return self._records("events", SystemEvent)

    @property
    def solutions(self) -> Array:
        """(solutions, n): every velocity after that rodriguez or lcp allows; the first is `velocity_after`"""
        return frozen(self._data["solutions"]).reshape(-1, len(self._data["velocity_after"]))

    @property
    def exhaustive(self) -> bool:
        """lcp: are these all solutions?"""
        return self._bool("exhaustive")

    @property
    def flags(self) -> Tuple[str, ...]:
        """what to know beside"""
        return self._words("flags")

    def __repr__(self) -> str:
        words = [self.verdict, f"{len(self._data['impulse'])} contact{'s' if len(self._data['impulse']) > 1 else ''}"]
        if self.verdict != "no_impact" and len(self._data["impulse"]) == 1:
            words.append(f"impulse {vector(self._data['impulse'][0])} N s")
        return f"<SystemImpact: {', '.join([*words, *energy_words(self._data['energy']), *flag_words(self.flags)])}>"


def _is_sparse(M: Any) -> bool:
    return hasattr(M, "toarray") and hasattr(M, "nnz")


def _how(model: str, law: Optional[str], contacts: int, dimension: int, eta0: Any) -> Tuple[str, str]:
    """Which model and law answer."""
    if model not in _MODELS:
        raise InvalidInput(
            "model", f"must be one of {', '.join(_MODELS)}, got '{model}'{_core.suggestion(str(model), list(_MODELS))}"
        )
    if law is not None and law not in _core.names["law"]:
        raise InvalidInput("law", f"must be one of {', '.join(_core.names['law'])}, got '{law}'")
    if model == "auto":
        rigid = "spatial" if dimension == 3 else "planar"
        model = (
            "simultaneous"
            if contacts > 1 or (eta0 is not None and dimension == 2)
            else rigid
            if eta0 is None
            else "compliant"
        )
        if model == "simultaneous" and law in ("newton", "poisson"):
            raise InvalidInput(
                "law",
                f"{law} is for one contact; several at once follow the energetic law, and "
                "model='rodriguez' or 'lcp' Newton's",
            )
    if model in ("planar", "spatial", "compliant") and contacts != 1:
        raise InvalidInput(
            "model", f"{model} is for one contact, got {contacts}; several: simultaneous, rodriguez or lcp"
        )
    if model in ("spatial", "compliant") and dimension != 3 or model == "planar" and dimension != 2:
        raise InvalidInput("dimension", f"is {dimension}, which {model} is not for")
    if model == "compliant" and eta0 is None:
        raise InvalidInput("eta0", "is required by the model compliant")
    if model not in ("compliant", "simultaneous") and eta0 is not None:
        raise InvalidInput("eta0", f"is for compliant and simultaneous impacts, not for {model}")
    only = {"compliant": "energetic", "simultaneous": "energetic", "rodriguez": "newton", "lcp": "newton"}.get(model)
    if only and law not in (None, only):
        raise InvalidInput("law", f"must be {only} with {model}, got {law}")
    return model, law or only or "energetic"


def _rows_of(J: Array, dimension: int) -> int:
    if dimension not in (2, 3):
        raise InvalidInput("dimension", f"must be 2 or 3, got {dimension}")
    rows = J.shape[1]
    if rows == 0 or rows % dimension:
        axes = "(t1, t2, n)" if dimension == 3 else "(t, n)"
        raise InvalidInput("J", f"must have {dimension} rows {axes} for each contact, got {rows} rows")
    return rows // dimension


def _per_contact(name: str, value: Any, contacts: int, batch: bool) -> Array:
    """One number for all, one per contact, or (batch) one per row, or one per row and contact, as (N, contacts)."""
    array = np.asarray(value)
    if array.ndim == 0:
        array = array.reshape(1, 1)
    elif array.ndim == 1:
        if batch and contacts > 1 and len(array) == contacts:
            raise InvalidInput(
                name, f"of shape ({contacts},) could mean rows or contacts: give (N, 1) or (1, {contacts})"
            )
        array = array.reshape(-1, 1) if batch else array.reshape(1, -1)
    elif not batch or array.ndim != 2:
        raise InvalidInput(
            name, f"must be a number{', one per row' if batch else ''} or one per contact, got shape {array.shape}"
        )
    if array.shape[1] not in (1, contacts):
        raise InvalidInput(name, f"must have one entry or one per contact ({contacts}), got {array.shape[1]}")
    return numbers(name, np.broadcast_to(array, (array.shape[0], contacts)), (contacts,))


def _gathered(
    M: Any, J: Any, v: Any, friction: Any, restitution: Any, eta0: Any, stiffness: Any, dimension: int, batch: bool
) -> Tuple[Dict[str, Array], int, int]:
    masses = numbers("M", M, (-1, -1), "n, n")
    n = masses.shape[1]
    if masses.shape[2] != n or n == 0:
        raise InvalidInput("M", f"must be square, got shape {np.shape(M)}")
    jacobian = numbers("J", J, (-1, n), f"{dimension} k, {n}")
    contacts = _rows_of(jacobian, dimension)
    arrays = {
        "M": masses,
        "J": jacobian,
        "v": numbers("v", v, (n,)),
        "friction": _per_contact("friction", friction, contacts, batch),
        "restitution": _per_contact("restitution", restitution, contacts, batch),
    }
    if eta0 is not None:
        arrays["eta0"] = numbers("eta0", eta0, ())
    if stiffness is not None:
        arrays["stiffness"] = _per_contact("stiffness", stiffness, contacts, batch)
    if not batch:
        for name, array in arrays.items():
            if len(array) != 1:
                raise InvalidInput(name, f"must be of one impact, got {len(array)} rows; `impact_batch` takes many")
    return arrays, n, contacts


def _named_flags(bits: int) -> List[str]:
    return [name for i, name in enumerate(_core.names["flags"]) if bits >> i & 1]


def impact(
    M: Any,
    J: ArrayLike,
    v: ArrayLike,
    *,
    friction: ArrayLike,
    restitution: ArrayLike,
    law: Optional[str] = None,
    model: str = "auto",
    dimension: int = 3,
    eta0: Optional[float] = None,
    stiffness: Optional[ArrayLike] = None,
    exponent: float = 1.0,
    tolerance: float = 1e-10,
) -> SystemImpact:
    """What does an impact make of a system's velocity? For users of any engine.

    Arguments:
        M: (n, n) mass matrix, an array or a sparse matrix of scipy
        J: (3 k, n) Jacobian of k contacts: rows (t1, t2, n) contact by contact; J v is the velocity of A relative to B,
           the normal points from B into A, so contacts that approach have a negative n-component
        v: (n,) generalized velocity before
        friction: Coulomb coefficient, a number or one per contact
        restitution: in [0, 1], a number or one per contact
        law: `newton`, `poisson`, `energetic` (default) for one contact; several follow the energetic law, and Newton's
           with `rodriguez` and `lcp`
        model: `spatial` (one contact), `compliant` (one, with eta0), `simultaneous` (several, a spring each), or the
           rigid laws `rodriguez` and `lcp`; `auto`: the first of these that fits
        dimension: 2: J has rows (t, n), and one contact is `planar`
        eta0: square root of the stiffness ratio k_n / k_t: contacts give sideways
        stiffness: of the contacts, simultaneous only; ratios matter. Default: all alike
        exponent: 1 (linear) or 1.5 (Hertz), of their springs
        tolerance: relative error of the velocities, simultaneous only

    Returns a `SystemImpact`. Raises `InvalidInput`, naming the argument.
    """
    if _is_sparse(M):
        return _sparse_impact(
            M, J, v, friction, restitution, law, model, dimension, eta0, stiffness, exponent, tolerance
        )
    arrays, n, contacts = _gathered(M, J, v, friction, restitution, eta0, stiffness, dimension, False)
    model, law = _how(model, law, contacts, dimension, eta0)
    answer = _core.one_system(_request(model, law, n, contacts, dimension, exponent, tolerance), arrays)
    return _record(answer, model, dimension)


def _request(
    model: str, law: str, n: int, contacts: int, dimension: int, exponent: float, tolerance: float
) -> Dict[str, Any]:
    for name, value in (("exponent", exponent), ("tolerance", tolerance)):
        if np.ndim(value) != 0 or not np.isreal(value):
            raise InvalidInput(name, f"must be a number, got {value!r}")
    return {
        "model": model,
        "law": law,
        "coordinates": n,
        "contacts": contacts,
        "dimension": dimension,
        "exponent": float(exponent),
        "tolerance": float(tolerance),
    }


def _record(answer: Dict[str, Any], model: str, dimension: int) -> SystemImpact:
    for name in ("impulse", "contact_velocity_after"):
        flat = answer[name]
        answer[name] = [flat[i : i + dimension] for i in range(0, len(flat), dimension)]
    answer["flags"] = _named_flags(answer["flags"])
    answer["model"] = model
    return SystemImpact(answer)


def _sparse_impact(
    M: Any,
    J: Any,
    v: Any,
    friction: Any,
    restitution: Any,
    law: Optional[str],
    model: str,
    dimension: int,
    eta0: Any,
    stiffness: Any,
    exponent: float,
    tolerance: float,
) -> SystemImpact:
    """Contacts see no more of M than W = J M^-1 J^T: any system with the same W and J v has the same impulses. With the
    eigenvectors Q and eigenvalues s of W, one with mass matrix 1 and Jacobian Q sqrt(s) has."""
    if M.shape[0] <= DENSE_UP_TO:
        return impact(
            M.toarray(),
            J.toarray() if _is_sparse(J) else J,
            v,
            friction=friction,
            restitution=restitution,
            law=law,
            model=model,
            dimension=dimension,
            eta0=eta0,
            stiffness=stiffness,
            exponent=exponent,
            tolerance=tolerance,
        )
    csc_matrix = import_module("scipy.sparse").csc_matrix
    splu = import_module("scipy.sparse.linalg").splu
    if M.shape[0] != M.shape[1]:
        raise InvalidInput("M", f"must be square, got shape {M.shape}")
    n = M.shape[0]
    jacobian = numbers("J", J.toarray() if _is_sparse(J) else J, (-1, n), f"{dimension} k, {n}")[0]
    velocity = numbers("v", v, (n,))[0]
    masses = csc_matrix(M, dtype=np.float64)
    for name, values in (("M", masses.data), ("J", jacobian), ("v", velocity)):
        if not np.all(np.isfinite(values)):
            raise InvalidInput(name, "must be finite")
    off = masses - masses.T
    if off.nnz and np.max(np.abs(off.data)) > 1e-5 * np.max(np.abs(masses.data)):
        raise InvalidInput("M", "must be symmetric")
    if not np.all(masses.diagonal() > 0):
        raise InvalidInput("M", "must be positive definite")
    try:
        answer_to = splu(masses).solve(np.ascontiguousarray(jacobian.T))
    except RuntimeError as error:
        raise InvalidInput("M", f"must be positive definite: {error}") from None
    W = jacobian @ answer_to
    W = 0.5 * (W + W.T)
    values, vectors = np.linalg.eigh(W)
    if values[0] < -1e-9 * values[-1] or values[-1] <= 0:
        raise InvalidInput("M", "must be positive definite")
    kept = values > 1e-14 * values[-1]
    root = vectors[:, kept] * np.sqrt(values[kept])
    seen = jacobian @ velocity
    moving = (vectors[:, kept].T @ seen) / np.sqrt(values[kept])
    reduced = impact(
        np.eye(int(kept.sum())),
        root,
        moving,
        friction=friction,
        restitution=restitution,
        law=law,
        model=model,
        dimension=dimension,
        eta0=eta0,
        stiffness=stiffness,
        exponent=exponent,
        tolerance=tolerance,
    ).to_dict()
    impulse = np.array(reduced["impulse"]).ravel()
    after = velocity + answer_to @ impulse
    reduced["velocity_after"] = after.tolist()
    # Solutions are told by what the contacts see; the rest of the system follows.
    reduced["solutions"] = [
        (velocity + answer_to @ np.linalg.lstsq(W, root @ (np.array(each) - moving), rcond=None)[0]).tolist()
        for each in reduced["solutions"]
    ]
    before = 0.5 * float(velocity @ (masses @ velocity))
    reduced["energy"]["after"] = before + reduced["energy"]["after"] - reduced["energy"]["before"]
    reduced["energy"]["before"] = before
    return SystemImpact(reduced)


def impact_batch(
    M: ArrayLike,
    J: ArrayLike,
    v: ArrayLike,
    friction: ArrayLike,
    restitution: ArrayLike,
    law: Optional[str] = None,
    *,
    model: str = "auto",
    dimension: int = 3,
    eta0: Optional[ArrayLike] = None,
    stiffness: Optional[ArrayLike] = None,
    exponent: float = 1.0,
    tolerance: float = 1e-10,
    threads: int = 0,
    out: Optional[Union[Mapping[str, Any], Batch]] = None,
    on_error: str = "raise",
    progress: Optional[Callable[[int, int], object]] = None,
) -> "SystemBatch":
    """Many impacts of systems with as many contacts each: the numbers of `impact` for each row.

    Arguments:
        M: (N, n, n) or (n, n); J: (N, 3 k, n) or (3 k, n); v: (N, n) or (n,)
        friction, restitution: a number, (N,), or (N, k)
        eta0: a number or (N,); stiffness: as friction
        law, model, dimension, exponent, tolerance: as for `impact`
        threads, out, on_error, progress: as for `planar_batch`; out may have `impulse` (N, k, 3), `velocity_after`
            (N, n), `energy_before`, `energy_after`, `verdict`, `flags`
    """
    raises = on_error_of(on_error)
    used = thread_count(threads)
    arrays, n, contacts = _gathered(M, J, v, friction, restitution, eta0, stiffness, dimension, True)
    model, law = _how(model, law, contacts, dimension, eta0)
    rows = row_count(arrays)
    wanted: Dict[str, Any] = {
        "impulse": ((rows, contacts, dimension), np.float64),
        "velocity_after": ((rows, n), np.float64),
        "energy_before": ((rows,), np.float64),
        "energy_after": ((rows,), np.float64),
        "verdict": ((rows,), np.uint8),
        "flags": ((rows,), np.uint32),
    }
    results = destination(out, wanted, arrays)
    how = _request(model, law, n, contacts, dimension, exponent, tolerance)
    _core.systems(how, rows, arrays, results, used, progress)
    if raises:
        raise_first(results["verdict"], lambda row: _core.refuse_system(how, arrays, row, rows), {})
    return SystemBatch(results, model)


class SystemBatch(Batch):
    """Results of `impact_batch`."""

    __slots__ = ()

    @property
    def energy_before(self) -> Array:
        """(N,), of the whole system [J]"""
        return self._arrays["energy_before"]

    @property
    def energy_after(self) -> Array:
        """(N,), of the whole system [J]"""
        return self._arrays["energy_after"]
