import { Command, InvalidArgumentError } from "commander";
import { command as telltale, typedFile } from "../installed.ts";
import { defaultUrl, numberFrom, parseMoment, parseUrl } from "../options.ts";
import { type Mapping, parseMapping } from "./mapping.ts";

export interface ReplayOptions {
  csv: string;
  mappings: Mapping[];
  /** Device ID by which the access token is looked up when none is given. */
  device: string | undefined;
  token: string | undefined;
  url: string;
  /** Rows per second; undefined: as fast as they are acknowledged. */
  rate: number | undefined;
  /** Name of the time column. */
  time: string | undefined;
  start: number | undefined;
  /** Seconds between rows. */
  step: number | undefined;
  /** Column separator; undefined: detected from the header. */
  separator: string | undefined;
}

const separators: Record<string, string> = { comma: ",", semicolon: ";", tab: "\t" };

/** A separator by its name or literally. */
const parseSeparator = (text: string): string => {
  const separator = separators[text] ?? text;
  if (!Object.values(separators).includes(separator)) throw new InvalidArgumentError("Write comma, semicolon or tab.");
  return separator;
};

const collect = (text: string, before: Mapping[] = []): Mapping[] => {
  try {
    return [...before, parseMapping(text)];
  } catch (cause) {
    throw new InvalidArgumentError(cause instanceof Error ? cause.message : String(cause));
  }
};

const more = `
Without --time the rows get a time: the first --start, the next --step seconds later. Without --start the recording ends now, or with
--rate begins now and runs in real time. With --time and --start the recording is moved so that it begins at --start.

Columns are separated by commas, semicolons or tabs, as the head line has them; --separator says it where that is not clear. Where it is not the
comma, a cell may have a decimal comma.

The device is known by its access token: --token or TELLTALE_TOKEN. Without either, --device says whose token is looked up with
"${telltale} devices list", which works on the machine of the server and with its DATA_DIR or DATABASE_URL.

The sum says what the server has stored and refused, as far as its acknowledgements count it (MQTT 5 user properties). Where they do not,
what was acknowledged is committed, or refused and counted for the device: see "What is refused" in the guide.

Examples
  ${telltale} replay --csv drive.csv --map "CURRENT=I A*0.01" --map "FREQ_OUTPUT=Frequency*0.01" --device 7C9EBD4A6D71 --rate 1
  ${telltale} replay --csv weather.csv --time timestamp --map "value=AI1*0.5556-17.78" --token ACCESS_TOKEN

Ends with 0 when every reading was acknowledged and none refused, 1 when not, 2 when it was called wrongly, 130 after Ctrl-C.`;

/** Parses the command line; exits with code 2 and a message when it is invalid. */
export const readReplayOptions = (argv: string[]): ReplayOptions => {
  const command = new Command(`${telltale} replay`)
    .description("Sends a recording through the device API: each row a moment, each mapped column a channel.")
    .requiredOption("--csv <file>", "the recording, with a head line")
    .requiredOption(
      "--map <column=channel...>",
      "COLUMN=CHANNEL[*scale[+offset]], as often as there are columns",
      collect,
    )
    .option("--token <token>", "the device's access token (or TELLTALE_TOKEN)")
    .option("--device <id>", "device ID, as printed on the unit: to look its access token up")
    .option("--separator <name>", "comma, semicolon or tab (default: as the head line has it)", parseSeparator)
    .option("--rate <rows>", "rows a second (default: as fast as they are acknowledged)", numberFrom(0.001))
    .option("--time <column>", "column with the time: ISO 8601, epoch seconds or milliseconds")
    .option("--start <time>", "time of the first row, such as 2026-02-01T06:00:00Z", parseMoment)
    .option("--step <seconds>", "from row to row (default: 1, or what --rate says)", numberFrom(0.001))
    .option("--url <address>", "broker (or TELLTALE_MQTT_URL)", parseUrl, defaultUrl())
    .addHelpText("after", more)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  const given = command.parse(argv, { from: "user" }).opts();
  const token = given.token ?? (process.env.TELLTALE_TOKEN || undefined);
  if (token === undefined && given.device === undefined)
    command.error("error: name the device: --token with its access token, or --device with its ID to look that up");
  return {
    csv: typedFile(given.csv),
    mappings: given.map,
    device: given.device,
    token,
    url: given.url,
    rate: given.rate,
    time: given.time,
    start: given.start,
    step: given.step,
    separator: given.separator,
  };
};
