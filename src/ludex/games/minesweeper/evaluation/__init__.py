"""Measuring an agent over many games."""
