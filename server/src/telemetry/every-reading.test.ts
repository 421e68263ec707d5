import { topics } from "@telltale/contract/device-api";
import fc from "fast-check";
import type { MqttClient } from "mqtt";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { removeSummarised } from "../modules/storage/remove.ts";
import { summariseBefore } from "../modules/storage/summarise.ts";
import { theChannels } from "../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { beginningOf, chartOf, firstReadingOf, lastReadingOf, pointsOf, readingsInOrder } from "./index.ts";

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

const [second, hour] = [1_000, 3_600_000];

type Reading = readonly [ts: number, value: number];

/**
 * What may happen: a message, the same one again, the next message's commit without an answer, what the server does by itself or at a restart, and
 * that readings before an hour are no longer kept.
 */
type Event =
  | { kind: "message"; readings: Reading[] }
  | { kind: "summarised"; hour: number }
  | { kind: "repeated" | "merged" | "packed" | "reloaded" | "answer lost" };

/** Few moments, so that they often meet: in order, late, repeated, or two values at one time, some at the edges of hours. */
const moment = fc.oneof(
  fc.nat(4).map((at) => at * hour),
  fc.nat(4).map((at) => (at + 1) * hour - 1),
  fc.nat(4 * 3600).map((at) => at * second),
  fc.nat(40).map((at) => at * second),
);
const message = fc
  .array(fc.tuple(moment, fc.nat(3)), { minLength: 1, maxLength: 12 })
  .map((readings): Event => ({ kind: "message", readings }));
/** A second of readings, enough for minute summaries when packed. */
const dense = fc.nat(3).map(
  (at): Event => ({
    kind: "message",
    readings: Array.from({ length: 700 }, (_, n) => [at * hour + n * 5 * second, n % 7] as const),
  }),
);
const other = fc
  .constantFrom("repeated", "merged", "packed", "reloaded", "answer lost")
  .map((kind) => ({ kind }) as Event);
const summarised = fc.nat(4).map((at): Event => ({ kind: "summarised", hour: at }));
const events = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: message },
    { weight: 2, arbitrary: dense },
    { weight: 12, arbitrary: other },
    { weight: 1, arbitrary: summarised },
  ),
  { maxLength: 20 },
);

/** The next transaction's COMMIT succeeds, but its answer is lost. Returns what ends the wait for it. */
const loseNextAnswer = (): (() => void) => {
  const connect = world.pool.connect.bind(world.pool) as (...done: unknown[]) => Promise<PoolClient>;
  const spy = vi.spyOn(world.pool, "connect").mockImplementation((async (...done: unknown[]) => {
    if (done.length > 0) return connect(...done);
    spy.mockRestore();
    const client = await connect();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const answer = async (...args: unknown[]) => {
      const given = await query(...args);
      if (args[0] === "COMMIT") throw new Error("Connection terminated unexpectedly");
      return given;
    };
    return { query: answer, release: (isBroken?: boolean) => client.release(isBroken) };
  }) as never);
  return () => spy.mockRestore();
};

/** The stored readings that a plain table with a unique key would have. */
const expectedOf = (sent: ReadonlySet<string>): Reading[] =>
  [...sent].map((key) => JSON.parse(key) as Reading).sort((a, b) => a[0] - b[0] || a[1] - b[1]);

const listed = async (channelId: number, range: Reading, size: number): Promise<Reading[]> => {
  const readings: Reading[] = [];
  for (let page = 1; ; page++) {
    const { rows, total } = await pointsOf(world.pool, channelId, ...range, { page, size });
    readings.push(...rows.map(({ ts, value }) => [ts, value] as const));
    if (readings.length >= total || rows.length === 0) {
      expect(total).toBe(readings.length);
      return readings.reverse();
    }
  }
};

const exported = async (channelId: number, range: Reading): Promise<Reading[]> => {
  const readings: Reading[] = [];
  for await (const some of readingsInOrder(world, [channelId], ...range))
    readings.push(...some.map(({ ts, value }) => [ts, value] as const));
  return readings;
};

/** The readings that were stored, in order, and the time before which only summaries of them are kept. */
interface Stored {
  all: readonly Reading[];
  keptFrom: number;
}

