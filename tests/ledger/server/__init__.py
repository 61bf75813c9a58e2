"""The server: what holds connections, and what stands between it and the application."""
