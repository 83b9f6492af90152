"""`python -m ludex` is the `ludex` command."""

from ludex.cli.main import main

if __name__ == "__main__":
    main()
