"""What every peer written in Python shares: the job, the phases, the clock, the line of JSON.

A program is started as `PEER.py PHASE JOBS LIMIT STORE`: LIMIT is the seconds after which a phase
stops early, STORE the peer's file or address. It prints one JSON object and ends.
"""

import json
import os
import sys
import threading
import time
from math import ceil

# The number of the first order.
FIRST = 10_000_000
# Latency: jobs so far apart, after so many that are not counted.
GAP_S = 0.02
WARM = 25
# Seconds to wait for the stragglers of a latency run.
STRAGGLERS_S = 10


def order(number: int) -> dict:
    """The job with this number: the 132 bytes of JSON that Conveyor's own benchmark stores."""
    return {
        "order": FIRST + number,
        "customer": "c-48213 Marie Lefevre",
        "articles": ["lamp-3400-black", "cable-2m"],
        "total": "EUR 184.50",
        "express": False,
    }


class Watch:
    """What a worker tells: each handler's start and end."""

    def __init__(self, goal: int) -> None:
        self._goal = goal
        self._lock = threading.Lock()
        self.first: float | None = None
        self.done = 0
        self.starts: dict[int, float] = {}
        self.ended = threading.Event()

    def started(self, job: dict) -> None:
        now = time.monotonic()
        with self._lock:
            self.first = self.first or now
            self.starts.setdefault(job["order"] - FIRST, now)

    def finished(self) -> None:
        with self._lock:
            self.done += 1
            if self.done >= self._goal:
                self.ended.set()


def enqueue(peer, jobs: int, limit: float, lanes: int) -> dict:
    """`lanes` threads at once, each waiting for its own answer."""
    for number in range(100):
        peer.enqueue(order(number))
    numbers = iter(range(jobs))
    taking = threading.Lock()
    counts = [0] * lanes
    start = time.monotonic()

    def lane(index: int) -> None:
        while time.monotonic() - start < limit:
            with taking:
                number = next(numbers, None)
            if number is None:
                return
            peer.enqueue(order(number))
            counts[index] += 1

    threads = [threading.Thread(target=lane, args=(index,)) for index in range(lanes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"jobs": sum(counts), "seconds": time.monotonic() - start}


def drain(peer, jobs: int, limit: float) -> dict:
    """One worker over a backlog, from the first handler until no job is left."""
    watch = Watch(jobs)
    peer.work(watch)
    watch.ended.wait(limit)
    while watch.ended.is_set() and not peer.empty():
        time.sleep(0.001)
    return {
        "jobs": watch.done,
        "seconds": time.monotonic() - watch.first if watch.first else limit,
    }


def latency(peer, jobs: int) -> dict:
    """Milliseconds from the enqueue call to the start of the handler, on an idle system."""
    watch = Watch(WARM + jobs)
    peer.work(watch)
    time.sleep(1)
    called = []
    start = time.monotonic()
    for number in range(WARM + jobs):
        time.sleep(max(0.0, start + number * GAP_S - time.monotonic()))
        called.append(time.monotonic())
        peer.enqueue(order(number))
    if not watch.ended.wait(STRAGGLERS_S):
        raise RuntimeError(f"only {watch.done} of {WARM + jobs} jobs started")
    waits = sorted(watch.starts[n] - called[n] for n in range(WARM, WARM + jobs))
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: waits[ceil(part * len(waits)) - 1] * 1000 for name, part in at.items()}


def main(open_peer, settings: str) -> None:
    """Runs the phase that the command line names.

    A peer has `enqueue(job)`, `empty()` (no job waits) and `work(watch)`, which starts a worker.
    """
    phase, jobs, limit, store = sys.argv[1:5]
    jobs, limit = int(jobs), float(limit)
    if phase == "settings":
        result = {"settings": settings}
    else:
        peer = open_peer(store)
        phases = {
            "enqueue_1": lambda: enqueue(peer, jobs, limit, 1),
            "enqueue_64": lambda: enqueue(peer, jobs, limit, 64),
            "drain": lambda: drain(peer, jobs, limit),
            "latency": lambda: latency(peer, jobs),
        }
        result = phases[phase]()
    print(json.dumps(result), flush=True)
    # Workers may still sleep between two polls; there is nothing left to wait for.
    os._exit(0)
