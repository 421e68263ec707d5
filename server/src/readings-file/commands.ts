import { extname } from "node:path";
import { Readable } from "node:stream";
import { addressOf } from "@telltale/contract/call/client";
import { Message } from "@telltale/contract/call/codes";
import { devices } from "@telltale/contract/domains/devices";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { type Command, Option } from "commander";
import { allOf, type Reached, reachPlant, type Server, urlOption } from "../plant-file/api-client.ts";
import { systemClock } from "../platform/clock.ts";
import { fieldOf } from "../platform/fault.ts";
import { typedFile } from "../platform/installed.ts";
import { type ReadingsFormat, readingsFormats, writeReadings } from "./readings-file.ts";

interface Wanted extends Server {
  device: string;
  channel?: string[];
  from: string;
  to?: string;
  format?: ReadingsFormat;
}

/** The device of this name or ID; throws when there is none, or several. */
const deviceOf = async ({ client }: Reached, wanted: string): Promise<number> => {
  const [byName, byId] = await Promise.all([
    allOf((of) => client(devices.list, { deviceName: wanted, ...of })),
    allOf((of) => client(devices.list, { deviceSnId: wanted, ...of })),
  ]);
  const found = [...byName, ...byId]
    .flatMap(({ subDevices, ...main }) => [main, ...subDevices])
    .filter(({ deviceName, deviceSnId }) => deviceName === wanted || deviceSnId === wanted);
  const ids = [...new Set(found.map(({ deviceId }) => deviceId))];
  if (ids.length > 1) throw new Error(`${ids.length} devices are called ${wanted}: name one by its ID`);
  if (ids[0] === undefined) throw new Error(`There is no device ${wanted}`);
  return ids[0];
};

const momentOf = (text: string): Date => {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new Error(`${text} is no time: write it as 2026-11-01 or 2026-11-01T08:00Z`);
  return moment;
};

/** The call's range has its end: with it a reading at midnight would be in the files of two months. */
const justBefore = (moment: Date): Date => new Date(moment.getTime() - 1);

const formats: Readonly<Record<string, ReadingsFormat>> = {
  ".parquet": "parquet",
  ".csv": "csv",
  ".txt": "csv",
  "": "csv",
};

/** The format that a file's name says. A program that opens `readings.xlsx` would find no spreadsheet in it. */
const formatOf = (file: string): ReadingsFormat => {
  const ending = extname(file).toLowerCase();
  const format = formats[ending];
  if (!format)
    throw new Error(
      `The name ${file} says no format: end it in .csv or .parquet, or name the format, as in --format csv`,
    );
  return format;
};

/** Whether an answer ended before its end, as `fetch` tells it. */
const isCutOff = (fault: unknown): boolean => fault instanceof TypeError && fault.message === "terminated";

const saveReadings = async (file: string, { device, channel, from, to, format, url }: Wanted): Promise<void> => {
  const written = format ?? formatOf(file);
  const reached = await reachPlant({ url });
  const deviceId = await deviceOf(reached, device);
  const range = {
    startTime: momentOf(from),
    endTime: to === undefined ? systemClock.date() : justBefore(momentOf(to)),
  };
  if (range.endTime < range.startTime) throw new Error(`--to ${to ?? "now"} is before --from ${from}`);
  const address = addressOf(reached.baseUrl, downloads.readings, { deviceId, channels: channel, ...range });
  const response = await fetch(address, { headers: { authorization: `Bearer ${reached.apiKey}` } });
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/csv"))
    throw new Error(String(fieldOf(await response.json(), "msg") ?? Message.serverBusy));
  const csv = Readable.from(response.body, { objectMode: false });
  const rows = await writeReadings(csv, typedFile(file), written).catch((cause: unknown) => {
    if (!isCutOff(cause)) throw cause;
    throw new Error(`${file} is not whole, because the connection to the server ended: run the command again`, {
      cause,
    });
  });
  console.log(`${rows} readings of ${device} in ${file}`);
};

/** Adds the command that saves readings for other programs. */
export const addReadingsCommand = (program: Command): void => {
  program
    .command("readings")
    .description("save a device's readings of any range as CSV or Parquet, by an API key in TELLTALE_KEY")
    .argument("<file>", "such as readings.parquet; one that exists is replaced")
    .requiredOption("--device <name>", "name or ID")
    .option("--channel <code...>", "codes of channels; default: all")
    .requiredOption("--from <time>", "2026-11-01, or 2026-11-01T08:00Z")
    .option("--to <time>", "readings before this time; default: now")
    .addOption(
      new Option("--format <format>", "default: what the file's ending says, csv without one").choices(readingsFormats),
    )
    .option(...urlOption)
    .action(saveReadings);
};
