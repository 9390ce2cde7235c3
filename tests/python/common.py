"""What the tests of the module share."""
import os
from pathlib import Path

import numpy as np

SOURCE = Path(os.environ.get("CAROM_SOURCE", Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get("CAROM_PROGRAM", str(SOURCE / "build/release/apps/carom/carom"))
CAMPAIGN = os.environ.get("CAROM_CAMPAIGN", str(SOURCE / "build/release/tests/campaign"))
BUILD = Path(os.environ.get("CAROM_BUILD", SOURCE / "build/release"))


def random_contacts(count, seed, axes=3):
    """W (N, n, n) positive definite, v (N, n) approaching, friction and restitution (N,)."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(count, axes, axes))
    W = roots @ np.swapaxes(roots, 1, 2) + 0.3 * np.eye(axes)
    v = rng.normal(size=(count, axes))
    v[:, -1] = -np.abs(v[:, -1]) - 0.01
    return W, v, rng.uniform(0, 1, count), rng.uniform(0, 1, count)


#: a row of each model that is answered without an error
ROWS = {
    "planar": {"law": "poisson", "W": [[2.5, -1.5], [-1.5, 2.5]], "v": [0.6, -1], "mu": 0.7, "e": 0.5},
    "spatial": {
        "law": "energetic",
        "W": [[3, 0.2, 0.5], [0.2, 2, -0.4], [0.5, -0.4, 1.5]],
        "v": [1, 0.5, -2],
        "mu": 0.4,
        "e": 0.6,
    },
    "compliant": {
        "W": [[3, 0.2, 0.5], [0.2, 2, -0.4], [0.5, -0.4, 1.5]],
        "v": [1, 0.5, -2],
        "mu": 0.4,
        "e": 0.6,
        "eta0": 1.1,
    },
    "simultaneous": {
        "bodies": [
            {
                "mass": 1,
                "principal": [0.4, 0.4, 0.4],
                "position": [2.0 * i, 0, 0],
                "velocity": [1.0 if i == 0 else 0, 0, 0],
            }
            for i in range(3)
        ],
        "contacts": [
            {"bodies": [i, i + 1], "point": [2.0 * i + 1, 0, 0], "normal": [-1, 0, 0], "e": 0.9} for i in range(2)
        ],
    },
    "multipoint": {
        "method": "lcp",
        "mass_matrix": [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]],
        "jacobian": [[1, 0, 0.2], [0, 1, 0.4], [1, 0, 0.2], [0, 1, -0.4]],
        "dimension": 2,
        "velocity": [0.3, -1.0, 0.1],
        "e": 0.5,
        "mu_s": 0.5,
        "mu_d": 0.4,
    },
    "rod": {
        "wave_speed": 5000,
        "length": 1,
        "gravity": 9.81,
        "damping": 100,
        "damping_kind": "viscous",
        "impact_speed": 1,
    },
    "world": {
        "gravity": [0, 0, -9.81],
        "end_time": 1.0,
        "sample_times": [0.0, 0.5, 1.0],
        "bodies": [
            {"shape": {"type": "sphere", "radius": 0.03}, "mass": 0.06, "position": [0, 0, 1], "velocity": [1, 0, 0]}
        ],
        "planes": [{"point": [0, 0, 0], "normal": [0, 0, 1]}],
        "materials": [{"between": ["default", "default"], "e": 0.8, "mu": 0.3}],
    },
    "normal_impact": {"law": "gonthier", "mass": 1, "stiffness": 1e6, "exponent": 1.5, "e": 0.7, "speed": 1},
    "stick_slip": {
        "plate_speed": 0.1,
        "mass": 1,
        "spring": 10,
        "gravity": 9.81,
        "start": "with_plate",
        "end_time": 2,
        "sample_times": [0.5, 1, 2],
        "friction": {"mu_s": 0.6, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 100, "v_s": 0.01, "tau_dw": 0.1},
    },
    "sphere_on_plane": {
        "mass": 1,
        "radius": 0.1,
        "stiffness": 1e5,
        "exponent": 1.5,
        "e": 0.5,
        "incline": 0.1,
        "gravity": 9.81,
        "gap": 0.01,
        "velocity": [0.1, 0, 0],
        "angular_velocity": [0, 0, 0],
        "end_time": 0.1,
        "friction": {"mu_s": 0.6, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 100, "v_s": 0.01, "tau_dw": 0.1},
    },
    "pendulum_impact": {
        "lengths": [1, 1],
        "masses": [1, 1],
        "inertias": "point",
        "angles": [0.4, 0.3],
        "rates": [1, -2],
        "angle_convention": "absolute",
        "e": 0.5,
        "law": "newton",
        "mu": 0.3,
    },
    "contact_parameters": {"law": "linear", "mass": 1, "e": 0.5, "duration": 0.01},
    "batting": {
        "W": [[3, 0, 0], [0, 3, 0], [0, 0, 1.5]],
        "frame": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        "object": {"mass": 1, "position": [0, 0, 1], "velocity": [0, -1, 0]},
        "mu": 0.4,
        "e": 0.6,
        "target": [0.3, 3, 1],
    },
    "fit": {
        "impact_model": "planar",
        "law": "energetic",
        "free": ["mu", "e"],
        "observations": [
            {"W": [[3, 0], [0, 1]], "v_before": [5, -2], "v_after": [3.14, 1.1]},
            {"W": [[3, 0], [0, 1]], "v_before": [4, -1], "v_after": [3.07, 0.55]},
            {"W": [[3, 0], [0, 1]], "v_before": [3, -3], "v_after": [0.21, 1.64]},
        ],
    },
    "fem": {
        "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "tets": [[0, 1, 2, 3]],
        "young": 1e5,
        "poisson": 0.3,
        "density": 1000,
        "gravity": [0, 0, -9.81],
        "fixed": [0, 1, 2],
    },
    "rest_shape": {
        "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "tets": [[0, 1, 2, 3]],
        "young": 1e5,
        "poisson": 0.3,
        "density": 1000,
        "gravity": [0, 0, -9.81],
        "fixed": [0, 1, 2],
    },
}
ROWS = {name: {"model": name, **row} for name, row in ROWS.items()}
