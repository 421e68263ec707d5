-- Orders ------------------------------------------------------------------------------------------------------------

-- What a main device can be given for a year. Prices are changed here; an order keeps what it was made with.
CREATE TABLE service_packages (
  package_id            int PRIMARY KEY,
  report_interval_limit int NOT NULL UNIQUE CHECK (report_interval_limit > 0),  -- seconds
  storage_space         int NOT NULL CHECK (storage_space > 0),                 -- gigabytes
  price_cents           int NOT NULL CHECK (price_cents > 0)                    -- of a year
);
-- The space holds three years of readings of a device with 16 channels at that interval, packed.
INSERT INTO service_packages VALUES (1, 60, 1, 4800), (2, 10, 2, 9600), (3, 1, 10, 19200);

-- A purchase. It is captured, which is when the money is taken and the service extended, at most once.
CREATE TABLE orders (
  order_id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_sn              text NOT NULL UNIQUE,
  plant_id              int NOT NULL REFERENCES plants,
  account_id            int REFERENCES accounts ON DELETE SET NULL,             -- whoever ordered
  device_id             int NOT NULL REFERENCES devices,
  device_name           text NOT NULL,                                          -- as it was ordered, like all that follows
  package_id            int NOT NULL REFERENCES service_packages,
  report_interval_limit int NOT NULL,
  storage_space         int NOT NULL,
  years                 smallint NOT NULL CHECK (years BETWEEN 1 AND 3),
  amount_cents          int NOT NULL CHECK (amount_cents > 0),
  currency              text NOT NULL CHECK (currency = 'USD'),
  status                text NOT NULL CHECK (status IN ('created', 'approved', 'captured')),
  payment_id            text UNIQUE,                                            -- the provider's
  payer_id              text,
  capture_id            text UNIQUE,
  created_time          timestamptz NOT NULL,
  approved_time         timestamptz,
  captured_time         timestamptz,
  service_end           timestamptz,                                            -- of the device, after the capture
  CHECK ((status = 'captured') = (capture_id IS NOT NULL AND captured_time IS NOT NULL))
);
CREATE INDEX orders_plant ON orders (plant_id, order_id);
CREATE INDEX orders_device ON orders (device_id);

-- What the built-in sandbox checkout remembers of its payments, as a payment provider would. No money moves.
CREATE TABLE sandbox_payments (
  payment_id    text PRIMARY KEY,
  order_sn      text NOT NULL UNIQUE,
  amount_cents  int NOT NULL,
  currency      text NOT NULL,
  payer_id      text,                                                           -- null until approved
  capture_id    text UNIQUE,                                                    -- null until captured
  created_time  timestamptz NOT NULL
);
