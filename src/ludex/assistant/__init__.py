"""Ludex for assistants that speak the Model Context Protocol."""
