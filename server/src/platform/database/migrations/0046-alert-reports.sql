-- Readable by 0039-narrow-columns.sql and later.

-- The newest month of which a plant's alert report was sent: 12 * year + month - 1.
CREATE TABLE alert_reports (
  plant_id  int PRIMARY KEY REFERENCES plants ON DELETE CASCADE,
  month     int NOT NULL,
  sent_time timestamptz NOT NULL
);
-- The first report that is sent is that of the present month.
INSERT INTO alert_reports (plant_id, month, sent_time)
SELECT plant_id, 12 * extract(year FROM now())::int + extract(month FROM now())::int - 2, now() FROM plants;
