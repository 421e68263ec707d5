import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { count } from "@telltale/contract/text/counted";
import { Presets, SingleBar } from "cli-progress";

/** Shows how far a file is. */
export interface Progress {
  /** Part of the file, from 0 to 1, and readings so far. */
  update(done: number, readings: number): void;
  stop(): void;
}

/** Interval of lines where there is no terminal, milliseconds. */
const lineEvery = 10_000;

/** A bar on a terminal, elsewhere a line every ten seconds. `from`: readings of an earlier run, which count for no rate. */
export const createProgress = (label: string, from = 0): Progress => {
  const began = performance.now();
  const rateOf = (readings: number): string =>
    count(Math.round((readings - from) / Math.max(0.001, (performance.now() - began) / 1000)));
  let first: number | undefined;
  /** How long the rest takes, by what was done since the first time: an earlier run may have done half of it. */
  const leftOf = (done: number): string => {
    first ??= done;
    if (done <= first) return "--";
    const seconds = Math.round((((performance.now() - began) / 1000) * (1 - done)) / (done - first));
    return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  };
  if (process.stderr.isTTY) {
    const format = `${label} {bar} {percentage} % | {readings} readings | {rate}/s | {left} left`;
    const bar = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
    bar.start(1000, 0, { readings: count(from), rate: "0", left: "--" });
    return {
      update: (done, readings) =>
        bar.update(Math.floor(done * 1000), { readings: count(readings), rate: rateOf(readings), left: leftOf(done) }),
      stop: () => bar.stop(),
    };
  }
  let last = began;
  return {
    update: (done, readings) => {
      if (performance.now() - last < lineEvery) return;
      last = performance.now();
      process.stderr.write(
        `${label}: ${Math.floor(done * 100)} %, ${count(readings)} readings, ${rateOf(readings)}/s\n`,
      );
    },
    stop: () => undefined,
  };
};

/** Refused lines that are printed; `--errors` has all. */
const mostShown = 20;

/** What could not be stored, each with its line and the reason. */
export interface Refused {
  add(line: number, reason: string): void;
  count(): number;
  /** The first of them, and where the others are, as lines to print. */
  shown(): string[];
  close(): Promise<void>;
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Notes refused lines. `file`: gets all of them as CSV; `isMore`: behind what an interrupted run wrote. */
export const createRefused = (unit: string, file: string | undefined, isMore: boolean): Refused => {
  const shown: string[] = [];
  let count = 0;
  let written: WriteStream | undefined;
  let fault: Error | undefined;
  const check = (): void => {
    if (fault) throw new Error(`${file} cannot be written: name another one by --errors`, { cause: fault });
  };
  const open = (path: string): WriteStream => {
    const stream = createWriteStream(path, { flags: isMore ? "a" : "w" });
    stream.on("error", (cause) => {
      fault = cause;
    });
    if (!isMore) stream.write(`${unit},reason\n`);
    return stream;
  };
  return {
    add: (line, reason) => {
      count += 1;
      if (shown.length < mostShown) shown.push(`${unit} ${line}: ${reason}`);
      if (file === undefined) return;
      check();
      written ??= open(file);
      written.write(`${line},${field(reason)}\n`);
    },
    count: () => count,
    shown: () => {
      if (count <= shown.length) return shown;
      const rest = `and ${count - shown.length} more`;
      return [
        ...shown,
        file === undefined ? `${rest}: name a file for all of them by --errors` : `${rest}: see ${file}`,
      ];
    },
    close: async () => {
      if (!written) return;
      check();
      written.end();
      await once(written, "finish").catch(check);
    },
  };
};
