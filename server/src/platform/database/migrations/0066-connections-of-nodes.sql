-- Readable by 0039-narrow-columns.sql and later.

-- When the connection was made by which the node heard the device: of two nodes the one with the newer connection has the device, however late the
-- other one writes what it had heard before. Null: heard without a connection, as over HTTP.
ALTER TABLE device_nodes ADD COLUMN connected_time timestamptz;
