"""Q-learning of rankings and their audit."""
