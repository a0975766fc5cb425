"""Huey on SQLite. Workers are threads that poll; it has no call that takes many jobs."""

import logging

import huey
from huey import SqliteHuey

from measure import Watch, main

# They share one connection, yet one can prepare while another waits for its sync.
WORKERS = 8


class Peer:
    """A queue in a file, synced at every commit."""

    def __init__(self, store: str) -> None:
        self._queue = SqliteHuey("mail", filename=store, fsync=True)
        self._watch: Watch | None = None
        self._task = self._queue.task(name="mail")(self._handle)

    def _handle(self, job: dict) -> None:
        self._watch.started(job)
        self._watch.finished()

    def enqueue(self, job: dict) -> None:
        # Without a consumer in this process, calling a task stores it and returns.
        self._task(job)

    def empty(self) -> bool:
        return self._queue.storage.queue_size() == 0

    def work(self, watch: Watch) -> None:
        self._watch = watch
        logging.getLogger("huey").setLevel(logging.WARNING)
        self._queue.create_consumer(workers=WORKERS, periodic=False).start()


main(Peer, f"Huey {huey.__version__}, {WORKERS} worker threads, polling as shipped (0.1 s, growing)")
