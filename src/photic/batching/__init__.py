"""Package batching."""
