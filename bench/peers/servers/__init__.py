"""The rivals, each a program that serves: `python -m bench.peers.servers.naive PORT`."""
