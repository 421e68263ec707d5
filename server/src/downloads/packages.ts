import type { Readable } from "node:stream";
import type { FilePath } from "../files.ts";
import { hasReadings } from "../telemetry/readings-in-order.ts";
import type { World } from "../world.ts";
import { exportReadings } from "./export.ts";
import { saveMonth } from "./package-queries.ts";
import { exportedChannels } from "./queries.ts";
import { monthStretch, monthText } from "./rules.ts";
import { type WallClock, wallClockOf } from "./wall-clock.rules.ts";

const pathOf = (deviceId: number, month: number): FilePath => `packages/${deviceId}/${monthText(month)}.xlsx`;

type Needs = Pick<World, "db" | "pool" | "files" | "clock">;

interface Wanted {
  deviceId: number;
  month: number;
  clock: WallClock;
  /** `late_count` of the device before it was looked at. */
  lateCount: number;
  /** Given the spreadsheet before it is written, so that somebody can end it. */
  onContent?: (content: Readable) => void;
}

/** What became of a month. Bytes are undefined when it has no reading. */
export interface BuiltMonth {
  bytes?: number;
  /** False when readings came late meanwhile, so that it has to be made again. */
  isDone: boolean;
}

/** Makes a device's package of a month. Repeating it makes it anew. */
export const buildPackage = async (world: Needs, wanted: Wanted): Promise<BuiltMonth> => {
  const { deviceId, month, clock, lateCount, onContent } = wanted;
  const stretch = monthStretch(clock, month);
  const ids = (await exportedChannels(world.db, deviceId)).map(({ channelId }) => channelId);
  if (!(await hasReadings(world.pool, ids, stretch)))
    return { isDone: await saveMonth(world.db, { deviceId, month, lateCount }, world.clock.date()) };
  const content = await exportReadings(world, deviceId, clock, stretch);
  onContent?.(content);
  const bytes = await world.files.write(pathOf(deviceId, month), content);
  const built = { startTime: new Date(stretch.from), endTime: new Date(stretch.to), bytes };
  return { bytes, isDone: await saveMonth(world.db, { deviceId, month, lateCount, built }, world.clock.date()) };
};

/** A package's spreadsheet: its file, or made once more where there is none, as on another node or after a restore. */
export const packageContent = async (
  world: Needs,
  { device_id: deviceId, month, time_zone_id }: { device_id: number; month: number; time_zone_id: string },
): Promise<Readable> => {
  const file = await world.files.read(pathOf(deviceId, month));
  if (file) return file;
  const clock = wallClockOf(time_zone_id);
  return exportReadings(world, deviceId, clock, monthStretch(clock, month));
};
