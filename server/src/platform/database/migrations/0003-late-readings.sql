-- Counts how often readings of decided months have come late, so that a package made meanwhile is not taken for complete.
ALTER TABLE package_progress ADD COLUMN late_count int NOT NULL DEFAULT 0;
