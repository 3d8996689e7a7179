"""The rule-based generator and verifier: what the embedded default writes and checks with."""

from hopsight.reference.generator import heldout, verbalise
from hopsight.reference.generator.book import Phrasebook
from hopsight.reference.generator.verifier import problems

BOOK = verbalise.BOOK

__all__ = ["BOOK", "Phrasebook", "heldout", "problems", "verbalise"]
