"""The public functions, by family."""
