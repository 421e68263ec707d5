-- Readable by 0039-narrow-columns.sql and later.

-- Of a plant also the summaries of alerts that were given up, which are about no single alert.
DROP INDEX outbox_failed;
CREATE INDEX outbox_failed ON outbox (plant_id) WHERE status = 'failed';
