"""What the agents of commands and jobs get from the application."""

from typing import Final

DATABASE_SERVICES: Final = "ludex.store.services:lazy_services"
"""Opened in each worker on the first use by an agent."""
