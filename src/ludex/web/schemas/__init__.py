"""The documents of the API, a module per subject."""
