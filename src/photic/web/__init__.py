"""The wire format: HTTP in, HTTP out. Alone knows Litestar, Granian and the multipart parser."""
