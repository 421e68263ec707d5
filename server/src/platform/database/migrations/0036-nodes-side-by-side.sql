-- Which servers can work with the database after a migration: those that know at least this one. Null: only those that know the migration itself.
ALTER TABLE schema_migrations ADD COLUMN readable_since text;

-- The last migration that a node knows. Null: a version before this one.
ALTER TABLE nodes ADD COLUMN schema text;

-- Where the nodes of a cluster keep their files in common. A restored database gets another place than the one that it was copied from.
CREATE TABLE file_store (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  store_id uuid NOT NULL DEFAULT gen_random_uuid()
);
