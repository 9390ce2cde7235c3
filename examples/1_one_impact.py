"""One impact in the plane: a hoop thrown at the ground with backspin. Friction takes hold, and it comes back."""
import carom

hoop = {
    "name": "hoop",
    "mass": 0.5,
    "inertia": 0.5 * 0.3 * 0.3,
    "position": [0.0, 0.3],
    "velocity": [1.0, -2.0],
    "angular_velocity": 20.0,
}  # a thin ring of radius .3 m
report = carom.run(
    {
        "kind": "impact",
        "model": "planar",
        "bodies": [hoop, "immovable"],
        "contact": {"point": [0.0, 0.0], "normal": [0.0, 1.0]},
        "material": {"friction": 0.6, "restitution": 0.8},
    }
)

facts, bodies = report.facts, report.tables["bodies"]
velocity, spin = bodies["velocity_after"][0], bodies["spin_after"][0]
print("contact:", facts["mode"])
print(f"velocity {velocity[0]:.4f} {velocity[1]:.4f} m/s, spin {spin:.4f} rad/s")
print(
    f"lost: {facts['restitution_loss']:.4f} J to restitution, {facts['friction_loss']:.4f} J to friction, "
    f"of {facts['energy_before']:.4f} J"
)
assert velocity[0] < 0.0  # it comes back
