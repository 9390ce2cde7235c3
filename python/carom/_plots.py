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
        raise ImportError(
            "carom draws with matplotlib, which is not there: apt-get install python3-matplotlib, or "
            "pip install matplotlib. (`carom.run(..).plots` have SVG pictures without it.)"
        ) from None
    return pyplot.figure().add_subplot(**subplot)


def math_text(text: str) -> str:
    """Our math is a part of TeX's; what matplotlib would take for more is written out."""
    return _LETTERS.sub(lambda found: f"${found.group(1)}$" if found.group(1).strip() else found.group(0), text)


def palette() -> Dict[str, str]:
    """The colours of the SVG pictures by name."""
    return dict(re.findall(r"--carom-(\w+):(#\w+);", _core.svg_of_nothing().split("@media")[0]))


def draw(plot: Mapping[str, Any], style: Mapping[str, Any], ax: Any = None) -> Any:
    """A plot of a report, in the colours of its SVG."""
    ax = axes(ax)
    colors = palette()
    for place in ("x", "y"):
        described = plot[place]
        getattr(ax, f"set_{place}label")(math_text(described["label"]))
        if described.get("logarithmic"):
            getattr(ax, f"set_{place}scale")("log")
        if described.get("categories"):
            names = described["categories"]
            getattr(ax, f"set_{place}ticks")(range(1, len(names) + 1), [math_text(each) for each in names])
    heat = plot.get("heat_map")
    if heat:
        values = np.array(heat["values"], dtype=float).reshape(len(heat["y_edges"]) - 1, len(heat["x_edges"]) - 1)
        widest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
        signed = bool((values < 0).any() and (values > 0).any())
        colours = ax.pcolormesh(
            heat["x_edges"],
            heat["y_edges"],
            values,
            cmap="RdBu_r" if signed else "viridis",
            **({"vmin": -widest, "vmax": widest} if signed else {}),
        )
        ax.figure.colorbar(colours, ax=ax, label=math_text(heat["label"]))
    faces = plot.get("faces")
    if faces:
        corners = np.array(faces["corners"], dtype=float).reshape(-1, 3, 2)
        patches = import_module("matplotlib.collections").PolyCollection(
            corners, array=np.array(faces["values"], dtype=float)
        )
        ax.add_collection(patches)
        ax.autoscale_view()
        ax.figure.colorbar(patches, ax=ax)
    for curve, (color, dash, width), arrow in zip(plot["curves"], style["curves"], style["arrows"]):
        x, y = (np.array(curve[place], dtype=float) for place in ("x", "y"))
        if curve["closed"] and len(x):
            x, y = np.append(x, x[0]), np.append(y, y[0])
        ax.plot(x, y, dash, color=colors[color], linewidth=width, label=math_text(curve["legend"]) or None)
        if arrow and len(x) > 1:
            ax.annotate("", (x[-1], y[-1]), (x[-2], y[-2]), arrowprops={"arrowstyle": "->", "color": colors[color]})
    markers = plot["markers"]
    for x, y, label, legend, (color, shape) in zip(
        markers["x"], markers["y"], markers["label"], markers["legend"], style["markers"]
    ):
        if shape:
            ax.plot(
                [x],
                [y],
                "o" if shape == "ring" else shape,
                color=colors[color],
                markersize=5,
                linestyle="",
                markerfacecolor="none" if shape == "ring" else colors[color],
                label=math_text(legend) or None,
            )
        if label:
            ax.annotate(
                math_text(label),
                (x, y),
                textcoords="offset points",
                xytext=(4, 4) if shape else (0, 0),
                ha="left" if shape else "center",
                color=colors[color],
            )
    for place in ("x", "y"):
        low, high = style[place]
        getattr(ax, f"set_{place}lim")(low, high)
    low, high = ax.get_xlim(), ax.get_ylim()
    for line, (color, dash, width) in zip(plot["lines"], style["lines"]):
        (x, y), (dx, dy) = line["through"], line["direction"]
        label = math_text(line["legend"] or line["label"]) or None
        reach = 2 * max(low[1] - low[0], high[1] - high[0]) / max(float(np.hypot(dx, dy)), 1e-300)
        start = 0.0 if line["ray"] else -reach
        if ax.get_xscale() == "linear" and ax.get_yscale() == "linear":
            ax.plot(
                [x + start * dx, x + reach * dx],
                [y + start * dy, y + reach * dy],
                dash,
                color=colors[color],
                linewidth=width,
                label=label,
            )
    ax.set_xlim(low)
    ax.set_ylim(high)
    if style["equal_scale"]:
        ax.set_aspect("equal", adjustable="datalim")
    if style["bare"]:
        ax.set_axis_off()
    elif style["axes_at_zero"]:
        ax.axhline(0, color=colors["muted"], linewidth=0.6)
        ax.axvline(0, color=colors["muted"], linewidth=0.6)
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
    scenario: Dict[str, Any] = {
        "kind": "impact",
        "model": row["model"],
        "material": material,
        "contact_space": {"inverse_inertia": row["W"], "velocity": row["v"]},
    }
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
    in_space = scenario is not None and scenario["model"] != "planar"
    if picture == "friction_cone" and in_space:
        return _friction_cone(record, ax)
    if scenario is not None and record._data["verdict"] != "no_impact":
        from ._report import run

        plots = run(scenario).plots
        if picture is None:
            picture = next(
                (name for name in ("routh_diagram", "impulse_curve", "hodograph") if name in plots), next(iter(plots))
            )
        if picture not in plots:
            names = [*plots, *(["friction_cone"] if in_space else []), "energy"]
            raise InvalidInput(
                "picture",
                f"must be one of {', '.join(names)}, got '{picture}'" + str(_core.suggestion(picture, names)),
            )
        return plots[picture].plot(ax)
    if picture is not None:
        raise InvalidInput("picture", f"must be energy for this answer, got '{picture}'")
    if record._data.get("samples"):
        return _samples(record, ax)
    return _energy(record, ax)


