import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CallError, Client } from "@telltale/contract/call/client";
import { Message } from "@telltale/contract/call/codes";
import { AlertClass, alerts } from "@telltale/contract/domains/alerts";
import { devices } from "@telltale/contract/domains/devices";
import { expect, test } from "./harness.ts";
import { clientOf } from "./people.ts";
import { type Publisher, startPublisher } from "./publisher.ts";
import { type RunningServer, startServer } from "./server-process.ts";
import { stored } from "./stored-readings.ts";
import { addUnit, idsOf, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 240_000 });

const owner = "keeper@example.com";
const secret = "as long as it lasts";

/** A value above the default High alarm of AI1 in every twentieth message, and back at once: one occurrence each. */
const readingOf = (n: number): number => (isOccurrence(n) ? 90 : n % 50);
const isOccurrence = (n: number): boolean => n % 20 === 19;

/** Milliseconds between two readings of a device, on its own clock. */
const step = 5;

interface Load {
  unit: Unit;
  since: number;
  publisher: Publisher;
}

const startLoad = async (server: RunningServer, unit: Unit): Promise<Load> => {
  const since = Date.now();
  const message = (n: number) => ({ ts: since + n * step, values: { AI1: readingOf(n) } });
  return { unit, since, publisher: await startPublisher(server, unit, message) };
};

/** Resolves when each has this many acknowledgements, at the moment of the last one, which is the worst moment for a kill. */
const eachHas = (loads: readonly Load[], count: number) =>
  Promise.all(loads.map(({ publisher }) => publisher.until(count)));

const raised = async (client: Client, deviceChannelId: number): Promise<number[]> => {
  const times: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await client(alerts.ofChannel, {
      deviceChannelId,
      alarmClass: [AlertClass.threshold],
      page,
      size: 200,
    });
    times.push(...answer.data.map(({ createdTime }) => createdTime.getTime()));
    pages = answer.total_pages;
  }
  return times.sort((a, b) => a - b);
};

/** Asserts that every sent message is eventually acknowledged and stored once, and that every occurrence is one alert. */
const expectAllOnce = async (client: Client, { unit, since, publisher }: Load): Promise<void> => {
  const sent = Array.from({ length: publisher.sent() }, (_, n) => n);
  expect(publisher.acknowledged.size).toBe(sent.length);
  const { channels } = await idsOf(client, unit.deviceSnId);
  const channelId = channels.AI1 ?? 0;
  const { readings, count } = await stored(client, channelId);
  expect(readings).toEqual(sent.map((n) => ({ at: since + n * step, value: readingOf(n) })));
  expect(count, "the chart counts each reading once").toBe(sent.length);
  expect(await raised(client, channelId), "one entry an occurrence").toEqual(
    sent.filter(isOccurrence).map((n) => since + n * step),
  );
};

const postmasterPid = async ({ dataDir }: RunningServer): Promise<number> =>
  Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);

const withServer = async (run: (server: RunningServer, units: Unit[]) => Promise<void>): Promise<void> => {
  const server = await startServer({ demo: false });
  try {
    await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
    const units: Unit[] = [];
    for (let n = 1; n <= 3; n += 1) units.push(await addUnit(server, { owner, name: `Unit ${n}` }));
    await run(server, units);
  } finally {
    await server.stop();
  }
};

test("kill -9 of the server under load loses no acknowledged reading, stores none twice, raises no alert twice", async () => {
  await withServer(async (server, units) => {
    const loads = await Promise.all(units.map((unit) => startLoad(server, unit)));
    for (const count of [210, 1010]) {
      await eachHas(loads, count);
      await server.kill9();
      await server.restart();
    }
    await eachHas(loads, 1500);
    await Promise.all(loads.map(({ publisher }) => publisher.finish()));
    const client = await clientOf(server, owner, secret);
    for (const load of loads) await expectAllOnce(client, load);
  });
});

test("a message without a time is stored once, however often kills of the server made the device resend it", async () => {
  await withServer(async (server, [unit]) => {
    if (!unit) throw new Error("There is no unit");
    const publisher = await startPublisher(server, unit, (n) => ({ AI1: n / 1000 }));
    for (const count of [160, 560]) {
      await publisher.until(count);
      await server.kill9();
      await server.restart();
    }
    await publisher.finish();
    const client = await clientOf(server, owner, secret);
    const { channels } = await idsOf(client, unit.deviceSnId);
    const { readings } = await stored(client, channels.AI1 ?? 0);
    const numbers = readings.map(({ value }) => Math.round(value * 1000)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: publisher.sent() }, (_, n) => n));
  });
});

test("kill -9 of the database under load: calls are answered, the server recovers by itself, nothing acknowledged is lost", async () => {
  await withServer(async (server, units) => {
    const client = await clientOf(server, owner, secret);
    const pid = server.pid();
    const loads = await Promise.all(units.map((unit) => startLoad(server, unit)));
    await eachHas(loads, 510);
    const killed = await postmasterPid(server);
    process.kill(killed, "SIGKILL");
    const validationErrors: unknown[] = [];
    const isAnswered = () =>
      client(devices.list, {}).then(
        () => true,
        (validationError: unknown) => {
          validationErrors.push(validationError);
          return false;
        },
      );
    const pidAfter = async () => {
      await isAnswered();
      return postmasterPid(server).catch(() => killed); // the file is missing for a moment
    };
    await expect.poll(pidAfter, { message: "another PostgreSQL", timeout: 60_000 }).not.toBe(killed);
    await expect.poll(isAnswered, { timeout: 60_000 }).toBe(true);
    for (const validationError of validationErrors)
      expect((validationError as CallError).message).toBe(Message.serverBusy);
    const atLeast = Math.max(...loads.map(({ publisher }) => publisher.sent())) + 100;
    await eachHas(loads, atLeast);
    await Promise.all(loads.map(({ publisher }) => publisher.finish()));
    expect(server.pid(), "the server itself went on").toBe(pid);
    for (const load of loads) await expectAllOnce(client, load);
  });
});

test("a power cut takes server and database at once, and no acknowledged reading", async () => {
  await withServer(async (server, units) => {
    const loads = await Promise.all(units.map((unit) => startLoad(server, unit)));
    await eachHas(loads, 510);
    process.kill(await postmasterPid(server), "SIGKILL");
    await server.kill9();
    await server.restart();
    await eachHas(loads, 1000);
    await Promise.all(loads.map(({ publisher }) => publisher.finish()));
    const client = await clientOf(server, owner, secret);
    for (const load of loads) await expectAllOnce(client, load);
  });
});

test("a graceful stop under load ends within 10 s with code 0, and loses no acknowledged reading", async () => {
  await withServer(async (server, units) => {
    const loads = await Promise.all(units.map((unit) => startLoad(server, unit)));
    await eachHas(loads, 510);
    const begun = performance.now();
    expect(await server.terminate()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await server.restart();
    await eachHas(loads, 1000);
    await Promise.all(loads.map(({ publisher }) => publisher.finish()));
    const client = await clientOf(server, owner, secret);
    for (const load of loads) await expectAllOnce(client, load);
  });
});
