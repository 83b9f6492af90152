"""Exact values of whole boards, from the last wall back to the first."""
