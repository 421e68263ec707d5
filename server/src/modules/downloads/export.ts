import type { Readable } from "node:stream";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { readingsInOrder } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { exportHead, exportRows } from "./export-rows.ts";
import { exportedChannels } from "./queries.ts";
import { createSharedTexts } from "./spreadsheet/shared-texts.ts";
import { writeWorkbook } from "./spreadsheet/workbook.ts";

/** A device's readings of a range (epoch milliseconds, both ends included) as a spreadsheet, generated while it is read. */
export const exportReadings = async (
  { db, ...needs }: Pick<World, "db" | "pool" | "log" | "metrics">,
  deviceId: number,
  clock: Zone,
  { from, to }: { from: number; to: number },
): Promise<Readable> => {
  const channels = await exportedChannels(db, deviceId);
  const ids = channels.map((channel) => channel.channelId);
  const texts = createSharedTexts();
  return writeWorkbook({
    sheetName: "Readings",
    ...exportHead(clock.name, texts),
    texts,
    rows: exportRows(readingsInOrder(needs, ids, from, to), channels, clock, texts),
  });
};
