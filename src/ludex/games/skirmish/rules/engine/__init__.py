"""The compiled engine: phases, dice, scoring, masks and observations over packed states."""
