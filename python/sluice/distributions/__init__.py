"""compat.v1.distributions: random variables with their densities, moments and samples."""
