"""Package postprocess."""
