"""What runs in a worker process: it imports the standard library alone, nothing of Hopsight.

A worker is started without site-packages and without the packages above this one (their `__init__`
would need pydantic), so that it starts in a few milliseconds and holds nothing worth stealing.
"""
