"""What scoring answers, and its reasoning: steps as values, told in a language that is data."""
