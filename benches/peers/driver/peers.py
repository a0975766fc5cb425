"""The peers: what each needs, its server, its program, and what its acknowledgement is worth."""

from collections.abc import Callable
from dataclasses import dataclass, field

from . import needs
from .needs import HERE, Need
from .place import Place
from .servers import Beanstalkd, Embedded, Postgres, Redis

NODE = HERE / "node"
PYTHON = HERE / "python"


@dataclass(frozen=True)
class Peer:
    """One row of the table."""

    name: str
    # Whether an acknowledged enqueue survives a power cut; README.md says how this was judged.
    durable: str
    server: Callable
    needs: list[Need]
    # The command that runs a phase, before the phase's own arguments.
    program: list[str]
    # A variant of the program, after them.
    mode: list[str] = field(default_factory=list)
    # Whether it has a call that takes many jobs.
    bulk: bool = True
    # Whether every acknowledgement waits for a sync, so that its speed is that of a durable queue.
    synced: bool = True
    # Whether it works inside the caller's process, without a socket between.
    embedded: bool = False


def redis(fsync: str) -> Callable[[Place], Redis]:
    return lambda place: Redis(place, fsync)


def embedded(settings: str) -> Callable[[Place], Embedded]:
    return lambda place: Embedded(place, settings)


BULLMQ_NEEDS = [
    needs.program("redis-server", "redis-server"),
    needs.node,
    needs.node_package("bullmq"),
]


def postgres_needs(package: str) -> list[Need]:
    return [needs.postgres, needs.node, needs.node_package(package), needs.node_package("pg")]


PEERS = [
    Peer(
        name="bullmq-redis-always",
        durable="yes",
        server=redis("always"),
        needs=BULLMQ_NEEDS,
        program=["node", str(NODE / "bullmq.mjs")],
    ),
    Peer(
        name="bullmq-redis-everysec",
        durable="up to 1 s lost",
        synced=False,
        server=redis("everysec"),
        needs=BULLMQ_NEEDS,
        program=["node", str(NODE / "bullmq.mjs")],
    ),
    Peer(
        name="graphile-worker",
        durable="yes",
        server=Postgres,
        needs=postgres_needs("graphile-worker"),
        program=["node", str(NODE / "graphile.mjs")],
        mode=["plain"],
    ),
    Peer(
        name="graphile-worker-batched",
        durable="yes",
        server=Postgres,
        needs=postgres_needs("graphile-worker"),
        program=["node", str(NODE / "graphile.mjs")],
        mode=["batched"],
    ),
    Peer(
        name="pg-boss",
        durable="yes",
        server=Postgres,
        needs=postgres_needs("pg-boss"),
        program=["node", str(NODE / "pgboss.mjs")],
    ),
    Peer(
        name="beanstalkd",
        durable="yes",
        server=Beanstalkd,
        needs=[needs.program("beanstalkd", "beanstalkd"), needs.node],
        program=["node", str(NODE / "beanstalkd.mjs")],
    ),
    Peer(
        name="huey-sqlite",
        durable="yes",
        server=embedded("WAL, synchronous=FULL (fsync=True)"),
        needs=[needs.python_package("huey")],
        program=[str(PYTHON / ".venv/bin/python"), str(PYTHON / "huey_sqlite.py")],
        bulk=False,
        embedded=True,
    ),
    Peer(
        name="effectum",
        durable="newest commit may be lost",
        server=embedded("as shipped: rollback journal, synchronous=NORMAL"),
        needs=[needs.cargo_built("effectum")],
        program=[str(needs.cargo_program("effectum"))],
        embedded=True,
    ),
    Peer(
        name="apalis-sqlite",
        durable="yes",
        server=embedded("WAL, synchronous=FULL forced on every connection"),
        needs=[needs.cargo_built("apalis")],
        program=[str(needs.cargo_program("apalis"))],
        embedded=True,
    ),
]
