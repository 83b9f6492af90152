"""The two evaluations of `ludex eval`: against opponents, or alone in a game for one."""
