import type { Readable } from "node:stream";
import type { FilePath } from "../../platform/files/files.ts";
import { hasReadings, hotAmong } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { exportReadings } from "./export.ts";
import { lateMarkOf, saveMonth } from "./package-queries.ts";
import { exportedChannels } from "./queries.ts";
import { monthStretch, monthText } from "./rules.ts";
import { type WallClock, wallClockOf } from "./wall-clock.rules.ts";

const pathOf = (deviceId: number, month: number): FilePath => `packages/${deviceId}/${monthText(month)}.xlsx`;

type Needs = Pick<World, "db" | "pool" | "files" | "clock">;

interface Wanted {
  deviceId: number;
  month: number;
  clock: WallClock;
  /** Given the spreadsheet before it is written, so that somebody can end it. */
  onContent?: (content: Readable) => void;
}

/** Makes a device's package of a month; gives its bytes, undefined when the month has no reading. Repeating it makes it anew. */
export const buildPackage = async (world: Needs, wanted: Wanted): Promise<number | undefined> => {
  const { deviceId, month, clock, onContent } = wanted;
  const stretch = monthStretch(clock, month);
  // Before any reading is looked for: what comes late from now on leaves another mark.
  const lateMark = await lateMarkOf(world.db, deviceId, month);
  const ids = (await exportedChannels(world.db, deviceId)).map(({ channelId }) => channelId);
  if (!(await hasReadings(world.pool, ids, stretch))) {
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
    // The device may have been deleted meanwhile. Where the file is wanted after all, it is made while it is read.
    await world.files.remove(path);
    throw fault;
  }
  return bytes;
};

/** Whether readings of the month are stored that its file may lack: they came late, or are still coming. */
const isOutdated = async ({ db, pool }: Needs, deviceId: number, month: number, clock: WallClock): Promise<boolean> => {
  if ((await lateMarkOf(db, deviceId, month)) !== undefined) return true;
  const ids = (await exportedChannels(db, deviceId)).map(({ channelId }) => channelId);
  return (await hotAmong(pool, ids, [monthStretch(clock, month)])).size > 0;
};

/**
 * A package's spreadsheet with every reading that is stored: its file, or made once more where there is none, as on another node or after a
 * restore, or where readings came after it was made.
 */
export const packageContent = async (
  world: Needs,
  { device_id: deviceId, month, time_zone_id }: { device_id: number; month: number; time_zone_id: string },
): Promise<Readable> => {
  const clock = wallClockOf(time_zone_id);
  const file = (await isOutdated(world, deviceId, month, clock))
    ? undefined
    : await world.files.read(pathOf(deviceId, month));
  return file ?? exportReadings(world, deviceId, clock, monthStretch(clock, month));
};
