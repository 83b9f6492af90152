"""What people ask of Ludex: one module per operation, from which flags, jobs, HTTP bodies and forms are made."""
