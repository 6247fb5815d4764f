"""Rival servers: the same model, the same photos, the same run."""
