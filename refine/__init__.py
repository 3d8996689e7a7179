"""Operators that make an easy question hard: build_link, expand, blur, visualize."""
