"""The ``photic`` command."""


def main() -> None:
    """Run the command line."""
