"""The peers' servers: each on a free port of 127.0.0.1, in a folder of the run, stopped by its id.

A server is a context manager. `fresh` gives the address of an empty store, which may be filled
without syncs until `rest` is called where it is only to be filled; `pids` are the processes whose
memory counts, `settings` what makes its answers durable.
"""

import os
import secrets
import socket
import subprocess
import time
from pathlib import Path

from .needs import POSTGRES_USER, postgres_bin
from .place import Place, running_as_root

START_S = 30
STOP_S = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def first_line(command: list[str]) -> str:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return (run.stdout or run.stderr).strip().splitlines()[0]


class Server:
    """A process in a folder of its own, started anew for each store."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._process: subprocess.Popen | None = None
        self._folder: Path | None = None

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def pids(self) -> list[int]:
        return [self._process.pid] if self._process else []

    def rest(self, store: str) -> None:
        """What the server would do by itself between a backlog's arrival and its drain."""

    def _start(self, command: list[str], port: int, user: str | None = None, config: str = "") -> None:
        with open(self._folder / "log", "wb") as log:
            self._process = subprocess.Popen(
                command, cwd=self._folder, stdin=subprocess.PIPE, stdout=log, stderr=log,
                user=user, group=user, extra_groups=[] if user else None,
            )
        self._process.stdin.write(config.encode())
        self._process.stdin.close()
        self._wait(port)

    def _wait(self, port: int) -> None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)
        log = (self._folder / "log").read_text(errors="replace")[-500:]
        raise RuntimeError(f"{self._process.args[0]} did not start: {log}")

    def _end(self) -> None:
        if self._process:
            self._process.send_signal(self.STOP)
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _stop(self) -> None:
        # The store is thrown away, so nothing is gained by letting it finish its work.
        self._end()
        if self._folder:
            self._place.drop(self._folder)
            self._folder = None

    STOP = 15


class Redis(Server):
    """Redis with its append-only file, synced before every answer or every second."""

    def __init__(self, place: Place, fsync: str) -> None:
        super().__init__(place)
        self._fsync = fsync

    def settings(self) -> str:
        version = first_line(["redis-server", "--version"]).split("v=")[1].split()[0]
        return f"Redis {version}, appendonly yes, appendfsync {self._fsync}"

    def fresh(self, filling: bool = False) -> str:
        self._stop()
        self._folder, port, password = self._place.fresh(), free_port(), secrets.token_hex(16)
        config = "\n".join([
            "bind 127.0.0.1", f"port {port}", f"requirepass {password}", f"dir {self._folder}",
            "appendonly yes", f"appendfsync {self._fsync}", 'save ""', "maxmemory-policy noeviction",
        ])
        self._start(["redis-server", "-"], port, config=config + "\n")
        return f"redis://:{password}@127.0.0.1:{port}"


class Beanstalkd(Server):
    """beanstalkd with its binlog synced after every write."""

    def settings(self) -> str:
        return f"{first_line(['beanstalkd', '-v'])}, binlog (-b), fsync of each write (-f0)"

    def fresh(self, filling: bool = False) -> str:
        self._stop()
        self._folder, self._port = self._place.fresh(), free_port()
        (self._folder / "binlog").mkdir()
        # At a sync a job, a million would take minutes; `rest` starts it again as it is measured.
        self._filling = filling
        self._open("-F" if filling else "-f0")
        return f"beanstalk://127.0.0.1:{self._port}"

    def rest(self, store: str) -> None:
        if self._filling:
            self._end()
            self._open("-f0")

    def _open(self, fsync: str) -> None:
        binlog = str(self._folder / "binlog")
        port = str(self._port)
        self._start(
            ["beanstalkd", "-l", "127.0.0.1", "-p", port, "-b", binlog, fsync], self._port
        )


class Postgres(Server):
    """PostgreSQL as it is shipped: one server for the run, a database for each store."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._user = POSTGRES_USER if running_as_root() else None
        self._bin = postgres_bin()
        self._stores = 0

    def settings(self) -> str:
        version = first_line([str(self._bin / "postgres"), "--version"]).split()[2]
        return f"PostgreSQL {version}, fsync on, synchronous_commit on, full_page_writes on"

    def __enter__(self) -> "Postgres":
        self._folder = self._place.fresh(self._user)
        self._port, self._password = free_port(), secrets.token_hex(16)
        secret = self._folder / "password"
        secret.write_text(self._password)
        data = self._folder / "data"
        who = {"user": self._user, "group": self._user, "extra_groups": []} if self._user else {}
        if self._user:
            os.chmod(secret, 0o644)
        subprocess.run(
            [self._bin / "initdb", "-D", data, "-U", "peer", "-A", "scram-sha-256", "--pwfile", secret,
             "-E", "UTF8", "--locale", "C", "--no-instructions"],
            check=True, stdout=subprocess.DEVNULL, cwd=self._folder, **who,
        )
        self._start(
            [str(self._bin / "postgres"), "-D", str(data), "-p", str(self._port), "-h", "127.0.0.1",
             "-c", "unix_socket_directories=", "-c", "fsync=on", "-c", "synchronous_commit=on",
             "-c", "full_page_writes=on", "-c", "log_min_messages=error", "-c", "log_min_error_statement=panic"],
            self._port, self._user,
        )
        return self

    def fresh(self, filling: bool = False) -> str:
        self._stores += 1
        name = f"store{self._stores}"
        address = f"postgres://peer:{self._password}@127.0.0.1:{self._port}"
        self._sql(f"create database {name}", f"{address}/postgres")
        return f"{address}/{name}"

    def rest(self, store: str) -> None:
        # Autovacuum does this within a minute. Until then the planner takes the tables for empty,
        # and pg-boss drains at a seventh of its rate.
        self._sql("vacuum analyze", store)

    def _sql(self, statement: str, address: str) -> None:
        deadline = time.monotonic() + START_S
        while True:
            run = subprocess.run(
                ["psql", "-qX", "-d", address, "-c", statement],
                capture_output=True, text=True, check=False,
            )
            if run.returncode == 0:
                return
            # The port answers a little before the server does.
            if "starting up" not in run.stderr or time.monotonic() > deadline:
                raise RuntimeError(run.stderr.strip())
            time.sleep(0.1)

    # Immediate shutdown: no last checkpoint.
    STOP = 3


class Embedded(Server):
    """No server: the store is a file inside the peer's own process."""

    def __init__(self, place: Place, settings: str) -> None:
        super().__init__(place)
        self._settings = settings

    def settings(self) -> str:
        return self._settings

    def fresh(self, filling: bool = False) -> str:
        self._stop()
        self._folder = self._place.fresh()
        return str(self._folder / "jobs.db")
