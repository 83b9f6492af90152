"""Generic agents over the contract."""
