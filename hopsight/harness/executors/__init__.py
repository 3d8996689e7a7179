"""Who does much work of one kind: this process, several of them, or a Ray cluster."""

from hopsight.harness.executors.base import LANES, Executor, Work
from hopsight.harness.executors.in_process import InProcess
from hopsight.harness.executors.on_ray import OnRay
from hopsight.harness.executors.processes import Processes

__all__ = ["LANES", "Executor", "InProcess", "OnRay", "Processes", "Work", "local_executor"]


def local_executor(workers: int, lanes: int = LANES) -> Executor:
    """On this machine: in this process, or in so many others with `lanes` each."""
    return InProcess(lanes) if workers == 1 else Processes(workers, lanes)
