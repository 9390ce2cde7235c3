"""A scenario without a file, and how its answer changes with one number, as a DataFrame: a spinning ball of rubber over
friction."""
import numpy as np

import carom

scenario = {
    "kind": "impact",
    "model": "compliant",
    "title": "A spinning ball",
    "bodies": [
        {
            "name": "ball",
            "mass": 3,
            "shape": "sphere",
            "radius": 1,
            "position": [0, 0, 1],
            "velocity": [-1, 0, -5],
            "angular_velocity": [0, 2, 0],
        },
        "immovable",
    ],
    "contact": {"point": [0, 0, 0], "normal": [0, 0, 1]},
    "material": {"friction": 0.4, "restitution": 0.5, "poisson": 0.3},
}
frame = carom.sweep(scenario, {"material.friction": np.linspace(0.0, 0.5, 6)}).to_frame()  # needs pandas

print("friction  v_x after  lost to friction [J]")
for friction, v_x, lost in zip(frame["material.friction"], frame["velocity_after_0"], frame["friction_loss"]):
    print(f"{friction:8.1f}  {v_x:9.5f}  {lost:20.5f}")
