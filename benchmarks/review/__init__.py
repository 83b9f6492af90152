"""What reviews claim: calibrated probabilities, accuracy that follows strength, and their time."""
