"""Classic games for Ludex, each a folder of its own."""
