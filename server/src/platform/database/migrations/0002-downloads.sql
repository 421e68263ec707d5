-- Downloads ----------------------------------------------------------------------------------------------------------

-- A device's readings of one finished month. The spreadsheet itself lies in DATA_DIR, where it can be made again at any time.
CREATE TABLE monthly_packages (
  package_id   int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_id    int NOT NULL REFERENCES devices ON DELETE CASCADE,
  month        int NOT NULL,                              -- year * 12 + month, January being 0, on the device's clock
  start_time   timestamptz NOT NULL,
  end_time     timestamptz NOT NULL,                      -- included
  bytes        bigint NOT NULL,
  created_time timestamptz NOT NULL,
  UNIQUE (device_id, month)
);

-- The month that the job looks at next; months before are decided, also those without a reading.
CREATE TABLE package_progress (
  device_id  int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  next_month int NOT NULL
);

-- Download history: who has downloaded which period of which device.
CREATE TABLE downloads (
  download_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL,
  account_id   int NOT NULL REFERENCES accounts ON DELETE CASCADE,
  device_id    int NOT NULL REFERENCES devices ON DELETE CASCADE,
  start_time   timestamptz NOT NULL,
  end_time     timestamptz NOT NULL,
  created_time timestamptz NOT NULL
);
CREATE INDEX downloads_account ON downloads (account_id, created_time DESC, download_id DESC);
