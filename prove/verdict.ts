import type { Client } from "@telltale/contract/call/client";
import { history } from "@telltale/contract/domains/readings/history";
import type pg from "pg";
import { clientOf } from "../e2e/people.ts";
import type { ReachableServer } from "../e2e/server-process.ts";
import { databaseUrl, inDatabaseAt } from "./database.ts";
import { count, type Finding } from "./finding.ts";
import { type Fleet, type Member, owner } from "./fleet.ts";
import { type Comparison, compareAlerts, compareReadings, compareUntimed, isExact, sumOf } from "./stored.ts";

const comparisonText = ({ expected, missing, surplus }: Comparison, unit: string): string =>
  `${count(expected, unit)}: ${missing} missing, ${surplus} too many`;

const readingsOf = async (database: pg.Client, { numbers, channels, device }: Member): Promise<Comparison> => {
  if (!numbers) return compareUntimed(database, channels.AI1 ?? 0, device.sent());
  const parts: Comparison[] = [];
  for (const [at, code] of numbers.codes.entries())
    parts.push(await compareReadings(database, channels[code] ?? 0, numbers, at, device.sent()));
  return sumOf(parts);
};

const alertsOf = async (database: pg.Client, { numbers, channels, device }: Member): Promise<Comparison> =>
  numbers
    ? compareAlerts(database, channels.AI1 ?? 0, numbers, device.sent())
    : { expected: 0, missing: 0, surplus: 0 };

/** What a user sees: how many readings a channel's chart represents. */
const charted = async (client: Client, channelId: number): Promise<number> => {
  const { data } = await client(history.periods, { channelId });
  const logId = data[0]?.logGroupId;
  return logId === undefined ? 0 : (await client(history.chart, { logId })).count;
};

const firstOnline = `
  SELECT count(*) AS entries, count(DISTINCT device_id) AS devices FROM alerts WHERE alarm_class = 4 AND msg = 'Online for the first time'`;

const notedOnce = async (database: pg.Client, members: number): Promise<Finding> => {
  const { rows } = await database.query<{ entries: number; devices: number }>(firstOnline);
  const { entries = 0, devices = 0 } = rows[0] ?? {};
  return {
    promise: "'Online for the first time' is logged once per device",
    counted: `${entries} for ${devices} devices`,
    isKept: entries === devices && devices >= members,
  };
};

/** Compares everything stored with everything sent, after the load has ended. */
export const verdict = async (
  server: ReachableServer,
  { members }: Fleet,
  url: string | Promise<string> = databaseUrl(server.dataDir),
): Promise<Finding[]> => {
  const client = await clientOf(server, owner.email, owner.secret);
  return inDatabaseAt(await url, async (database) => {
    const [readings, alerts]: [Comparison[], Comparison[]] = [[], []];
    let [drawn, reported] = [0, 0];
    for (const member of members) {
      readings.push(await readingsOf(database, member));
      alerts.push(await alertsOf(database, member));
      drawn += await charted(client, member.channels.AI1 ?? 0);
      reported += member.device.sent();
    }
    const [stored, raised] = [sumOf(readings), sumOf(alerts)];
    const once = "Every acknowledged reading is stored exactly once";
    const drawnOnce = "Charts count each reading once";
    return [
      { promise: once, counted: comparisonText(stored, "readings"), isKept: isExact(stored) },
      {
        promise: drawnOnce,
        counted: `${count(drawn, "of")} ${count(reported, "readings of AI1")}`,
        isKept: drawn === reported,
      },
      {
        promise: "Every alert is stored exactly once",
        counted: comparisonText(raised, "alerts"),
        isKept: isExact(raised),
      },
      await notedOnce(database, members.length),
    ];
  });
};
