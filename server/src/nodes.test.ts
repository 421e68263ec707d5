import { Code } from "@telltale/contract/call/codes";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { imports } from "@telltale/contract/domains/readings/imports";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDemonstration } from "./demonstration/create.ts";
import { users } from "./demonstration/plants/plants.ts";
import { createOwnerLink } from "./modules/accounts/index.ts";
import { hashOf } from "./modules/accounts/sign-in/sessions.ts";
import { aDevice } from "./test/test-devices.ts";
import { anOwner } from "./test/test-people.ts";
import { startTestServer, type TestServer } from "./test/test-server.ts";
import { createTestWorld } from "./test/test-world.ts";

/** Two nodes on one database. */
let here: TestServer;
let there: TestServer;

beforeAll(async () => {
  here = await startTestServer({}, { sharing: "shared" });
  const database = { url: here.world.url, drop: async () => undefined };
  there = await startTestServer({}, { sharing: "shared", clock: here.world.clock, database });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const first = Date.parse("2026-01-02T00:00:00Z");
const refusal = (code: number) => expect.objectContaining({ code });

test("an API key that is revoked at one node is refused by the others at once", async () => {
  const owner = await anOwner(here.world);
  const { apiKey } = await here.as(owner)(apiKeys.add, { keyName: "ERP", roleType: Role.owner, readOnly: 1, days: 30 });
  expect(await there.byKey(apiKey)(apiKeys.holder)).toMatchObject({ keyName: "ERP" });
  const [key] = await here.as(owner)(apiKeys.list);
  await here.as(owner)(apiKeys.revoke, { apiKeyId: key?.apiKeyId ?? 0 });
  await expect(there.byKey(apiKey)(apiKeys.holder)).rejects.toEqual(refusal(Code.notSignedIn));
});

test("an import goes on at another node, and of two portions that come to two nodes at once one is stored, the other told to begin again", async () => {
  const owner = await anOwner(here.world);
  const pump = await aDevice(here.world, owner, { name: "Pump" });
  const [one, other] = [here.as(owner), there.as(owner)];
  const file = { fileName: "history.csv", digest: "ab".repeat(32) };
  const { importId } = await one(imports.begin, file);
  /** The nth portion of ten readings. */
  const portion = (n: number) => ({
    ...{ importId, after: n * 100, position: (n + 1) * 100, line: (n + 1) * 10, unreadable: 0 },
    ...{ deviceChannelIds: [Number(pump.channels.AI1)], counts: [10] },
    times: Array.from({ length: 10 }, (_, at) => first + (n * 10 + at) * 1000),
    values: Array.from({ length: 10 }, (_, at) => n * 10 + at),
  });
  await one(imports.store, portion(0));
  expect(await other(imports.begin, file)).toMatchObject({ importId, position: 100, stored: 10 });
  await other(imports.store, portion(1));
  const both = await Promise.allSettled([one(imports.store, portion(2)), other(imports.store, portion(2))]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both).toContainEqual(expect.objectContaining({ reason: refusal(Code.conflict) }));
  expect(await one(imports.end, { importId })).toMatchObject({ position: 300, stored: 30, present: 0, refused: 0 });
  await expect(other(imports.store, portion(3))).rejects.toEqual(refusal(Code.conflict));
  const range = { startTime: new Date(first), endTime: new Date(first + 60_000) };
  const stored = await (await other(downloads.readings, { deviceId: pump.deviceId, ...range })).text();
  expect(stored.trimEnd().split("\n").slice(1)).toHaveLength(30);
});

/** Three nodes that start at once on a new database. */
const newNodes = async () => {
  const first = await createTestWorld({ sharing: "shared" });
  const database = { url: first.url, drop: async () => undefined };
  const others = [
    await createTestWorld({ sharing: "shared", clock: first.clock, database }),
    await createTestWorld({ sharing: "shared", clock: first.clock, database }),
  ];
  onTestFinished(async () => {
    for (const world of [...others, first]) await world.close();
  });
  return [first, ...others] as const;
};

test("the first start of several nodes at once prints one owner link, which is the one that is kept", async () => {
  const worlds = await newNodes();
  const [{ pool }] = worlds;
  const secrets = (await Promise.all(worlds.map(createOwnerLink))).filter((secret) => secret !== undefined);
  expect(secrets).toHaveLength(1);
  const { rows } = await pool.query("SELECT token_hash FROM owner_links");
  expect(rows).toEqual([{ token_hash: hashOf(secrets[0] ?? "") }]);
});

test("the first start of several nodes at once makes one demonstration, and one node simulates its fleet", async () => {
  const worlds = await newNodes();
  const [{ pool }] = worlds;
  const created = await Promise.all(worlds.map(createDemonstration));
  expect(created.filter(Boolean)).toHaveLength(1);
  const counts = "SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM plants)::int AS plants";
  expect((await pool.query(counts)).rows).toEqual([{ users: users.length, plants: 2 }]);
  const simulating = new Set<string>();
  const ends = worlds.map(({ node }) =>
    node.lead("simulated fleet", () => {
      simulating.add(node.id);
      return { stop: () => simulating.delete(node.id) };
    }),
  );
  onTestFinished(async () => {
    for (const end of ends) await end();
  });
  await expect.poll(() => simulating.size).toBe(1);
});
