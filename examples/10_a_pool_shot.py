"""A pool shot, from the stroke of the cue to the last ball at rest. A table of nine feet, an object ball near a corner
pocket, a cue that strikes below the middle: what happens, in order, and where the cue ball ends."""
import math

import numpy as np

import carom

# The keys are those of scenario files (docs/scenario-format.md): the table brings its cushions, pockets and cloth.
radius = 0.028575
shot = carom.run({
    "kind": "world",
    "title": "A pool shot",
    "table": {"size": "9ft", "balls": "cue", "cue_ball": [0.3, -0.265]},
    "bodies": [{"name": "object", "shape": "sphere", "mass": 0.17, "radius": radius, "position": [0.8, 0.2, radius]}],
    "shot": {"speed": 3.0, "direction": math.atan2(0.465, 0.5), "height": -0.4},
    "materials": [
        {"friction": 0.06, "restitution": 0.95},
        {"between": ["default", "cushion"], "friction": 0.2, "restitution": 0.85},
    ],
    "end_time": 60,
    "stop": "rest",
})
facts = shot.facts
print(f"{facts['strike']}: the ball leaves with {np.linalg.norm(facts['strike_velocity']):.4f} m/s "
      f"and {np.linalg.norm(facts['strike_spin']):.2f} rad/s")
events = shot.tables["events"]
for time, event, who in zip(events["time"], events["event"], events["who"]):
    if event == "impact":
        print(f"{time:.4f} s: {'the balls meet' if who == 'object-cue' else 'a cushion'}")
    if event == "pocketed":
        ball, pocket = who.split(": ")
        print(f"{time:.4f} s: ball {1 if ball == 'object' else 0} falls into the {pocket}")
bodies = shot.tables["bodies"]
x, y = bodies["position"][list(bodies["body"]).index("cue"), :2]
print(f"the cue ball rests after {facts['time']:.4f} s at {x:.4f} {y:.4f} m")
