import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";

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
  const open = (path: string): WriteStream => {
    const stream = createWriteStream(path, { flags: isMore ? "a" : "w" });
    if (!isMore) stream.write(`${unit},reason\n`);
    return stream;
  };
  return {
    add: (line, reason) => {
      count += 1;
      if (shown.length < mostShown) shown.push(`${unit} ${line}: ${reason}`);
      if (file === undefined) return;
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
      written.end();
      await once(written, "finish");
    },
  };
};
