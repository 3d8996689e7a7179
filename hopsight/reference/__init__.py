"""Rule-based stand-ins for every model role, so that the whole loop runs without one."""
