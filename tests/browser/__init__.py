"""A package, so that its tests share one Chromium."""
