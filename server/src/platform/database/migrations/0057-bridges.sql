-- Readable by 0039-narrow-columns.sql and later.

-- Other MQTT brokers that a plant's values and alerts are published to.
CREATE TABLE bridges (
  bridge_id       int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id        int NOT NULL REFERENCES plants,
  bridge_name     text NOT NULL,
  url             text NOT NULL,
  user_name       text NOT NULL,
  password        text NOT NULL,
  client_id       text NOT NULL,
  -- Certificates of authorities in PEM, by which the broker's is checked instead of by the well-known ones; empty: by those.
  ca              text NOT NULL,
  format          smallint NOT NULL,
  prefix          text NOT NULL,
  all_devices     boolean NOT NULL,
  sends_values    boolean NOT NULL,
  sends_alerts    boolean NOT NULL,
  is_enabled      boolean NOT NULL,
  -- Since when it is connected, or is not and why; both are null before the first try.
  connected_since timestamptz,
  failing_since   timestamptz,
  fault           text NOT NULL DEFAULT '',
  -- What the broker has acknowledged, and when it last did; what it refused for good; what was too old before it was published.
  published_count bigint NOT NULL DEFAULT 0,
  published_time  timestamptz,
  refused_count   bigint NOT NULL DEFAULT 0,
  lost_count      bigint NOT NULL DEFAULT 0,
  lost_time       timestamptz,
  -- Sparkplug's bdSeq of the next connection.
  births          int NOT NULL DEFAULT 0,
  created_by      int REFERENCES accounts,
  created_time    timestamptz NOT NULL,
  version         int NOT NULL DEFAULT 1
);
CREATE INDEX bridges_of_plant ON bridges (plant_id);

-- The devices of a bridge that does not publish all of the plant.
CREATE TABLE bridge_devices (
  bridge_id int NOT NULL REFERENCES bridges ON DELETE CASCADE,
  device_id int NOT NULL REFERENCES devices ON DELETE CASCADE,
  PRIMARY KEY (bridge_id, device_id)
);
CREATE INDEX bridge_devices_of_device ON bridge_devices (device_id);

-- What a bridge has still to publish, oldest first: readings of one commit, coded as those of `batches`, or the change of an alert. Written by the
-- transaction that commits these. Without foreign keys: a bridge that is deleted meanwhile must not fail a device's readings.
CREATE TABLE bridge_queue (
  bridge_id int NOT NULL,
  entry_id  bigint GENERATED ALWAYS AS IDENTITY,
  -- Server time, epoch milliseconds.
  queued_ts bigint NOT NULL,
  count     int NOT NULL,
  readings  bytea,
  alert     jsonb,
  -- Lag is counted without reading the entries.
  PRIMARY KEY (bridge_id, entry_id) INCLUDE (queued_ts, count)
);
ALTER TABLE bridge_queue ALTER readings SET STORAGE EXTERNAL;
