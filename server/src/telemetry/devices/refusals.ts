import type { RefusalReason } from "@telltale/contract/device-api";
import type { World } from "../../world.ts";

/** Refusals of one device on one day for one reason. Kept raw, because counting is frequent: formatting is left to the flush. */
interface Tally {
  deviceId: number;
  /** Days since the epoch. */
  day: number;
  reason: RefusalReason;
  count: number;
  key: string;
  value: string;
  /** Epoch milliseconds. */
  time: number;
}

const dayLength = 86_400_000;

export interface Refusals {
  /**
   * Counts `values` refused values (default 1); `deviceId` is null when the sender is unknown. Of the last value only its first characters are kept.
   */
  count(deviceId: number | null, reason: RefusalReason, key: string, value: string, values?: number): void;
  /** Refused values since the server started, by reason. */
  totals(): ReadonlyMap<RefusalReason, number>;
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const flushEvery = 2_000;

const upsert = `
  INSERT INTO device_refusals (device_id, day, reason, count, last_key, last_value, last_time)
  SELECT * FROM unnest($1::int[], $2::date[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])
  ON CONFLICT (device_id, day, reason) DO UPDATE SET count = device_refusals.count + excluded.count,
    last_key = excluded.last_key, last_value = excluded.last_value, last_time = excluded.last_time`;

/** PostgreSQL text cannot hold NUL. */
const storable = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed();

/** Counts refused values in memory and adds the sums to the devices' diagnostics every 2 seconds. */
export const createRefusals = ({ pool, clock, log }: Pick<World, "pool" | "clock" | "log">): Refusals => {
  const totals = new Map<RefusalReason, number>();
  let pending = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const rows = [...pending.values()];
    pending = new Map();
    const column = <K extends keyof Tally>(name: K) => rows.map((row) => row[name]);
    await pool
      .query(upsert, [
        column("deviceId"),
        column("day").map((day) => new Date(day * dayLength).toISOString().slice(0, 10)),
        column("reason"),
        column("count"),
        column("key").map(storable),
        column("value").map(storable),
        column("time").map((time) => new Date(time)),
      ])
      .catch((fault: unknown) => {
        log.error(
          { err: fault },
          "Could not write the counts of refused values; they are kept and written with the next flush",
        );
        for (const row of rows) merge(row);
      });
  };

  const merge = (row: Tally): void => {
    const name = `${row.deviceId}|${row.day}|${row.reason}`;
    const known = pending.get(name);
    if (known) Object.assign(known, row, { count: known.count + row.count });
    else pending.set(name, row);
  };

  return {
    count: (deviceId, reason, key, value, count = 1) => {
      totals.set(reason, (totals.get(reason) ?? 0) + count);
      if (deviceId === null) return;
      const time = clock.now();
      merge({ deviceId, day: Math.floor(time / dayLength), reason, count, key, value, time });
    },
    totals: () => totals,
    flush,
    start: () => {
      timer = setInterval(() => void flush(), flushEvery);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
};
