import { readFile } from "node:fs/promises";

/** Resident memory of a process, kilobytes. */
export const residentKilobytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Samples a process's memory five times per second until the returned function is called, which returns the peak in MB. */
export const watchMemory = (pid: () => number): (() => number) => {
  let most = 0;
  const look = (): Promise<void> =>
    residentKilobytes(pid()).then(
      (kilobytes) => {
        most = Math.max(most, kilobytes);
      },
      () => undefined, // the process is being restarted
    );
  const timer = setInterval(() => void look(), 200);
  return () => {
    clearInterval(timer);
    return Math.round(most / 1024);
  };
};
