import { ReadingStatus } from "@telltale/contract/domains/channels";
import { offsetText, type Zone } from "@telltale/contract/text/wall-clock";
import type { ChannelReading } from "../../telemetry/index.ts";
import { emptyCell, momentCell, numberCell, row, Style, textCell } from "./spreadsheet/cells.rules.ts";
import type { SharedTexts } from "./spreadsheet/shared-texts.ts";

/** A channel with its units over time, oldest first; `from` in epoch milliseconds. */
export interface ExportedChannel {
  channelId: number;
  name: string;
  code: string;
  units: { from: number; unit: string }[];
}

/** Columns with their widths in characters. */
const columns = (zone: string): [head: string, width: number][] => [
  [`TIME (${zone})`, 30],
  // Distinguishes the hour that occurs twice when summer time ends.
  ["UTC OFFSET", 12],
  ["CHANNEL", 28],
  ["CODE", 16],
  ["VALUE", 14],
  ["UNIT", 10],
  ["STATUS", 10],
];

export const exportHead = (zone: string, texts: SharedTexts): { head: string; widths: number[] } => ({
  head: columns(zone)
    .map(([head]) => textCell(texts.numberOf(head), Style.head))
    .join(""),
  widths: columns(zone).map(([, width]) => width),
});

export const statusLabels: Record<number, string> = {
  [ReadingStatus.alarm]: "Alarm",
  [ReadingStatus.good]: "Good",
  [ReadingStatus.noData]: "No data",
};

/** The unit of a channel at times that only ascend. */
export const createUnits = ({ units }: Pick<ExportedChannel, "units">): ((ts: number) => string) => {
  let at = 0;
  return (ts) => {
    while (at + 1 < units.length && (units[at + 1]?.from ?? 0) <= ts) at += 1;
    return units[at]?.unit ?? "";
  };
};

/** Cells that all rows of a channel share, created once. */
const createChannelCells = (channel: ExportedChannel, texts: SharedTexts) => {
  const text = (content: string) => textCell(texts.numberOf(content));
  const names = text(channel.name) + text(channel.code);
  const ends = new Map<string, string>();
  const unitAt = createUnits(channel);
  return ({ ts, value, status }: ChannelReading): string => {
    const unit = unitAt(ts);
    const key = `${status} ${unit}`;
    const end = ends.get(key) ?? (unit ? text(unit) : emptyCell) + text(statusLabels[status] ?? String(status));
    ends.set(key, end);
    return names + (status === ReadingStatus.noData ? emptyCell : numberCell(value)) + end;
  };
};

/** Yields the rows of readings in time order; a reading without data has no value. */
export async function* exportRows(
  batches: AsyncIterable<ChannelReading[]>,
  channels: readonly ExportedChannel[],
  clock: Zone,
  texts: SharedTexts,
): AsyncGenerator<string[]> {
  const cells = new Map(channels.map((channel) => [channel.channelId, createChannelCells(channel, texts)]));
  const offsets = new Map<number, string>();
  const offsetCell = (offset: number): string => {
    const cell = offsets.get(offset) ?? textCell(texts.numberOf(`UTC${offsetText(offset)}`));
    offsets.set(offset, cell);
    return cell;
  };
  for await (const readings of batches) {
    yield readings.map((reading) => {
      const offset = clock.offset(reading.ts);
      const own = cells.get(reading.channelId)?.(reading) ?? "";
      return row(momentCell(reading.ts + offset) + offsetCell(offset) + own);
    });
  }
}
