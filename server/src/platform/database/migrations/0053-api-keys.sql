-- Readable by 0039-narrow-columns.sql and later.

-- Keys by which programs act as a member. Kept as SHA-256 only, so a copy of the database opens nothing.
CREATE TABLE api_keys (
  api_key_id   int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   int NOT NULL REFERENCES accounts,
  key_name     text NOT NULL,
  key_hash     bytea NOT NULL UNIQUE,
  -- By which the holder recognises it.
  beginning    text NOT NULL,
  role_type    smallint NOT NULL CHECK (role_type BETWEEN 1 AND 5),
  is_read_only boolean NOT NULL,
  created_time timestamptz NOT NULL,
  -- Null: until it is revoked.
  expires_time timestamptz,
  used_time    timestamptz,
  used_address text NOT NULL DEFAULT ''
);
CREATE INDEX api_keys_account ON api_keys (account_id);
