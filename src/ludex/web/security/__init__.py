"""Middleware that protects the app, and the connections that it is reached by."""
