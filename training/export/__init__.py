"""Files for trainers, each row with the ids of the records it was made from."""

from training.export.benchmark import export_eval
from training.export.files import Exported
from training.export.llamafactory import export_sft
from training.export.verl import export_rl

__all__ = ["Exported", "export_eval", "export_rl", "export_sft"]
