"""A sweep: a ball thrown at the floor at every angle, a hundred thousand impacts in one call on all cores. Prints a
table of the tangential speed that is left. (`carom.sweep(..).to_frame()` sweeps a scenario into a DataFrame.)"""
import numpy as np

import carom

count = 100_000
angle = 0.5 * np.pi * np.arange(count) / count  # from the normal
before = np.stack([np.sin(angle), np.zeros(count), -np.cos(angle)], axis=1)
W = np.diag([3.5, 3.5, 1.0])  # a solid ball of 1 kg
after = carom.spatial_batch(W, before, 0.2, 0.7).velocity_after

print("degrees  slip before  slip after")
for i in range(0, count, count // 9):
    print(f"{90.0 * i / count:7.1f}  {before[i, 0]:11.6f}  {after[i, 0]:10.6f}")
