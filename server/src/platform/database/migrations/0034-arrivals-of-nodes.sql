-- Arrival times by the start of a server that wrote them: another node, or a later start, recognises by them what devices resend without the DUP flag.
ALTER TABLE arrivals
  ADD COLUMN node_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN is_lost boolean NOT NULL DEFAULT false;      -- its acknowledgement was lost when that server stopped
ALTER TABLE arrivals ALTER COLUMN node_id DROP DEFAULT;

-- Servers that ended after everything they had received was acknowledged, except what is marked as lost.
CREATE TABLE clean_stops (
  node_id      uuid PRIMARY KEY,
  stopped_time timestamptz NOT NULL DEFAULT now()
);

-- Until now a row with device 0 said that, and the lost ones stood under negated device IDs.
INSERT INTO clean_stops (node_id) SELECT '00000000-0000-0000-0000-000000000000' FROM arrivals WHERE device_id = 0;
UPDATE arrivals a SET is_lost = true FROM arrivals l
 WHERE l.device_id < 0 AND a.device_id = -l.device_id AND a.packet_id = l.packet_id AND a.digest = l.digest;
DELETE FROM arrivals WHERE device_id <= 0;
