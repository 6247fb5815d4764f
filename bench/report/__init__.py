"""From one run's results.json to tables, plots, and the published copy in docs/benchmarks."""
