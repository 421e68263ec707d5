import type { Readable } from "node:stream";
import { monthStretch, monthText } from "@telltale/contract/text/months";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { collectFaults } from "../../platform/fault.ts";
import type { FilePath } from "../../platform/files/files.ts";
import { notFound } from "../../platform/http/api-error.ts";
import { hasReadings, hotAmong } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { exportReadings } from "./export.ts";
import { hasPackage, keptFrom, lateMarkOf, packagesBefore, removePackages, saveMonth } from "./package-queries.ts";
import { exportedChannels } from "./queries.ts";

const pathOf = (deviceId: number, month: number): FilePath => `packages/${deviceId}/${monthText(month)}.xlsx`;

type Needs = Pick<World, "db" | "pool" | "files" | "clock" | "log" | "metrics">;

interface Wanted {
  deviceId: number;
  month: number;
  clock: Zone;
  /** Called with the spreadsheet stream before it is written, so that it can be aborted. */
  onContent?: (content: Readable) => void;
}

/** Creates or recreates a device's package of a month; returns its size in bytes, undefined when the month has no reading, or keeps its package. */
export const buildPackage = async (world: Needs, wanted: Wanted): Promise<number | undefined> => {
  const { deviceId, month, clock, onContent } = wanted;
  const stretch = monthStretch(clock, month);
  // Read before any reading: late readings from now on leave another mark.
  const lateMark = await lateMarkOf(world.db, deviceId, month);
  const ids = (await exportedChannels(world.db, deviceId)).map(({ channelId }) => channelId);
  // A package that was made when all readings were kept is better than any that could be made now.
  const isLeft = stretch.from < (await keptFrom(world.db, deviceId)) && (await hasPackage(world.db, deviceId, month));
  if (isLeft || !(await hasReadings(world.pool, ids, stretch))) {
    await saveMonth(world.db, { deviceId, month, lateMark }, world.clock.date());
    return undefined;
  }
  const content = await exportReadings(world, deviceId, clock, stretch);
  onContent?.(content);
  const path = pathOf(deviceId, month);
  const bytes = await world.files.write(path, content);
  const built = { startTime: new Date(stretch.from), endTime: new Date(stretch.to), bytes };
  try {
    await saveMonth(world.db, { deviceId, month, lateMark, built }, world.clock.date());
  } catch (fault) {
    // The device may have been deleted meanwhile. If the file is requested after all, it is generated while it is read.
    await world.files.remove(path);
    throw fault;
  }
  return bytes;
};

/** Packages of a device of which the time has passed, and why, in the words of the audit log. */
interface OldPackages {
  deviceId: number;
  plantId: number | null;
  before: Date;
  because: string;
  /** Asked within a transaction before each file goes: a package whose readings have gone cannot be made again. */
  isStillDue: (db: Database) => Promise<boolean>;
}

/**
 * Removes a device's packages of months that end before a time, as long as that is due. One whose file cannot be removed now is left with its entry, by
 * which it is found again; throws then, after the others. The files go outside any transaction: while the cluster's store is asked, the device's row must
 * not be locked, and a node that asks for longer than `idleLimitOfNodes` would lose the transaction with the entries, for ever.
 */
export const removePackagesBefore = async (
  { db, files, clock }: Pick<World, "db" | "files" | "clock">,
  { deviceId, plantId, before, because, isStillDue }: OldPackages,
): Promise<void> => {
  const faults = collectFaults();
  const removed: number[] = [];
  for (const month of await packagesBefore(db, deviceId, before))
    await faults.of(`package of ${monthText(month)}`, async () => {
      if (!(await db.transaction().execute(isStillDue))) return;
      await files.remove(pathOf(deviceId, month));
      removed.push(month);
    });
  if (removed.length > 0)
    await faults.of("entries of packages", () =>
      db.transaction().execute(async (trx) => {
        await removePackages(trx, deviceId, removed);
        const detail = { deviceId, packages: removed.length, until: before.toISOString(), because };
        if (plantId !== null)
          await audit(trx, { plantId, userId: null, action: "packages.remove", detail, now: clock.date() });
      }),
    );
  faults.throwFirst();
};

/** Whether the month has readings that its file may lack: late ones, or ones still arriving. */
const isOutdated = async ({ db, pool }: Needs, deviceId: number, month: number, clock: Zone): Promise<boolean> => {
  if ((await lateMarkOf(db, deviceId, month)) !== undefined) return true;
  const ids = (await exportedChannels(db, deviceId)).map(({ channelId }) => channelId);
  return (await hotAmong(pool, ids, [monthStretch(clock, month)])).size > 0;
};

const fileGone = "This data package has been removed, and its readings are no longer kept";

/** A package's file; undefined when it is missing (after a restore), cannot be read now, or is outdated, and all of its readings are there. */
const fileOf = async (world: Needs, deviceId: number, month: number, clock: Zone): Promise<Readable | undefined> => {
  const path = pathOf(deviceId, month);
  // What is no longer kept is only in the file.
  if (monthStretch(clock, month).from < (await keptFrom(world.db, deviceId))) {
    const file = await world.files.read(path);
    // It has just been removed, before its entry. What is left of the readings, often nothing, must not be taken for the month.
    if (!file) throw notFound(fileGone);
    return file;
  }
  if (await isOutdated(world, deviceId, month, clock)) return undefined;
  return world.files.read(path).catch((fault: unknown) => {
    world.log.warn(
      { err: fault, path },
      "A data package could not be read; it is made anew for the one who downloads it",
    );
    return undefined;
  });
};

/** A package's spreadsheet with all stored readings: its file, or generated anew. */
export const packageContent = async (
  world: Needs,
  { device_id: deviceId, month, time_zone_id }: { device_id: number; month: number; time_zone_id: string },
): Promise<Readable> => {
  const clock = zoneOf(time_zone_id);
  const file = await fileOf(world, deviceId, month, clock);
  return file ?? exportReadings(world, deviceId, clock, monthStretch(clock, month));
};
