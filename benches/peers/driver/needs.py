"""What a peer needs. Each check answers None, or what is missing and the command that brings it."""

import pwd
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from .place import running_as_root

HERE = Path(__file__).resolve().parent.parent
Need = Callable[[], str | None]

POSTGRES_USER = "postgres"


def program(name: str, package: str) -> Need:
    """A program on the path, from a package of the system."""

    def check() -> str | None:
        if shutil.which(name):
            return None
        return f"no {name}: apt-get install {package}"

    return check


def node() -> str | None:
    """Node 20 or newer."""
    if not shutil.which("node"):
        return "no node: apt-get install nodejs (20 or newer)"
    version = subprocess.run(
        ["node", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < 20:
        return f"node is {version}: install 20 or newer"
    return None


def node_package(name: str) -> Need:
    """A package in the folder of the peers written in JavaScript."""

    def check() -> str | None:
        if (HERE / "node/node_modules" / name / "package.json").exists():
            return None
        return f"no {name}: npm ci --prefix benches/peers/node"

    return check


def postgres_bin() -> Path | None:
    """Where `initdb` and `postgres` are; the newest version if there are several."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(versions, key=lambda path: int(path.parts[-3]))
    return newest[-1].parent if newest else None


def postgres() -> str | None:
    """A PostgreSQL server, and a user to run it as: it refuses to run as root."""
    if postgres_bin() is None:
        return "no initdb: apt-get install postgresql"
    if running_as_root():
        try:
            pwd.getpwnam(POSTGRES_USER)
        except KeyError:
            return f"no user {POSTGRES_USER}: adduser --system --group {POSTGRES_USER}"
    return None


def python_package(name: str) -> Need:
    """A package in the virtual environment of the peers written in Python."""

    def check() -> str | None:
        if any((HERE / "python/.venv/lib").glob(f"*/site-packages/{name}/__init__.py")):
            return None
        return (
            f"no {name}: python3 -m venv benches/peers/python/.venv && "
            "benches/peers/python/.venv/bin/pip install -r benches/peers/python/requirements.txt"
        )

    return check


def cargo_program(name: str) -> Path:
    """Where cargo leaves the program of a peer written in Rust."""
    return HERE / "rust" / name / "target/release" / f"peer-{name}"


def cargo_built(name: str) -> Need:
    """A peer written in Rust, built."""

    def check() -> str | None:
        if cargo_program(name).exists():
            return None
        return (
            f"{name} is not built: cargo build --release --locked "
            f"--manifest-path benches/peers/rust/{name}/Cargo.toml"
        )

    return check
