"""Arrays as OpenCV takes and gives them; it does not say of what numbers."""

from typing import Any

import numpy.typing as npt

Raster = npt.NDArray[Any]
"""Rows × columns, or rows × columns × channels."""

Points = npt.NDArray[Any]
"""Points × (x, y)."""
