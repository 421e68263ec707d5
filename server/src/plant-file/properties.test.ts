import { DeviceType, Model } from "@telltale/contract/domains/devices";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import type { AlertEntry } from "./document/alerting.ts";
import type { DeviceEntry, PlantFile } from "./document/document.ts";
import { readPlantFile } from "./read-file.ts";

let servers: TestServer[];

beforeAll(async () => {
  servers = await Promise.all([startTestServer(), startTestServer()]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));
afterEach(() => vi.unstubAllEnvs());

/** Names that are words of YAML, of JavaScript or of the file itself, or hold its separators. */
const oddNames = [
  "constructor",
  "on",
  "null",
  "12",
  "~",
  "owner",
  "none",
  "- a",
  "a: b",
  "#1",
  "a/b",
  "a (2)",
  "a",
  "Ü ✓",
];
const name = (longest: number) =>
  fc
    .oneof(fc.constantFrom(...oddNames), fc.string({ unit: "grapheme-ascii", maxLength: longest }))
    .map((text) => text.trim())
    .filter((text) => text !== "" && text !== "__proto__");
const names = (longest: number, least: number, most: number) =>
  fc.uniqueArray(name(longest), { minLength: least, maxLength: most });
const someOf = <T>(all: readonly T[], least = 0) =>
  fc.shuffledSubarray([...all], { minLength: Math.min(least, all.length) });
/** Entries under these names; none without a name. */
const entries = <T>(keys: readonly string[], entry: fc.Arbitrary<T>) =>
  fc
    .array(entry, { minLength: keys.length, maxLength: keys.length })
    .map((made) => Object.fromEntries(keys.map((key, at) => [key, made[at]])) as Record<string, T>);

const flag = fc.boolean();
const person = fc.constantFrom("Nora", "Žofie", "Bo");

const alertOf = (contacts: readonly string[], plans: readonly string[]): fc.Arbitrary<AlertEntry> => {
  const shared = {
    priority: fc.constantFrom("P1" as const, "P2" as const, "P3" as const),
    response: fc.constantFrom("", "Call the shift: 112"),
    enabled: flag,
    plan: fc.constantFrom(null, ...plans),
  };
  const custom = fc.record({
    ...{ ...shared, notify: someOf(contacts, 1), channel: fc.constantFrom("AI3", "AI4") },
    ...{ type: fc.constantFrom("high" as const, "low" as const), value: fc.integer({ min: 20, max: 80 }) },
    ...{ hysteresis: fc.integer({ min: 0, max: 5 }), onDelay: fc.nat(600), offDelay: fc.nat(600) },
  });
  const system = fc.record({
    ...{ ...shared, notify: someOf(contacts), class: fc.constantFrom("threshold" as const, "notification" as const) },
  });
  return fc.oneof(custom, system);
};

const settings = fc.oneof(
  fc.constant({ "Higher Alarm": null, "Higher Alarm Hysteresis": null }),
  fc.record({
    "Higher Alarm": fc.integer({ min: 10, max: 90 }),
    "Higher Alarm Hysteresis": fc.integer({ min: 0, max: 5 }),
  }),
);

const stationOf = (alerts: readonly string[], alert: fc.Arbitrary<AlertEntry>): fc.Arbitrary<Omit<DeviceEntry, "id">> =>
  fc.record({
    offlineAfter: fc.integer({ min: 1, max: 1440 }),
    channels: fc.record({ AI1: fc.record({ name: name(64), settings }), DI1: fc.record({ on: flag }) }),
    alerts: entries(alerts, alert),
  });

const plan = (contacts: readonly string[], rosters: readonly string[], hooks: readonly string[]) => {
  const targets = [
    "managers" as const,
    { user: "owner" },
    ...contacts.map((contact) => ({ contact })),
    ...rosters.map((roster) => ({ roster })),
    ...hooks.map((webhook) => ({ webhook })),
  ];
  const steps = fc
    .uniqueArray(fc.nat(1440), { minLength: 1, maxLength: 5 })
    .chain((times) =>
      fc.tuple(
        ...times.toSorted((a, b) => a - b).map((after) => someOf(targets, 1).map((notify) => ({ after, notify }))),
      ),
    );
  const repeat = fc.record({ every: fc.integer({ min: 5, max: 1440 }), times: fc.integer({ min: 1, max: 12 }) });
  return fc.record({ steps, repeat: fc.option(repeat), backToNormal: flag, backToNormalBySms: flag });
};

const time = fc.integer({ min: 0, max: 23 }).map((hour) => `${String(hour).padStart(2, "0")}:30`);
const weekday = fc.constantFrom("Mon" as const, "Thu" as const, "Sun" as const);
const timeZone = fc.constantFrom("UTC", "America/Chicago");
const shift = fc.record({
  days: fc.uniqueArray(weekday, { minLength: 1 }),
  from: time,
  to: time,
  who: fc.constant("owner"),
});
const ofWindow = { from: fc.constant("08:00"), to: fc.constant("09:30"), timeZone, reason: fc.constant("Filters") };
const windowOf = (devices: readonly string[]) =>
  fc.oneof(
    fc.record({ devices: someOf(devices, 1), repeat: fc.constant("daily" as const), ...ofWindow }),
    fc.record({
      ...{ devices: someOf(devices, 1), repeat: fc.constant("monthly" as const), weekday, ...ofWindow },
      nth: fc.constantFrom(1, 4, "last" as const),
    }),
  );

/** The names of a plant's parts, of which any may refer to any. */
const plantNames = fc.record({
  stations: names(64, 1, 2),
  motors: names(64, 0, 1),
  alerts: names(16, 0, 2),
  contacts: fc.constantFrom([], ["a@example.test"], ["a@example.test", "491701234567"]),
  ...{ rosters: names(64, 0, 1), webhooks: names(64, 0, 2), plans: names(64, 0, 2), dashboards: names(64, 0, 2) },
  ...{ users: fc.constantFrom([], ["v@example.test"]), controls: names(64, 0, 1), windows: names(64, 0, 1) },
});

const plants = plantNames
  .filter(({ stations, motors }) => !motors.some((motor) => stations.includes(motor)))
  .chain(({ stations, motors, contacts, ...all }) => {
    const [main = ""] = stations;
    const alerts = contacts.length > 0 ? all.alerts : [];
    const groups = motors.map((motor) => ({ group: `${motor}/Currents` }));
    const tiles = [...stations.flatMap((station) => [`${station}/AI1`, `${station}/DI2`]), ...groups];
    const contact = fc.record({ firstName: person, lastName: person, mayConfirm: flag });
    const webhook = fc.record({
      ...{
        url: fc.constant("https://hooks.example.test/x"),
        format: fc.constantFrom("standard" as const, "ntfy" as const),
      },
      ...{ enabled: flag, mayConfirm: flag, alerts: someOf(alerts.map((alert) => `${main}/${alert}`)) },
    });
    const limit = { channel: `${main}/AI2`, limit: "high" as const };
    const control = fc.record({
      ...{
        when: fc.constant(limit),
        output: fc.constant(`${main}/DO1`),
        level: fc.constantFrom("on" as const, "off" as const),
      },
      ...{ afterwards: fc.constantFrom("back" as const, "stay" as const), enabled: flag },
    });
    const user = fc.record({
      ...{ firstName: person, lastName: person, role: fc.constant("viewer" as const), phone: fc.constant("") },
      ...{
        dashboard: fc.constantFrom(null, ...all.dashboards),
        alerts: someOf(alerts.map((alert) => `${main}/${alert}`)),
      },
    });
    return fc.record({
      stations: entries(stations, stationOf(alerts, alertOf(contacts, all.plans))),
      motors: fc.constant(motors),
      file: fc.record({
        contacts: entries(contacts, contact),
        rosters: entries(all.rosters, fc.record({ timeZone, shifts: fc.array(shift, { maxLength: 2 }) })),
        webhooks: entries(all.webhooks, webhook),
        plans: entries(all.plans, plan(contacts, all.rosters, all.webhooks)),
        dashboards: entries(
          all.dashboards,
          fc.record({ notes: fc.constantFrom("", "By: the door"), tiles: someOf(tiles, 1) }),
        ),
        users: entries(all.users, user),
        jointControls: entries(all.controls, control),
        maintenance: entries(all.windows, windowOf(stations)),
      }),
    });
  });

type Drawn = typeof plants extends fc.Arbitrary<infer Plant> ? Plant : never;

let made = 0;

/** An empty plant of each server, and the file with the IDs of units that both servers have in stock. */
const withStock = async ({ stations, motors, file }: Drawn) => {
  made += 1;
  const idOf = (kind: string, at: number) => `P${made}${kind}${at}`;
  const mains = Object.entries(stations).map(([key, entry], at) => [key, { id: idOf("S", at), ...entry }] as const);
  const master = mains[0]?.[0] ?? "";
  const subs = motors.map((key, at) => {
    const groups = { Currents: { icon: "other" as const, channels: ["I B", "I A"] } };
    return [key, { id: idOf("M", at), master, groups }] as const;
  });
  const clients = await Promise.all(
    servers.map(async (server) => {
      for (const [, { id }] of mains) await anUnclaimedDevice(server.world, { model: Model.mixed, deviceSnId: id });
      for (const [, { id }] of subs)
        await anUnclaimedDevice(server.world, {
          model: Model.motorController,
          deviceType: DeviceType.sub,
          deviceSnId: id,
        });
      return keyOf(server, await anOwner(server.world));
    }),
  );
  const whole: PlantFile = { ...file, devices: Object.fromEntries([...mains, ...subs]) };
  // Addresses of their own: the server limits how often it writes to one.
  return { clients, text: stringify(whole).replaceAll("@example.test", `.${made}@example.test`) };
};

/** The addresses of a file's webhooks, which it never holds, as environment variables. */
const provideAddresses = (text: string): void => {
  for (const { url } of Object.values(readPlantFile("plant.yaml", text).file.webhooks ?? {}))
    if (typeof url === "object") vi.stubEnv(url.env, "https://hooks.example.test/x");
};

const nothing = { changed: 0, partly: 0, refused: [] };

/** Each plant is applied four times, beside other tests. */
const patience = { timeout: 120_000 };

test(
  "any plant, exported and applied to an empty one, makes it equal; applied again it changes nothing",
  patience,
  async () => {
    await fc.assert(
      fc.asyncProperty(plants, async (drawn) => {
        const { clients, text } = await withStock(drawn);
        const [first, second] = clients;
        if (!first || !second) throw new Error("There are two servers");
        expect(await apply(first, text)).toMatchObject({ refused: [] });
        expect(await apply(first, text)).toEqual(nothing);
        const whole = await exported(first);
        provideAddresses(whole);
        expect(await apply(second, whole)).toMatchObject({ refused: [] });
        expect(await exported(second)).toBe(whole);
        expect(await apply(second, whole)).toEqual(nothing);
        expect(await planOf(second, whole)).toEqual([]);
      }),
      { numRuns: 3 },
    );
  },
);

/** A file that is cut somewhere, or has a word too many, or another value. */
const broken = (text: string) =>
  fc
    .tuple(
      fc.nat(text.length - 1),
      fc.constantFrom("\0", "[", "}", "zzz: 1\n", ": ", "'", "null", "\t", "-1", "{ zzz: 1 }"),
      fc.nat(12),
    )
    .map(([at, word, left]) => text.slice(0, at) + word + text.slice(at + left));

const isRefused = (text: string): boolean => {
  try {
    readPlantFile("plant.yaml", text);
    return false;
  } catch {
    return true;
  }
};

test("a broken file is refused with line and path, and changes nothing", async () => {
  const [drawn] = fc.sample(plants, { numRuns: 1, seed: 7 });
  if (!drawn) throw new Error("A plant was drawn");
  const { clients, text } = await withStock(drawn);
  const [client] = clients;
  if (!client) throw new Error("There are two servers");
  await apply(client, text);
  const whole = await exported(client);
  await fc.assert(
    fc.asyncProperty(broken(whole).filter(isRefused), async (file) => {
      await expect(async () => apply(client, file)).rejects.toThrow(/^plant\.yaml:\d+: /);
      expect(await exported(client)).toBe(whole);
    }),
    { numRuns: 20 },
  );
});
