import { setTimeout as pause } from "node:timers/promises";
import { CallError, type Client, UnreachableError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ImportProgress, imports } from "@telltale/contract/domains/readings/imports";
import { counted } from "@telltale/contract/text/counted";
import { command } from "../platform/installed.ts";
import type { Progress, Refused } from "./report.ts";
import { type Columns, createGathering, type SeriesTable } from "./series.ts";
import { BadSource, type Place, type Source } from "./source.ts";

/** Readings that are sent together, and the last portion of the file beyond. */
const sentTogether = 20_000;
/** How often a portion is sent again when the server does not answer, and the pauses before, milliseconds. */
const tries = { most: 12, first: 500, longest: 15_000 } as const;

/** An import under way. */
interface Sending {
  client: Client;
  /** Of the import, for when an answer is lost. */
  file: { fileName: string; digest: string };
  refused: Refused;
  /** As the server knows it. */
  progress: ImportProgress;
}

interface Part {
  columns: Columns;
  unreadable: number;
  end: Place;
}

/** Whether a later try may succeed. */
const isPassing = (fault: unknown): fault is CallError =>
  fault instanceof CallError && (fault instanceof UnreachableError || fault.code === Code.tooManyTries);

/** Stores a part; again when the server does not answer. Once begun it may be stored although the answer was lost: the position tells. */
const store = async (sending: Sending, { columns, unreadable, end }: Part): Promise<void> => {
  const { client, file, refused } = sending;
  const { importId, position: after } = sending.progress;
  const { lines, statuses, ...given } = columns;
  const isGood = statuses.every((status) => status === ReadingStatus.good);
  const portion = { importId, after, ...end, unreadable, ...given, ...(isGood ? {} : { statuses }) };
  let delay: number = tries.first;
  for (let turn = 1; ; turn++) {
    try {
      const { refusals, ...progress } = await client(imports.store, portion);
      for (const { at, reason } of refusals) for (const index of at) refused.add(lines[index] ?? 0, reason);
      sending.progress = progress;
      return;
    } catch (fault) {
      if (fault instanceof CallError && fault.code === Code.conflict) {
        const known = await client(imports.begin, file);
        if (known.importId !== importId || known.position !== end.position) throw fault;
        sending.progress = known;
        return;
      }
      if (!isPassing(fault)) throw fault;
      if (turn >= tries.most)
        throw new Error(`The server does not take the readings: ${fault.message}. Run the command again to go on`);
      await pause(delay);
      delay = Math.min(delay * 2, tries.longest);
    }
  }
};

interface Needs extends Sending {
  source: Source;
  series: SeriesTable;
  /** Channel of each series; undefined for those that are left out. */
  channelIds: readonly (number | undefined)[];
  shown: Progress;
}

/**
 * Sends what a file has from where its import is; while the server stores a part, the next is read. Returns the import's counts, those of earlier runs
 * included.
 */
export const sendReadings = async ({
  source,
  series,
  channelIds,
  shown,
  ...sending
}: Needs): Promise<ImportProgress> => {
  const gathering = createGathering();
  const { refused } = sending;
  let unreadable = 0;
  let end: Place = { position: sending.progress.position, line: sending.progress.line };
  let stored: Promise<void> = Promise.resolve();
  const into = {
    seriesOf: series.seriesOf,
    reading: (of: number, time: number, value: number, status: number, line: number): void => {
      if (of >= channelIds.length)
        throw new BadSource(`The file has changed while it was imported. Start ${command} import again`);
      const channelId = channelIds[of];
      if (channelId !== undefined) gathering.add(channelId, time, value, status, line);
    },
    unreadable: (line: number, reason: string): void => {
      unreadable += 1;
      refused.add(line, reason);
    },
  };
  const send = async (): Promise<void> => {
    const part = { columns: gathering.take(), unreadable, end };
    unreadable = 0;
    await stored;
    stored = store(sending, part);
    // Awaited before the next part; until then its fault is nobody's.
    stored.catch(() => undefined);
  };
  for await (const portion of source.portions(sending.progress)) {
    portion.read(into);
    end = portion.end;
    if (gathering.count() >= sentTogether) await send();
    shown.update(portion.done, sending.progress.read);
  }
  await send();
  await stored;
  shown.update(1, sending.progress.read);
  return sending.client(imports.end, { importId: sending.progress.importId });
};

/** How often the server is asked, milliseconds. */
const askEvery = 500;
/** From then on it says what it waits for, and when it says so again, milliseconds. */
const tellEvery = 5_000;
/** After this time without progress it ends, milliseconds: the server goes on, such as where a device still sends readings of these hours. */
const patience = 60_000;

/**
 * Resolves when what was imported is packed: until then charts and SQL statements over it take longer. Readings are stored and safe before, so a server
 * that does not answer is no fault. `tell`: what it waits for.
 */
export const untilPacked = async (client: Client, importId: number, tell: (text: string) => void): Promise<void> => {
  let [fewest, since, told] = [Number.POSITIVE_INFINITY, performance.now(), performance.now()];
  try {
    for (;;) {
      const { hours } = await client(imports.packing, { importId });
      if (hours === 0) return;
      const now = performance.now();
      if (hours < fewest) [fewest, since] = [hours, now];
      if (now - since > patience) return;
      if (now - told > tellEvery) {
        told = now;
        tell(`Packing them, so that charts are fast: ${counted(hours, "hour")} left`);
      }
      await pause(askEvery);
    }
  } catch (fault) {
    if (!(fault instanceof CallError)) throw fault;
  }
};
