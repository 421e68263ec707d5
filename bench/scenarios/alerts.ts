import { setTimeout as sleep } from "node:timers/promises";
import { AlertType } from "@telltale/contract/domains/alerts";
import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { consumptionOf } from "../consumption.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { few, measure } from "../fleet-load.ts";
import { middleOf } from "../median.ts";

/** How long each load lasts, seconds, and how often each is measured: in turn, each time on a new server. */
const [seconds, turns] = [30, 3];
const rulesOfChannel = 5;

/** No value of the load is beyond the High limits; all are beyond the Low one. */
const outOfReach = 1e6;

/** Custom rules with delays on every channel; the last `standing` of them hold all the time. */
const addRules = `
  INSERT INTO alarms (plant_id, alarm_name, alarm_class, device_id, channel_id, type, alarm_value, alarm_hysteresis, on_delay, off_delay, times, times_within, created_time)
  SELECT d.plant_id, 'Rule ' || n, 1, d.device_id, c.channel_id, CASE WHEN n > $1::int - $2::int THEN ${AlertType.low} ELSE ${AlertType.high} END,
         ${outOfReach} + n, 1, n, 10, CASE WHEN n = 1 THEN 3 ELSE 1 END, CASE WHEN n = 1 THEN 600 ELSE 0 END, now()
    FROM devices d JOIN channels c USING (device_id), generate_series(1, $1::int) AS n`;

/** What a load with so many rules a channel reaches. */
interface Reached {
  perSecond: number;
  /** Processor time of the server, seconds a reading. */
  server: number;
}

const reachedWith = (rules: number, standing = 0): Promise<Reached> =>
  withDatabaseUrl((url) =>
    withServer(
      few.devices,
      (server) =>
        withPool(url, async (pool) => {
          await pool.query(addRules, [rules, standing]);
          // The server has its devices in memory: it loads them anew, with their rules.
          await server.terminate();
          await server.restart();
          const used: number[] = [];
          const look = async () => void used.push((await consumptionOf(pool, server.pid())).server);
          const load = { begin: look, end: look };
          const { perSecond, readings } = await measure(server.mqttPort, server.devices, few, seconds, load);
          const [before = 0, after = 0] = used;
          return { perSecond, server: (after - before) / readings };
        }),
      { DATABASE_URL: url },
    ),
  );

const middle = (all: readonly Reached[], of: keyof Reached): number => middleOf(all.map((each) => each[of]));

/** Ingest with rules beside ingest without. */
const ingestFigures = async (): Promise<Figure[]> => {
  const [without, resting, standing]: Reached[][] = [[], [], []];
  for (let turn = 0; turn < turns; turn++) {
    without?.push(await reachedWith(0));
    resting?.push(await reachedWith(rulesOfChannel));
    standing?.push(await reachedWith(rulesOfChannel, 1));
  }
  const none = without ?? [];
  const figure = (name: string, all: readonly Reached[] = []): Figure[] => [
    {
      name: `${few.name}, ${rulesOfChannel} custom rules with delays each, ${name}`,
      goal: ">= 0.95 of without",
      measured: count(middle(all, "perSecond"), "readings/s"),
      baseline: `without rules: ${count(middle(none, "perSecond"), "readings/s")}`,
      ratio: ratio(middle(all, "perSecond"), middle(none, "perSecond")),
    },
    {
      name: `processor time of the server a reading, ${name}`,
      goal: "",
      measured: fixed(middle(all, "server") * 1e6, 2, "µs"),
      baseline: `without rules: ${fixed(middle(none, "server") * 1e6, 2, "µs")}`,
      ratio: ratio(middle(all, "server"), middle(none, "server")),
    },
  ];
  return [...figure("none of which holds", resting), ...figure("one of which stands", standing)];
};

/** Standing entries, one a channel, of so many devices and plans; and how often a step falls due. */
const [entries, deviceCount, planCount, steps] = [10_000, 1_000, 50, 5];

