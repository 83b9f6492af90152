"""The laboratory: training runs, tournaments, evaluations and puzzle runs as supervised processes."""
