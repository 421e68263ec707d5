import { imports } from "@telltale/contract/domains/readings/imports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anAdmin, anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createImportExpiry } from "./index.ts";

let server: TestServer;
let owner: Person;
let pump: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
  pump = await aDevice(server.world, owner, { name: "Pump" });
});
afterAll(() => server.close());

/** Days pass, and the job runs. */
const pass = async (days: number): Promise<void> => {
  server.world.clock.pass(days * 86_400_000);
  await createImportExpiry(server.world).run();
};
/** Somebody who has signed in just now: sessions end while days pass. */
const somebody = async () => server.as(await anAdmin(server.world, owner));
const begin = async (digest: string) => (await somebody())(imports.begin, { fileName: "history.csv", digest });
const [first, second] = [Date.parse("2026-01-01T00:00Z"), Date.parse("2026-01-01T00:01Z")];
const store = async (importId: number, after: number, time: number) =>
  (await somebody())(imports.store, {
    ...{ importId, after, position: after + 1, line: after + 1, unreadable: 0 },
    ...{ deviceChannelIds: [pump.channels.AI1 ?? 0], counts: [1], times: [time], values: [5] },
  });

test("an import that was given up goes on for 30 days after its newest portion; then it begins anew, and its readings are there", async () => {
  const { importId } = await begin("a".repeat(64));
  await store(importId, 0, first);
  await pass(20);
  await store(importId, 1, second);
  await pass(29);
  expect(await begin("a".repeat(64))).toMatchObject({ importId, position: 2, stored: 2 });
  await pass(2);
  const anew = await begin("a".repeat(64));
  expect(anew).toMatchObject({ position: 0, read: 0 });
  expect(anew.importId).not.toBe(importId);
  expect(await store(anew.importId, 0, first)).toMatchObject({ stored: 0, present: 1 });
});

test("an import that was begun and never stored anything is removed, and so is one that has ended", async () => {
  const [never, over] = [await begin("b".repeat(64)), await begin("c".repeat(64))];
  await (await somebody())(imports.end, { importId: over.importId });
  await pass(31);
  for (const { importId } of [never, over])
    await expect((await somebody())(imports.end, { importId })).rejects.toMatchObject({ code: 404 });
});
