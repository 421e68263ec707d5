-- Tries that count towards a limit, by a hash of their key. Used by the nodes of a cluster; a server alone counts in memory. Lost with a crash of
-- PostgreSQL, as those in memory are with a restart.
CREATE UNLOGGED TABLE tries (
  name     text NOT NULL,
  key      text NOT NULL,
  count    int NOT NULL,
  until_ts bigint NOT NULL,                               -- epoch milliseconds; then they are forgotten
  PRIMARY KEY (name, key)
);
CREATE INDEX tries_until ON tries (until_ts);

-- Invitations of the last day, which are limited by plant. Counted in the database by every server.
CREATE TABLE sent_invitations (
  invitation_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id      int NOT NULL REFERENCES plants ON DELETE CASCADE,
  sent_time     timestamptz NOT NULL
);
CREATE INDEX sent_invitations_plant ON sent_invitations (plant_id);
