"""Numbers as a question writes them."""


def written(number: float | None, unit: str | None) -> str:
    """Years plain ("1851", "300 BC"), other numbers with separators ("12,500"); "" for None."""
    if number is None:
        return ""
    if unit == "year":
        return f"{-int(number)} BC" if number < 0 else str(int(number))
    return f"{int(number):,}" if number == int(number) else f"{number:,}"
