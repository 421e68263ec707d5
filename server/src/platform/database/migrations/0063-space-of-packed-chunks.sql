-- Readable by 0039-narrow-columns.sql and later.

-- Packing frees an hour's chunks device by device, while those of the next hour are written. By PostgreSQL's defaults a fifth of the table has to be dead
-- before its space is used again, and vacuum then takes its time: after an hour of full load a quarter of the database was unused.
ALTER TABLE chunks SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000, toast.autovacuum_vacuum_cost_delay = 0);
