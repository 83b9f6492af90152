"""Everything that knows Numba: how kernels are compiled, cached on disk and loaded ahead of time."""
