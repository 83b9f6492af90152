"""Q-learning of rankings, their files and their audit."""
