"""The parts of every page: request context, forms, filters, messages and live updates."""
