"""Package telemetry."""
