"""From a model's output to an answer, one file per task."""
