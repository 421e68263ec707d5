import { Readable } from "node:stream";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ChannelReading, readingsInOrder } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { createUnits, type ExportedChannel, statusLabels } from "./export-rows.ts";
import { escapedFormula } from "./spreadsheet/cells.rules.ts";

/** A field by RFC 4180, of a text that no spreadsheet takes for a formula. */
const field = (text: string): string => {
  const escaped = escapedFormula(text);
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
};

/** Times in ISO 8601. They ascend: a second is written once for all that lie in it. */
const createTimes = (): ((ts: number) => string) => {
  let second = Number.NaN;
  let text = "";
  return (ts) => {
    const start = Math.floor(ts / 1000) * 1000;
    if (start !== second) {
      second = start;
      text = new Date(start).toISOString().slice(0, -"000Z".length);
    }
    return `${text}${String(ts - start).padStart(3, "0")}Z`;
  };
};

/** Writes a channel's lines; what they share is written once. */
const createLines = (
  channel: ExportedChannel,
  timeText: (ts: number) => string,
): ((reading: ChannelReading) => string) => {
  const unitAt = createUnits(channel);
  const code = field(channel.code);
  const units = new Map<string, string>();
  return ({ ts, value, status }) => {
    const measured = status === ReadingStatus.noData ? "" : String(value);
    const name = unitAt(ts);
    const unit = units.get(name) ?? field(name);
    units.set(name, unit);
    return `${timeText(ts)},${code},${measured},${unit},${statusLabels[status] ?? status}\n`;
  };
};

/**
 * Characters that are sent at once: each part is compressed on its own, and waits for a turn of a server that is under load. A file of some thousand readings
 * is one.
 */
const atOnce = 512 * 1024;

async function* linesOf(readings: AsyncIterable<ChannelReading[]>, channels: readonly ExportedChannel[]) {
  const timeText = createTimes();
  const lines = new Map(channels.map((channel) => [channel.channelId, createLines(channel, timeText)]));
  let text = "time,channel,value,unit,status\n";
  for await (const batch of readings) {
    for (const reading of batch) text += lines.get(reading.channelId)?.(reading) ?? "";
    if (text.length < atOnce) continue;
    yield text;
    text = "";
  }
  yield text;
}

interface Wanted {
  /** Of one device. */
  channels: readonly ExportedChannel[];
  /** Codes of channels; all when absent. */
  codes: readonly string[] | undefined;
  /** Epoch milliseconds, both included. */
  from: number;
  to: number;
}

/** Bytes that are generated ahead of the client: the next part is ready when it has taken one. */
const ahead = atOnce;

async function* preceded(first: string, rest: AsyncIterable<string>) {
  yield first;
  yield* rest;
}

/**
 * Readings as CSV in time order: a small file as a whole, which is compressed at once, a larger one generated while it is read. Undefined when there are none
 * of the channels.
 */
export const readingsAsCsv = async (
  needs: Pick<World, "pool" | "log" | "metrics">,
  { channels: all, codes, from, to }: Wanted,
): Promise<Readable | string | undefined> => {
  const channels = codes ? all.filter(({ code }) => codes.includes(code)) : all;
  if (channels.length === 0) return undefined;
  const ids = channels.map(({ channelId }) => channelId);
  const lines = linesOf(readingsInOrder(needs, ids, from, to), channels);
  const { value: first = "" } = await lines.next();
  if (first.length < atOnce) return first;
  return Readable.from(preceded(first, lines), { objectMode: false, highWaterMark: ahead });
};
