"""Package web."""
