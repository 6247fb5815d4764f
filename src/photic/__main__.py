"""``python -m photic``."""

from photic.cli import main

if __name__ == "__main__":
    main()
