import { Readable } from "node:stream";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ChannelReading, readingsInOrder } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { createUnits, type ExportedChannel, statusLabels } from "./export-rows.ts";
import { exportedChannels } from "./queries.ts";
import { escapedFormula } from "./spreadsheet/cells.rules.ts";

/** A field by RFC 4180, of a text that no spreadsheet takes for a formula. */
const field = (text: string): string => {
  const escaped = escapedFormula(text);
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
};

/** Writes a channel's lines; what they share is written once. */
const createLines = (channel: ExportedChannel): ((reading: ChannelReading) => string) => {
  const unitAt = createUnits(channel);
  const code = field(channel.code);
  return ({ ts, value, status }) => {
    const measured = status === ReadingStatus.noData ? "" : String(value);
    const unit = field(unitAt(ts));
    return `${new Date(ts).toISOString()},${code},${measured},${unit},${statusLabels[status] ?? status}\n`;
  };
};

async function* linesOf(readings: AsyncIterable<ChannelReading[]>, channels: readonly ExportedChannel[]) {
  const lines = new Map(channels.map((channel) => [channel.channelId, createLines(channel)]));
  yield "time,channel,value,unit,status\n";
  for await (const batch of readings)
    yield batch.map((reading) => lines.get(reading.channelId)?.(reading) ?? "").join("");
}

interface Wanted {
  deviceId: number;
  /** Codes of channels; all when absent. */
  codes: readonly string[] | undefined;
  /** Epoch milliseconds, both included. */
  from: number;
  to: number;
}

/** A device's readings as CSV in time order, generated while it is read. Undefined when the device has none of the channels. */
export const readingsAsCsv = async (
  { db, ...needs }: Pick<World, "db" | "pool" | "log" | "metrics">,
  { deviceId, codes, from, to }: Wanted,
): Promise<Readable | undefined> => {
  const all = await exportedChannels(db, deviceId);
  const channels = codes ? all.filter(({ code }) => codes.includes(code)) : all;
  if (channels.length === 0) return undefined;
  const ids = channels.map(({ channelId }) => channelId);
  return Readable.from(linesOf(readingsInOrder(needs, ids, from, to), channels), { objectMode: false });
};
