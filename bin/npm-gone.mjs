// npm and npx that are killed end alone: what they have started has to see for itself that they are gone.
import { readFileSync } from "node:fs";

/** The parent of the shell in which npx runs a command; undefined where there is no shell between, and without Linux' /proc. */
const parentOfShell = () => {
  try {
    return /^\d+ \(sh\) \S (\d+)/.exec(readFileSync(`/proc/${process.ppid}/stat`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
};

const starter = process.ppid;
const behindShell = parentOfShell();

/** Whether the process that started this one, or its npx, is gone: then one of them has another parent. */
export const isNpmGone = () => process.ppid !== starter || parentOfShell() !== behindShell;
