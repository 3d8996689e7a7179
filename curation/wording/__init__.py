"""Models over grounded questions: a verifier reads the evidence, a generator words the question.

Rules have decided before what a question says and that it is true; here nothing is added to that.
A model may reject a question or word it anew, and its wording passes the same gates and is read
again by the verifier.
"""

from curation.wording.candidates import rivals
from curation.wording.claims import hop_claims
from curation.wording.gates import OPERATOR, entered
from curation.wording.readers import STAGE, Readers, readers_of
from curation.wording.stage import worded_anew, worded_questions

__all__ = [
    "OPERATOR",
    "STAGE",
    "Readers",
    "entered",
    "hop_claims",
    "readers_of",
    "rivals",
    "worded_anew",
    "worded_questions",
]