/** Compares the times of first and last reading with the sent readings. Of an hour that is a summary only its beginning and its end are known. */
const compareEnds = async (channelId: number, { all, keptFrom }: Stored): Promise<void> => {
  const [first, last] = [all[0]?.[0] ?? null, all.at(-1)?.[0] ?? null];
  const isGone = (ts: number | null): ts is number => ts !== null && ts < keptFrom;
  const channel = theChannels([channelId]);
  expect([await firstReadingOf(world.pool, channel), await beginningOf(world.pool, channel)]).toEqual([
    all.find(([ts]) => ts >= keptFrom)?.[0] ?? null,
    isGone(first) ? Math.floor(first / hour) * hour : first,
  ]);
  expect(await lastReadingOf(world.pool, channel)).toBe(isGone(last) ? Math.ceil((last + 1) / hour) * hour - 1 : last);
};

/** Compares list, export and charts of each resolution with the sent readings of a range, which contains summaries as whole hours. */
const compare = async (channelId: number, { all, keptFrom }: Stored, range: Reading): Promise<void> => {
  const expected = all.filter(([ts]) => ts >= range[0] && ts <= range[1]);
  const kept = expected.filter(([ts]) => ts >= keptFrom);
  const values = expected.map(([, value]) => value);
  expect(await listed(channelId, range, 400)).toEqual(kept);
  expect(await exported(channelId, range)).toEqual(kept);
  for (const points of [5_000, 100, 4]) {
    const line = await chartOf(world.pool, channelId, ...range, points);
    expect(line.count).toBe(expected.length);
    if (expected.length > 0) {
      expect(Math.min(...line.ys)).toBe(Math.min(...values));
      expect(Math.max(...line.ys)).toBe(Math.max(...values));
    }
    // Hours that the range cuts count whole for the choice of the resolution.
    if (all.length <= points && kept.length === expected.length) expect(line.xs).toEqual(expected.map(([ts]) => ts));
  }
};

const send = (client: MqttClient, begin: number, readings: readonly Reading[]) =>
  client.publishAsync(
    topics.telemetry,
    JSON.stringify(readings.map(([ts, AI1]) => ({ ts: begin + ts, values: { AI1 } }))),
    { qos: 1 },
  );

const pack = async (): Promise<void> => {
  world.clock.pass(60 * second);
  await world.telemetry.packing.run();
};

/** Keeps only summaries of what is older than `from`, epoch milliseconds. */
const summarise = async ({ deviceId }: TestDevice, from: number): Promise<void> => {
  await summariseBefore(world, { deviceId, hour: from / hour, because: "kept for 1 month" });
  await removeSummarised(world, () => false);
  // Before the next message, whose old readings are refused then.
  world.bus.emitHere("deviceChange", { deviceId });
};

const play = async (
  device: TestDevice,
  begin: number,
  story: readonly Event[],
): Promise<{ sent: Set<string>; keptFrom: number }> => {
  const client = await world.mqtt(device.accessToken);
  const sent = new Set<string>();
  let last: Reading[] = [];
  let isLossy = false;
  let keptFrom = begin;
  for (const event of story) {
    if (event.kind === "message") last = event.readings;
    if (event.kind === "message" || (event.kind === "repeated" && last.length > 0)) {
      const endLoss = isLossy ? loseNextAnswer() : undefined;
      await send(client, begin, last);
      endLoss?.();
      isLossy = false;
      for (const [ts, value] of last) if (begin + ts >= keptFrom) sent.add(JSON.stringify([begin + ts, value]));
    }
    if (event.kind === "summarised") {
      keptFrom = Math.max(keptFrom, begin + event.hour * hour);
      await summarise(device, keptFrom);
    }
    if (event.kind === "merged") await world.telemetry.merger.all();
    if (event.kind === "packed") await pack();
    if (event.kind === "reloaded") world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    if (event.kind === "answer lost") isLossy = true;
  }
  await client.endAsync();
  return { sent, keptFrom };
};

it("any sequence of readings is read back exactly once, in lists, exports and charts, whenever it is merged and packed, and what is no longer kept as summaries", async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.nat(4 * 3600), fc.nat(4 * 3600), async (story, one, two) => {
      const device = await world.device();
      const channelId = device.channels.AI1 ?? 0;
      const begin = Math.floor(world.clock.now() / hour - 6) * hour;
      const { sent, keptFrom } = await play(device, begin, story);
      const stored = { all: expectedOf(sent), keptFrom };
      await compare(channelId, stored, [begin, begin + 6 * hour]);
      await compareEnds(channelId, stored);
      const [from, to] = [one, two].toSorted((a, b) => a - b).map((at) => Math.max(begin + at * second, keptFrom));
      await compare(channelId, stored, [from ?? begin, to ?? begin]);
      await pack();
      await compare(channelId, stored, [begin, begin + 6 * hour]);
      await compareEnds(channelId, stored);
    }),
    { numRuns: 30 },
  );
}, 120_000);
