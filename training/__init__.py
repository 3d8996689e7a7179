"""From curated records to files that trainers load, and the objectives they train with."""
