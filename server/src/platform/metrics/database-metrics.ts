import type { QueryResultRow } from "pg";
import { Gauge } from "prom-client";
import type { World } from "../../world.ts";
import type { TimedQuery } from "../database/long-work.ts";

/** Least time between two queries for these figures, milliseconds, however often `/metrics` is scraped. */
const every = 10_000;
/** Interval of the size query, which reads the file sizes of all tables. */
const sizeEvery = 5 * 60_000;
/** Query timeout, milliseconds: a hanging database must not block scrapes. */
const queryTimeout = 2_000;

interface Figures {
  outbox: { kind: number; waiting: number; oldest: number }[];
  openAlerts: number;
  online: number;
  offline: number;
}

const kinds = { 1: "mail", 2: "sms" } as const;

const figuresOf = async (pool: World["pool"], now: number): Promise<Figures> => {
  const ask = async <T extends QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> => {
    const query: TimedQuery = { text, values, query_timeout: queryTimeout };
    return (await pool.query<T>(query)).rows;
  };
  const outbox = ask<Figures["outbox"][number]>(
    `SELECT kind, count(*)::int AS waiting, $1::float8 / 1000 - extract(epoch FROM min(created_time))::float8 AS oldest
       FROM outbox WHERE status IN ('waiting', 'sending') GROUP BY kind`,
    [now],
  );
  const alerts = ask<{ open: number }>("SELECT count(*)::int AS open FROM alerts WHERE cleared_time IS NULL");
  const devices = ask<Pick<Figures, "online" | "offline">>(
    `SELECT count(*) FILTER (WHERE is_online)::int AS online, count(*) FILTER (WHERE NOT is_online)::int AS offline
       FROM devices WHERE plant_id IS NOT NULL`,
  );
  const [waiting, [open], [heard]] = await Promise.all([outbox, alerts, devices]);
  return { outbox: waiting, openAlerts: open?.open ?? 0, online: heard?.online ?? 0, offline: heard?.offline ?? 0 };
};

/** Each gauge refreshes the figures before it is read; order does not matter. */
const gaugesIn = (registry: World["metrics"], ask: () => Promise<void>) => {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect: ask });
  return {
    up: gauge("telltale_database_up", "Whether the database answers: 1 or 0"),
    size: gauge("telltale_database_size_bytes", "Size of the database on its disk"),
    waiting: gauge("telltale_outbox_waiting", "Mails and SMS that wait to be sent", ["kind"]),
    oldest: gauge("telltale_outbox_oldest_seconds", "Age of the oldest mail or SMS that waits to be sent", ["kind"]),
    openAlerts: gauge("telltale_alerts_open", "Alerts that are not over"),
    devices: gauge("telltale_devices", "Devices that are claimed, by whether they are heard", ["state"]),
  };
};

const show = (gauges: ReturnType<typeof gaugesIn>, { outbox, openAlerts, online, offline }: Figures): void => {
  for (const [number, kind] of Object.entries(kinds)) {
    const found = outbox.find((row) => row.kind === Number(number));
    gauges.waiting.set({ kind }, found?.waiting ?? 0);
    gauges.oldest.set({ kind }, Math.max(0, found?.oldest ?? 0));
  }
  gauges.openAlerts.set(openAlerts);
  gauges.devices.set({ state: "online" }, online);
  gauges.devices.set({ state: "offline" }, offline);
};

const gaugePool = ({ pool, metrics }: Pick<World, "pool" | "metrics">): void => {
  new Gauge({
    name: "telltale_database_connections",
    help: "Connections of the server's pool: in use, idle, and calls that wait for one",
    labelNames: ["state"] as const,
    registers: [metrics],
    collect() {
      this.set({ state: "used" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
};

/** Registers metrics of the database and its content. While it is away `telltale_database_up` is 0 and the last figures are kept. */
export const createDatabaseMetrics = (world: Pick<World, "pool" | "metrics" | "clock">): void => {
  const { pool, metrics, clock } = world;
  gaugePool(world);
  let [requestedAt, sizedAt] = [0, 0];
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const now = clock.now();
    try {
      show(gauges, await figuresOf(pool, now));
      gauges.up.set(1);
      requestedAt = now;
      if (now - sizedAt < sizeEvery) return;
      const { rows } = await pool.query<{ size: number }>("SELECT pg_database_size(current_database()) AS size");
      gauges.size.set(rows[0]?.size ?? 0);
      sizedAt = now;
    } catch {
      gauges.up.set(0); // the readiness check says why
      requestedAt = 0;
    }
  };
  const askOnce = (): Promise<void> => {
    if (clock.now() - requestedAt < every) return Promise.resolve();
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const gauges = gaugesIn(metrics, askOnce);
};
