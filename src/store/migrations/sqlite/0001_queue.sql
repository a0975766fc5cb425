-- The queue: jobs and everything around them.
--
-- Times are microseconds since 1970 in UTC, lengths of time microseconds. A job's queue and kind are
-- kept once, as its lane; every index on jobs begins with the lane, so that a paused queue or a kind
-- that no worker knows costs nothing, however many jobs wait in it.

-- One row, whatever must be counted on for ever.
CREATE TABLE counter (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `job` is the last job id given out: an id is never used twice, even when its job is deleted.
INSERT INTO counter (name, value) VALUES ('job', 0), ('leases_expired', 0);

-- What roll-ups are kept by: at most 200 queues and 200 kinds, then `other`.
CREATE TABLE series (
    id    INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    kind  TEXT NOT NULL,
    UNIQUE (queue, kind)
) STRICT;

CREATE TABLE lane (
    id     INTEGER PRIMARY KEY,
    queue  TEXT NOT NULL,
    kind   TEXT NOT NULL,
    series INTEGER NOT NULL REFERENCES series (id),
    UNIQUE (queue, kind)
) STRICT;

CREATE INDEX lane_by_kind ON lane (kind);

CREATE TABLE queue (
    name         TEXT NOT NULL PRIMARY KEY,
    paused_by    TEXT,
    paused_note  TEXT,
    paused_since INTEGER,
    paused_until INTEGER,
    version      INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- The hot part of a job, kept narrow because each claim and finish rewrites it. A succeeded job's last
-- attempt is this row itself (worker, started_at, finished_at); every other ended attempt has a row in
-- `attempt`.
CREATE TABLE job (
    id                  INTEGER PRIMARY KEY,
    state               TEXT NOT NULL CHECK (state IN
                        ('scheduled', 'ready', 'running', 'retrying', 'succeeded', 'dead', 'cancelled', 'blocked')),
    lane                INTEGER NOT NULL,
    priority            INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 9),
    run_at              INTEGER NOT NULL CHECK (run_at BETWEEN 0 AND 253402300799999999),
    attempt             INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    max_attempts        INTEGER NOT NULL CHECK (max_attempts BETWEEN 1 AND 1000000),
    token               INTEGER NOT NULL DEFAULT 0,
    version             INTEGER NOT NULL DEFAULT 1,
    timeout             INTEGER NOT NULL CHECK (timeout >= 0),
    created_at          INTEGER NOT NULL,
    started_at          INTEGER,
    finished_at         INTEGER,
    lease_until         INTEGER,
    lease               INTEGER,
    worker              TEXT,
    crash_count         INTEGER NOT NULL DEFAULT 0,
    cancel_requested_at INTEGER,
    schedule            TEXT,
    idempotency_key     TEXT,
    dead_group          TEXT,
    dead_reason         TEXT,
    CHECK (state <> 'running' OR (lease_until IS NOT NULL AND worker IS NOT NULL AND started_at IS NOT NULL)),
    CHECK ((state IN ('succeeded', 'dead', 'cancelled')) = (finished_at IS NOT NULL))
) STRICT;

-- The order in which jobs are claimed.
CREATE INDEX job_ready ON job (lane, priority DESC, run_at, id) WHERE state = 'ready';
-- Lists, and the running jobs, of which there are never more than slots: rescue reads them all, so that
-- renewing a lease touches no index.
CREATE INDEX job_listed ON job (state, lane, id);
CREATE INDEX job_scheduled ON job (run_at) WHERE state = 'scheduled';
CREATE INDEX job_retrying ON job (run_at) WHERE state = 'retrying';
CREATE INDEX job_done ON job (finished_at) WHERE state IN ('succeeded', 'cancelled');
CREATE INDEX job_died ON job (finished_at) WHERE state = 'dead';
CREATE INDEX job_dead_group ON job (dead_group, id) WHERE dead_group IS NOT NULL;
CREATE INDEX job_schedule ON job (schedule, id) WHERE schedule IS NOT NULL;
CREATE INDEX job_schedule_open ON job (schedule)
    WHERE schedule IS NOT NULL AND state IN ('scheduled', 'ready', 'running', 'retrying', 'blocked');
CREATE UNIQUE INDEX job_key ON job (idempotency_key) WHERE idempotency_key IS NOT NULL;

-- What is read seldom and, but for an edit, written once. Null stands for the default or for none.
-- `request` is what was asked under an idempotency key, field by field.
CREATE TABLE job_body (
    id      INTEGER PRIMARY KEY,
    payload TEXT NOT NULL,
    meta    TEXT,
    tags    TEXT,
    backoff TEXT,
    request TEXT
) STRICT;

CREATE TABLE job_result (
    id     INTEGER PRIMARY KEY,
    result TEXT NOT NULL
) STRICT;

-- Holds for the attempt of that token only.
CREATE TABLE job_progress (
    id      INTEGER PRIMARY KEY,
    token   INTEGER NOT NULL,
    percent REAL,
    message TEXT
) STRICT;

CREATE TABLE job_tag (
    tag TEXT NOT NULL,
    id  INTEGER NOT NULL,
    PRIMARY KEY (tag, id)
) STRICT, WITHOUT ROWID;

-- Ended attempts. The lease token orders them; the number does not, since an attempt that was not
-- counted shares its number with the next.
CREATE TABLE attempt (
    id            INTEGER NOT NULL,
    token         INTEGER NOT NULL,
    number        INTEGER NOT NULL,
    worker        TEXT NOT NULL,
    started_at    INTEGER NOT NULL,
    finished_at   INTEGER NOT NULL,
    outcome       TEXT NOT NULL CHECK (outcome IN
                  ('succeeded', 'failed', 'timeout', 'snoozed', 'cancelled', 'dead', 'interrupted', 'lease_lost')),
    error_class   TEXT,
    error_message TEXT,
    backtrace     TEXT,
    PRIMARY KEY (id, token)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_log (
    id      INTEGER NOT NULL,
    token   INTEGER NOT NULL,
    line    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    level   TEXT NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
    message TEXT NOT NULL,
    PRIMARY KEY (id, token, line)
) STRICT, WITHOUT ROWID;

-- How many jobs each lane has in each state, changed in the transaction that changes the jobs.
CREATE TABLE job_count (
    lane  INTEGER NOT NULL,
    state TEXT NOT NULL,
    n     INTEGER NOT NULL,
    PRIMARY KEY (state, lane)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_count_ready ON job_count (lane) WHERE state = 'ready' AND n > 0;

CREATE TABLE dead_group (
    fingerprint TEXT NOT NULL PRIMARY KEY,
    kind        TEXT NOT NULL,
    class       TEXT NOT NULL,
    message     TEXT NOT NULL,
    n           INTEGER NOT NULL,
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    sample      INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX dead_group_by_size ON dead_group (n DESC);

-- What happened in each step of time. `width` is the length of the step in seconds, 10, 60 or 900;
-- width 0 is the sum of all time and is never deleted. `w0`… count waits (due to claimed) and `r0`…
-- runs (claimed to ended) by the buckets of the histograms, `wait` and `run` are their sums.
CREATE TABLE rollup (
    width       INTEGER NOT NULL,
    start       INTEGER NOT NULL,
    series      INTEGER NOT NULL,
    enqueued    INTEGER NOT NULL DEFAULT 0,
    succeeded   INTEGER NOT NULL DEFAULT 0,
    failed      INTEGER NOT NULL DEFAULT 0,
    timeout     INTEGER NOT NULL DEFAULT 0,
    snoozed     INTEGER NOT NULL DEFAULT 0,
    cancelled   INTEGER NOT NULL DEFAULT 0,
    dead        INTEGER NOT NULL DEFAULT 0,
    interrupted INTEGER NOT NULL DEFAULT 0,
    lease_lost  INTEGER NOT NULL DEFAULT 0,
    retried     INTEGER NOT NULL DEFAULT 0,
    died        INTEGER NOT NULL DEFAULT 0,
    wait        INTEGER NOT NULL DEFAULT 0,
    run         INTEGER NOT NULL DEFAULT 0,
    w0  INTEGER NOT NULL DEFAULT 0, w1  INTEGER NOT NULL DEFAULT 0, w2  INTEGER NOT NULL DEFAULT 0,
    w3  INTEGER NOT NULL DEFAULT 0, w4  INTEGER NOT NULL DEFAULT 0, w5  INTEGER NOT NULL DEFAULT 0,
    w6  INTEGER NOT NULL DEFAULT 0, w7  INTEGER NOT NULL DEFAULT 0, w8  INTEGER NOT NULL DEFAULT 0,
    w9  INTEGER NOT NULL DEFAULT 0, w10 INTEGER NOT NULL DEFAULT 0, w11 INTEGER NOT NULL DEFAULT 0,
    w12 INTEGER NOT NULL DEFAULT 0, w13 INTEGER NOT NULL DEFAULT 0, w14 INTEGER NOT NULL DEFAULT 0,
    w15 INTEGER NOT NULL DEFAULT 0,
    r0  INTEGER NOT NULL DEFAULT 0, r1  INTEGER NOT NULL DEFAULT 0, r2  INTEGER NOT NULL DEFAULT 0,
    r3  INTEGER NOT NULL DEFAULT 0, r4  INTEGER NOT NULL DEFAULT 0, r5  INTEGER NOT NULL DEFAULT 0,
    r6  INTEGER NOT NULL DEFAULT 0, r7  INTEGER NOT NULL DEFAULT 0, r8  INTEGER NOT NULL DEFAULT 0,
    r9  INTEGER NOT NULL DEFAULT 0, r10 INTEGER NOT NULL DEFAULT 0, r11 INTEGER NOT NULL DEFAULT 0,
    r12 INTEGER NOT NULL DEFAULT 0, r13 INTEGER NOT NULL DEFAULT 0, r14 INTEGER NOT NULL DEFAULT 0,
    r15 INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (width, start, series)
) STRICT, WITHOUT ROWID;

-- `spec` is what people wrote, as JSON.
CREATE TABLE schedule (
    name       TEXT NOT NULL PRIMARY KEY,
    spec       TEXT NOT NULL,
    next_at    INTEGER,
    anchor     INTEGER NOT NULL,
    paused_by  TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL;

-- The key is the promise that a slot fires at most once, whatever number of servers decide.
CREATE TABLE slot (
    schedule TEXT NOT NULL,
    slot     INTEGER NOT NULL,
    status   TEXT NOT NULL CHECK (status IN ('fired', 'late', 'skipped')),
    reason   TEXT,
    n        INTEGER NOT NULL DEFAULT 1,
    job_id   INTEGER,
    at       INTEGER NOT NULL,
    PRIMARY KEY (schedule, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX slot_by_time ON slot (at);

CREATE TABLE slot_total (
    schedule TEXT NOT NULL,
    status   TEXT NOT NULL,
    n        INTEGER NOT NULL,
    PRIMARY KEY (schedule, status)
) STRICT, WITHOUT ROWID;

-- `queues` and `kinds` are JSON arrays; `kinds` is null for a worker that takes all.
CREATE TABLE worker (
    name       TEXT NOT NULL PRIMARY KEY,
    queues     TEXT NOT NULL,
    kinds      TEXT,
    slots      INTEGER,
    state      TEXT NOT NULL CHECK (state IN ('run', 'quiet', 'stop')),
    in_process INTEGER NOT NULL,
    version    TEXT,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    id_hash    BLOB NOT NULL PRIMARY KEY,
    actor      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
