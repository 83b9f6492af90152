"""The contract every game, agent and tool of Ludex keeps. Start with `game.py`."""
