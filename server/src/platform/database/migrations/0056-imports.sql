-- Readable by 0039-narrow-columns.sql and later.

-- Files of past readings that are brought in. Position and counts are written in the transaction of the readings, so that an import that was
-- interrupted goes on exactly where it stopped.
CREATE TABLE imports (
  import_id     int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id      int NOT NULL REFERENCES plants,
  -- SHA-256 of the file's beginning, its size and what it is read by; hexadecimal.
  digest        text NOT NULL,
  file_name     text NOT NULL,
  position      bigint NOT NULL DEFAULT 0,
  line_count    bigint NOT NULL DEFAULT 0,
  stored_count  bigint NOT NULL DEFAULT 0,
  present_count bigint NOT NULL DEFAULT 0,
  refused_count bigint NOT NULL DEFAULT 0,
  -- Whose readings it has stored.
  device_ids    int[] NOT NULL DEFAULT '{}',
  created_by    int NOT NULL REFERENCES accounts,
  created_time  timestamptz NOT NULL,
  ended_time    timestamptz
);
CREATE UNIQUE INDEX imports_open ON imports (plant_id, digest) WHERE ended_time IS NULL;
