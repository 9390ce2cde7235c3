"""How impulses answer to small changes of their input."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._batch import INVALID, Batch, Progress, contacts, numbers, thread_count
from ._errors import InvalidInput
from ._record import Array


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
        """an estimate of the error of by_W, relative to the impulse: large beside a border of two orders of events"""
        if "by_W_error" not in self._arrays:
            raise AttributeError("by_W_error is there when by_W=True is given")
        return self._arrays["by_W_error"]

    def __repr__(self) -> str:
        if self._arrays["verdict"].ndim:
            return super().__repr__()
        lines = [
            f"{name} {np.array2string(array, precision=4, separator=', ')}".replace("\n", "")
            for name, array in self._arrays.items()
            if name.startswith("by_")
        ]
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
        rise = [
            (solve(W + step * _STEP * direction) - solve(W - step * _STEP * direction)) / _STEP for step in (1, 2, 3)
        ]
        slopes.append(sum(weight * rise[step - 1] for step, weight in _WEIGHTS))
        below.append(sum(weight * rise[step - 1] for step, weight in _WEIGHTS_BELOW))
        directions.append(direction)
    # slope_s = sum_jk G_jk D_s,jk: as many equations as entries of a symmetric G.
    system = np.stack(
        [np.stack([d[:, j, k] * (1.0 if j == k else 2.0) for j, k in pairs], axis=-1) for d in directions], axis=-2
    )
    found = np.linalg.solve(system, np.stack(slopes, axis=1))
    out = np.empty((len(W), impulse.shape[-1], n, n))
    for at, (j, k) in enumerate(pairs):
        out[:, :, j, k] = out[:, :, k, j] = found[:, at]
    size = np.maximum(np.linalg.norm(impulse, axis=-1), np.finfo(float).tiny)
    error = np.max(np.linalg.norm(np.stack(slopes, axis=1) - np.stack(below, axis=1), axis=-1), axis=-1) / size
    return out, error


def derivatives_batch(
    W: ArrayLike,
    v: ArrayLike,
    friction: ArrayLike,
    restitution: ArrayLike,
    law: str = "energetic",
    *,
    eta0: Optional[ArrayLike] = None,
    by_W: bool = False,
    threads: int = 0,
    on_error: str = "raise",
    progress: Progress = None,
) -> Derivatives:
    """Many impacts with the derivatives of their impulses, exact to rounding (but see `Derivatives.exact`).

    Arguments:
        W, v, friction, restitution, law: as for `spatial_batch`; with a 2 x 2 W as for `planar_batch`
        eta0: with it the impacts have tangential springs, and `law` does not matter
        by_W: also by the inverse inertia, by differences (36 impacts a row; to about 1e-9, see `by_W_error`)
        threads, on_error, progress: as for `planar_batch`
    """
    planar = np.ndim(W) >= 2 and np.shape(W)[-2:] == (2, 2)
    n = 2 if planar else 3
    arrays = {
        "W": numbers("W", W, (n, n)),
        "v": numbers("v", v, (n,)),
        "friction": numbers("friction", friction, ()),
        "restitution": numbers("restitution", restitution, ()),
    }
    if planar and eta0 is not None:
        raise InvalidInput("eta0", "goes with a 3 x 3 W")
    model = "planar" if planar else "spatial" if eta0 is None else "compliant"
    more: Dict[str, Any] = {
        "by_velocity": ((n, n), np.float64),
        "by_friction": ((n,), np.float64),
        "by_restitution": ((n,), np.float64),
    }
    if planar:
        arrays["free_acceleration"] = np.array([-1.0])
    if eta0 is not None:
        arrays["eta0"] = numbers("eta0", eta0, ())
        more["by_eta0"] = ((3,), np.float64)
        more["exact"] = ((), np.uint8)
    results, rows = contacts(model, law, False, arrays, n, more, None, threads, on_error, progress)
    if by_W:
        fine = results["verdict"] == _core.names["verdict"].index("separated")
        results["by_W"] = np.where(
            results["verdict"][:, None, None, None] == INVALID, np.nan, np.zeros((rows, n, n, n))
        )
        results["by_W_error"] = np.where(results["verdict"] == INVALID, np.nan, np.zeros(rows))
        if fine.any():
            rest = {name: np.broadcast_to(array, (rows, *array.shape[1:]))[fine] for name, array in arrays.items()}

            def solve(moved: Array) -> Array:
                out = {
                    name: np.empty((len(moved), *shape), dtype=kind)
                    for name, shape, kind in (
                        ("impulse", (n,), np.float64),
                        ("velocity_after", (n,), np.float64),
                        ("verdict", (), np.uint8),
                        ("flags", (), np.uint32),
                    )
                }
                _core.contact_batch(
                    model, law, False, len(moved), {**rest, "W": moved}, out, thread_count(threads), None
                )
                impulse: Array = out["impulse"]
                return impulse

            # A hair of asymmetry is legal; the process sees the mean.
            symmetric = 0.5 * (rest["W"] + np.swapaxes(rest["W"], -1, -2))
            results["by_W"][fine], results["by_W_error"][fine] = _by_inverse_inertia(
                solve, symmetric, results["impulse"][fine]
            )
    return Derivatives(results, model)


def derivatives(
    W: ArrayLike,
    v: ArrayLike,
    *,
    friction: float,
    restitution: float,
    law: str = "energetic",
    eta0: Optional[float] = None,
    by_W: bool = False,
) -> Derivatives:
    """How does the impulse of one impact answer to small changes of its input? As `derivatives_batch`, without the
    batch axis."""
    n = 2 if np.shape(W) == (2, 2) else 3
    for name, value, shape in (
        ("W", W, (n, n)),
        ("v", v, (n,)),
        ("friction", friction, ()),
        ("restitution", restitution, ()),
        ("eta0", 1.0 if eta0 is None else eta0, ()),
    ):
        if np.shape(value) != shape:
            raise InvalidInput(
                name,
                f"must have shape {shape}, got {np.shape(value)}"
                if shape
                else f"must be a number, got one of shape {np.shape(value)}",
            )
    try:
        many = derivatives_batch(W, v, friction, restitution, law, eta0=eta0, by_W=by_W, threads=1)
    except InvalidInput as error:
        raise InvalidInput(error.field, error.message) from None
    return Derivatives({name: np.asarray(array[0]) for name, array in many._arrays.items()}, many._model)
