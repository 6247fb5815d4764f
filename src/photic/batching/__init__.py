"""When which request is decoded and inferred, and on which thread. Knows no HTTP, JPEG or ORT."""
