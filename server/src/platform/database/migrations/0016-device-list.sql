-- Devices as they are configured -------------------------------------------------------------------------------------------

-- Raised by every change of what is configured, so that of two people who edit the same device the second is told.
ALTER TABLE devices ADD COLUMN version int NOT NULL DEFAULT 1;

-- A third-party device is asked by its master at this address; on one line every address is one device's.
ALTER TABLE devices ADD COLUMN modbus_address smallint CHECK (modbus_address BETWEEN 1 AND 247);
CREATE UNIQUE INDEX devices_modbus_address ON devices (parent_device_id, modbus_address) WHERE modbus_address IS NOT NULL;

-- A deleted device keeps its number, and what is stored by it, until the background has removed that; its unit goes on as a new device under the
-- printed ID. From its deletion on the device belongs to no plant, and its alerts, which say their plant themselves, are left out by this list.
CREATE TABLE deleted_devices (
  device_id    int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  plant_id     int NOT NULL,
  deleted_time timestamptz NOT NULL
);
CREATE INDEX deleted_devices_plant ON deleted_devices (plant_id);

-- What a deletion looks for by device or channel.
CREATE INDEX downloads_device ON downloads (device_id);
CREATE INDEX dashboard_tiles_channel ON dashboard_tiles (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX dashboard_tiles_device ON dashboard_tiles (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX dashboard_group_channels_channel ON dashboard_group_channels (channel_id);
CREATE INDEX dashboard_groups_device ON dashboard_groups (device_id);

-- An order is kept when its device is deleted: it says itself which unit it was for.
ALTER TABLE orders DROP CONSTRAINT orders_device_id_fkey;
ALTER TABLE orders ADD COLUMN device_sn_id text NOT NULL DEFAULT '';
UPDATE orders SET device_sn_id = devices.device_sn_id FROM devices WHERE devices.device_id = orders.device_id;
