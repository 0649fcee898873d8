"""`python -m markscheme` and the `markscheme` command."""

from markscheme.cli.app import main

if __name__ == "__main__":
    main()
