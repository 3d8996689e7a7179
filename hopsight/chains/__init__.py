"""Chains of evidence: the hops and clues that they are made of, and what is wrong with one."""

from hopsight.chains.answers import Answer, AnswerFinder
from hopsight.chains.clues import ClueFinder, Options, Rules, descriptors
from hopsight.chains.faults import chain_fault, text_fault, unsayable
from hopsight.chains.framed import Framed, Pair, by_id, chain_of, changed, framed
from hopsight.chains.hops import Exits, HopTable
from hopsight.chains.necessity import unneeded_hop

__all__ = [
    "Answer",
    "AnswerFinder",
    "ClueFinder",
    "Exits",
    "Framed",
    "HopTable",
    "Options",
    "Pair",
    "Rules",
    "by_id",
    "chain_fault",
    "chain_of",
    "changed",
    "descriptors",
    "framed",
    "text_fault",
    "unneeded_hop",
    "unsayable",
]
