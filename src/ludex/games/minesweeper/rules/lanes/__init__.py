"""Many boards side by side in preallocated arrays."""
