"""The folder on a real disk in which a peer's server and files live for one run."""

import os
import shutil
import tempfile
from pathlib import Path

# In memory, every sync is free and every figure a lie.
NOT_DISKS = {"tmpfs", "ramfs", "devtmpfs"}


def file_system(path: Path) -> str:
    """The type of the file system that holds `path`, as the kernel names it."""
    best, kind = "", "unknown"
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, name, *_ = line.split(" ")
        if path.is_relative_to(mount) and len(mount) >= len(best):
            best, kind = mount, name
    return kind


class Place:
    """A temporary folder, removed at the end. `fresh` gives an empty folder inside it."""

    def __enter__(self) -> "Place":
        tried = []
        for parent in (tempfile.gettempdir(), "/var/tmp", Path.cwd()):
            parent = Path(parent).resolve()
            kind = file_system(parent)
            if kind not in NOT_DISKS:
                self.root = Path(tempfile.mkdtemp(prefix="peers-", dir=parent))
                # PostgreSQL runs as its own user and must pass through.
                self.root.chmod(0o711)
                self._count = 0
                return self
            tried.append(f"{parent} ({kind})")
        raise RuntimeError(f"no folder on a disk among {', '.join(tried)}; set TMPDIR")

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def fresh(self, owner: str | None = None) -> Path:
        """A new empty folder, belonging to the user `owner` if given."""
        self._count += 1
        folder = self.root / str(self._count)
        folder.mkdir(mode=0o700)
        if owner:
            shutil.chown(folder, owner, owner)
        return folder

    def drop(self, folder: Path) -> None:
        """Frees the disk of a folder that is no longer needed."""
        shutil.rmtree(folder, ignore_errors=True)


def running_as_root() -> bool:
    return os.geteuid() == 0
