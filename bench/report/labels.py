"""What servers are called in tables and plots."""

from bench.peers.registry import SERVERS

__all__ = ["label", "plain_label"]


def label(server: str) -> str:
    """Its name for people."""
    return SERVERS[server].label if server in SERVERS else server


def plain_label(server: str) -> str:
    """The same without Markdown, for a plot."""
    return label(server).replace("`", "")
