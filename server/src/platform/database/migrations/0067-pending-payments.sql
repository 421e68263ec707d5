-- Readable by 0039-narrow-columns.sql and later.

-- When the payment provider last said that the money of an order is under way, which may take weeks. Null: it has not said so.
ALTER TABLE orders ADD COLUMN pending_time timestamptz;

-- Payments of a plant that were begun and are not completed: their number is limited.
CREATE INDEX orders_begun ON orders (plant_id, begun_time) WHERE status <> 'captured' AND begun_time IS NOT NULL;
