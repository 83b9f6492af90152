"""Training configurations that ship."""
