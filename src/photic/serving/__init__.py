"""One request's life, from admission to its answer."""