def _friction_cone(record: Record, ax: Any) -> Any:
    """The impulse as it grows, inside the cone of friction: on its surface while slip goes straight, inside once it has
    turned or sticks."""
    row = record._row or {}
    given = {
        "W": row["W"],
        "v": row["v"],
        "friction": row["mu"],
        "restitution": row["e"],
        "eta0": row.get("eta0", 1.0),
    }
    path = np.array(
        _core.impulse_path(
            row["model"],
            row.get("law", "energetic"),
            row.get("reading") == "published",
            {name: np.array([value], dtype=np.float64) for name, value in given.items()},
        )
    )
    ax = axes(ax, projection="3d")
    if not hasattr(ax, "plot_wireframe"):
        raise InvalidInput("ax", "must be axes in space for this picture: projection='3d'")
    colors = palette()
    angle, height = np.meshgrid(np.linspace(0, 2 * np.pi, 41), np.linspace(0, path[:, 2].max(), 9))
    radius = row["mu"] * height
    ax.plot_wireframe(radius * np.cos(angle), radius * np.sin(angle), height, color=colors["muted"], linewidth=0.4)
    ax.plot(path[:, 0], path[:, 1], path[:, 2], color=colors["ink"], linewidth=2)
    for event in record._data["events"]:
        ax.scatter(*event["impulse"], color=colors["red"] if event["type"] == "separates" else colors["blue"])
    ax.set_xlabel("$I_{t1}$ [N s]")
    ax.set_ylabel("$I_{t2}$ [N s]")
    ax.set_zlabel("$I_n$ [N s]")
    ax.set_title("Impulse curve and friction cone")
    return ax


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
        raise InvalidInput(
            "plot", f"there is no picture of a {type(record).__name__}; `carom.run` of a scenario draws more"
        )
    ax = axes(ax)
    entries = {name: each for name, each in energy.items() if each is not None}
    ax.bar(range(len(entries)), list(entries.values()))
    ax.set_xticks(range(len(entries)), [name.replace("_", "\n") for name in entries])
    ax.set_ylabel("energy [J]")
    return ax
