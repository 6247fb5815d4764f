"""What is told about requests: the ``Server-Timing`` header and log lines."""
