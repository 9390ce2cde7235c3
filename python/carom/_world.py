"""Many bodies in a scene."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._answers import asked
from ._errors import InvalidInput
from ._rows import WorldRun


class World:
    """A scene in time: balls that fly, slide, roll, spin and swing from one impact to the next, exactly.

    world = carom.World(gravity=(0, 0, -9.81))
    floor = world.add_plane((0, 0, 0), (0, 0, 1))
    ball = world.add_ball(radius=0.03, mass=0.06, position=(0, 0, 1), velocity=(1, 0, 0))
    world.set_material(restitution=0.8, friction=0.3)
    run = world.run(2.0, samples=101)
    """

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81), **options: Any) -> None:
        """
        Arguments:
            gravity: [m/s^2]
            options: fields of `carom.world` for every run: zeno_speed, touch_tolerance, max_events, groups, stop, ...
        """
        self.gravity = np.asarray(gravity, dtype=np.float64)
        self._options = options
        self._bodies: List[Dict[str, Any]] = []
        self._planes: List[Dict[str, Any]] = []
        self._tubes: List[Dict[str, Any]] = []
        self._supports: List[Dict[str, Any]] = []
        self._materials: List[Dict[str, Any]] = []

    def add_ball(
        self,
        *,
        radius: float,
        mass: Optional[float] = None,
        position: ArrayLike,
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        principal: Optional[ArrayLike] = None,
        orientation: Optional[ArrayLike] = None,
        material: str = "default",
        immovable: bool = False,
    ) -> int:
        """Adds a ball and returns its number.

        Arguments:
            radius [m], mass [kg], position of its centre [m], velocity [m/s], angular_velocity [rad/s]
            principal: moments of inertia [kg m^2]; default: those of a uniform solid
            material: the label of its surface
            immovable: fixed in space; without a mass
        """
        body: Dict[str, Any] = {
            "shape": {"type": "sphere", "radius": radius},
            "position": position,
            "material": material,
        }
        if immovable:
            body["immovable"] = True
        else:
            body.update(mass=mass, velocity=velocity, angular_velocity=angular_velocity)
        for name, value in (("principal", principal), ("orientation", orientation)):
            if value is not None:
                body[name] = value
        self._bodies.append({name: value for name, value in body.items() if value is not None})
        return len(self._bodies) - 1

    def add_plane(self, point: ArrayLike, normal: ArrayLike, *, material: str = "default") -> str:
        """Adds a plane, its unit normal into free space; returns what events call it: "plane:0"."""
        self._planes.append({"point": point, "normal": normal, "material": material})
        return f"plane:{len(self._planes) - 1}"

    def add_tube(self, point: ArrayLike, axis: ArrayLike, radius: float, *, material: str = "default") -> str:
        """Adds a tube to be inside of; returns what events call it: "tube:0"."""
        self._tubes.append({"point": point, "axis": axis, "radius": radius, "material": material})
        return f"tube:{len(self._tubes) - 1}"

    def add_cloth(
        self,
        plane: str,
        bodies: Sequence[int],
        *,
        mu_slide: float,
        mu_roll: float = 0.0,
        mu_spin: float = 0.0,
        hold: bool = True,
    ) -> None:
        """Lets balls slide, roll and spin on a plane, as on the cloth of a table."""
        if not plane.startswith("plane:"):
            raise InvalidInput("plane", f"must be what add_plane returned, got {plane!r}")
        self._supports.append(
            {
                "type": "cloth",
                "plane": int(plane[len("plane:") :]),
                "bodies": list(bodies),
                "mu_slide": mu_slide,
                "mu_roll": mu_roll,
                "mu_spin": mu_spin,
                "hold": hold,
            }
        )

    def add_pendulum(self, body: int, anchor: ArrayLike, axis: ArrayLike, *, motion: str = "exact") -> None:
        """Hangs a ball on an arm that turns about an axis; motion: `exact` or `small_angle`."""
        self._supports.append({"type": "pendulum", "body": body, "anchor": anchor, "axis": axis, "motion": motion})

    def set_material(
        self, a: str = "default", b: str = "default", *, restitution: Any, friction: float = 0.0, **more: Any
    ) -> None:
        """What two surfaces do when they meet.

        Arguments:
            a, b: labels of surfaces
            restitution: a number, or a law of the approach speed: {"slope": a}, {"table": [[v, e], ..]},
                {"power": [e0, v0, q]}
            friction: Coulomb coefficient
            more: mu_s, eta0, model, law, stiffness, exponent (docs/solve.md, `world`)
        """
        self._materials.append({"between": [a, b], "e": restitution, "mu": friction, **more})

    def to_dict(self, end_time: float) -> Dict[str, Any]:
        """The scene as a row of `carom.solve`."""
        row: Dict[str, Any] = {
            "model": "world",
            "gravity": self.gravity,
            "bodies": self._bodies,
            "materials": self._materials,
            "end_time": end_time,
            **self._options,
        }
        for name, parts in (("planes", self._planes), ("tubes", self._tubes), ("supports", self._supports)):
            if parts:
                row[name] = parts
        return row

    def run(
        self,
        end_time: float,
        *,
        samples: Optional[int] = None,
        sample_times: Optional[ArrayLike] = None,
        stop: Optional[str] = None,
    ) -> WorldRun:
        """Follows the scene from 0 to end_time [s].

        Arguments:
            samples: so many instants, evenly spaced, at which the bodies are told; or sample_times, increasing [s]
            stop: `rest`: also when everything rests
        """
        if samples is not None:
            if sample_times is not None:
                raise InvalidInput("samples", "goes without sample_times")
            sample_times = np.linspace(0.0, end_time, samples)
        row = self.to_dict(end_time)
        del row["model"]
        if sample_times is not None:
            row["sample_times"] = sample_times
        if stop is not None:
            row["stop"] = stop
        return asked("world", WorldRun, row, {})

    def __repr__(self) -> str:
        return f"<World: {len(self._bodies)} bodies, {len(self._planes)} planes, {len(self._tubes)} tubes>"
