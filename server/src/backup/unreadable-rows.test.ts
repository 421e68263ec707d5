import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../platform/database/test-database.ts";
import { createFiles } from "../platform/files/files.ts";
import { mergeNow } from "../readings/index.ts";
import { loseParts, manyFrom, type ReadingsTable } from "../test/test-damage.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { packRange, writeReadings } from "../test/test-readings.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const hour = 3_600_000;

let world: TestWorld;
let folder: string;
beforeEach(async () => {
  world = await createTestWorld();
  folder = await mkdtemp(join(tmpdir(), "telltale-backup-"));
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const backUpNow = (file: string) =>
  backUp(file, { databaseUrl: world.url, files: createFiles(join(folder, "files")), clock: world.clock });

/** Two rows of a table: one of many readings, which lose their parts, and one of a single reading. */
const lostIn = async (table: ReadingsTable): Promise<number> => {
  const device = await aDevice(world, await anOwner(world));
  const channelId = Number(device.channels.AI1);
  const start = Math.floor(world.clock.now() / hour - 5) * hour;
  const write = async (readings: [ts: number, value: number][]) => {
    await writeReadings(world, channelId, readings);
    if (table === "chunks") await mergeNow(world, [device.deviceId]);
    if (table === "packed_hours") await packRange(world.pool, start / hour, start / hour + 2);
  };
  await write(manyFrom(start));
  await loseParts(world.url, table);
  await write([[start + hour, 7]]);
  return table === "packed_hours" ? channelId : device.deviceId;
};

const countsIn = async (url: string, table: ReadingsTable): Promise<number[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(`SELECT count FROM ${table}`);
  await client.end();
  return rows.map(({ count }) => count);
};

/** A database in parts is backed up by its own means. */
const whole = test.skipIf(inject("workerUrls").length > 0);

whole.each([
  ["batches", "devices"],
  ["chunks", "device"],
  ["packed_hours", "channel"],
] as const)(
  "a backup is made although parts of a row of %s are lost: it says whose readings it lacks, and has all others",
  async (table, owner) => {
    const id = await lostIn(table);
    const file = join(folder, "backup.zip");
    const { leftOut } = await backUpNow(file);
    expect(leftOut).toEqual([expect.stringMatching(new RegExp(`^2000 readings of ${owner} ${id} from \\d{4}-`))]);
    const target = await createTestDatabase();
    try {
      const restored = await restore(file, {
        databaseUrl: target.url,
        dataDir: join(folder, "restored"),
        clock: world.clock,
      });
      expect(restored.leftOut).toEqual(leftOut);
      expect(await countsIn(target.url, table)).toEqual([1]);
    } finally {
      await target.drop();
    }
  },
);
