"""Nine Men's Morris: close mills of three, and take the other player's men."""
