"""Looking back: an evening, its hands, its accounts; many evenings and their statistics."""
