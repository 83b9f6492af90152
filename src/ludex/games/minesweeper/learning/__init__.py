"""How the network is made: examples from the solver, imitation, masked PPO, measuring and export."""
