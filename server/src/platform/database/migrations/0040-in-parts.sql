-- Readable by 0039-narrow-columns.sql and later.

-- A database that `telltale database distribute` has spread over several servers (Citus) loses this mark: earlier versions do not know it, and would
-- commit readings and alerts apart.
COMMENT ON TABLE batches IS 'readings as commits brought them; in a database in parts by device group on several servers, with chunks, packed_hours, hour_summaries and device_versions';
