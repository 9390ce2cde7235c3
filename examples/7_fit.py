"""Which friction and stiffness ratio explain measured bounces? Alumina spheres of 5 mm on glass at 3.9 m/s (Kharaz,
Gorham and Salman 2001): the velocity of the contact point before and after, six angles."""
import numpy as np

import carom

W = np.zeros((3, 3))
W[0, 0] = W[1, 1] = 13369.015220  # 7/2 over the mass [1/kg]
W[2, 2] = 3819.718634
measured = [
    [0.643417, -3.846559, -0.092974, 3.769628],
    [1.334646, -3.664522, -0.547872, 3.591231],
    [1.957482, -3.373168, -0.180088, 3.305705],
    [2.474502, -3.014438, 0.491189, 2.954150],
    [2.974142, -2.522792, 1.391899, 2.472336],
    [3.378180, -1.948821, 2.207640, 1.909844],
]
observations = [
    {"W": W, "v_before": [t, 0.0, n], "v_after": [t_after, 0.0, n_after]} for t, n, t_after, n_after in measured
]

fit = carom.fit(observations, impact_model="compliant", free=["mu", "e", "eta0"])
for name, value in fit.parameters.items():
    print(f"{name:4} {value:.4f} +- {fit.standard_errors[name]:.4f}")
print(f"residual {fit.residual:.4f} m/s")
