"""Benchmarks of Photic and its rivals: `python -m bench`, see bench/README.md."""
