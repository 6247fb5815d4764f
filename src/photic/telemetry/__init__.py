"""What is told about requests: headers, and later traces, metrics and logs."""
