-- Readable by 0039-narrow-columns.sql and later.

-- Messages that no server sends are kept, and count for the summaries of a flood as sent ones do.
DROP INDEX outbox_sent_alerts;
CREATE INDEX outbox_sent_alerts ON outbox (kind, plant_id, lower(recipient), sent_time) WHERE status IN ('sent', 'kept') AND alert_id IS NOT NULL;
