"""One line an answer: the physics first."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Dict, List, Optional

from ._record import Record


def number(value: Any) -> str:
    if value is None:
        return "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def vector(values: Any) -> str:
    return "(" + ", ".join(number(each) for each in values) + ")"


def energy_words(energy: Optional[Mapping[str, Any]]) -> List[str]:
    """How much was lost, and the share of it."""
    if not energy or energy.get("before") is None or energy.get("after") is None:
        return []
    lost = energy["before"] - energy["after"]
    share = f" ({100 * abs(lost) / energy['before']:.3g} %)" if energy["before"] > 0 else ""
    return [f"{lost:.4g} J of {energy['before']:.4g} J lost{share}" if lost >= 0 else f"{-lost:.4g} J gained{share}"]


def flag_words(flags: Any) -> List[str]:
    return ["flags " + ", ".join(flags)] if flags else []


def _impact(data: Dict[str, Any]) -> List[str]:
    words = [data.get("mode") or data["verdict"]]
    if data["verdict"] != "no_impact":
        words.append(f"impulse {vector(data['impulse'])} N s")
    return [*words, *energy_words(data["energy"]), *flag_words(data["flags"])]


def _simultaneous(data: Dict[str, Any]) -> List[str]:
    return [
        data["verdict"],
        f"{len(data['contacts'])} contacts, {len(data['events'])} events",
        *energy_words(data["energy"]),
        *flag_words(data["flags"]),
    ]


def _multipoint(data: Dict[str, Any]) -> List[str]:
    found = len(data["solutions"])
    words = [f"{found} solution{'' if found == 1 else 's'}" + ("" if data["exhaustive"] else ", perhaps more")]
    if found:
        words.append(f"velocity {vector(data['solutions'][0]['velocity'])}")
    return [*words, *flag_words(data["flags"])]


def _rod(data: Dict[str, Any]) -> List[str]:
    words = [data["status"]]
    if data.get("e_momentum") is not None:
        words.append(f"restitution {number(data['e_momentum'])}, in contact for {number(data['t_b'])} s")
    return [*words, *flag_words(data["flags"])]


def _world(data: Dict[str, Any]) -> List[str]:
    impacts = sum(event["type"] == "impact" for event in data["events"])
    energy = data["energy"]
    return [
        f"{data['verdict']} at {number(data['time'])} s",
        f"{impacts} impacts, {len(data['events'])} events",
        f"{number(energy['restitution_loss'] + energy['friction_loss'] + energy['support_loss'])} J lost"
        if None not in (energy["restitution_loss"], energy["friction_loss"], energy["support_loss"])
        else "",
        *flag_words(data["flags"]),
    ]


def _normal(data: Dict[str, Any]) -> List[str]:
    return [
        f"peak force {number(data['peak_force'])} N",
        f"{number(data['duration'])} s in contact",
        f"restitution {number(data['effective_restitution'])}",
        *flag_words(data["flags"]),
    ]


def _samples(data: Dict[str, Any]) -> List[str]:
    return [f"{len(data['samples'])} samples", *flag_words(data["flags"])]


def _pendulum(data: Dict[str, Any]) -> List[str]:
    words = [data["verdict"]]
    if data.get("loss_fraction") is not None:
        words.append(f"{100 * data['loss_fraction']:.4g} % of the energy lost")
    return [*words, *flag_words(data["flags"])]


def _parameters(data: Dict[str, Any]) -> List[str]:
    return [f"stiffness {number(data['stiffness'])}", f"damping {number(data['damping'])}", *flag_words(data["flags"])]


def _batting(data: Dict[str, Any]) -> List[str]:
    if not data["found"]:
        return ["no plan", f"closest miss {number(data['closest_miss'])} m", *flag_words(data["flags"])]
    return [
        f"contact velocity {vector(data['contact_velocity'])} m/s",
        f"impulse {vector(data['impulse'])} N s",
        f"flight of {number(data['flight_time'])} s",
        *flag_words(data["flags"]),
    ]


def _fit(data: Dict[str, Any]) -> List[str]:
    errors = data["standard_errors"]
    words = [
        f"{name} {number(value)}" + (f" +- {number(errors[name])}" if errors.get(name) is not None else "")
        for name, value in data["parameters"].items()
    ]
    return [data["status"], ", ".join(words), f"residual {number(data['residual'])} m/s", *flag_words(data["flags"])]


def _soft(data: Dict[str, Any]) -> List[str]:
    words = [data["status"]]
    if data.get("strain_energy") is not None:
        words.append(f"strain energy {number(data['strain_energy'])} J")
    if data.get("iterations") is not None:
        words.append(f"{data['iterations']} iterations, residual {number(data['residual'])}")
    return [*words, *([data["message"]] if data.get("message") else []), *flag_words(data["flags"])]


def _squeeze(data: Dict[str, Any]) -> List[str]:
    words = [data["status"]]
    if data.get("depth") is not None:
        words.append(f"{number(data['depth'])} m deep, work {number(data['work'])} J")
    return [*words, *flag_words(data["flags"])]


_LINES = {
    "PlanarImpact": _impact,
    "SpatialImpact": _impact,
    "CompliantImpact": _impact,
    "SimultaneousImpact": _simultaneous,
    "MultipointImpact": _multipoint,
    "RodBounce": _rod,
    "WorldRun": _world,
    "NormalImpact": _normal,
    "StickSlip": _samples,
    "SphereOnPlane": _samples,
    "PendulumImpact": _pendulum,
    "ContactParameters": _parameters,
    "BattingPlan": _batting,
    "Fit": _fit,
    "SoftLoad": _soft,
    "RestShape": _soft,
    "Squeeze": _squeeze,
}


def _short(value: Any) -> str:
    if isinstance(value, list):
        if len(value) <= 4 and not any(isinstance(each, (list, dict)) for each in value):
            return vector(value)
        return f"[{len(value)}]"
    return "{..}" if isinstance(value, dict) else number(value)


def one_line(record: Record) -> str:
    name = type(record).__name__
    if name in _LINES:
        return f"<{name}: {', '.join(each for each in _LINES[name](record._data) if each)}>"
    return f"<{name}: " + ", ".join(f"{key} {_short(value)}" for key, value in record._data.items()) + ">"
