"""Bodies in NumPy's arrays, on the host."""

import numpy as np

import nbody_ladder as nl

random = np.random.default_rng(1)
positions = random.standard_normal((10000, 3)).astype(np.float32)
masses = np.full(10000, 1e-4, np.float32)

a = nl.accelerations(positions, masses, softening=0.01, method="host_tree", theta=0.4)
error = nl.error(positions, masses, a, softening=0.01)
print(type(a).__name__, a.shape, f"median error {error['median']:.0e}")
