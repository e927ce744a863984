"""Bodies in CuPy's arrays: they stay on the GPU."""

import cupy as cp

import nbody_ladder as nl

positions = cp.random.standard_normal((1048576, 3), dtype=cp.float32)
masses = cp.full(1048576, 1 / 1048576, cp.float32)

a = nl.accelerations(positions, masses, softening=0.01, method="10_tuned", tolerance=1e-4)
error = nl.error(positions, masses, a, softening=0.01)
print(type(a).__name__, a.shape, "median error below 1e-3:", error["median"] < 1e-3)
