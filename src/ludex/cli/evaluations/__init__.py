"""How `ludex eval` measures: against opponents, or alone."""
