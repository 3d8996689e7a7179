"""A second pair of eyes on exported rows: own reader, own facts, own solver, own grammar.

It imports nothing of the programs that make the rows, so an error has to be made twice to slip
through. `python -m tests.checker EXPORTS_DIR WORLD_XML PICTURES_DIR` checks an export.
"""
