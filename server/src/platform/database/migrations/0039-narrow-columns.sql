-- Earlier versions cannot read the coded readings that this one writes, and would take them for damaged: it has no mark of readability.

COMMENT ON COLUMN batches.readings IS 'coded columns, since 0039 narrow ones: server/src/readings/block.ts';
COMMENT ON COLUMN chunks.readings IS 'as batches.readings';

-- Packing takes a large channel's chunks alone; a channel of hundreds of readings a second has a thousand an hour.
CREATE INDEX chunks_of_channel ON chunks (device_group, device_id, channel_id, hour) WHERE channel_id IS NOT NULL;
