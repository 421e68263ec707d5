import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { type ImportProgress, imports } from "@telltale/contract/domains/readings/imports";
import { refusalOfReading } from "@telltale/contract/domains/readings/past-readings";
import { counted, count as figure } from "@telltale/contract/text/counted";
import { type Command, Option } from "commander";
import { type Reached, reachPlant, type Server, urlOption } from "../plant-file/api-client.ts";
import { systemClock } from "../platform/clock.ts";
import { typedFile } from "../platform/installed.ts";
import { firstBytes } from "./blocks.ts";
import { openCsv } from "./csv.ts";
import { openLineProtocol } from "./line-protocol.ts";
import { calledIn, readMapping, type Target, targetsOf } from "./mapping.ts";
import { createProgress, createRefused } from "./report.ts";
import { sendReadings, untilPacked } from "./send.ts";
import { createSeries, type SeriesTable } from "./series.ts";
import { BadSource, beginning, precisions, type ReadingOptions, type Source } from "./source.ts";
import { openThingsboard } from "./thingsboard.ts";

const formats = { csv: openCsv, influx: openLineProtocol, thingsboard: openThingsboard } as const;

interface Wanted extends Server, ReadingOptions {
  format: keyof typeof formats;
  map: string[];
  dryRun?: true;
  skipUnmapped?: true;
  errors?: string;
}

/** Looks through a file for its series, and reads its beginning: what is wrong with all of it shows before anything is stored. */
const lookThrough = async (source: Source): Promise<SeriesTable> => {
  const series = createSeries();
  const shown = createProgress("Looking through");
  let isFirst = true;
  for await (const portion of source.portions(beginning)) {
    portion.look(series);
    if (isFirst) portion.read({ seriesOf: series.seriesOf, reading: () => undefined, unreadable: () => undefined });
    isFirst = false;
    shown.update(portion.done, 0);
    if (source.namesFirst) break;
  }
  shown.stop();
  if (series.names.length === 0) throw new BadSource("The file has no readings");
  return series;
};

interface Tallied {
  count: number;
  first: number;
  last: number;
}

const momentText = (ts: number): string => (Number.isFinite(ts) ? new Date(ts).toISOString() : "never");

const targetText = (target: Target | undefined): string =>
  target && "shown" in target ? target.shown : `not mapped: ${target?.problem}`;

/** Reads a whole file and says what would go where; stores nothing. */
const rehearse = async (
  source: Source,
  series: SeriesTable,
  targets: readonly Target[],
  wanted: Wanted,
): Promise<void> => {
  const tallies: Tallied[] = series.names.map(() => ({
    count: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
  }));
  const refused = createRefused(source.unit, errorsOf(wanted), false);
  const shown = createProgress("Reading");
  let read = 0;
  const limits = { now: systemClock.now(), keptFrom: Number.NEGATIVE_INFINITY };
  const reading = (of: number, time: number, value: number, status: number, line: number): void => {
    const tally = tallies[of];
    if (!tally) return;
    const reason = refusalOfReading(time, value, status, limits);
    if (reason !== undefined) {
      refused.add(line, reason);
      return;
    }
    read += 1;
    tally.count += 1;
    tally.first = Math.min(tally.first, time);
    tally.last = Math.max(tally.last, time);
  };
  for await (const portion of source.portions(beginning)) {
    portion.read({ seriesOf: series.seriesOf, reading, unreadable: refused.add });
    shown.update(portion.done, read);
  }
  shown.stop();
  for (const [at, { count, first, last }] of tallies.entries()) {
    const name = series.names[at];
    if (name)
      console.log(
        `${calledIn(name)} -> ${targetText(targets[at])}, ${counted(count, "reading")}, ${momentText(first)} to ${momentText(last)}`,
      );
  }
  for (const line of refused.shown()) console.error(line);
  await refused.close();
  console.log(`${counted(read, "reading")} can be read, ${figure(refused.count())} can't; nothing was stored`);
  const isLeftOut = unmappedText(series, targets).length > 0 && !wanted.skipUnmapped;
  if (refused.count() > 0 || isLeftOut) process.exitCode = 1;
};

const unmappedText = (series: SeriesTable, targets: readonly Target[]): string[] =>
  targets.flatMap((target, at) => {
    const name = series.names[at];
    return name && "problem" in target ? [`${calledIn(name)} is not mapped: ${target.problem}`] : [];
  });

/** Most problems that are told at once. */
const mostProblems = 20;

const fewOf = (lines: readonly string[]): string[] =>
  lines.length <= mostProblems
    ? [...lines]
    : [...lines.slice(0, mostProblems), `and ${lines.length - mostProblems} more`];

