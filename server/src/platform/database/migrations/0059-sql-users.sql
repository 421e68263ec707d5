-- Readable by 0039-narrow-columns.sql and later.

-- Roles of PostgreSQL by which other programs read a plant. A role is made again from its row where it is missing, as after a restore.
CREATE TABLE sql_users (
  sql_user_id  int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL REFERENCES plants,
  role_name    text NOT NULL UNIQUE,
  -- PostgreSQL's own form of a password, from which it cannot be computed.
  verifier     text NOT NULL,
  created_by   text NOT NULL,
  created_time timestamptz NOT NULL,
  used_time    timestamptz,
  used_address text NOT NULL DEFAULT ''
);
CREATE INDEX sql_users_plant ON sql_users (plant_id);
