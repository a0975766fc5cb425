"""Memory of a peer while it works."""

import threading
from collections.abc import Callable
from pathlib import Path

# Often enough to see a drain of a second, rare enough not to be seen in its rate.
EVERY_S = 0.2


def tree(pid: int) -> list[int]:
    """The process and all its descendants."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return found


def resident_kib(pid: int) -> int:
    """Resident memory with each shared page divided among those that share it."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


class Memory:
    """Samples the sum over several process trees; `peak_mb` is the greatest seen."""

    def __init__(self, roots: Callable[[], list[int]]) -> None:
        self._roots = roots
        self._stop = threading.Event()
        self._peak_kib = 0
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(EVERY_S):
            pids = {pid for root in self._roots() for pid in tree(root)}
            self._peak_kib = max(self._peak_kib, sum(resident_kib(pid) for pid in pids))

    def peak_mb(self) -> float | None:
        """MiB; none when the work was over before the first sample."""
        return round(self._peak_kib / 1024, 1) if self._peak_kib else None
