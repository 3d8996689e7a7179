"""Audits of data sets that anybody has made: the static gates over their rows, as they are."""

from curation.audit.item import Finding, Item
from curation.audit.report import audit_card, audit_report, facts, found, write_audit
from curation.audit.run import LIMITS, Audit, audit_file

__all__ = [
    "LIMITS",
    "Audit",
    "Finding",
    "Item",
    "audit_card",
    "audit_file",
    "audit_report",
    "facts",
    "found",
    "write_audit",
]
