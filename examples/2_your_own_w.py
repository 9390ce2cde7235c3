"""A robot's tip strikes a wall: mass matrix, Jacobian and joint rates come from your own dynamics."""
import numpy as np

import carom

M = np.array([[2.0, 0.4, 0.1], [0.4, 1.2, 0.2], [0.1, 0.2, 0.5]])  # [kg m^2]
J = np.array([[0.3, -0.6, -0.2], [0.5, 0.1, 0.3], [0.2, 0.4, -0.5]])  # rows (t1, t2, n) [m]
rates = np.array([-0.5, -1.5, 1.0])  # [rad/s]

impact = carom.impact(M, J, rates, friction=0.4, restitution=0.6)

print(f"{impact.verdict} after {len(impact.events)} events")
print("impulse on the tip {:.5f} {:.5f} {:.5f} N s".format(*impact.impulse[0]))
print("tip velocity after {:.5f} {:.5f} {:.5f} m/s".format(*impact.contact_velocity_after[0]))
print("joint rates after {:.5f} {:.5f} {:.5f} rad/s".format(*impact.velocity_after))
assert np.allclose(M @ (impact.velocity_after - rates), J.T @ impact.impulse[0])
