-- Readable by 0039-narrow-columns.sql and later.

-- Users at an OpenID Connect provider. The subject is the person, whatever e-mail address the provider gives it later.
CREATE TABLE identities (
  issuer       text NOT NULL,
  subject      text NOT NULL,
  user_id      int NOT NULL REFERENCES users,
  created_time timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject),
  -- An address that the provider gives to another person does not give that person the user.
  UNIQUE (user_id, issuer)
);

-- Sign-ins under way at the provider. A row is deleted when its answer comes.
CREATE TABLE sso_flows (
  state_hash    bytea PRIMARY KEY,
  -- Hash of the browser's cookie: an answer counts only in the browser that asked.
  browser_hash  bytea NOT NULL,
  nonce         text NOT NULL,
  code_verifier text NOT NULL,
  expires_time  timestamptz NOT NULL
);
CREATE INDEX sso_flows_expired ON sso_flows (expires_time);

ALTER TABLE sign_ins ADD COLUMN by_sso boolean NOT NULL DEFAULT false;
