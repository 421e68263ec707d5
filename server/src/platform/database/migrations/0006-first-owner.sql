-- The link that a server without users prints: whoever opens it makes the first owner, once.
CREATE TABLE owner_links (
  token_hash   bytea PRIMARY KEY,
  created_time timestamptz NOT NULL,
  expires_time timestamptz NOT NULL
);
