"""Language models behind typed steps: requests, limits, cost, cache and structured answers."""
