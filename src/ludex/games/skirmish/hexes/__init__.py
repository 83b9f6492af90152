"""The one place that knows hex geometry: offset columns and rows at the border, cube coordinates inside."""
