-- Nodes that serve this database together. A server that has it to itself writes no row.
CREATE TABLE nodes (
  node_id      uuid PRIMARY KEY,
  name         text NOT NULL,                             -- process and host, for the operator
  version      text NOT NULL,
  started_time timestamptz NOT NULL DEFAULT now(),
  heard_time   timestamptz NOT NULL DEFAULT now()         -- by the database's clock, every few seconds
);

-- The node that heard a device last, which is the one that judges its silence.
CREATE TABLE device_nodes (
  device_id int PRIMARY KEY,
  node_id   uuid NOT NULL
);
