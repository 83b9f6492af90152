"""What checks look through: fingerprints, traps and disturbances."""
