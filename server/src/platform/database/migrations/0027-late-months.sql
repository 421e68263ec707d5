-- Months of which readings were packed late: where their package is made already, it is made again. Each time gets a mark above all others, so that
-- a package is not taken for complete when readings came while it was made.
CREATE TABLE late_months (
  device_id int NOT NULL REFERENCES devices ON DELETE CASCADE,
  month     int NOT NULL,                                 -- as of monthly_packages
  mark      bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY (device_id, month)
);
ALTER TABLE package_progress DROP COLUMN late_count;
