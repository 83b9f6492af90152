"""Load of the web server: `python -m benchmarks.web_load`."""
