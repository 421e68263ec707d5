-- Readable by 0039-narrow-columns.sql and later.

-- Keys with which devices register themselves in a plant.
CREATE TABLE provisioning_keys (
  key_id            int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id          int NOT NULL REFERENCES plants,
  key_name          text NOT NULL,
  -- Devices send it with a secret, of which only the SHA-256 is kept: it is random, 214 bits.
  provision_key     text NOT NULL UNIQUE,
  secret_hash       bytea NOT NULL,
  type_id           smallint NOT NULL,
  device_limit      int NOT NULL,
  -- Devices added by it; deleting one does not make room for another.
  device_count      int NOT NULL DEFAULT 0,
  refused_count     int NOT NULL DEFAULT 0,
  last_used_time    timestamptz,
  last_refused_time timestamptz,
  last_refusal      text NOT NULL DEFAULT '',
  created_by        int NOT NULL REFERENCES accounts,
  created_time      timestamptz NOT NULL,
  expire_time       timestamptz NOT NULL,
  revoked_time      timestamptz
);
CREATE INDEX provisioning_keys_of_plant ON provisioning_keys (plant_id);

-- Devices that have registered themselves. A row may outlive its device's time in the plant: see modules/provisioning/register.ts.
CREATE TABLE provisioned_devices (
  device_id int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  key_id    int NOT NULL REFERENCES provisioning_keys,
  plant_id  int NOT NULL REFERENCES plants,
  -- The name that the device gave itself; users may rename the device.
  serial    text NOT NULL,
  UNIQUE (plant_id, serial)
);
