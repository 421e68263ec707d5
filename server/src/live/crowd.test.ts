import { LiveCommand, livePath } from "@telltale/contract/live";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aListener } from "../test/test-listener.ts";
import { memoryInUse } from "../test/test-memory.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let address: string;

beforeAll(async () => {
  server = await startTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  address = `ws://127.0.0.1:${(server.app.server.address() as { port: number }).port}`;
});
afterAll(() => server.close());

const listen = (person: Person) =>
  aListener(`${address}${livePath(person.userId, person.accountId)}?token=${person.token}`);

const emit = ({ plantId }: Person, deviceChannelId: number, value: number) =>
  server.world.bus.emit("live", {
    plantId,
    message: { cmd: LiveCommand.value, deviceChannelId, value, status: 1, updateTime: value },
  });

const metric = async (name: string): Promise<number> => {
  const found = await server.world.metrics.getSingleMetric(name)?.get();
  return found?.values[0]?.value ?? Number.NaN;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a thousand concurrent sockets receive every channel's newest value", async () => {
  const owner = await anOwner(server.world);
  const crowd = [];
  for (let group = 0; group < 10; group += 1) {
    const some = Array.from({ length: 100 }, () => listen(owner));
    await Promise.all(some.map((listener) => listener.opened));
    crowd.push(...some);
  }
  expect(await metric("telltale_live_sockets")).toBe(1000);
  for (let channel = 1; channel <= 50; channel += 1) emit(owner, channel, 7);
  await Promise.all(
    crowd.map(async (listener) => {
      for (let channel = 1; channel <= 50; channel += 1)
        expect(await listener.next()).toMatchObject({ deviceChannelId: channel, value: 7 });
    }),
  );
  for (const listener of crowd) listener.end();
  await pause(200);
  expect(await metric("telltale_live_sockets")).toBe(0);
}, 120_000);

test("a socket that does not read uses bounded memory, and receives the newest values when it reads again", async () => {
  const owner = await anOwner(server.world);
  const [slow, fast] = [listen(owner), listen(owner)];
  await Promise.all([slow.opened, fast.opened]);
  slow.socket.pause();
  const channels = 2_000;
  const before = memoryInUse();
  let most = 0;
  // Some 25 MB of messages: more than the operating system's buffers take.
  for (let round = 1; round <= 120; round += 1) {
    for (let channel = 1; channel <= channels; channel += 1) emit(owner, channel, round);
    await pause(60);
    if (round % 20 > 0) continue;
    fast.received.length = 0;
    most = Math.max(most, memoryInUse() - before);
  }
  expect(await metric("telltale_live_messages_skipped_total")).toBeGreaterThan(channels);
  expect(most).toBeLessThan(12 * 1024 * 1024);
  slow.socket.resume();
  const newest = new Map<number, number>();
  while ([...newest.values()].filter((value) => value === 120).length < channels) {
    const { deviceChannelId, value } = (await slow.next()) as { deviceChannelId: number; value: number };
    expect(value).toBeGreaterThan(newest.get(deviceChannelId) ?? 0);
    newest.set(deviceChannelId, value);
  }
  slow.end();
  fast.end();
}, 60_000);
