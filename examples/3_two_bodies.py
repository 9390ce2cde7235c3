"""Two bodies in one call, with surfaces that give sideways: the lowest point of a rubber ball slides forwards into each
bounce and leaves it backwards, or the other way round. No rigid model of friction can do that."""
import math

import numpy as np

import carom

velocity, spin = np.array([2.0, 0.0, -4.0]), np.zeros(3)
poisson = 0.5
eta0 = math.sqrt((2 - poisson) / (2 * (1 - poisson)))  # Mindlin: k_n / k_t of a round contact
for bounce in (1, 2, 3):
    ball = carom.body("sphere", 0.06, radius=0.025, position=[0, 0, 0.025], velocity=velocity, angular_velocity=spin)
    impact = carom.collide(
        ball, "immovable", {"point": [0, 0, 0], "normal": [0, 0, 1]}, friction=0.9, restitution=0.9, eta0=eta0
    )
    assert impact.bodies and impact.bodies[0]  # (the floor, which is immovable, is None)
    after = impact.bodies[0]
    velocity, spin = np.array(after.velocity), after.angular_velocity
    print(
        f"bounce {bounce}: velocity {velocity[0]:.4f} {velocity[2]:.4f} m/s, spin {spin[1]:.2f} rad/s, "
        f"lowest point {impact.velocity_after[0]:.4f} m/s"
    )
    velocity[2] = -velocity[2]  # it falls back as fast as it rose
