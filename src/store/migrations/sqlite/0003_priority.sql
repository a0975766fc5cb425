-- Jobs that are not of the usual priority are few: a list of them finds its way by this index, which
-- costs the others nothing.
CREATE INDEX job_priority ON job (priority, id) WHERE priority <> 5;
