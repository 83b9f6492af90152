"""What the revealed numbers imply: proofs, and the exact probability of every mine."""
