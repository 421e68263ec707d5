import { addressOf } from "@telltale/contract/call/client";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { users } from "@telltale/contract/domains/people/users";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice } from "../../test/test-devices.ts";
import { anAdmin, anOwner, type Person } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let base: string;
let owner: Person;
let deviceId: number;

const hour = 3_600_000;
const first = Math.floor(Date.UTC(2026, 0, 1) / hour);
const hours = 100;

beforeAll(async () => {
  server = await startTestServer();
  base = await server.app.listen({ port: 0, host: "127.0.0.1" });
  owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  deviceId = device.deviceId;
  // More than the buffers of a connection hold.
  for (let at = 0; at < hours; at++)
    await writeReadings(
      server.world,
      Number(device.channels.AI1),
      Array.from({ length: 3_600 }, (_, n) => [(first + at) * hour + n * 1_000, n] as const),
    );
  await packRange(server.world.pool, first, first + hours);
});
afterAll(() => server.close());

/** A download that has begun and is read no further. */
const begun = async (key: string) => {
  const range = { startTime: new Date(first * hour), endTime: new Date((first + hours) * hour) };
  const address = addressOf(base, downloads.readings, { deviceId, ...range });
  const answer = await fetch(address, {
    headers: { authorization: `Bearer ${key}`, "accept-encoding": "identity" },
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  return {
    /** Reads to the end; rejects when the server cuts it off. */
    rest: async (): Promise<number> => {
      let bytes = 0;
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) bytes += part.value.length;
      return bytes;
    },
  };
};

const aKey = (person: Person) =>
  server.as(person)(apiKeys.add, { keyName: "Reports", roleType: Role.admin, readOnly: 1, days: 30 });

test("a download goes on while its key is valid, whatever else is revoked", async () => {
  const [used, other] = [await aKey(owner), await aKey(owner)];
  const download = await begun(used.apiKey);
  await server.as(owner)(apiKeys.revoke, { apiKeyId: other.apiKeyId });
  expect(await download.rest()).toBeGreaterThan(10_000_000);
});

test("a download ends with its key", async () => {
  const { apiKeyId, apiKey } = await aKey(owner);
  const download = await begun(apiKey);
  await server.as(owner)(apiKeys.revoke, { apiKeyId });
  await expect(download.rest()).rejects.toThrow();
});

test("a download ends with its member's account", async () => {
  const admin = await anAdmin(server.world, owner);
  const download = await begun((await aKey(admin)).apiKey);
  await server.as(owner)(users.remove, { accountId: admin.accountId });
  await expect(download.rest()).rejects.toThrow();
});
