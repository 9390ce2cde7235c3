"""A million impacts with uncertain friction and restitution, then how the mean impulse answers to both: exact
derivatives instead of a second million. (The random numbers are those of a small generator, the same everywhere.)"""
import numpy as np

import carom

count, some = 1_000_000, 10_000
multiplier, increment = 6364136223846793005, 1442695040888963407
# x_k = a^k x_0 + c (1 + a + ... + a^(k-1)), in whole numbers of 64 bits that wrap around
powers = np.cumprod(np.concatenate([[1], np.full(2 * count, multiplier)]).astype(np.uint64))
sums = np.cumsum(powers[:-1], dtype=np.uint64)
state = powers[1:] + np.uint64(increment) * sums
uniform = ((state >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(count, 2)

W = np.array([[3.0, 0.2, 0.5], [0.2, 2.0, -0.4], [0.5, -0.4, 1.5]])
v = np.array([1.0, 0.5, -2.0])
friction, restitution = 0.3 + 0.2 * uniform[:, 0], 0.5 + 0.2 * uniform[:, 1]
batch = carom.spatial_batch(W, v, friction, restitution)  # one W and one v for all
slopes = carom.derivatives_batch(W, v, friction[:some], restitution[:some])

print("mean impulse           {:.6f} {:.6f} {:.6f} N s".format(*batch.impulse.mean(axis=0)))
print("its rise by friction   {:.6f} {:.6f} {:.6f} N s".format(*slopes.by_friction.mean(axis=0)))
print("      by restitution   {:.6f} {:.6f} {:.6f} N s".format(*slopes.by_restitution.mean(axis=0)))
