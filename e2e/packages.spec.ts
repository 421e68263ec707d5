import type { Client } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { expect, test } from "./harness.ts";
import { clientOf } from "./people.ts";
import { unzipped } from "./unzip.ts";

test.use({ isFirstStart: true });

const [hour, day] = [3_600_000, 86_400_000];

/** Name of the month, such as `November 2026`, in a time zone. */
const monthIn = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "long" }).format(time);

/** The start, to the minute, of the month that contains `time` or the one just before. */
const startIn = (time: number, timeZone: string): number => {
  let at = Math.floor(time / hour) * hour;
  while (monthIn(at - 1, timeZone) === monthIn(time, timeZone)) at -= hour;
  return at;
};

const rowsOf = async (client: Client, packLogId: number): Promise<number> => {
  const blob = await client(downloads.package, { packLogId });
  const parts = await unzipped(Buffer.from(await blob.arrayBuffer()));
  const sheet = parts.get("xl/worksheets/sheet1.xml") ?? "";
  return (sheet.match(/<row>/g)?.length ?? 1) - 1;
};

/** Number of readings of a device in a range, as the lists of its channels count them. */
const readingsIn = async (client: Client, deviceId: number, startTime: Date, endTime: Date): Promise<number> => {
  let count = 0;
  for (const { deviceChannelId } of (await client(channels.grouped, { deviceId })).flatMap((group) => group.channels)) {
    const { data } = await client(history.periods, { channelId: deviceChannelId, startTime, endTime, size: 200 });
    for (const { logGroupId } of data)
      count += (await client(history.points, { logId: logGroupId, startTime, endTime, size: 1 })).total;
  }
  return count;
};

test("each data package of a new demonstration contains all readings of its month from the moment it is offered", async ({
  server,
}) => {
  test.setTimeout(600_000);
  const client = await clientOf(server);
  const offered = await client(downloads.devices, {});
  const some = offered.filter(({ deviceSn }) => /^(MIX|VBS|DIS.*B$)/.test(deviceSn));
  expect(some.length).toBe(3);

  const [timeZone = "UTC"] = new Set(some.map(({ timeZoneId }) => timeZoneId));
  const last = startIn(Date.now() - day, timeZone);
  const months = [startIn(last - day, timeZone), startIn(last - 40 * day, timeZone)];
  const names = months.map((start) => monthIn(start, timeZone));
  /** Rows of each package when it was first seen. */
  const atFirst = new Map<string, number>();
  await expect(async () => {
    for (const { deviceId } of some)
      for (const { packLogId, packMonthUs, packYear } of await client(downloads.packages, { deviceId })) {
        const key = `${deviceId} ${packMonthUs} ${packYear}`;
        if (!atFirst.has(key)) atFirst.set(key, await rowsOf(client, packLogId));
      }
    for (const { deviceId } of some)
      for (const name of names) expect([...atFirst.keys()]).toContain(`${deviceId} ${name}`);
  }).toPass({ intervals: [1_000], timeout: 400_000 });

  for (const { deviceId } of some) {
    expect(await client(downloads.pending, { deviceId })).toEqual([]);
    for (const [index, start] of months.entries()) {
      const end = index === 0 ? last : (months[0] ?? 0);
      const stored = await readingsIn(client, deviceId, new Date(start), new Date(end - 1));
      expect(stored).toBeGreaterThan(10_000);
      expect(atFirst.get(`${deviceId} ${names[index]}`), `${names[index]} of device ${deviceId}`).toBe(stored);
    }
  }
});
