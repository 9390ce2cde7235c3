"""What happens when bodies hit each other?

    >>> import carom
    >>> carom.planar([[2.5, -1.5], [-1.5, 2.5]], [0.6, -1], friction=0.7, restitution=0.5, law="poisson")
    <PlanarImpact: C-sticking, impulse (0.12, 0.6) N s, 0.168 J of 0.2 J lost (84 %)>

One impact: planar, spatial, compliant, collide; many contacts: simultaneous, multipoint; any engine's system: impact.
Batches of arrays: planar_batch, spatial_batch, compliant_batch, impact_batch, derivatives_batch. Scenes in time: World.
Files and dictionaries as on the command line: run, sweep, check, solve, reproduce, validate. Everything is in SI units.
"""
from __future__ import annotations

try:
    import numpy as _numpy
except ImportError:
    import sys as _sys

    raise ImportError(
        f"carom needs numpy, which this Python ({_sys.executable}) does not have: apt-get install "
        "python3-numpy, or pip install numpy. (Debian's numpy is for Debian's own /usr/bin/python3.)"
    ) from None

from . import _core
from ._answers import solve as solve
from ._batch import VERDICTS as VERDICTS
from ._batch import Batch as Batch
from ._batch import compliant_batch as compliant_batch
from ._batch import planar_batch as planar_batch
from ._batch import spatial_batch as spatial_batch
from ._bodies import body as body
from ._bodies import collide as collide
from ._derivatives import Derivatives as Derivatives
from ._derivatives import derivatives as derivatives
from ._derivatives import derivatives_batch as derivatives_batch
from ._errors import InvalidInput as InvalidInput
from ._errors import Mistake as Mistake
from ._record import Record as Record
from ._report import Check as Check
from ._report import Plot as Plot
from ._report import Report as Report
from ._report import Sweep as Sweep
from ._report import Table as Table
from ._report import Term as Term
from ._report import check as check
from ._report import explain as explain
from ._report import run as run
from ._report import scenarios as scenarios
from ._report import schema as schema
from ._report import sweep as sweep
from ._rows import *
from ._system import SystemBatch as SystemBatch
from ._system import SystemImpact as SystemImpact
from ._system import impact as impact
from ._system import impact_batch as impact_batch
from ._works import reproduce as reproduce
from ._works import sets as sets
from ._works import validate as validate
from ._works import works as works
from ._world import World as World

#: every flag an impact can have, in the order of the bits of `Batch.flag_bits`
FLAGS = tuple(_core.names["flags"])

__version__: str = _core.version
