"""The rules as kernels: one packed state in, the next one out."""
