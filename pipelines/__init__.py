"""The application: Dagster definitions, and the `hopsight` command."""
