import type { Input } from "@telltale/contract/call/call";
import type { ImportProgress, imports, Refusal } from "@telltale/contract/domains/readings/imports";
import type { PoolClient } from "pg";
import { inTransaction } from "../../platform/database/transaction.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { type Block, commitTogether, groupOf, insertionsOf, joined, type Run } from "../../readings/index.ts";
import { knownReadings } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { shownOf, storableOf, withoutKnown } from "./new-readings.rules.ts";
import { advanceImport, lockImport, refusalOf, type Target, targetsOf } from "./queries.ts";

/** A part of a file, read by the client. */
type Portion = Input<typeof imports.store>;

/** A channel's readings that can be stored. */
interface Part {
  target: Target;
  run: Run;
}

/** The channel with this id; throws when it takes no readings. */
const targetOf = (targets: ReadonlyMap<number, Target>, channelId: number, now: number): Target => {
  const target = targets.get(channelId);
  if (!target) throw notFound("A channel of the import is not in this plant any more. Begin again");
  const refusal = refusalOf(target, now);
  if (refusal) throw conflict(refusal);
  if (!target.channel_switch)
    throw conflict(`${target.channel_cn} of ${target.device_name} is off: switch it on first`);
  return target;
};

const checkColumns = ({ deviceChannelIds, counts, times, values, statuses = times }: Portion): void => {
  const sum = counts.reduce((before, count) => before + count, 0);
  if (counts.length !== deviceChannelIds.length || new Set(deviceChannelIds).size < counts.length)
    throw invalid("Each channel of the portion is named once, with the number of its readings");
  if (times.length !== sum || values.length !== sum || statuses.length !== sum)
    throw invalid("The portion has as many times, values and statuses as its channels have readings");
};

/** The portion's readings that can be stored, by channel, and the others by their reasons. */
const checkAll = async (client: PoolClient, plantId: number, portion: Portion, now: number) => {
  checkColumns(portion);
  const { deviceChannelIds, counts } = portion;
  const targets = await targetsOf(client, plantId, deviceChannelIds);
  const slice = createTimeSlice();
  const refused = new Map<string, number[]>();
  const parts: Part[] = [];
  let start = 0;
  for (const [index, channelId] of deviceChannelIds.entries()) {
    const end = start + (counts[index] ?? 0);
    const target = targetOf(targets, channelId, now);
    const limits = { now, keptFrom: target.readings_from?.getTime() ?? Number.NEGATIVE_INFINITY };
    parts.push({ target, run: storableOf(portion, { start, end }, limits, refused) });
    start = end;
    if (slice.isUsedUp()) await slice.next();
  }
  const refusals: Refusal[] = Array.from(refused, ([reason, at]) => ({ at, reason }));
  return { parts: parts.filter(({ run }) => run.times.length > 0), refusals, read: start };
};

const blockOf = (parts: readonly Part[]): Block => ({
  deviceIds: parts.map(({ target }) => target.device_id),
  channelIds: parts.map(({ target }) => target.channel_id),
  counts: parts.map(({ run }) => run.times.length),
  ...joined(parts.map(({ run }) => run)),
  shown: Uint8Array.from(parts, ({ run }) => shownOf(run)),
});

/** The readings that are not stored yet, by channel. */
const newOf = async (client: PoolClient, parts: readonly Part[]): Promise<Part[]> => {
  const known = await knownReadings(client, new Map(parts.map(({ target, run }) => [target.channel_id, run])));
  const slice = createTimeSlice();
  const fresh: Part[] = [];
  for (const { target, run } of parts) {
    const left = withoutKnown(run, known.get(target.channel_id));
    if (left.times.length > 0) fresh.push({ target, run: left });
    if (slice.isUsedUp()) await slice.next();
  }
  return fresh;
};

const store = async (
  client: PoolClient,
  plantId: number,
  portion: Portion,
  now: number,
): Promise<ImportProgress & { refusals: Refusal[] }> => {
  const { importId, after, position, line, unreadable } = portion;
  const before = await lockImport(client, plantId, importId);
  if (!before) throw notFound();
  if (before.is_ended || before.position !== after)
    throw conflict("The import is at another position: begin it again to learn where it goes on");
  await commitTogether(client);
  const { parts, refusals, read } = await checkAll(client, plantId, portion, now);
  const fresh = await newOf(client, parts);
  const groups = Map.groupBy(fresh, ({ target }) => groupOf(target.device_id));
  const batches = Array.from(groups, ([group, ofGroup]) => ({ group, block: blockOf(ofGroup) }));
  await Promise.all(insertionsOf(batches, now).map((statement) => client.query(statement)));
  const stored = fresh.reduce((sum, { run }) => sum + run.times.length, 0);
  const refused = refusals.reduce((sum, { at }) => sum + at.length, 0);
  const progress = await advanceImport(client, {
    ...{ importId, position, line, stored, present: read - refused - stored, refused: unreadable + refused },
    deviceIds: [...new Set(fresh.map(({ target }) => target.device_id))],
    now,
  });
  return { ...progress, refusals };
};

/**
 * Stores a portion of an import and its position in one transaction. Readings that are stored already are counted and stay as they are. Nothing is
 * evaluated: alerts, and the versions by which writers evaluate, are left alone; `latest` moves on by the merge, and only forward. Throws when the
 * portion does not follow the one before, or a channel takes no readings.
 */
export const storePortion = ({ pool, clock }: Pick<World, "pool" | "clock">, plantId: number, portion: Portion) =>
  inTransaction(pool, (client) => store(client, plantId, portion, clock.now()), "BEGIN ISOLATION LEVEL READ COMMITTED");
