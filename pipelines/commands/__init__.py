"""The verbs of the `hopsight` command."""
