-- Readable by 0036-nodes-side-by-side.sql and later.

-- Due messages are taken plant by plant, so that one plant's many messages do not delay the others'. Zero stands for messages about users' accounts.
CREATE INDEX outbox_due_of_plant ON outbox (kind, coalesce(plant_id, 0), next_time) WHERE status IN ('waiting', 'sending');
DROP INDEX outbox_due;
