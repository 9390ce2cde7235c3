"""Bodies, and two of them that collide."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Dict, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._errors import InvalidInput
from ._record import Array
from ._rows import CompliantImpact, SpatialImpact, compliant, spatial

Body = Union[Mapping[str, Any], str]

#: the solids there are and what they need, as in scenario files: axes through the centre, z along the height
SOLIDS = {
    "sphere": ("radius",),
    "shell": ("radius",),
    "box": ("size",),
    "cylinder": ("radius", "height"),
    "capsule": ("radius", "length"),
    "cone": ("radius", "height"),
    "pencil": ("radius", "height", "tip"),
    "revolution": ("profile",),
    "drilled_ball": ("radius", "holes"),
    "truncated_icosahedron": ("edge",),
    "polyhedron": ("vertices", "faces"),
}


def _rotation(orientation: ArrayLike) -> Array:
    """A 3 x 3 rotation, given as such or as a quaternion [w, x, y, z]."""
    given = np.asarray(orientation, dtype=np.float64)
    if given.shape == (4,):
        w, x, y, z = given / (np.linalg.norm(given) or 1.0)
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
    else:
        turn = given
    if turn.shape != (3, 3) or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) or np.linalg.det(turn) < 0:
        raise InvalidInput("orientation", "must be a 3 x 3 rotation or a quaternion [w, x, y, z]")
    if given.shape == (4,) and abs(np.linalg.norm(given) - 1.0) > 1e-9:
        raise InvalidInput("orientation", f"must be a unit quaternion, got one of length {np.linalg.norm(given):.6g}")
    return turn


def body(
    shape: str,
    mass: float,
    *,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
    velocity: ArrayLike = (0.0, 0.0, 0.0),
    angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    **sizes: Any,
) -> Dict[str, Any]:
    """A uniform solid as `collide`, `simultaneous`, `spatial`, `compliant` and `batting` take it.

        carom.body("sphere", 0.17, radius=0.0286, velocity=(2, 0, 0))

    Arguments:
        shape: `sphere`, `shell` (radius), `box` (size), `cylinder`, `cone` (radius, height), `capsule` (radius, length),
            `pencil` (radius, height, tip), `revolution` (profile: [distance from the axis, z] from bottom to top),
            `drilled_ball` (radius, holes: `{"radius", "bottom", "direction"}`), `truncated_icosahedron` (edge) or
            `polyhedron` (vertices, faces); axis z
        mass: [kg]
        position: of the centre of mass [m]; default: the shape's own frame is that of the world
        orientation: axes of the shape -> world, a 3 x 3 rotation or a quaternion [w, x, y, z]
        velocity, angular_velocity: [m/s], [rad/s], world axes
        sizes: [m]

    Returns a dictionary with `mass`, `inertia` or `principal` and `orientation`, `position` and velocities.
    """
    if shape not in SOLIDS:
        meant = _core.suggestion(str(shape), list(SOLIDS))
        raise InvalidInput("shape", f"must be one of {', '.join(SOLIDS)}, got {shape!r}{meant}")
    for name in sizes:
        if name not in SOLIDS[shape]:
            meant = _core.suggestion(name, list(SOLIDS[shape]))
            raise InvalidInput(
                name, f"is not a size of a {shape}{meant or ', which has ' + ' and '.join(SOLIDS[shape])}"
            )
    try:
        rows, centre = _core.mass_properties(shape, {name: _plain(each) for name, each in sizes.items()}, float(mass))
    except (RuntimeError, TypeError, ValueError, KeyError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(", ".join(SOLIDS[shape]), f"must be numbers: the sizes of a {shape} [m]") from None
    inertia = np.array(rows)
    turn = np.eye(3) if orientation is None else _rotation(orientation)
    out: Dict[str, Any] = {"mass": float(mass)}
    if np.array_equal(inertia, np.diag(np.diag(inertia))):
        out["principal"] = np.diag(inertia).tolist()
        if orientation is not None:
            out["orientation"] = turn.tolist()
    else:
        turned = turn @ inertia @ turn.T
        out["inertia"] = (0.5 * (turned + turned.T)).tolist()
    out["position"] = np.asarray(turn @ np.array(centre) if position is None else position, dtype=np.float64).tolist()
    out["velocity"] = np.asarray(velocity, dtype=np.float64).tolist()
    out["angular_velocity"] = np.asarray(angular_velocity, dtype=np.float64).tolist()
    return out


def _plain(size: Any) -> Any:
    """Numbers and lists of them, without numpy."""
    if isinstance(size, (np.ndarray, np.generic)):
        return size.tolist()
    if isinstance(size, Mapping):
        return {name: _plain(each) for name, each in size.items()}
    return [_plain(each) for each in size] if isinstance(size, (list, tuple)) else size


def collide(
    body_a: Body,
    body_b: Body,
    contact: Mapping[str, Any],
    *,
    friction: float,
    restitution: float,
    law: str = "energetic",
    eta0: Optional[float] = None,
    reading: Optional[str] = None,
) -> Union[SpatialImpact, CompliantImpact]:
    """Two bodies hit each other: how do they go on?

    Arguments:
        body_a, body_b: made by `body`, or dictionaries with `mass`, `inertia` (3 x 3, world axes) or `principal` (with `orientation`),
            `position`, `velocity`, `angular_velocity`, all in world axes; or "immovable"
        contact: `point`, and `normal`, the unit vector from B into A
        friction, restitution: of their surfaces
        law: `newton`, `poisson` or `energetic`
        eta0: square root of the stiffness ratio k_n / k_t: the contact gives sideways, and `law` is energetic
        reading: with eta0, `model` or `published`

    Returns the impact with `bodies`, their velocities after. Vectors are in world axes.
    """
    if eta0 is None:
        if reading is not None:
            raise InvalidInput("reading", "goes with eta0")
        return spatial(bodies=[body_a, body_b], contact=contact, friction=friction, restitution=restitution, law=law)
    if law != "energetic":
        raise InvalidInput("law", f"must be energetic with eta0, got {law}")
    return compliant(
        bodies=[body_a, body_b],
        contact=contact,
        friction=friction,
        restitution=restitution,
        eta0=eta0,
        reading=reading,
    )
