"""Package preprocess."""
