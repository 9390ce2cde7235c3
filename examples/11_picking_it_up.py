"""Something soft lies on a table and two fingers pick it up. What a scan sees sags under its weight already: first its
shape without gravity is found, then the fingers squeeze that, and lift as soon as friction can carry the weight."""
import carom

# The scan: an egg of gel on its blunt end that weighs .45 N. Tetrahedra of your own: `"mesh": {"file": "scan.msh"}`, or
# rows through `carom.rest_shape` and `carom.squeeze`.
picked = carom.run({
    "kind": "squeeze",
    "title": "An egg of gel",
    "mesh": {"solid": "round", "half_axes": [0.022, 0.022, 0.028], "taper": 0.2, "size": 0.0034},
    "young": 2.5e4,
    "poisson": 0.35,
    "weight": 0.45,
    "gravity": [0, 0, -9.8],
    "scan": {"fixed": "bottom"},  # it stands on a plate and may spread
    "fingers": [
        {"radius": 0.012, "start": [-0.1, 0, 0.022], "direction": [1, 0, 0]},
        {"radius": 0.012, "start": [0.1, 0, 0.022], "direction": [-1, 0, 0]},
    ],
    "friction": {"table": 0.6, "finger": 0.7},
    "step": 2.5e-4,
})
found = picked.notes[0]  # "The mesh is a scan: its shape without gravity was found first (7 iterations, ok)."
print("shape without gravity:", found[found.index(", ") + 2 : found.index(")")])
facts, steps = picked.facts, picked.tables["steps"]
print("depth [mm]  held / weight  force of a finger [N]")
for depth, held, force in zip(steps["depth"], steps["liftable_weight"], steps["force_0"]):
    print(f"{1e3 * depth:10.2f}  {held / facts['weight']:13.4f}  {force:21.4f}")
print(f"{facts['status']} at a depth of {1e3 * facts['depth']:.2f} mm, work {1e3 * facts['work']:.4f} mJ, "
      f"largest strain {facts['strain']:.3f}")
