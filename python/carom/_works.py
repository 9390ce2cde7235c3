"""What works print, computed now, and what was measured: reproduce and validate."""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Optional, Tuple, Union

import numpy as np

from . import _core
from ._errors import InvalidInput
from ._report import SCENARIOS, Report, Share

_WORKS = SCENARIOS.parent / "reproduce"
_SETS = SCENARIOS.parent / "validate"

#: the set of the user's own table of planar impacts
_PLANAR = "planar-impacts"


def works() -> Tuple[str, ...]:
    """The works whose prints come with carom."""
    return tuple(sorted(file.stem for file in _WORKS.glob("*.yaml")))


def sets() -> Tuple[str, ...]:
    """The sets of measurements that come with carom."""
    return tuple(sorted(file.stem for file in _SETS.glob("*.yaml")))


def _file(name: "Union[str, os.PathLike[str]]", folder: Path, known: Sequence[str], what: str) -> str:
    if Path(name).is_file():
        return os.fspath(name)
    if str(name) in known:
        return str(folder / f"{name}.yaml")
    meant = _core.suggestion(str(name), list(known)) or f"; there are: {', '.join(known)}"
    raise FileNotFoundError(f"{name}: there is no such file, nor does a {what} of this name come with carom{meant}")


def reproduce(
    work: "Union[str, os.PathLike[str]]", *, only: Union[str, Sequence[str]] = (), progress: Share = None
) -> Report:
    """Is what a work prints true? Computed now and compared with every digit, as `carom reproduce`.

    Arguments:
        work: one of `works()`, or a catalogue of your own (docs/reproduce-format.md)
        only: ids of entries; without, all
        progress: called now and then with the share that is done, 0 to 1

    The table `entries` has a row for each thing printed, `verdicts` counts them; `notes` names what does not come out
    as the catalogue says.
    """
    chosen = [only] if isinstance(only, str) else only
    if not isinstance(chosen, Sequence) or not all(isinstance(each, str) for each in chosen):
        raise InvalidInput("only", f"must be ids of entries, got {only!r}")
    return Report(_core.reproduce(_file(work, _WORKS, works(), "work"), str(SCENARIOS), list(chosen), progress))


def validate(
    measured: "Union[str, os.PathLike[str]]",
    *,
    data: "Optional[Union[str, os.PathLike[str]]]" = None,
    mass: Optional[float] = None,
    gyration: Optional[float] = None,
    progress: Share = None,
) -> Report:
    """Which laws does a measurement allow? As `carom validate`.

    Arguments:
        measured: one of `sets()`, a set of your own, or `planar-impacts` for a table of yours
        data: that table (CSV), with the body's `mass` [kg] and radius of `gyration` [m]
        progress: called now and then with the share that is done, 0 to 1
    """
    table = {"data": data, "mass": mass, "gyration": gyration}
    if measured == _PLANAR:
        for name, given in table.items():
            if given is None:
                raise InvalidInput(name, "is required for planar-impacts")
            if name != "data" and not isinstance(given, (int, float, np.number)):
                raise InvalidInput(name, f"must be a number, got {given!r}")
        if not Path(data or "").is_file():
            raise FileNotFoundError(f"{data}: there is no such file")
        return Report(_core.validate_planar_impacts(os.fspath(data or ""), mass, gyration, progress))
    for name, given in table.items():
        if given is not None:
            raise InvalidInput(name, "goes with planar-impacts")
    return Report(_core.validate(_file(measured, _SETS, (*sets(), _PLANAR), "set"), str(SCENARIOS), progress))
