"""Package models."""
