"""Configurations of the learner for every game; what a file leaves open follows from the board."""
