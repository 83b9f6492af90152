"""What boards and probabilities look like."""
