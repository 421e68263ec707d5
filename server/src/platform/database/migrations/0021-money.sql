-- SMS credit and the ledger -------------------------------------------------------------------------------------------

-- SMS that can be bought at once. Prices are changed here; an order keeps what it was made with.
CREATE TABLE sms_packages (
  package_id  int PRIMARY KEY,
  sms_num     int NOT NULL UNIQUE CHECK (sms_num > 0),
  price_cents int NOT NULL CHECK (price_cents > 0)
);
INSERT INTO sms_packages VALUES (1, 100, 500), (2, 500, 2250), (3, 1000, 4000), (4, 5000, 18000);

-- An order is for a device's network services, or for SMS.
ALTER TABLE orders ADD COLUMN kind smallint NOT NULL DEFAULT 1 CHECK (kind IN (1, 2));
ALTER TABLE orders ADD COLUMN sms_num int CHECK (sms_num > 0);
ALTER TABLE orders DROP CONSTRAINT orders_package_id_fkey;
ALTER TABLE orders ALTER COLUMN device_id DROP NOT NULL;
ALTER TABLE orders ALTER COLUMN device_name DROP NOT NULL;
ALTER TABLE orders ALTER COLUMN report_interval_limit DROP NOT NULL;
ALTER TABLE orders ALTER COLUMN storage_space DROP NOT NULL;
ALTER TABLE orders ALTER COLUMN years DROP NOT NULL;
ALTER TABLE orders ADD CONSTRAINT orders_of_one_kind CHECK (
  CASE kind WHEN 1 THEN num_nulls(device_id, device_name, report_interval_limit, storage_space, years) = 0 AND sms_num IS NULL
            ELSE num_nonnulls(device_id, device_name, report_interval_limit, storage_space, years) = 0 AND sms_num IS NOT NULL END);
-- When its payment was begun, and when the provider was last asked what became of it: for those whose buyer never came back.
ALTER TABLE orders ADD COLUMN begun_time timestamptz;
ALTER TABLE orders ADD COLUMN asked_time timestamptz;
UPDATE orders SET begun_time = created_time, asked_time = created_time WHERE payment_id IS NOT NULL;
CREATE INDEX orders_open ON orders (asked_time) WHERE status <> 'captured' AND payment_id IS NOT NULL;
CREATE INDEX orders_sms ON orders (plant_id, captured_time DESC, order_id DESC) WHERE kind = 2 AND status = 'captured';

-- How many SMS a plant may still send: what the movements below add up to, kept beside them because whoever takes one needs to know at once.
CREATE TABLE sms_credit (
  plant_id int PRIMARY KEY REFERENCES plants,
  sms_left int NOT NULL CHECK (sms_left >= 0)
);

-- Every movement of money and of SMS credit. A movement is never changed and never removed.
CREATE TABLE ledger (
  entry_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL REFERENCES plants,
  kind         smallint NOT NULL CHECK (kind BETWEEN 1 AND 5),            -- paid, SMS bought, SMS given free, SMS used, SMS given back
  cents        int NOT NULL DEFAULT 0,                                    -- into the operator's till
  currency     text NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  sms          int NOT NULL DEFAULT 0,                                    -- onto the plant's credit; what is used is negative
  sms_left     int CHECK (sms_left >= 0),                                 -- of the credit after it
  order_id     bigint REFERENCES orders,
  message_id   bigint,                                                    -- of the outbox, which forgets in time
  created_time timestamptz NOT NULL,
  CHECK ((kind IN (1, 2)) = (order_id IS NOT NULL)),
  CHECK ((kind IN (4, 5)) = (message_id IS NOT NULL)),
  CHECK (CASE kind WHEN 1 THEN cents > 0 AND sms = 0 WHEN 4 THEN cents = 0 AND sms = -1 WHEN 5 THEN cents = 0 AND sms = 1 ELSE cents = 0 AND sms > 0 END),
  CHECK ((sms = 0) = (sms_left IS NULL))
);
-- An order is paid once and brings its SMS once, and an SMS is charged and given back once, whatever is repeated.
CREATE UNIQUE INDEX ledger_order ON ledger (order_id, kind) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_message ON ledger (message_id, kind) WHERE message_id IS NOT NULL;
CREATE INDEX ledger_plant ON ledger (plant_id, created_time, entry_id);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A movement of the ledger is never changed or removed: write another one';
END $$;
CREATE TRIGGER ledger_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- A plant begins with some SMS, so that a phone can be tried before anything is bought.
CREATE FUNCTION open_sms_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sms_credit (plant_id, sms_left) VALUES (NEW.plant_id, 25);
  INSERT INTO ledger (plant_id, kind, sms, sms_left, created_time) VALUES (NEW.plant_id, 3, 25, 25, NEW.created_time);
  RETURN NULL;
END $$;
CREATE TRIGGER open_sms_credit AFTER INSERT ON plants FOR EACH ROW EXECUTE FUNCTION open_sms_credit();
INSERT INTO sms_credit (plant_id, sms_left) SELECT plant_id, 25 FROM plants;
INSERT INTO ledger (plant_id, kind, sms, sms_left, created_time) SELECT plant_id, 3, 25, 25, created_time FROM plants;

-- What was captured before there was a ledger.
INSERT INTO ledger (plant_id, kind, cents, currency, order_id, created_time)
  SELECT plant_id, 1, amount_cents, currency, order_id, captured_time FROM orders WHERE status = 'captured' ORDER BY captured_time, order_id;

-- Which devices' ends of service were announced, for each end and distance once.
CREATE TABLE service_reminders (
  device_id    int NOT NULL REFERENCES devices ON DELETE CASCADE,
  service_end  timestamptz NOT NULL,
  days         smallint NOT NULL,
  created_time timestamptz NOT NULL,
  PRIMARY KEY (device_id, service_end, days)
);
CREATE INDEX devices_service_end ON devices (expire_time) WHERE parent_device_id IS NULL;