/** Plans of owner and admins, with a step every minute. */
const addPlans = `
  INSERT INTO plans (plant_id, plan_name, steps, repeat_every, repeat_times, created_time)
  SELECT plant_id, 'Plan ' || n, (SELECT jsonb_agg(jsonb_build_object('after', after, 'to', jsonb_build_array(jsonb_build_object('kind', 1, 'id', 0)))) FROM generate_series(0, 4) AS after),
         NULL, 0, now()
    FROM plants, generate_series(1, $1::int) AS n`;
const addPlannedRules = `
  INSERT INTO alarms (plant_id, alarm_name, alarm_class, device_id, channel_id, type, alarm_value, alarm_hysteresis, plan_id, created_time)
  SELECT d.plant_id, 'Rule ' || channel_id, 1, d.device_id, channel_id, ${AlertType.high}, ${outOfReach}, 1,
         (SELECT min(plan_id) FROM plans WHERE plan_name LIKE 'Plan %') + channel_id % $2::int, now()
    FROM channels c JOIN devices d USING (device_id) ORDER BY channel_id LIMIT $1`;
const addEntries = `
  INSERT INTO alerts (plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, status, value, threshold, created_time, rule_key, alarm_name)
  SELECT plant_id, device_id, channel_id, alarm_id, 1, type, 1, 12, 10, now(), 'bench:' || alarm_id, alarm_name FROM alarms WHERE alarm_name LIKE 'Rule %'`;
/** All entries' step falls due at the same time, given as epoch milliseconds. */
const setDue = `
  INSERT INTO escalations (alert_id, started_time, position, due_time)
  SELECT alert_id, to_timestamp($1::float8 / 1000) - $2::int * interval '1 minute', $2, to_timestamp($1::float8 / 1000) FROM alerts WHERE rule_key LIKE 'bench:%'
  ON CONFLICT (alert_id) DO UPDATE SET started_time = excluded.started_time, position = excluded.position, due_time = excluded.due_time`;
const notClaimed = "SELECT count(*)::int AS count FROM escalations WHERE position <= $1";

/** From due to claimed, milliseconds. */
interface Claimed {
  first: number;
  all: number;
}

const claimStep = async (pool: Pool, position: number): Promise<Claimed> => {
  // Not in step with the job, which looks at an interval of less than a second.
  const due = Date.now() + 2_000 + Math.random() * 1_000;
  await pool.query(setDue, [due, position]);
  await sleep(due - Date.now());
  let first = 0;
  for (;;) {
    const left = (await pool.query<{ count: number }>(notClaimed, [position])).rows[0]?.count ?? 0;
    const since = Date.now() - due;
    if (first === 0 && left < entries) first = since;
    if (left === 0) return { first, all: since };
    await sleep(5);
  }
};

/** How long after they are due the steps of many standing entries are claimed. */
const claimFigures = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      deviceCount,
      () =>
        withPool(url, async (pool) => {
          await pool.query(addPlans, [planCount]);
          await pool.query(addPlannedRules, [entries, planCount]);
          await pool.query(addEntries);
          await pool.query("VACUUM ANALYZE");
          const turnsOfAll: Claimed[] = [];
          for (let position = 0; position < steps; position++) turnsOfAll.push(await claimStep(pool, position));
          const all = middleOf(turnsOfAll.map((claimed) => claimed.all));
          const work = middleOf(turnsOfAll.map((claimed) => claimed.all - claimed.first));
          return [
            {
              name: `${count(entries, "entries")} of ${planCount} plans whose step falls due at once: all claimed, with their messages`,
              goal: "<= 1 s",
              measured: fixed(all / 1000, 2, "s"),
              baseline: `from the first to the last: ${fixed(work / 1000, 2, "s")}`,
              ratio: "",
            },
          ];
        }),
      { DATABASE_URL: url },
    ),
  );

/** What custom rules cost the ingest, and how soon the steps of many entries are claimed. */
export const alertsScenario = async (): Promise<Figure[]> => [...(await ingestFigures()), ...(await claimFigures())];
