import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { history } from "@telltale/contract/domains/readings/history";
import type { RunningServer } from "../../e2e/server-process.ts";
import { idsOf } from "../../e2e/unit.ts";
import { type ClockedUnit, connectClockedUnit } from "../crowd/clocked-unit.ts";
import { ask, type Plant, withPlants } from "../crowd/plants.ts";
import { createServerClock, type ServerClock } from "../crowd/server-clock.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";

const hour = 3_600_000;
const devices = 30;
/** How long each clock keeps its setting, and how often a device reports during that time, milliseconds. */
const phase = 90_000;
const every = 1_000;
/** A reading above the High limit of a new channel. */
const tooHigh = 95;

/** One clock setting: of the devices with a wrong clock, or of the server. */
const phases = [
  { devices: hour, server: 0 },
  { devices: 0, server: 0 },
  { devices: -hour, server: 0 },
  { devices: 0, server: 0 },
  { devices: 0, server: hour },
  { devices: 0, server: 0 },
  { devices: 0, server: -hour },
  { devices: 0, server: 0 },
] as const;

/** A third of the devices has a correct clock, a third an adjusted one, a third none. */
const kinds = ["right", "set", "none"] as const;

interface Unit {
  kind: (typeof kinds)[number];
  deviceSnId: string;
  unit: ClockedUnit;
}

/** Late readings do not raise alerts: a device whose clock went back raises none until it is correct again. */
const occurrencesOf = ({ kind }: Unit): number =>
  phases.filter((setting) => kind !== "set" || setting.devices >= 0).length;

const work = async (units: readonly Unit[], clock: ServerClock, length: number): Promise<void> => {
  for (const setting of phases) {
    await clock.set(setting.server);
    for (const { kind, unit } of units) unit.ahead = kind === "set" ? setting.devices : 0;
    for (let passed = 0; passed < length; passed += every) {
      await Promise.all(units.map(({ unit }) => unit.report()));
      await pause(every);
    }
    await Promise.all(units.map(({ unit }) => unit.report(tooHigh)));
    await pause(every);
    await Promise.all(units.map(({ unit }) => unit.report()));
  }
};

/** All stored readings of a channel as `time value`; for a device without a clock the value alone. */
const stored = async (client: Client, { kind, deviceSnId }: Unit): Promise<string[]> => {
  const { channels } = await idsOf(client, deviceSnId);
  const { data } = await client(history.periods, { channelId: channels.AI1 ?? 0 });
  const logId = data.at(-1)?.logGroupId ?? 0;
  const found: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const points = await client(history.points, { logId, page, size: 200 });
    found.push(
      ...points.data.map(({ deviceTimestamp, value }) =>
        name(kind === "none" ? undefined : deviceTimestamp.getTime(), value),
      ),
    );
    pages = points.total_pages;
  }
  return found;
};

const name = (ts: number | undefined, value: number): string => `${ts ?? ""} ${value.toFixed(5)}`;

const compare = async (client: Client, units: readonly Unit[]) => {
  const sums = { acknowledged: 0, missing: 0, extra: 0 };
  for (const each of units) {
    const expected = new Set(each.unit.acknowledged.map(({ ts, value }) => name(ts, value)));
    const found = await stored(client, each);
    sums.acknowledged += each.unit.acknowledged.length;
    sums.missing += [...expected].filter((reading) => !found.includes(reading)).length;
    sums.extra += found.length - new Set(found.filter((reading) => expected.has(reading))).size;
  }
  return sums;
};

const alertCounts = (server: RunningServer) =>
  ask<{ high: number; offline: number; backwards: number }>(
    server,
    `SELECT count(*) FILTER (WHERE channel_id IS NOT NULL)::int AS high, count(*) FILTER (WHERE msg LIKE 'Offline%' OR msg = 'Online again')::int AS offline,
            count(*) FILTER (WHERE cleared_time < created_time)::int AS backwards FROM alerts`,
  );

const findings = async (server: RunningServer, plant: Plant, units: readonly Unit[]): Promise<Finding[]> => {
  const { acknowledged, missing, extra } = await compare(plant.client, units);
  const { high, offline, backwards } = await alertCounts(server);
  const occurrences = units.reduce((sum, unit) => sum + occurrencesOf(unit), 0);
  return [
    {
      promise: "No reading is lost, duplicated or stored with another time",
      counted: `${count(acknowledged, "acknowledged")}, ${missing} of them missing, ${extra} others`,
      isKept: acknowledged > 0 && missing === 0 && extra === 0,
    },
    {
      promise: "No device is reported offline, or online again, because of a clock",
      counted: count(offline, "such entries"),
      isKept: offline === 0,
    },
    {
      promise: "Each occurrence is exactly one alert, before and after a clock change",
      counted: `${occurrences} occurrences, ${high} alerts, ${backwards} that end before they begin`,
      isKept: high === occurrences && backwards === 0,
    },
  ];
};

const run = async (scale: number): Promise<Finding[]> => {
  const clock = await createServerClock();
  try {
    return await withPlants(
      { plants: 1, devices: scaled(devices, scale) + 2, env: clock.env },
      async (server, [plant]) => {
        if (!plant) throw new Error("There is no plant");
        await ask(server, "UPDATE devices SET offline_report = 1");
        const units: Unit[] = [];
        for (const [n, { accessToken, deviceSnId }] of plant.devices.entries()) {
          const kind = kinds[n % kinds.length] ?? "right";
          units.push({ kind, deviceSnId, unit: await connectClockedUnit(server, accessToken, kind !== "none") });
        }
        await work(units, clock, Math.max(10_000, phase * scale));
        const found = await findings(server, plant, units);
        await Promise.all(units.map(({ unit }) => unit.end()));
        return found;
      },
    );
  } finally {
    await clock.remove();
  }
};

/** Clock changes at run time. */
export const clocks: Scenario = {
  title: "Clock changes",
  does: `A third of the devices has a correct clock, a third one that is set an hour ahead, corrected, set an hour back and corrected again, a third sends no timestamps; then the server's clock, and its database's, is set in the same way (libfaketime). Each setting lasts ${phase / 1000} s. Every device sends a reading a second, and one beyond its limit in each setting; a device is offline after one minute.`,
  run,
};
