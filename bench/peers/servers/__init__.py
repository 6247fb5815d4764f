"""The rivals, each a program that serves on the port given: `python -m bench.peers.servers.naive 8001`."""
