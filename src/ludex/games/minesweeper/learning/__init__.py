"""Training the network: demonstrations of the solver, imitation, masked PPO, evaluation and export."""
