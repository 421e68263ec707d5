import { readFile } from "node:fs/promises";

/** Memory that a process holds now, kilobytes. */
export const residentKilobytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Looks at a process' memory five times a second until it is asked; gives the most it has seen, MB. */
export const watchMemory = (pid: () => number): (() => number) => {
  let most = 0;
  const look = (): Promise<void> =>
    residentKilobytes(pid()).then(
      (kilobytes) => {
        most = Math.max(most, kilobytes);
      },
      () => undefined, // it is about to be started again
    );
  const timer = setInterval(() => void look(), 200);
  return () => {
    clearInterval(timer);
    return Math.round(most / 1024);
  };
};
