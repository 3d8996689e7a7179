"""A real MediaWiki for a test: installed into a folder, filled, and served on loopback alone.

The program comes from the system's packages (PACKAGES); data base, pictures and cache lie in the
folder. Nothing is installed here: what is missing is told.
"""

import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.services.newcomer import await_end, free_port

PACKAGES = (
    "mediawiki php-cli php-sqlite3 php-gd php-mbstring php-xml php-intl php-apcu php-curl".split()
)
MODULES = {"apcu", "curl", "dom", "gd", "intl", "mbstring", "pdo_sqlite", "xml"}
PROGRAM = Path("/usr/share/mediawiki")
SERVED = ("api.php", "index.php", "load.php", "resources", "skins", "extensions")
_log = logging.getLogger(__name__)

START_S = 60.0
STEP_S = 280.0

SETTINGS = """
$wgServer = 'http://127.0.0.1:{port}';
$wgUploadDirectory = '{root}/docroot/images';
$wgUploadPath = '/images';
$wgCacheDirectory = '{root}/cache';
$wgTmpDirectory = '{root}/cache';
$wgEnableUploads = true;
$wgUseImageMagick = false;
$wgJobRunRate = 0;
$wgPingback = false;
// The data base is thrown away: waiting for the disk at each commit takes minutes of an import.
$wgDBservers = [ [
    'type' => 'sqlite', 'host' => '', 'dbname' => $wgDBname, 'user' => '', 'password' => '',
    'dbDirectory' => $wgSQLiteDataDir, 'load' => 1, 'flags' => DBO_DEFAULT,
    'variables' => [ 'synchronous' => 'OFF' ],
] ];
"""


class RealWiki:
    """A MediaWiki over one folder."""

    def __init__(self, root: Path) -> None:
        assert shutil.which("php") and (PROGRAM / "maintenance" / "install.php").is_file(), (
            f"a MediaWiki is missing: {_MISSING}"
        )
        listed = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True).stdout
        lacking = MODULES - {line.strip().lower() for line in listed.splitlines()}
        assert not lacking, f"PHP lacks {sorted(lacking)}: {_MISSING}"
        self.root = root
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/api.php"
        self._process: subprocess.Popen[bytes] | None = None
        self._install()

    @property
    def environment(self) -> Mapping[str, str]:
        # More than one worker: the server would else answer one request at a time.
        own = {
            "MW_CONFIG_FILE": str(self.root / "LocalSettings.php"),
            "PHP_CLI_SERVER_WORKERS": "3",
            "TMPDIR": str(self.root / "cache"),
        }
        return {**os.environ, **own}

    def maintain(self, script: str, *arguments: str, stdin: Path | None = None) -> None:
        """Run one of MediaWiki's maintenance scripts."""
        began = time.monotonic()
        command = ["php", str(PROGRAM / "maintenance" / f"{script}.php"), *arguments]
        with (stdin or Path(os.devnull)).open("rb") as given:
            done = subprocess.run(
                command,
                stdin=given,
                capture_output=True,
                text=True,
                errors="replace",
                env=self.environment,
                timeout=STEP_S,
                check=False,
            )
        assert done.returncode == 0, f"{script}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        _log.info("event=maintained script=%s seconds=%.1f", script, time.monotonic() - began)

    def start(self) -> None:
        """Serve the wiki. Its files lie behind links, so that pictures come from our folder."""
        log = (self.root / "server.log").open("wb")
        with log:
            self._process = subprocess.Popen(
                ["php", "-S", f"127.0.0.1:{self.port}", "-t", str(self.root / "docroot")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                httpx.get(self.address, params={"action": "query"}, timeout=30).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.2)
            else:
                return
        self.stop()
        pytest.fail(f"MediaWiki did not come up:\n{self.said[-2000:]}")

    @property
    def said(self) -> str:
        """What the server wrote: a line for each request."""
        return (self.root / "server.log").read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        """End the server and its workers, who would outlive it."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
            await_end(self._process.pid)

    def _install(self) -> None:
        for name in ("db", "cache", "docroot/images"):
            (self.root / name).mkdir(parents=True)
        for name in SERVED:
            (self.root / "docroot" / name).symlink_to(PROGRAM / name)
        self.maintain(
            "install",
            *("--dbtype", "sqlite", "--dbpath", str(self.root / "db"), "--dbname", "wiki"),
            *("--server", f"http://127.0.0.1:{self.port}", "--scriptpath", ""),
            *("--confpath", str(self.root), "--lang", "en", "--pass", "not-a-secret-here"),
            *("Mini world", "Keeper"),
        )
        with (self.root / "LocalSettings.php").open("a", encoding="utf-8") as settings:
            settings.write(
                SETTINGS.replace("{port}", str(self.port)).replace("{root}", str(self.root))
            )


_MISSING = f"run tests/services/run, or apt-get install {' '.join(PACKAGES)}"
