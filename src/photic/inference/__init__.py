"""Package inference."""
