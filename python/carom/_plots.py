"""Pictures with matplotlib, which is imported when one is drawn."""
from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Dict, List, Optional

import numpy as np

from . import _core
from ._errors import InvalidInput
from ._record import Record

_LETTERS = re.compile(r"\$([^$]*)\$")


def axes(ax: Any = None, **subplot: Any) -> Any:
    if ax is not None:
        return ax
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError:
        raise ImportError("carom draws with matplotlib, which is not there: apt-get install python3-matplotlib, or "
                          "pip install matplotlib. (`carom.run(..).plots` have SVG pictures without it.)") from None
    return pyplot.figure().add_subplot(**subplot)


def math_text(text: str) -> str:
    """Our math is a part of TeX's; what matplotlib would take for more is written out."""
    return _LETTERS.sub(lambda found: f"${found.group(1)}$" if found.group(1).strip() else found.group(0), text)


def draw(plot: Mapping[str, Any], ax: Any = None) -> Any:
    """A plot of a report."""
    ax = axes(ax)
    for axis, place in (("x", "x"), ("y", "y")):
        described = plot[axis]
        getattr(ax, f"set_{place}label")(math_text(described["label"]))
        if described.get("logarithmic"):
            getattr(ax, f"set_{place}scale")("log")
        if described.get("categories"):
            names = described["categories"]
            getattr(ax, f"set_{place}ticks")(range(1, len(names) + 1), [math_text(each) for each in names])
    heat = plot.get("heat_map")
    if heat:
        values = np.array(heat["values"], dtype=float).reshape(len(heat["y_edges"]) - 1, len(heat["x_edges"]) - 1)
        colours = ax.pcolormesh(heat["x_edges"], heat["y_edges"], values)
        ax.figure.colorbar(colours, ax=ax, label=math_text(heat["label"]))
    faces = plot.get("faces")
    if faces:
        corners = np.array(faces["corners"], dtype=float).reshape(-1, 3, 2)
        patches = import_module("matplotlib.collections").PolyCollection(corners, array=np.array(faces["values"], dtype=float))
        ax.add_collection(patches)
        ax.autoscale_view()
        ax.figure.colorbar(patches, ax=ax)
    for curve in plot["curves"]:
        x, y = list(curve["x"]), list(curve["y"])
        if curve["closed"] and x:
            x, y = [*x, x[0]], [*y, y[0]]
        ax.plot(np.array(x, dtype=float), np.array(y, dtype=float), label=math_text(curve["legend"]) or None,
                linewidth=1.5)
    markers = plot["markers"]
    for x, y, label in zip(markers["x"], markers["y"], markers["label"]):
        ax.plot([x], [y], "o", color="black", markersize=4)
        if label:
            ax.annotate(math_text(label), (x, y), textcoords="offset points", xytext=(5, 5))
    low, high = ax.get_xlim(), ax.get_ylim()
    for line in plot["lines"]:
        (x, y), (dx, dy) = line["through"], line["direction"]
        label = math_text(line["legend"] or line["label"]) or None
        reach = 2 * max(low[1] - low[0], high[1] - high[0]) / max(float(np.hypot(dx, dy)), 1e-300)
        start = 0.0 if line["ray"] else -reach
        if ax.get_xscale() == "linear" and ax.get_yscale() == "linear":
            ax.plot([x + start * dx, x + reach * dx], [y + start * dy, y + reach * dy], "--", linewidth=0.8, label=label)
    ax.set_xlim(low)
    ax.set_ylim(high)
    ax.set_title(math_text(plot["title"]))
    if ax.get_legend_handles_labels()[1]:
        ax.legend(fontsize="small")
    return ax


def _scenario(record: Record) -> Optional[Dict[str, Any]]:
    """The scenario whose pictures are those of the answer; None where there is none."""
    row = record._row
    if row is None or row["model"] not in ("planar", "spatial", "compliant") or "W" not in row:
        return None
    material = {"friction": row["mu"], "restitution": row["e"]}
    scenario: Dict[str, Any] = {"kind": "impact", "model": row["model"], "material": material,
                                "contact_space": {"inverse_inertia": row["W"], "velocity": row["v"]}}
    if "eta0" in row:
        material["eta0"] = row["eta0"]
    for name in ("law", "free_acceleration", "reading"):
        if name in row:
            scenario[name] = row[name]
    return scenario


def plot_record(record: Record, ax: Any, picture: Optional[str]) -> Any:
    if picture == "energy":
        return _energy(record, ax)
    scenario = _scenario(record)
    if scenario is not None and record._data["verdict"] != "no_impact":
        from ._report import run

        plots = run(scenario).plots
        if picture is None:
            picture = next((name for name in ("routh_diagram", "impulse_curve", "hodograph") if name in plots),
                           next(iter(plots)))
        if picture not in plots:
            names = [*plots, "energy"]
            raise InvalidInput("picture", f"must be one of {', '.join(names)}, got '{picture}'"
                               + str(_core.suggestion(picture, names)))
        return plots[picture].plot(ax)
    if picture is not None:
        raise InvalidInput("picture", f"must be energy for this answer, got '{picture}'")
    if record._data.get("samples"):
        return _samples(record, ax)
    return _energy(record, ax)


def _samples(record: Record, ax: Any) -> Any:
    """What was sampled, over time."""
    samples: List[Mapping[str, Any]] = record._data["samples"]
    ax = axes(ax)
    times = [each["t"] for each in samples]
    ax.set_xlabel("t [s]")
    if isinstance(samples[0].get("bodies"), list):
        for i in range(len(samples[0]["bodies"])):
            paths = np.array([each["bodies"][i]["position"] for each in samples], dtype=float)
            for axis, letter in enumerate("xyz"):
                if np.ptp(paths[:, axis]) > 0:
                    ax.plot(times, paths[:, axis], label=f"body {i}, {letter} [m]")
    else:
        for name in samples[0]:
            values = [each.get(name) for each in samples]
            if name != "t" and all(isinstance(each, (int, float, type(None))) for each in values):
                ax.plot(times, np.array(values, dtype=float), label=name)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(fontsize="small")
    return ax


def _energy(record: Record, ax: Any) -> Any:
    """The ledger as bars."""
    energy = record._data.get("energy")
    if not isinstance(energy, dict):
        raise InvalidInput("plot", f"there is no picture of a {type(record).__name__}; `carom.run` of a scenario draws more")
    ax = axes(ax)
    entries = {name: each for name, each in energy.items() if each is not None}
    ax.bar(range(len(entries)), list(entries.values()))
    ax.set_xticks(range(len(entries)), [name.replace("_", "\n") for name in entries])
    ax.set_ylabel("energy [J]")
    return ax