/** Identifies a file and what it is read by: an import goes on only where both are the same. */
const digestOf = async (file: string, wanted: Wanted, channelIds: readonly (number | undefined)[]): Promise<string> => {
  const { format, device, delimiter, decimal, timezone, precision, deviceTag } = wanted;
  const { size } = await stat(file);
  const first = (await firstBytes(file)).toString("base64");
  const by = [format, device, delimiter, decimal, timezone, precision, deviceTag, channelIds, size, first];
  return createHash("sha256").update(JSON.stringify(by)).digest("hex");
};

const errorsOf = ({ errors }: Wanted): string | undefined => (errors === undefined ? undefined : typedFile(errors));

const outcome = ({ read, stored, present, refused }: ImportProgress): string =>
  `${counted(read, "reading")} read: ${figure(stored)} stored, ${figure(present)} already there, ${figure(refused)} refused`;

interface Mapped {
  source: Source;
  series: SeriesTable;
  targets: readonly Target[];
}

const importMapped = async ({ client }: Reached, file: string, wanted: Wanted, mapped: Mapped): Promise<void> => {
  const { source, series, targets } = mapped;
  const channelIds = targets.map((target) => ("channelId" in target ? target.channelId : undefined));
  const begun = { fileName: basename(file), digest: await digestOf(file, wanted, channelIds) };
  const progress = await client(imports.begin, begun);
  if (progress.position > 0) console.error(`Going on at ${source.unit} ${figure(progress.line + 1)}`);
  const refused = createRefused(source.unit, errorsOf(wanted), progress.position > 0);
  const shown = createProgress(basename(file), progress.read);
  const interrupted = (): void => {
    shown.stop();
    console.error("Interrupted. What was stored stays: the same command goes on from there, within 30 days");
    process.exit(130);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const needs = { client, file: begun, refused, progress, source, series, channelIds, shown };
    const done = await sendReadings(needs);
    shown.stop();
    for (const line of refused.shown()) console.error(line);
    console.log(outcome(done));
    if (done.refused > 0) process.exitCode = 1;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    shown.stop();
    await refused.close();
  }
  await untilPacked(client, progress.importId, (text) => console.error(text));
};

const importFile = async (typed: string, wanted: Wanted): Promise<void> => {
  const file = typedFile(typed);
  if ((await stat(file)).isDirectory()) throw new BadSource(`${typed} is a folder: name a file`);
  const reached = await reachPlant(wanted);
  const source = await formats[wanted.format](file, wanted);
  const series = await lookThrough(source);
  const targets = await targetsOf(reached.client, series.names, await readMapping(wanted.map));
  if (wanted.dryRun) return rehearse(source, series, targets, wanted);
  const unmapped = unmappedText(series, targets);
  const others = unmapped.length < targets.length ? ", or leave them out by --skip-unmapped" : "";
  if (unmapped.length === targets.length || (unmapped.length > 0 && !wanted.skipUnmapped))
    throw new BadSource([...fewOf(unmapped), `Nothing was stored. Map them by --map${others}`].join("\n"));
  for (const line of fewOf(unmapped)) console.error(line);
  await importMapped(reached, file, wanted, { source, series, targets });
};

/** Adds the command that brings in readings from elsewhere. */
export const addImportCommand = (program: Command): void => {
  program
    .command("import")
    .description(
      "store past readings from a file, by an API key in TELLTALE_KEY; run again, it goes on or adds nothing",
    )
    .argument("<file>", "such as history.csv; ending in .gz, it is unpacked")
    .addOption(new Option("--format <format>", "of the file").choices(Object.keys(formats)).default("csv"))
    .option("--device <name>", "name or ID of the device, where the file names none")
    .option(
      "--map <mapping>",
      "a YAML file, or a series as pump-01/flow=Device/AI1; several times",
      (each: string, all: string[]) => [...all, each],
      [],
    )
    .option("--skip-unmapped", "leave out series that go nowhere")
    .option("--timezone <name>", "of times without an offset, such as Europe/Budapest")
    .addOption(
      new Option("--precision <unit>", "of times that are numbers; default: as their digits tell, influx: ns").choices(
        precisions,
      ),
    )
    .addOption(new Option("--delimiter <sign>", "between columns; default: as the header tells"))
    .addOption(new Option("--decimal <sign>", "of values").choices([".", ","]).default("."))
    .option("--device-tag <name>", "tag of line protocol that names the device; default: the only one")
    .option("--dry-run", "say what would go where, and store nothing")
    .option("--errors <file>", "write all refused lines to this file")
    .option(...urlOption)
    .action(importFile);
};
