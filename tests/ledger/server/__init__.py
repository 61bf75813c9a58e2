"""The server: the holder of connections, and the layers between it and the application."""
