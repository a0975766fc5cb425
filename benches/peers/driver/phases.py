"""The phases of a peer, in order, each by a program of its own on an empty store."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .memory import Memory
from .peers import Peer
from .place import Place
from .servers import Server

# Seconds after which a phase stops and its rate is that of what was done: a run of all peers stays
# near a quarter of an hour on a quiet machine, and a peer has its end even where each is reached.
ENQUEUE_S = 5
FILL_S = 60
DRAIN_S = 30
DEEP_FILL_S = 120
DEEP_DRAIN_S = 20
# Beyond its own limit, a program may take this long to connect, wait for stragglers and end.
GRACE_S = 60

# Jobs that wait when the drain of a deep backlog starts.
DEEP = 1_000_000
# Jobs whose start is timed: the most, and one for so many jobs of a phase.
TIMED = 500
JOBS_A_TIMED = 50


class Run:
    """One peer on one server, and what is known of it so far."""

    def __init__(self, peer: Peer, server: Server) -> None:
        self.peer = peer
        self.server = server
        self.figures: dict[str, object] = {}
        self.reduced: dict[str, int] = {}
        self.failed: dict[str, str] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """A part whose failure is told under its name and costs no other part."""
        try:
            yield
        except Exception as error:
            print(f"{self.peer.name}: {name} failed: {error}", file=sys.stderr, flush=True)
            self.failed[name] = str(error).strip()

    def phase(self, name: str, jobs: int, limit: float, store: str, memory: bool = False) -> dict:
        """Runs a phase; with `memory`, the answer has the peak of program and server."""
        command = [*self.peer.program, name, str(jobs), str(limit), store, *self.peer.mode]
        print(f"{self.peer.name}: {name} {jobs or ''}".rstrip(), file=sys.stderr, flush=True)
        program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            if memory:
                with Memory(lambda: [program.pid, *self.server.pids()]) as seen:
                    output, _ = program.communicate(timeout=limit + GRACE_S)
            else:
                output, _ = program.communicate(timeout=limit + GRACE_S)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"{name} did not end within {limit + GRACE_S:.0f} s") from None
        finally:
            # Nothing that it started may outlive it, whatever stops us here.
            program.kill()
            program.wait()
        if program.returncode != 0:
            raise RuntimeError(f"{name} ended with {program.returncode}, see standard error")
        result = json.loads(output)
        if memory:
            result["rss_mb"] = seen.peak_mb()
        return result

    def rate(self, figure: str, asked: int, done: dict) -> None:
        """Keeps jobs a second, and how many were done where it was not all."""
        if done["jobs"] < asked:
            self.reduced[figure] = done["jobs"]
        self.figures[figure] = round(done["jobs"] / done["seconds"], 1) if done["jobs"] else None

    def fill(self, jobs: int, limit: float, store: str) -> dict:
        """A backlog, by bulk calls where there are any."""
        filled = self.phase("bulk" if self.peer.bulk else "enqueue_64", jobs, limit, store)
        self.server.rest(store)
        return filled

    def enqueues(self, jobs: int) -> None:
        """One caller, then 64."""
        for figure in ("enqueue_1", "enqueue_64"):
            with self.part(figure):
                done = self.phase(figure, jobs, ENQUEUE_S, self.server.fresh())
                self.rate(figure, jobs, done)

    def backlog(self, jobs: int) -> None:
        """Bulk calls, and the drain of what they left."""
        with self.part("bulk" if self.peer.bulk else "drain"):
            store = self.server.fresh()
            filled = self.fill(jobs, FILL_S, store)
            if self.peer.bulk:
                self.rate("bulk", jobs, filled)
            with self.part("drain"):
                drained = self.phase("drain", filled["jobs"], DRAIN_S, store, memory=True)
                self.rate("drain", jobs, drained)
                self.figures["rss_mb"] = drained["rss_mb"]

    def latency(self, jobs: int) -> None:
        """From the call to the start of the handler, when there is nothing else to do."""
        with self.part("latency_ms"):
            timed = max(1, min(TIMED, jobs // JOBS_A_TIMED))
            waits = self.phase("latency", timed, ENQUEUE_S, self.server.fresh())
            self.figures["latency_ms"] = {part: round(wait, 2) for part, wait in waits.items()}

    def deep(self, jobs: int) -> None:
        """The drain while a million jobs wait, or as many as could be filled in time."""
        with self.part("deep"):
            store = self.server.fresh(filling=True)
            filled = self.fill(jobs, DEEP_FILL_S, store)
            self.figures["deep_backlog"] = filled["jobs"]
            drained = self.phase("drain", filled["jobs"], DEEP_DRAIN_S, store, memory=True)
            # That only the beginning is measured is meant, and no reduction.
            self.rate("deep_drain", 0, drained)
            self.figures["deep_rss_mb"] = drained["rss_mb"]


def measure(peer: Peer, place: Place, jobs: int, deep: int) -> dict:
    """Every figure of a peer; with `deep`, also those of a backlog of so many jobs."""
    began = time.monotonic()
    with peer.server(place) as server:
        run = Run(peer, server)
        settings = run.phase("settings", 0, 0, "")["settings"]
        run.enqueues(jobs)
        run.backlog(jobs)
        run.latency(jobs)
        if deep:
            run.deep(deep)
        if not run.figures:
            raise RuntimeError("; ".join(sorted(set(run.failed.values()))))
        result = {
            "peer": peer.name,
            "durable": peer.durable,
            "synced": peer.synced,
            "embedded": peer.embedded,
            "settings": f"{settings}; {server.settings()}",
            **run.figures,
        }
    if run.reduced:
        result["reduced"] = run.reduced
    if run.failed:
        result["failed"] = run.failed
    result["seconds"] = round(time.monotonic() - began)
    print(f"{peer.name}: done in {result['seconds']} s", file=sys.stderr, flush=True)
    return result
