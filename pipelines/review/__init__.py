"""The review page: questions with their pictures, chains and sentences, to be decided about."""

from pipelines.review.app import create_app
from pipelines.review.launch import serve_review
from pipelines.review.material import Material, open_material

__all__ = ["Material", "create_app", "open_material", "serve_review"]
