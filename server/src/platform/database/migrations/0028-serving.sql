-- Which run of a server serves the database, or served it last: a server that lost its connection learns here whether another has had the database since.
CREATE TABLE serving (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  run_id  uuid NOT NULL
);
