-- Settings on their way to the devices -----------------------------------------------------------------------------------

-- `version` counts the saves of a device's settings: it tells the second of two editors, and it goes down to the device with the settings,
-- which says it back when it has them. A device without a row is as it left the works: version 1, confirmed by nobody.
CREATE TABLE device_settings (
  device_id         int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  version           int NOT NULL DEFAULT 1,
  saved_time        timestamptz,
  saved_by          int REFERENCES users ON DELETE SET NULL,
  confirmed_version int,
  confirmed_time    timestamptz
);

-- The version with which a period's settings came.
ALTER TABLE settings_periods ADD COLUMN version int NOT NULL DEFAULT 1;

-- Every moment belongs to one period at most.
ALTER TABLE settings_periods ADD CHECK (end_time > start_time);
