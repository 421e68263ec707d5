-- Readable by 0036-nodes-side-by-side.sql and later.

-- Raises the versions of these devices, which must be the expected ones: otherwise the transaction fails. So a batch of readings and its commit can be
-- sent together, without waiting for the versions. Ids ascend, as in every other statement that raises versions.
CREATE FUNCTION pass_fence(ids int[], expected bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing int;
  changed int;
BEGIN
  WITH raised AS (
    UPDATE device_versions SET version = version + 1 WHERE device_id = ANY(ids) RETURNING device_id, version
  )
  SELECT min(e.device_id) FILTER (WHERE r.device_id IS NULL), min(e.device_id) FILTER (WHERE r.version <> e.version + 1)
    INTO missing, changed
    FROM unnest(ids, expected) AS e(device_id, version) LEFT JOIN raised r USING (device_id);
  IF missing IS NOT NULL THEN
    RAISE foreign_key_violation USING MESSAGE = format('Device %s no longer exists', missing);
  ELSIF changed IS NOT NULL THEN
    RAISE EXCEPTION 'Device % has changed', changed USING ERRCODE = 'TT001';
  END IF;
END $$;
