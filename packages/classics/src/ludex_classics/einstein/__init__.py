"""EinStein würfelt nicht!: be the first to reach the opposite corner, with the stones that a die allows to move."""
