"""Running a model with ONNX Runtime; nothing else imports it."""
