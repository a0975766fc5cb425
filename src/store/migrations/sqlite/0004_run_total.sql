-- How long attempts took, by how they ended, since the database was made. `bucket` is the place in the
-- histogram, `n` counts the attempts that fell into it, `run` is the sum of their times. Never deleted.
CREATE TABLE run_total (
    series  INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    bucket  INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    run     INTEGER NOT NULL,
    PRIMARY KEY (series, outcome, bucket)
) STRICT, WITHOUT ROWID;
