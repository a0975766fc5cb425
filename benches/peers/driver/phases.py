"""The phases of a peer, in order, each by a program of its own on an empty store."""

import json
import subprocess
import sys
import time

from .memory import Memory
from .peers import Peer
from .place import Place

# Seconds after which a phase stops and its rate is that of what was done: a whole run of a peer
# stays near two minutes.
ENQUEUE_S = 15
FILL_S = 60
DRAIN_S = 60
FILL_MILLION_S = 150
DRAIN_MILLION_S = 90
# Beyond its own limit, a program may take this long to connect, wait for stragglers and end.
GRACE_S = 60

MILLION = 1_000_000


class Run:
    """One peer on one server."""

    def __init__(self, peer: Peer, server) -> None:
        self.peer = peer
        self.server = server
        self.reduced: dict[str, int] = {}

    def phase(self, name: str, jobs: int, limit: float, store: str, memory: bool = False) -> dict:
        """Runs a phase; with `memory`, the answer has the peak of program and server."""
        command = [*self.peer.program, name, str(jobs), str(limit), store, *self.peer.mode]
        print(f"{self.peer.name}: {name}, up to {jobs} jobs", file=sys.stderr, flush=True)
        program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            if memory:
                with Memory(lambda: [program.pid, *self.server.pids()]) as seen:
                    output, _ = program.communicate(timeout=limit + GRACE_S)
            else:
                output, _ = program.communicate(timeout=limit + GRACE_S)
        except BaseException:
            program.kill()
            program.wait()
            raise
        if program.returncode != 0:
            raise RuntimeError(f"{name} ended with {program.returncode}, see standard error")
        result = json.loads(output)
        if memory:
            result["rss_mb"] = seen.peak_mb()
        return result

    def rate(self, figure: str, asked: int, done: dict) -> float | None:
        """Jobs a second; notes under `figure` how many were done when it was not all."""
        if done["jobs"] < asked:
            self.reduced[figure] = done["jobs"]
        return round(done["jobs"] / done["seconds"], 1) if done["jobs"] else None

    def fill(self, jobs: int, limit: float, store: str) -> dict:
        """A backlog, by bulk calls where there are any."""
        filled = self.phase("bulk" if self.peer.bulk else "enqueue_64", jobs, limit, store)
        self.server.rest(store)
        return filled


def measure(peer: Peer, place: Place, jobs: int, million: bool) -> dict:
    """Every figure of a peer."""
    began = time.monotonic()
    with peer.server(place) as server:
        run = Run(peer, server)
        settings = run.phase("settings", 0, 0, "")["settings"]
        result = {
            "peer": peer.name,
            "durable": peer.durable,
            "settings": f"{settings}; {server.settings()}",
        }
        for figure in ("enqueue_1", "enqueue_64"):
            done = run.phase(figure, jobs, ENQUEUE_S, server.fresh())
            result[figure] = run.rate(figure, jobs, done)

        store = server.fresh()
        filled = run.fill(jobs, FILL_S, store)
        result["bulk"] = run.rate("bulk", jobs, filled) if peer.bulk else None
        drained = run.phase("drain", filled["jobs"], DRAIN_S, store, memory=True)
        result["drain"] = run.rate("drain", jobs, drained)
        waits = run.phase("latency", 0, ENQUEUE_S, server.fresh())
        result["latency_ms"] = {part: round(wait, 2) for part, wait in waits.items()}
        result["rss_mb"] = drained["rss_mb"]
        if million:
            result |= long_drain(run, server.fresh())
        if run.reduced:
            result["reduced"] = run.reduced
    print(f"{peer.name}: done in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return result


def long_drain(run: Run, store: str) -> dict:
    """The drain with a million jobs waiting, or why it was left out."""
    filled = run.fill(MILLION, FILL_MILLION_S, store)
    if filled["jobs"] < MILLION:
        rate = filled["jobs"] / filled["seconds"]
        return {"drain_1m": None, "left_out": f"filling a million at {rate:.0f} jobs/s takes too long"}
    drained = run.phase("drain", MILLION, DRAIN_MILLION_S, store, memory=True)
    return {"drain_1m": run.rate("drain_1m", MILLION, drained), "rss_mb_1m": drained["rss_mb"]}
