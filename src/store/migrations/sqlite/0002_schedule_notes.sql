-- Why a schedule stands still that could not be carried out, and the slot that waits for its earlier job
-- (`overlap: queue_one`). Both are for people to see, and outlive the process that noted them.
ALTER TABLE schedule ADD COLUMN fault TEXT;
ALTER TABLE schedule ADD COLUMN waiting_slot INTEGER;
