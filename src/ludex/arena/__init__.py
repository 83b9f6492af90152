"""Agents against each other: evaluation, statistics, engines behind pipes."""
