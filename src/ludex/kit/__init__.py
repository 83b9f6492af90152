"""What games on grids have in common: bit boards, geometry, notation, rules as kernels, scenes and lessons."""
