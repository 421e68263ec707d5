import { bigints, byteas, integers, smallints } from "../platform/database/array-parameters.ts";
import type { Statement } from "../platform/database/runner.ts";
import { type Block, encodeBlock } from "./block.ts";
import { extentOf } from "./order.ts";
import { isInParts } from "./parts.ts";

/** Readings of one device group, as one commit brings them. */
export interface GroupBatch {
  group: number;
  block: Block;
}

/** `device_ids` is text, since arrays of arrays must have equal lengths. */
const insertBatches = {
  name: "insert-batches",
  text: `INSERT INTO batches (device_group, received_ts, first_ts, last_ts, count, device_ids, readings)
         SELECT b.device_group, $7::int8, b.first_ts, b.last_ts, b.count, b.device_ids::int4[], b.readings
           FROM unnest($1::int2[], $2::int8[], $3::int8[], $4::int4[], $5::text[], $6::bytea[])
                AS b(device_group, first_ts, last_ts, count, device_ids, readings)`,
};

const insertionOfAll = (batches: readonly GroupBatch[], received: number): Statement => {
  const extents = batches.map(({ block }) => extentOf(block.times));
  return {
    ...insertBatches,
    values: [
      smallints(batches.map(({ group }) => group)),
      bigints(extents.map(([first]) => first)),
      bigints(extents.map(([, last]) => last)),
      integers(batches.map(({ block }) => block.times.length)),
      batches.map(({ block }) => `{${[...new Set(Array.from(block.deviceIds))].join(",")}}`),
      byteas(batches.map(({ block }) => encodeBlock(block))),
      received,
    ],
  };
};

/** Of one group: Citus sends it to its server as it is. */
const insertBatch = {
  name: "insert-batch",
  text: `INSERT INTO batches (device_group, received_ts, first_ts, last_ts, count, device_ids, readings)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

const insertionOf = ({ group, block }: GroupBatch, received: number): Statement => {
  const { times, deviceIds } = block;
  const [first, last] = extentOf(times);
  const devices = [...new Set(Array.from(deviceIds))];
  return { ...insertBatch, values: [group, received, first, last, times.length, devices, encodeBlock(block)] };
};

/** Statements that write the readings of a commit. `received`: server time, epoch milliseconds. */
export const insertionsOf = (batches: readonly GroupBatch[], received: number): Statement[] => {
  if (batches.length === 0) return [];
  return isInParts() ? batches.map((batch) => insertionOf(batch, received)) : [insertionOfAll(batches, received)];
};
