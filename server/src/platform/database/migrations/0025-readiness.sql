-- One row that is written to learn whether the database can be written to.
CREATE TABLE readiness (
  is_only      boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  checked_time timestamptz NOT NULL
);
