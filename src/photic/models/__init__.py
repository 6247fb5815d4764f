"""Models on disk: repositories, recipes and labels. Loads none."""
