-- Images that devices can be given. One that was withdrawn stays, because updates speak of it; its file is gone.
CREATE TABLE firmware_images (
  image_id       int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_sn      text NOT NULL,                                          -- the P/N it is for
  version        text NOT NULL,
  version_order  int[] NOT NULL,                                         -- the version as numbers, all of one length: these compare
  version_type   smallint NOT NULL CHECK (version_type IN (1, 2)),       -- MESH, MCU
  file           text NOT NULL,
  size           int NOT NULL CHECK (size > 0),
  sha256         text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  added_by       text NOT NULL,
  created_time   timestamptz NOT NULL,
  withdrawn_time timestamptz
);
CREATE UNIQUE INDEX firmware_images_version ON firmware_images (device_sn, version_order) WHERE withdrawn_time IS NULL;

-- What devices were given, and what became of it. An update under way has no end; a device has one at a time.
CREATE TABLE firmware_updates (
  update_id    int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL REFERENCES plants,
  device_id    int NOT NULL REFERENCES devices ON DELETE CASCADE,
  image_id     int NOT NULL REFERENCES firmware_images,
  from_version text,                                                     -- what the device ran when it began; null when it had not said
  step         smallint NOT NULL DEFAULT 1 CHECK (step BETWEEN 1 AND 5), -- offered, downloading, downloaded, verified, restarting
  chunk_size   int CHECK (chunk_size > 0),
  chunks_sent  int NOT NULL DEFAULT 0,
  asked_by     int REFERENCES users ON DELETE SET NULL,
  created_time timestamptz NOT NULL,
  heard_time   timestamptz NOT NULL,                                     -- when the device last did something about it
  ended_time   timestamptz,
  failure      text,                                                     -- why it came to nothing; null while under way and when it was installed
  CHECK (failure IS NULL OR ended_time IS NOT NULL)
);
CREATE UNIQUE INDEX firmware_updates_open ON firmware_updates (device_id) WHERE ended_time IS NULL;
CREATE INDEX firmware_updates_device ON firmware_updates (device_id, update_id DESC);
CREATE INDEX firmware_updates_heard ON firmware_updates (heard_time) WHERE ended_time IS NULL;
