-- The device list in its order with all that is looked for in it: a page of a filter that most devices match is read from here, and neither
-- sorted nor made distinct by a table in memory.
CREATE INDEX listed_devices_order ON listed_devices (plant_id, listed_time, top_id)
  INCLUDE (device_id, claimed_time, expire_time, pay_time, device_sn, device_sn_id, device_name);
