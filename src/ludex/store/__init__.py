"""What must last: matches and rankings in a database."""
